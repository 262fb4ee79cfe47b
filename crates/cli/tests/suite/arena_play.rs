//! How games are scheduled, timed, ended and counted.

use std::collections::{BTreeMap, BTreeSet};

use kalah::board::Side;
use kalah::printable::counted;
use kalah_records::{GameRecord, Termination};

use crate::contest::{Contest, without_times};
use crate::runs::runs;

const THREE: &str = "--engine 'builtin=negascout depth=1' --engine 'builtin=mtdf depth=2' \
                     --engine 'builtin=mcts iterations=20' --games 4 --record games";

fn names(game: &GameRecord) -> [&str; 2] {
    [&game.south.player.name, &game.north.player.name]
}

#[test]
fn everybody_meets_everybody_with_both_sides_of_each_opening() {
    let contest = Contest::new();
    contest.played(&format!("tournament {THREE}"));
    let games = contest.games("games");
    assert_eq!(games.len(), 12);
    let mut meetings = BTreeMap::new();
    let mut openings: BTreeMap<u64, BTreeSet<&str>> = BTreeMap::new();
    for pair in games.chunks(2) {
        let [first, second] = [names(&pair[0]), names(&pair[1])];
        assert_eq!(first, [second[1], second[0]]);
        assert_eq!(pair[0].opening, pair[1].opening);
        assert_eq!(pair[0].round, pair[1].round);
        openings.entry(pair[0].round).or_default().insert(&pair[0].opening);
        *meetings.entry(BTreeSet::from(first)).or_insert(0) += 1;
    }
    assert_eq!(meetings.into_values().collect::<Vec<i32>>(), [2, 2, 2]);
    assert_eq!(openings.keys().copied().collect::<Vec<u64>>(), [1, 2]);
    assert!(openings.values().all(|openings| openings.len() == 1), "a round has one opening");
    assert_ne!(openings[&1], openings[&2]);
}

#[test]
fn in_a_gauntlet_the_first_meets_all_others() {
    let contest = Contest::new();
    contest.played(&format!("tournament --format gauntlet {THREE}"));
    let games = contest.games("games");
    assert_eq!(games.len(), 8);
    for other in ["mtdf", "mcts"] {
        let met = games.iter().filter(|game| {
            let names = names(game);
            names.contains(&"negascout") && names.contains(&other)
        });
        assert_eq!(met.count(), 4);
    }
}

#[test]
fn a_game_follows_from_the_seed_and_its_number_alone() {
    let record = |more: &str| {
        let contest = Contest::new();
        contest.played(&format!("tournament {THREE} {more}"));
        without_times(&contest.read("games"))
    };
    let whole = record("");
    for concurrency in [4, 2].into_iter().take(runs(1, 2)) {
        assert_eq!(record(&format!("--concurrency {concurrency}")), whole);
    }
    for of in [7, 3, 2].into_iter().take(runs(1, 3)) {
        let parts = (1..=of).map(|part| record(&format!("--shard {part}/{of} --concurrency 2")));
        let parts: Vec<String> = parts.collect();
        let mut lines: Vec<&str> = parts.iter().flat_map(|part| part.lines()).collect();
        let number = |line: &str| line.split([':', ',']).nth(1).unwrap().parse::<u64>().unwrap();
        lines.sort_by_key(|line| number(line));
        assert_eq!(lines, whole.lines().collect::<Vec<_>>());
    }
    assert_ne!(record("--seed 2"), whole);
}

/// What a program hears in a match of two games, and the record of it.
#[cfg(unix)]
fn heard(player: &str, opponent: &str, more: &str) -> (Vec<String>, Vec<GameRecord>) {
    let contest = Contest::new();
    let kalah = shell_words::quote(env!("CARGO_BIN_EXE_kalah")).into_owned();
    let script = shell_words::quote(&format!("tee -a heard | {kalah}")).into_owned();
    let args = shell_words::quote(&format!("-c {script}")).into_owned();
    let player = shell_words::quote(&format!("name=a cmd=sh args={args} {player}")).into_owned();
    contest.played(&format!(
        "match --engine {player} --engine 'name=b builtin=negascout {opponent}' --games 2 \
         --record games {more}"
    ));
    let lines = contest.read("heard").lines().map(str::to_owned).collect();
    (lines, contest.games("games"))
}

#[cfg(unix)]
#[track_caller]
fn questions(player: &str, opponent: &str) -> Vec<String> {
    let (lines, games) = heard(player, opponent, "");
    assert!(games.iter().all(|game| game.reason == Termination::PlayedOut), "{games:#?}");
    let mut questions: Vec<String> =
        lines.into_iter().filter(|line| line.starts_with("go")).collect();
    questions.sort();
    questions.dedup();
    questions
}

#[cfg(unix)]
#[test]
fn limits_reach_the_program_as_they_are_meant() {
    for (player, question) in [
        ("depth=3", "go depth 3"),
        ("nodes=500", "go nodes 500"),
        ("nodes=500 depth=2", "go depth 2 nodes 500"),
        ("st=1.5 depth=1", "go movetime 1500 depth 1"),
        ("option.Search=mcts iterations=50", "go iterations 50"),
    ] {
        assert_eq!(questions(player, "depth=2"), [question], "{player}");
    }
    // An opponent's clock is nothing to one who has none.
    assert_eq!(questions("depth=1", "tc=100+1 depth=1"), ["go depth 1"]);
}

/// While the opponent thinks, a program ponders the expected reply; a hit or a stop ends that.
#[cfg(unix)]
#[test]
fn a_program_ponders_while_its_opponent_thinks() {
    let (lines, games) = heard("ponder=on depth=5", "depth=5", "");
    assert!(games.iter().all(|game| game.reason == Termination::PlayedOut), "{games:#?}");
    assert!(lines.iter().any(|line| line == "setoption name Ponder value true"), "{lines:#?}");
    let mut ends = [0, 0];
    for (number, line) in lines.iter().enumerate() {
        if line.starts_with("go") && line.ends_with("ponder") {
            match lines[number + 1].as_str() {
                "ponderhit" => ends[0] += 1,
                "stop" => ends[1] += 1,
                other => panic!("'{other}' while it ponders: {lines:#?}"),
            }
        }
    }
    assert!(ends.iter().all(|&count| count > 0), "hits and stops: {ends:?}: {lines:#?}");
    let (lines, _) = heard("depth=5", "depth=5", "");
    assert!(!lines.iter().any(|line| line.contains("onder")), "{lines:#?}");
    let contest = Contest::new();
    let builtin = "match --engine 'builtin=pvs ponder=on' --engine builtin=mtdf --each depth=1";
    contest.refused(builtin, 2, "'pvs' is built in and cannot ponder");
}

#[cfg(unix)]
#[test]
fn a_program_can_be_started_again_for_each_game() {
    let starts = |player: &str| {
        let (lines, _) = heard(player, "depth=1", "");
        lines.iter().filter(|line| *line == "uci").count()
    };
    assert_eq!(starts("depth=1 restart=on"), starts("depth=1") + 1);
    let contest = Contest::new();
    let wrong = "match --engine 'builtin=pvs restart=maybe' --engine builtin=mtdf --each depth=1";
    contest.refused(wrong, 2, "'restart' takes on or off, not 'maybe'");
}

#[cfg(target_os = "linux")]
#[test]
fn games_at_a_time_can_have_processors_of_their_own() {
    use rustix::thread::{CpuSet, sched_getaffinity};

    let allowed = sched_getaffinity(None).unwrap();
    let processors = (0..CpuSet::MAX_CPU).filter(|&cpu| allowed.is_set(cpu)).count();
    let script = "grep Cpus_allowed_list /proc/self/status >>allowed";
    let (lines, _) = heard("depth=1", "depth=1", "--affinity");
    assert!(lines.iter().any(|line| line.starts_with("go")));

    let contest = Contest::new();
    let kalah = shell_words::quote(env!("CARGO_BIN_EXE_kalah")).into_owned();
    let script = shell_words::quote(&format!("{script}; exec {kalah}")).into_owned();
    let args = shell_words::quote(&format!("-c {script}")).into_owned();
    let player = shell_words::quote(&format!("name=a cmd=sh args={args}")).into_owned();
    let play = |concurrency: usize| {
        format!(
            "match --engine {player} --engine builtin=pvs --each depth=1 --affinity --seeds 1 \
             --games {} --concurrency {concurrency}",
            4 * processors
        )
    };
    contest.played(&play(processors));
    let allowed = contest.read("allowed");
    let lists: Vec<&str> =
        allowed.lines().filter_map(|line| line.split_once(":\t")).map(|(_, cpus)| cpus).collect();
    // The first start is before the games.
    let bound = lists[1..].iter().filter(|cpus| cpus.parse::<usize>().is_ok()).count();
    assert_eq!(bound, lists.len() - 1, "{lists:?}");
    assert!(bound > 0);
    let few =
        format!("{} for {} games at a time", counted(processors, "processor"), processors + 1);
    contest.refused(&play(processors + 1), 1, &few);
}

/// The number after a word.
#[cfg(unix)]
fn number(line: &str, name: &str) -> Option<u64> {
    line.split(' ').skip_while(|&word| word != name).nth(1).map(|word| word.parse().unwrap())
}

#[cfg(unix)]
#[test]
fn clocks_count_down_by_what_was_used() {
    let (lines, games) = heard("tc=5/100+0.5 depth=4", "tc=200 depth=1", "");
    let mut questions = lines.iter().filter(|line| line.starts_with("go"));
    for game in games {
        assert_eq!(game.reason, Termination::PlayedOut);
        let own = if game.south.player.name == "a" { Side::South } else { Side::North };
        let words = match own {
            Side::South => ["stime", "sinc", "ntime", "ninc"],
            Side::North => ["ntime", "ninc", "stime", "sinc"],
        };
        let (mut left, mut opponent, mut moves_to_go) = (100_000.0, 200_000.0, 5);
        let boards = game.boards().unwrap();
        for (board, ply) in boards.iter().zip(&game.moves) {
            if board.side() != own {
                opponent -= ply.time;
                continue;
            }
            let question = questions.next().expect("as many questions as moves");
            let near = |name, expected: f64| {
                let clock = number(question, name).expect(name) as f64;
                // Milliseconds are cut, and times in the record are rounded.
                assert!((-0.1..1.1).contains(&(expected - clock)), "{question}: {expected}");
            };
            near(words[0], left);
            near(words[2], opponent);
            assert_eq!(number(question, words[1]), Some(500), "{question}");
            assert_eq!(number(question, words[3]), None, "{question}");
            assert_eq!(number(question, "movestogo"), Some(moves_to_go), "{question}");
            assert_eq!(number(question, "depth"), Some(4), "{question}");
            assert_eq!(question.split(' ').count(), 11, "{question}");
            left += 500.0 - ply.time;
            moves_to_go -= 1;
            if moves_to_go == 0 {
                (left, moves_to_go) = (left + 100_000.0, 5);
            }
        }
    }
    assert_eq!(questions.next(), None);
}

#[cfg(unix)]
#[test]
fn a_program_hears_what_it_needs_and_nothing_else() {
    let (lines, games) =
        heard("depth=2 option.hash=3", "depth=2", "--capture empty --each option.Hash=9");
    let (lines, mut expected) = (lines.iter().map(String::as_str), vec![]);
    let capture = "setoption name Capture value empty".to_owned();
    let sowing = "setoption name Sowing value single".to_owned();
    let hash = "setoption name Hash value 3".to_owned();
    let text = |text: &str| text.to_owned();
    // What an engine may lack comes last.
    let start = [text("uci"), capture, hash, text("isready"), sowing];
    expected.extend(start.clone());
    expected.push(text("quit"));
    expected.extend(start);
    for game in &games {
        let own = if game.south.player.name == "a" { Side::South } else { Side::North };
        let seed = game.seat(own).random_seed;
        // Options that have not changed since are not sent again.
        expected.push(format!("setoption name Random Seed value {seed}"));
        expected.extend([text("ucinewgame"), text("isready")]);
        let boards = game.boards().unwrap();
        for (ply, board) in boards[..game.moves.len()].iter().enumerate() {
            if board.side() == own {
                let moves: String = game.moves[..ply].iter().map(|ply| ply.letter).collect();
                let moves = if moves.is_empty() { moves } else { format!(" moves {moves}") };
                expected.push(format!("position fen {}{moves}", game.opening));
                expected.extend([text("isready"), text("go depth 2")]);
            }
        }
    }
    expected.push(text("quit"));
    assert_eq!(lines.collect::<Vec<_>>(), expected);
    assert_ne!(games[0].south.random_seed, games[1].north.random_seed);
}

#[cfg(unix)]
#[test]
fn a_seed_that_is_asked_for_is_kept() {
    let (lines, _) = heard("depth=1 'option.random seed=7'", "depth=1", "");
    let seeds = lines.iter().filter(|line| line.contains("Random Seed"));
    assert_eq!(
        seeds.collect::<Vec<_>>(),
        ["setoption name Random Seed value 7"; 2],
        "once for each start"
    );
}

const UNEVEN: &str = "match --engine 'builtin=negascout depth=8' --engine 'builtin=minimax depth=1' \
                      --games 20 --record games";

#[test]
fn games_are_played_out_unless_asked_otherwise() {
    let contest = Contest::new();
    contest.played(UNEVEN);
    for game in contest.games("games") {
        assert_eq!(game.reason, Termination::PlayedOut);
        let margin = game.boards().unwrap().last().unwrap().result();
        assert_eq!(margin, game.margin, "{game:?}");
    }
}

#[test]
fn players_resign_after_so_many_bad_moves_in_a_row() {
    for twosided in [false, true] {
        let contest = Contest::new();
        let more = format!("--resign 'movecount=2 score=500 twosided={twosided}'");
        contest.played(&format!("{UNEVEN} {more}"));
        let games = contest.games("games");
        let mut resigned = 0;
        for game in &games {
            let boards = game.boards().unwrap();
            let mut bad = [0; 2];
            let mut good = [0; 2];
            let mut ended = None;
            for (ply, board) in game.moves.iter().zip(&boards) {
                assert_eq!(ended, None, "the game went on after a resignation: {game:?}");
                let side = board.side();
                let score = ply.score.unwrap();
                bad[side.index()] = if score <= -500 { bad[side.index()] + 1 } else { 0 };
                good[side.index()] = if score >= 500 { good[side.index()] + 1 } else { 0 };
                if bad[side.index()] >= 2 && (!twosided || good[(!side).index()] >= 2) {
                    ended = Some(side);
                }
            }
            let is_over = boards.last().unwrap().is_over();
            let expected = ended.filter(|_| !is_over);
            assert_eq!(game.reason == Termination::Resigned, expected.is_some(), "{game:?}");
            if let Some(side) = expected {
                let half_points = if side == Side::South { 0 } else { 2 };
                assert_eq!((game.result.half_points(), game.margin), (half_points, None));
                resigned += 1;
            }
        }
        assert!(resigned > 3, "{resigned} of {} resigned", games.len());
    }
}

#[test]
fn adjudicated_games_have_the_margin_that_they_come_to() {
    let players = "match --engine 'name=a builtin=negascout depth=20' \
                   --engine 'name=b builtin=mtdf depth=20' --seeds 2 --games 20 --concurrency 2 \
                   --record games";
    let contests = ["", "--adjudicate 12"].map(|more| {
        let contest = Contest::new();
        contest.played(&format!("{players} {more}"));
        contest.games("games")
    });
    let mut adjudicated = 0;
    for (out, short) in contests[0].iter().zip(&contests[1]) {
        assert_eq!(out.reason, Termination::PlayedOut);
        // Both players see the end from here: what is proven is what is played.
        assert_eq!((out.result, out.margin), (short.result, short.margin), "{short:?}");
        let letters =
            |game: &GameRecord| -> String { game.moves.iter().map(|ply| ply.letter).collect() };
        assert!(letters(out).starts_with(&letters(short)));
        let boards = short.boards().unwrap();
        let (last, earlier) = boards.split_last().unwrap();
        assert!(earlier.iter().all(|board| board.seeds_in_play() > 12), "{short:?}");
        if short.reason == Termination::Adjudicated {
            assert!(last.seeds_in_play() <= 12 && !last.is_over());
            adjudicated += 1;
        } else {
            assert_eq!(short.reason, Termination::PlayedOut);
        }
    }
    assert!(adjudicated > 5, "{adjudicated}");
}

/// The words of this engine, which says more before each of its moves.
#[cfg(unix)]
fn saying(name: &str, more: &str) -> String {
    const SCRIPT: &str = r#""$1" | while read -r line; do
        case $line in bestmove*) printf "$2" ;; esac
        printf '%s\n' "$line"
    done"#;
    let args = shell_words::join(["-c", SCRIPT, "sh", env!("CARGO_BIN_EXE_kalah"), more]);
    let words = format!("name={name} cmd=sh args={}", shell_words::quote(&args));
    shell_words::quote(&words).into_owned()
}

#[cfg(unix)]
#[test]
fn a_bound_is_no_score_to_resign_with() {
    let lost = r"info depth 8 score cp -900\n";
    let won = r"info depth 8 score cp 900\n";
    let maybe_lost = r"info depth 9 score cp -900 lowerbound\n";
    let maybe_won = r"info depth 9 score cp 900 upperbound\n";
    let silent = "";
    for (first, second, twosided, resigns) in [
        (maybe_lost.to_owned(), silent, false, false),
        (format!("{lost}{maybe_won}"), silent, false, true),
        (format!("{won}{maybe_lost}"), won, true, false),
        (format!("{lost}{maybe_lost}"), maybe_won, true, false),
        (lost.to_owned(), won, true, true),
    ] {
        let contest = Contest::new();
        let (first, second) = (saying("first", &first), saying("second", second));
        contest.played(&format!(
            "match --engine {first} --engine {second} --each depth=1 --games 2 --record games \
             --seeds 3 --openings plies=0 --resign 'movecount=1 score=800 twosided={twosided}'"
        ));
        let expected = if resigns { Termination::Resigned } else { Termination::PlayedOut };
        for game in contest.games("games") {
            assert_eq!(game.reason, expected, "{first} {second}: {game:?}");
        }
    }
}

#[test]
fn a_sequential_test_without_a_number_of_games_is_played_to_its_end() {
    let contest = Contest::new();
    let words = "match --engine 'name=a builtin=minimax depth=1' --engine 'name=b builtin=minimax \
                 depth=1' --openings plies=6 --seeds 3 --record games --sprt 'elo0=0 elo1=40'";
    let (text, errors) = contest.played(words);
    assert!(text.contains("accepted"), "{text}");
    assert!(contest.games("games").len() > 100, "{text}");
    assert!(errors.contains("until the sequential test is decided"), "{errors}");
}

#[test]
fn threads_count_when_clocks_have_to_share_processors() {
    let processors = std::thread::available_parallelism().unwrap().get();
    let crowded = |engine: &str, each: &str, concurrency: usize| {
        let contest = Contest::new();
        let (_, errors) = contest.played(&format!(
            "match --engine 'name=a {engine}' --engine 'name=b builtin=mtdf' --each '{each}' \
             --games 2 --houses 2 --seeds 1 --openings plies=0 --concurrency {concurrency}"
        ));
        errors.contains("the clocks will not be fair")
    };
    let kalah = format!("cmd={}", shell_words::quote(env!("CARGO_BIN_EXE_kalah")));
    for engine in ["builtin=negascout", &kalah] {
        let many = format!("{engine} option.threads={}", processors + 1);
        assert!(crowded(&many, "depth=1 tc=60", 1), "{engine}");
        assert!(!crowded(&many, "depth=1", 1), "{engine}: no clock");
        assert!(!crowded(engine, "depth=1 tc=60", 1), "{engine}");
        assert!(crowded(engine, "depth=1 tc=60", processors + 1), "{engine}");
    }
    let tune = Contest::new();
    // Both copies search at once.
    let (_, errors) = tune.played(&format!(
        "tune --engine '{kalah} ponder=on option.Threads={}' --each 'depth=1 tc=60' --pairs 1 \
         --iterations 1 --parameter 'name=Hash start=2 min=1 max=4' --openings plies=0 --seeds 1",
        processors / 2 + 1
    ));
    assert!(errors.contains("the clocks will not be fair"), "{errors}");
}

#[test]
fn a_sequential_test_ends_a_match_wherever_it_is_played() {
    let words = "match --engine 'builtin=negascout depth=4' --engine 'builtin=minimax depth=1' \
                 --games 1000 --record games --sprt 'elo0=0 elo1=100'";
    let verdict = |text: &str| text.lines().last().unwrap().to_owned();
    let alone = Contest::new();
    let (text, _) = alone.played(words);
    let first = verdict(&text);
    assert!(first.contains("H1 accepted"), "{text}");
    let record = alone.read("games");
    assert!(alone.games("games").len() < 1000);
    // Games that end while the verdict is reached are kept, but not looked at.
    let pairs = first.split_once("after ").unwrap().1.split(' ').next().unwrap();
    assert!(pairs.parse::<usize>().unwrap() <= alone.games("games").len() / 2, "{first}");

    let (text, _) = alone.played(words);
    assert_eq!(verdict(&text), first);
    assert_eq!(alone.read("games"), record, "a match that is decided is over");

    let two = Contest::new();
    let (text, _) = two.played(&format!("{words} --concurrency 2"));
    assert_eq!(verdict(&text), first);
    let (text, _) = two.played(&format!("{words} --concurrency 2"));
    assert_eq!(verdict(&text), first);
}

#[test]
fn equal_players_are_equal_and_deeper_ones_are_better() {
    let share = |a: &str, b: &str| {
        let contest = Contest::new();
        contest.played(&format!(
            "match --engine 'name=a {a}' --engine 'name=b {b}' --games 100 --concurrency 2 \
             --record games"
        ));
        let games = contest.games("games");
        let points = games.iter().map(|game| {
            let points = game.result.half_points();
            if game.south.player.name == "a" { points } else { 2 - points }
        });
        points.sum::<usize>() as f64 / 200.0
    };
    let mirror = share("builtin=negascout nodes=500", "builtin=negascout nodes=500");
    assert!((mirror - 0.5).abs() < 1e-9, "the same player on both sides: {mirror}");
    // Two standard deviations of 100 games.
    let equal = share("builtin=mcts nodes=3000", "builtin=mcts nodes=3000");
    assert!((0.4..=0.6).contains(&equal), "{equal}");
    let deeper = share("builtin=negascout depth=6", "builtin=negascout depth=2");
    assert!(deeper > 0.65, "{deeper}");
}
