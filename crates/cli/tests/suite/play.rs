//! What the engine plays and says of it: limits, lines, proofs, clocks.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use kalah::StopToken;
use kalah::board::{Board, Capture, Rules};
use kalah::search::{Limits, SearchOptions, Searcher};

use crate::exact_values::{Exact, exact_values};
use crate::runs::runs;
use crate::session::{Answer, Info, Session};

const MIDDLE_GAME: &str = "<6,3,9,7,0,8,8,0,8,1,7,0,7,7,7> S";

/// Plays moves as the engine writes them, which is in the case of the player to move.
#[track_caller]
fn play<'a>(board: &mut Board, moves: impl IntoIterator<Item = &'a str>) {
    for text in moves {
        let mv = text.parse().unwrap_or_else(|error| panic!("{error}"));
        board.play(mv).unwrap_or_else(|error| panic!("{error} in {}", board.fen()));
    }
}

/// Requires that all an answer says can be played.
#[track_caller]
fn assert_playable(board: &Board, answer: &Answer) {
    for info in &answer.infos {
        assert!(info.pv().next().is_some(), "{info:?}");
        play(&mut board.clone(), info.pv());
    }
    play(&mut board.clone(), [answer.best.as_str()].into_iter().chain(answer.ponder.as_deref()));
}

fn legal_moves(board: &Board) -> Vec<String> {
    board.moves().map(|mv| mv.to_string()).collect()
}

/// An engine that is ready to search a board.
fn session_on(fen: &str, options: &[(&str, &str)]) -> Session {
    let mut session = Session::start();
    for (name, value) in options {
        session.send(&format!("setoption name {name} value {value}"));
    }
    session.obeyed(&[&format!("position fen {fen}")]);
    session
}

#[test]
fn one_thread_searches_the_same_nodes_every_time() {
    let searched = || {
        let mut session = session_on(MIDDLE_GAME, &[]);
        let mut lines = session.go("nodes 150000").without_times();
        // What was learned counts too.
        lines.extend(session.go("depth 12").without_times());
        lines.extend(session.go("depth 9 searchmoves A C").without_times());
        session.quit();
        lines
    };
    assert_eq!(searched(), searched());
}

#[test]
fn a_new_game_and_a_cleared_table_are_as_good_as_a_new_engine() {
    let mut session = session_on(MIDDLE_GAME, &[]);
    let first = session.go("depth 11").without_times();
    for command in ["ucinewgame", "setoption name Clear Hash"] {
        assert_ne!(session.go("depth 11").without_times(), first, "nothing is remembered");
        session.obeyed(&[command]);
        assert_eq!(session.go("depth 11").without_times(), first, "{command}");
    }
    session.quit();
}

/// A position of a random game of a random board, with its options.
fn random_position(rng: &mut fastrand::Rng) -> (Board, Vec<String>) {
    let (houses, capture) = (rng.usize(2..=10), rng.choice(Capture::ALL).unwrap());
    let rules = Rules::new(houses, capture).unwrap();
    loop {
        let mut board = Board::start(rules, rng.u16(1..=6)).unwrap();
        for _ in 0..rng.u32(..30) {
            if let Some(mv) = rng.choice(board.moves().collect::<Vec<_>>()) {
                board.play(mv).unwrap();
            }
        }
        if !board.is_over() {
            let exact = rng.bool();
            let options = [("Houses", houses.to_string()), ("Capture", capture.to_string())];
            let options =
                options.map(|(name, value)| format!("setoption name {name} value {value}"));
            return (
                board,
                [&options[..], &[format!("setoption name Exact value {exact}")]].concat(),
            );
        }
    }
}

#[test]
fn positions_in_any_order_are_answered_as_by_new_engines() {
    const LIMITS: [&str; 5] = ["depth 5", "depth 9", "nodes 700", "nodes 20000", "nodes 120000"];
    let mut rng = fastrand::Rng::with_seed(23);
    let mut old = Session::start();
    for number in 0..runs(20, 100) {
        let (board, options) = random_position(&mut rng);
        let limit = LIMITS[rng.usize(..LIMITS.len())];
        let mut new = Session::start();
        let answers = [&mut old, &mut new].map(|session| {
            let position = format!("position fen {}", board.fen());
            let commands = options.iter().map(String::as_str);
            let all: Vec<_> = commands.chain(["ucinewgame", position.as_str()]).collect();
            session.obeyed(&all);
            session.go(limit).without_times()
        });
        assert_eq!(answers[0], answers[1], "{number}: {} {options:?} {limit}", board.fen());
        new.quit();
        // What the solver and its tables have learned is forgotten, too.
        if rng.u32(..4) == 0 {
            old.go("movetime 20");
        }
    }
    old.quit();
}

#[test]
fn one_thread_visits_as_many_nodes_as_allowed() {
    let board = Board::from_fen(MIDDLE_GAME, Capture::Standard).unwrap();
    for nodes in [1, 2, 7, 100, 1023, 1024, 1025, 4097, 30_000] {
        let mut searcher = Searcher::new(1).unwrap();
        let stop = StopToken::new();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let outcome =
            searcher.search(&board, &limits, &SearchOptions::default(), &stop, &mut |_| {});
        assert_eq!(outcome.stats.nodes, nodes);

        let mut session = session_on(MIDDLE_GAME, &[("Hash", "1")]);
        let answer = session.go(&format!("nodes {nodes}"));
        assert_playable(&board, &answer);
        assert!(answer.infos.iter().all(|info| info.number("nodes") <= nodes as i64));
        session.quit();
    }
}

#[test]
fn a_depth_limit_is_the_last_depth() {
    for depth in [1, 2, 3, 9] {
        let mut session = session_on(MIDDLE_GAME, &[]);
        let answer = session.go(&format!("depth {depth}"));
        let depths: Vec<i64> = answer.infos.iter().map(|info| info.number("depth")).collect();
        assert!(depths.iter().copied().eq(1..=depth), "{depths:?}");
        session.quit();
    }
}

#[test]
fn a_search_in_time_ends_by_itself() {
    let mut session = session_on(MIDDLE_GAME, &[]);
    let times = [
        "movetime 30",
        "movetime 0",
        "stime 100",
        "stime 0 ntime 0",
        "stime -5",
        "wtime 60 winc 9",
    ];
    for go in times.into_iter().chain(["stime 50 sinc 1 movestogo 1", "depth 255 movetime 30"]) {
        let answer = session.go(go);
        assert!(
            legal_moves(&Board::from_fen(MIDDLE_GAME, Capture::Standard).unwrap())
                .contains(&answer.best)
        );
    }
    session.quit();
}

#[test]
fn a_clock_that_runs_is_not_spent_on_a_forced_move() {
    // Far from solved: without the rule, minutes go by.
    let forced = "<6,3,3,0,0,0,0,0,9,8,8,8,8,8,8> S";
    let mut session = session_on(forced, &[]);
    let start = Instant::now();
    assert_eq!(session.go("stime 3600000 ntime 3600000").best, "F");
    assert!(start.elapsed() < Duration::from_secs(30));
    session.quit();
}

#[test]
fn lines_of_play_are_distinct_sorted_and_as_many_as_asked_for() {
    let board = Board::from_fen(MIDDLE_GAME, Capture::Standard).unwrap();
    let legal = legal_moves(&board).len();
    for multipv in [2, legal - 1, legal, 12] {
        let mut session = session_on(MIDDLE_GAME, &[("MultiPV", &multipv.to_string())]);
        let answer = session.go("depth 8");
        assert_playable(&board, &answer);
        let expected = multipv.min(legal);
        for (lines, depth) in answer.infos.chunks(expected).zip(1..) {
            assert!(lines.iter().all(|line| line.number("depth") == depth));
            assert!(lines.iter().map(|line| line.number("multipv")).eq(1..=expected as i64));
            assert!(lines.is_sorted_by_key(|line| -line.number("cp")));
            let mut firsts: Vec<_> = lines.iter().filter_map(|line| line.pv().next()).collect();
            firsts.sort_unstable();
            firsts.dedup();
            assert_eq!(firsts.len(), expected, "{lines:#?}");
        }
        assert_eq!(answer.infos.len(), 8 * expected);
        assert_eq!(answer.last_lines()[0].pv().next(), Some(answer.best.as_str()));
        session.quit();
    }
}

#[test]
fn only_the_moves_asked_for_are_considered() {
    for threads in ["1", "2"] {
        let mut session = session_on(MIDDLE_GAME, &[("MultiPV", "12"), ("Threads", threads)]);
        for moves in ["A", "A C", "CA", "d F", "A C D F"] {
            let answer = session.go(&format!("depth 7 searchmoves {moves}"));
            let mut asked: Vec<String> = moves
                .to_uppercase()
                .chars()
                .filter(char::is_ascii_alphabetic)
                .map(String::from)
                .collect();
            let mut told: Vec<_> =
                answer.last_lines().iter().filter_map(|line| line.pv().next()).collect();
            asked.sort_unstable();
            told.sort_unstable();
            assert_eq!(told, asked);
            assert!(asked.contains(&answer.best), "{answer:?}");
        }
        session.refused("go searchmoves B");
        session.quit();
    }
}

/// A sample of the positions with known values, small and large.
fn sample() -> impl Iterator<Item = Exact> {
    exact_values().into_iter().step_by(7)
}

/// Puts an exact position before the engine; returns it as a board.
fn set(session: &mut Session, exact: &Exact) -> Board {
    session.send(&format!("setoption name Capture value {}", exact.capture));
    session.send(&format!("position fen {}", exact.fen));
    Board::from_fen(&exact.fen, exact.capture).unwrap()
}

/// What a line says a position or a move is worth, in seeds, and whether it claims to know.
fn proven_margin(info: &Info) -> Option<i32> {
    info.is_proven().then(|| info.number("cp") as i32 / 100)
}

#[test]
fn what_is_proven_is_true() {
    for threads in ["2", "1"].into_iter().take(runs(1, 2)) {
        let mut session = Session::start();
        session.send(&format!("setoption name Threads value {threads}"));
        for exact in sample() {
            let board = set(&mut session, &exact);
            let answer = session.go("");
            assert_playable(&board, &answer);
            assert_eq!(proven_margin(answer.last()), Some(exact.value), "{}", exact.fen);
            let best: char = answer.best.to_lowercase().parse().unwrap();
            assert_eq!(exact.moves[&best], exact.value, "{answer:?}");
            for info in &answer.infos {
                let margin = proven_margin(info);
                assert!(margin.is_none_or(|margin| margin == exact.value), "{info:?}");
            }
        }
        session.quit();
    }
}

#[test]
fn every_line_of_play_is_proven_in_the_end() {
    let mut session = Session::start();
    session.send("setoption name MultiPV value 12");
    for exact in sample() {
        let board = set(&mut session, &exact);
        let answer = session.go("");
        assert_playable(&board, &answer);
        let told: BTreeMap<char, i32> = answer
            .last_lines()
            .into_iter()
            .map(|line| {
                let first = line.pv().next().unwrap().to_lowercase();
                (first.parse().unwrap(), proven_margin(line).expect("a proof"))
            })
            .collect();
        assert_eq!(told, exact.moves, "{} {}", exact.fen, exact.capture);
    }
    session.quit();
}

#[test]
fn the_best_of_some_moves_is_found() {
    let mut session = Session::start();
    for exact in sample().filter(|exact| exact.moves.len() > 2) {
        set(&mut session, &exact);
        let some: Vec<char> = exact.moves.keys().copied().step_by(2).collect();
        let best = some.iter().map(|letter| exact.moves[letter]).max();
        let words: String = some.iter().collect();
        let answer = session.go(&format!("searchmoves {words}"));
        let played = answer.best.to_lowercase().parse().ok();
        assert_eq!(proven_margin(answer.last()), best, "{} {words}", exact.fen);
        assert_eq!(played.map(|letter: char| exact.moves[&letter]), best, "{answer:?}");
    }
    session.quit();
}

/// Starts of all sizes under both rules, with more seeds on one than on the next.
fn starts() -> impl Iterator<Item = Board> {
    (1..=12).flat_map(|houses| {
        Capture::ALL.map(|capture| {
            let rules = Rules::new(houses, capture).unwrap();
            let seeds = 1 + (houses * 5 + capture as usize * 2) % 7;
            Board::start(rules, seeds as u16).unwrap()
        })
    })
}

/// Has the engine play a game against itself; each answer is timed and shown with its board.
fn play_game(
    session: &mut Session,
    start: &Board,
    mut go: impl FnMut(&Board) -> String,
    mut answered: impl FnMut(&Board, Duration),
) {
    // The moves of the last game need not be right under other rules.
    session.send("position startpos");
    session.send(&format!("setoption name Capture value {}", start.rules().capture()));
    session.send("ucinewgame");
    session.expect_idle();
    let (mut board, mut moves) = (*start, String::new());
    while !board.is_over() {
        session.send(&format!("position fen {} moves {moves}", start.fen()));
        session.expect_idle();
        let words = go(&board);
        let asked = Instant::now();
        let answer = session.go(&words);
        answered(&board, asked.elapsed());
        assert_playable(&board, &answer);
        play(&mut board, [answer.best.as_str()]);
        moves.push_str(&answer.best);
    }
    session.send(&format!("position fen {} moves {moves}", start.fen()));
    assert_eq!(session.go("").best, "0000");
}

#[test]
fn whole_games_are_played_by_the_rules() {
    for threads in ["3", "1"].into_iter().take(runs(1, 2)) {
        let mut session = Session::start();
        session.send(&format!("setoption name Threads value {threads}"));
        session.send("setoption name Hash value 1");
        for start in starts() {
            play_game(&mut session, &start, |_| "nodes 1500".to_owned(), |_, _| {});
        }
        session.quit();
    }
}

#[test]
fn no_game_is_lost_on_time() {
    /// What each player has for the whole game.
    const TIME: Duration = Duration::from_millis(5300);
    let mut session = Session::start();
    // In hand for what a busy machine does to the way of an answer, over a whole game.
    session.send("setoption name Move Overhead value 5000");
    for start in starts().step_by(5) {
        let clocks = std::cell::Cell::new([TIME; 2]);
        let go = |_: &Board| {
            let [south, north] = clocks.get().map(|time| time.as_millis());
            format!("stime {south} ntime {north}")
        };
        play_game(&mut session, &start, go, |board, spent| {
            let mut left = clocks.get();
            let clock = &mut left[board.side().index()];
            let lost = || panic!("{} is out of time: {}", board.side(), board.fen());
            *clock = clock.checked_sub(spent).unwrap_or_else(lost);
            clocks.set(left);
        });
    }
    session.quit();
}
