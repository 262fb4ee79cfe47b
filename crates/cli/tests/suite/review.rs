//! Reviews of games, and puzzles.

use std::num::NonZeroUsize;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use fastrand::Rng;
use kalah::board::{Board, Capture, RuleSet, Rules, Side, Sowing};
use kalah::printable::is_printable;
use kalah::solve::{SolveProgress, SolveRequest, SolverResources};
use kalah::{Solver, StopToken};
use kalah_games::{AnnotatedGame, MAX_GAMES_TEXT};
use kalah_review::{Puzzle, Puzzles, Review, ReviewError, ReviewLimit, Reviewer, puzzles};
use serde_json::Value;

use crate::command_line::assert_refused;
use crate::markup::assert_well_formed;
use crate::records::Folder;
use crate::runs::runs;
use crate::session::Session;

const PUZZLES: &str = include_str!("../../../../crates/gui/src/page/puzzles.json");
const RELAY_PUZZLES: &str = include_str!("../../../../crates/gui/src/page/puzzles-relay.json");
const SCHEMA: &str = include_str!("../../../../docs/formats/schemas/review.schema.json");

fn random_game(rng: &mut Rng, houses: usize, seeds: u16, capture: Capture) -> AnnotatedGame {
    let rules = Rules::new(houses, capture).unwrap();
    let mut game = AnnotatedGame::new(Board::start(rules, seeds).unwrap());
    loop {
        let moves: Vec<_> = game.end().moves().collect();
        if moves.is_empty() {
            return game;
        }
        game.play(moves[rng.usize(..moves.len())]).unwrap();
    }
}

fn small_solver() -> Solver {
    Solver::new(SolverResources { mebibytes: 64, ..SolverResources::default() })
}

/// The margins of all moves of a board, for South.
fn margins(solver: &mut Solver, board: &Board) -> Vec<(String, i32)> {
    let request = SolveRequest { moves: true, ..SolveRequest::default() };
    let solution =
        solver.solve_with(board, request, &StopToken::new(), &SolveProgress::default()).unwrap();
    let sign = if board.side() == Side::South { 1 } else { -1 };
    solution.moves.iter().map(|(mv, margin)| (mv.to_string(), sign * margin)).collect()
}

fn review(
    game: &AnnotatedGame,
    limit: ReviewLimit,
    stop: &StopToken,
) -> Result<Review, ReviewError> {
    Reviewer::new(limit, SolverResources::default()).review(game, stop, |_, _| {})
}

/// Requires that a review has the values of the solver.
fn check(review: &Review, game: &AnnotatedGame) {
    let boards: Vec<Board> = game.boards().collect();
    let mut solver = small_solver();
    let mut lost = [0, 0];
    assert!(review.proven);
    assert_eq!(review.moves.len(), game.moves.len());
    assert_eq!(Some(review.last), game.end().result());
    for (number, judged) in review.moves.iter().enumerate() {
        let board = &boards[number];
        let values = margins(&mut solver, board);
        let is_south = board.side() == Side::South;
        let best = values.iter().map(|(_, value)| *value);
        let best = if is_south { best.max() } else { best.min() }.unwrap();
        let best_moves = values.iter().filter(|(_, value)| *value == best).map(|(mv, _)| mv);
        assert_eq!((judged.ply, judged.value), (number + 1, best), "{}", board.fen());
        assert!(best_moves.eq(&judged.best), "{}", board.fen());
        let after = values.iter().find(|(mv, _)| *mv == judged.letter).unwrap().1;
        assert_eq!((judged.after, judged.loss), (after, (best - after).abs()));
        assert_eq!(judged.loss == 0, judged.mark == "best");
        assert_eq!(judged.loss > 0, judged.why.as_ref().is_some_and(|why| !why.text.is_empty()));
        lost[board.side().index()] += judged.loss;
        // The line is best play to the end.
        let mut end = *board;
        end.play_moves(&judged.line).unwrap();
        assert_eq!(end.result(), Some(best), "{}: {}", board.fen(), judged.line);
    }
    assert_eq!([review.south.lost, review.north.lost], lost);
    for side in [&review.south, &review.north] {
        assert_eq!(side.opening + side.middle + side.ending, side.lost);
        assert_eq!(side.lost == 0, side.accuracy > 99.99, "{side:?}");
    }
    let greatest = review.moves.iter().map(|judged| judged.loss).max().unwrap_or(0);
    let sharpest = review.moves.iter().find(|judged| judged.loss == greatest && greatest > 0);
    assert_eq!(review.sharpest, sharpest.map(|judged| judged.ply));
    let given = |ply: &usize| review.moves[ply - 1].loss;
    let mistakes = review.moves.iter().filter(|judged| judged.loss > 0).count();
    assert_eq!(review.moments.len(), mistakes.min(5));
    assert!(review.moments.is_sorted());
    let least = review.moments.iter().map(given).min().unwrap_or(0);
    assert!(review.moves.iter().filter(|judged| judged.loss > least).count() < 5);
}

#[test]
fn a_review_has_the_values_of_the_solver() {
    let mut rng = Rng::with_seed(3);
    for (houses, seeds, games) in
        [(1, 2, 2), (3, 4, 3), (4, 3, 3), (6, 2, 2), (6, 3, 1)].into_iter().take(runs(3, 5))
    {
        for capture in Capture::ALL {
            let resources =
                SolverResources { threads: NonZeroUsize::new(2).unwrap(), mebibytes: 64 };
            let mut reviewer = Reviewer::new(ReviewLimit::Auto, resources);
            for _ in 0..games {
                let game = random_game(&mut rng, houses, seeds, capture);
                let mut calls = Vec::new();
                let found =
                    reviewer.review(&game, &StopToken::new(), |done, of| calls.push((done, of)));
                check(&found.unwrap(), &game);
                assert!(
                    calls.iter().copied().eq((0..=game.moves.len()).map(|n| (n, game.moves.len())))
                );
            }
        }
    }
}

#[test]
fn a_search_says_that_it_estimates() {
    let game = &AnnotatedGame::parse("[Board \"6x6\"] 1. B a 2. C *").unwrap()[0];
    let found = review(game, ReviewLimit::Depth(4), &StopToken::new()).unwrap();
    assert!(!found.proven && found.moves.iter().all(|judged| !judged.proven && judged.loss >= 0));
    assert!(found.moves.iter().all(|judged| !judged.best.is_empty() && !judged.line.is_empty()));
    for judged in &found.moves {
        let sign = if judged.side == "S" { 1 } else { -1 };
        assert_eq!(judged.loss, (sign * (judged.value - judged.after)).max(0));
        assert_eq!(judged.loss == 0, judged.best.contains(&judged.letter), "{judged:?}");
    }
    // A search proves the end of a game.
    let mut rng = Rng::with_seed(5);
    let game = random_game(&mut rng, 4, 2, Capture::Standard);
    let found = review(&game, ReviewLimit::Depth(60), &StopToken::new()).unwrap();
    let exact = review(&game, ReviewLimit::Exact, &StopToken::new()).unwrap();
    assert!(found.proven);
    assert!(found.values().eq(exact.values()));

    let stop = StopToken::new();
    stop.stop();
    let stopped = review(&game, ReviewLimit::Auto, &stop);
    assert!(matches!(stopped, Err(ReviewError::Stopped)), "{stopped:?}");
}

/// Requires that a review agrees with itself: each position has one value, and one line that reaches it.
fn check_agreement(review: &Review, game: &AnnotatedGame) {
    let boards: Vec<Board> = game.boards().collect();
    let values: Vec<i32> = review.values().collect();
    if let Some(result) = game.end().result() {
        assert_eq!(review.last, result, "{game}");
    }
    for (judged, board) in review.moves.iter().zip(&boards) {
        let place = format!("ply {} of {game}", judged.ply);
        assert_eq!((judged.value, judged.after), (values[judged.ply - 1], values[judged.ply]));
        let sign = if board.side() == Side::South { 1 } else { -1 };
        assert_eq!(judged.loss, sign * (judged.value - judged.after), "{place}");
        assert_eq!(judged.loss == 0, judged.best.contains(&judged.letter), "{place}");
        assert!(!judged.best.is_empty() && judged.mark == "best" || judged.loss > 0, "{place}");
        let mut end = *board;
        end.play_moves(&judged.line).unwrap();
        if let Some(result) = end.result().filter(|_| judged.proven) {
            assert_eq!(result, judged.value, "{place}: {}", judged.line);
        }
        let is_first = judged.line.starts_with(&judged.best[0]);
        assert!(is_first || judged.line.starts_with(&judged.letter), "{place}: {}", judged.line);
    }
}

#[test]
fn one_position_has_one_value_and_one_line() {
    let game = |fen: &str, moves: &str| {
        let mut game = AnnotatedGame::new(Board::from_fen(fen, Capture::Standard).unwrap());
        for mv in moves.chars() {
            game.play(mv.to_string().parse().unwrap()).unwrap();
        }
        game
    };
    let stop = StopToken::new();
    // The last move of this one ends the game.
    let mut games = vec![game("<5,0,0,0,0,4,0,0,15,0,0,0,0> N", "aCcDBd")];
    let mut rng = Rng::with_seed(7);
    games.extend((0..runs(4, 40)).map(|_| random_game(&mut rng, 4, 3, Capture::Standard)));
    for game in &games {
        let short = ReviewLimit::MoveTime(Duration::from_millis(1));
        for limit in [ReviewLimit::Depth(1), ReviewLimit::Depth(2), ReviewLimit::Depth(5), short] {
            check_agreement(&review(game, limit, &stop).unwrap(), game);
        }
    }
    // Both moves are proven to be worth as much.
    let game = game("<2,22,952,1,3,7,38> N", "a");
    let review = review(&game, ReviewLimit::MoveTime(Duration::from_secs(1)), &stop).unwrap();
    check_agreement(&review, &game);
    assert_eq!((review.moves[0].proven, review.last), (true, -935));
    assert_eq!(review.moves[0].best, ["a", "b"]);
}

/// Requires that a value is as a schema says, of the few words that ours uses.
fn check_schema(value: &Value, schema: &Value, root: &Value) {
    if let Some(name) = schema["$ref"].as_str() {
        return check_schema(value, &root["$defs"][name.strip_prefix("#/$defs/").unwrap()], root);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let is_its = |choice: &&Value| (choice["type"] == "null") == value.is_null();
        return check_schema(value, choices.iter().find(is_its).unwrap(), root);
    }
    if let Some(expected) = schema.get("const") {
        assert_eq!(value, expected);
    }
    if let Some(values) = schema["enum"].as_array() {
        assert!(values.contains(value), "{value}");
    }
    let types = match &schema["type"] {
        Value::Array(types) => types.clone(),
        Value::Null => Vec::new(),
        one => vec![one.clone()],
    };
    let is_of = |name: &Value| match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{other}"),
    };
    assert!(types.is_empty() || types.iter().any(is_of), "{value} is not of {types:?}");
    if let Some(object) = value.as_object() {
        for name in schema["required"].as_array().unwrap() {
            assert!(object.contains_key(name.as_str().unwrap()), "no {name} in {value}");
        }
        for (name, value) in object {
            check_schema(value, schema["properties"].get(name).expect(name), root);
        }
    }
    for item in value.as_array().into_iter().flatten() {
        check_schema(item, &schema["items"], root);
    }
}

fn run(arguments: &[&str]) -> Vec<String> {
    Session::run(arguments).wait_for_success()
}

#[test]
fn the_json_is_what_its_schema_says() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let game = random_game(&mut Rng::with_seed(4), 3, 3, Capture::Standard);
    let moves: String = game.moves.iter().map(|ply| ply.mv.letter()).collect();
    let lines = run(&["review", "--json", "--houses", "3", "--seeds", "3", "--moves", &moves]);
    assert_eq!(lines.len(), 1);
    let value: Value = serde_json::from_str(&lines[0]).unwrap();
    check_schema(&value, &schema, &schema);
    let review: Review = serde_json::from_value(value).unwrap();
    assert!(review.proven && review.start.starts_with("<3,0,0,3"));
    let none = run(&["review", "--json", "--houses", "2", "--seeds", "1", "--moves", ""]);
    check_schema(&serde_json::from_str(&none[0]).unwrap(), &schema, &schema);
    assert_refused(&["review", "--moves", "AaA", "--seeds", "1"], 2, "move 3: house A is empty");
    assert_refused(&["review"], 2, "FILE");
    let folder = Folder::new();
    assert_refused(&["review", &folder.write("empty", "\n")], 1, "there are no games");
    assert_refused(
        &["review", &folder.write("bad", "1. CF a\n2. Z")],
        1,
        "line 2, column 4: 'Z' is",
    );
    assert_refused(&["review", "a", "--moves", "A"], 2, "--moves");
}

/// What was printed, without the lines, of which several may be best, and what is said of them.
fn without_lines(printed: &[String]) -> Vec<Value> {
    let without = |line: &String| {
        let mut review: Value = serde_json::from_str(line).unwrap();
        for judged in review["moves"].as_array_mut().unwrap() {
            let judged = judged.as_object_mut().unwrap();
            assert!(judged.remove("line").is_some());
            assert_eq!(judged.remove("why").is_some(), judged["loss"] != 0);
        }
        review
    };
    printed.iter().map(without).collect()
}

const NAME: &str = "<b>\u{1b}[2J\u{202e}&\"";

fn games_file(folder: &Folder, number: usize) -> (String, Vec<AnnotatedGame>) {
    let mut rng = Rng::with_seed(8);
    let mut games = Vec::new();
    for _ in 0..number {
        let mut game = random_game(&mut rng, 4, 3, Capture::Standard);
        game.set_tag("South", NAME);
        game.moves[0].comment = Some("the first".to_owned());
        games.push(game);
    }
    let text: Vec<String> = games.iter().map(AnnotatedGame::to_string).collect();
    (folder.write("games.txt", text.join("\n")), games)
}

#[test]
fn standard_input_is_read_like_a_file() {
    let folder = Folder::new();
    let (path, games) = games_file(&folder, 2);
    let review = |input: &str| {
        Command::new(env!("CARGO_BIN_EXE_kalah"))
            .args(["review", "--json", "-"])
            .stdin(fs::File::open(input).unwrap())
            .output()
            .unwrap()
    };
    let printed = review(&path);
    assert!(printed.status.success(), "{printed:?}");
    let printed: Vec<_> =
        String::from_utf8(printed.stdout).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(printed.len(), games.len());
    assert_eq!(without_lines(&printed), without_lines(&run(&["review", "--json", &path])));
    for (text, named) in [
        (b"1. CF a\n2. Z".to_vec(), "standard input, line 2, column 4: 'Z' is"),
        (vec![b'\xff'], "cannot read standard input: not text in UTF-8"),
        (vec![b'\n'; MAX_GAMES_TEXT + 1], "cannot read standard input: more than"),
    ] {
        let refused = review(&folder.write("bad", text));
        assert_eq!(refused.status.code(), Some(1), "{refused:?}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains(named), "{refused:?}");
    }
}

#[test]
fn reviews_are_written_as_pages_and_games() {
    let folder = Folder::new();
    let (path, games) = games_file(&folder, 3);
    let (html, text) = (folder.path("r.html"), folder.path("r.txt"));
    let lines = run(&["review", &path, "--html", &html, "--annotate", &text, "--jobs", "2"]);
    assert!(lines.join("").chars().all(is_printable));
    assert!(lines.iter().any(|line| line == "All values are proven."), "{lines:#?}");
    let page = fs::read_to_string(html).unwrap();
    assert!(page.chars().all(|c| c == '\n' || is_printable(c)));
    assert_well_formed(&page);
    for foreign in ["http", "//", "<script", "@import", "url(h"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.contains("&lt;b&gt;") && page.contains("<svg"));
    let annotated = AnnotatedGame::parse(&fs::read_to_string(&text).unwrap()).unwrap();
    for (annotated, game) in annotated.iter().zip(&games) {
        let review = review(game, ReviewLimit::Exact, &StopToken::new()).unwrap();
        assert!(annotated.boards().eq(game.boards()));
        assert_eq!(annotated.tag("South"), Some(NAME));
        assert_eq!(annotated.tag("NorthLost"), Some(review.north.lost.to_string().as_str()));
        assert!(annotated.moves[0].comment.as_deref().unwrap().starts_with("the first"));
        for (ply, judged) in annotated.moves.iter().zip(&review.moves) {
            assert_eq!(ply.variations.len(), usize::from(judged.loss > 0));
            for variation in &ply.variations {
                assert!(judged.best.contains(&variation[0].mv.to_string()));
                assert!(
                    ply.comment.as_deref().unwrap().contains(&format!("{} seeds", judged.loss))
                );
            }
        }
    }
    // Annotated games can be reviewed again; a file is not read and replaced.
    let [again, before] = [&text, &path].map(|path| run(&["review", path, "--json"]));
    assert_eq!(without_lines(&again), without_lines(&before));
    let twice = folder.path("twice.txt");
    run(&["review", &text, "--annotate", &twice]);
    assert_eq!(fs::read_to_string(&twice).unwrap(), fs::read_to_string(&text).unwrap());
    // Another best line gives another reason: it is the same mistake.
    let reasons = fs::read_to_string(&text).unwrap().replace("After ", "Once after ");
    let reasons = folder.write("reasons.txt", reasons);
    run(&["review", &reasons, "--annotate", &twice]);
    let [reasons, twice] = [reasons, twice]
        .map(|path| AnnotatedGame::parse(&fs::read_to_string(path).unwrap()).unwrap());
    assert_eq!(twice, reasons);
    assert_refused(&["review", &text, "--annotate", &text], 1, "it would be replaced");
    let both = folder.path("both");
    let twice = ["review", &text, "--annotate", &both, "--html", &both];
    assert_refused(&twice, 2, "--html and --annotate both name");
    // A game of a file has its own board.
    for option in [["--seeds", "3"], ["--sowing", "relay"]] {
        let words = [&["review", &text], &option[..]].concat();
        assert_refused(&words, 2, "cannot be used with");
    }
}

#[test]
fn an_interrupted_review_goes_on() {
    let folder = Folder::new();
    let (path, games) = games_file(&folder, 4);
    let whole = without_lines(&run(&["review", &path, "--json"]));
    let record = folder.path("record.jsonl");
    let arguments = ["review", &path, "--json", "--record", &record, "--jobs", "1"];
    assert_eq!(without_lines(&run(&arguments)), whole);
    let kept = fs::read_to_string(&record).unwrap();
    assert_eq!(kept.lines().count(), games.len());
    // Nothing is left to be done.
    assert_eq!(without_lines(&run(&arguments)), whole);
    assert_eq!(fs::read_to_string(&record).unwrap(), kept);
    // Killed in the middle of the third line; the second is recognised by a change.
    let lines: Vec<&str> = kept.lines().collect();
    let second = lines[1].replace("\"accuracy\":", "\"accuracy\":1");
    let torn = format!("{}\n{second}\n{}", lines[0], &lines[2][..lines[2].len() / 2]);
    fs::write(&record, torn).unwrap();
    let ended = Session::run(&arguments).wait();
    assert!(ended.status.success() && ended.errors.contains("incomplete"), "{}", ended.errors);
    let printed = without_lines(&ended.output);
    assert_eq!(printed[0], whole[0]);
    assert_ne!(printed[1], whole[1], "the second was taken from the record");
    assert_eq!(printed[2..], whole[2..]);
    // A review with another limit does not count.
    let searched = run(&["review", &path, "--json", "--record", &record, "--depth", "1"]);
    assert_eq!(searched.len(), games.len());
    assert_eq!(fs::read_to_string(&record).unwrap().lines().count(), 2 * games.len());
    // A terminal does not obey what stands in a record.
    let marks = kept.replace("\"mark\":\"", "\"mark\":\"\\u001b[31m");
    let marks = folder.write("marks.jsonl", marks);
    let printed = run(&["review", &path, "--record", &marks]).join("");
    assert!(printed.contains("\\u{1b}[31m") && printed.chars().all(is_printable), "{printed}");
    let wrong = folder.write("wrong.jsonl", "no review\n");
    assert_refused(&["review", &path, "--record", &wrong], 1, "line 1: not a review");
    assert_eq!(fs::read_to_string(wrong).unwrap(), "no review\n");
}

#[test]
fn a_position_that_cannot_be_solved_is_told_once() {
    let fen = "<12,0,0,40,40,40,40,0,0,0,0,0,0,0,0,40,40,0,0,0,0,0,0,0,0,0,0>";
    let ended = Session::run(&["review", "--fen", fen, "--exact", "--moves", "A"]).wait();
    assert_eq!(ended.status.code(), Some(1), "{}", ended.errors);
    let why = "kalah: game 1: ply 2: too many seeds to solve: 238 ";
    assert!(ended.errors.starts_with(why), "{}", ended.errors);
    assert_eq!(ended.errors.matches("too many").count(), 1, "{}", ended.errors);
}

#[test]
fn a_killed_review_goes_on() {
    let folder = Folder::new();
    let mut rng = Rng::with_seed(11);
    let game = |_| random_game(&mut rng, 6, 3, Capture::Standard).to_string();
    let texts: Vec<String> = (0..runs(3, 8)).map(game).collect();
    let path = folder.write("games.txt", texts.join("\n"));
    let record = folder.path("record.jsonl");
    let arguments = ["review", &path, "--json", "--record", &record, "--jobs", "1"];
    let mut first = Command::new(env!("CARGO_BIN_EXE_kalah"))
        .args(arguments)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while fs::metadata(&record).map_or(0, |file| file.len()) == 0 {
        assert!(first.try_wait().unwrap().is_none_or(|status| status.success()));
        thread::sleep(Duration::from_millis(5));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let ended = Session::run(&arguments).wait();
    assert!(ended.status.success() && ended.output.len() == texts.len(), "{}", ended.errors);
    let kept = fs::read_to_string(&record).unwrap();
    assert_eq!(kept.lines().count(), texts.len());
}

/// Requires that in each puzzle one move holds and all others lose at least 4 seeds. Solves every sixth, in `.ci/deep`
/// every one.
fn check_puzzles(made: &Puzzles) {
    let mut solvers = std::collections::HashMap::new();
    let mut known = std::collections::HashSet::new();
    for (number, puzzle) in made.puzzles.iter().enumerate() {
        let capture: Capture = puzzle.capture.parse().unwrap();
        let sowing = puzzle.sowing.as_deref().map_or(Sowing::Single, |name| name.parse().unwrap());
        let board = Board::from_fen(&puzzle.board, RuleSet::new(capture, sowing)).unwrap();
        assert_eq!(board.side(), Side::South);
        let key =
            (board.rules(), [Side::South, Side::North].map(|side| board.houses(side).to_vec()));
        assert!(known.insert(key), "{} comes twice", puzzle.board);
        if number % runs(6, 1) != 0 {
            continue;
        }
        let solver = solvers.entry(board.rules()).or_insert_with(small_solver);
        let mut margins = margins(solver, &board);
        margins.sort_by_key(|(_, margin)| -margin);
        assert_eq!(margins[0], (puzzle.best.clone(), puzzle.value), "{}", puzzle.board);
        assert_eq!(margins[1].1, puzzle.second, "{}", puzzle.board);
        assert!(
            puzzle.value >= 0
                && puzzle.value - puzzle.second >= 4
                && (1..=3).contains(&puzzle.level)
        );
        assert!(puzzle.line.starts_with(&puzzle.best));
        // Each own move that is asked for is the only one that holds, or the only one.
        let letters: Vec<&str> = puzzle.line.split(' ').collect();
        assert!((1..=letters.len()).contains(&puzzle.steps), "{}", puzzle.board);
        let mut at = board;
        for (number, letter) in letters[..puzzle.steps].iter().enumerate() {
            if at.side() == Side::South && number > 0 {
                let mut margins = self::margins(solver, &at);
                margins.sort_by_key(|(_, margin)| -margin);
                assert_eq!(margins[0].0, *letter, "{}", puzzle.board);
                assert!(margins.get(1).is_none_or(|next| next.1 < margins[0].1));
            }
            let is_own = at.side() == Side::South;
            at.play_moves(letter).unwrap();
            assert!(is_own || number + 1 < puzzle.steps, "an answer ends {}", puzzle.board);
        }
        let mut end = board;
        end.play_moves(&puzzle.line).unwrap();
        let value =
            if end.side() == Side::South { 1 } else { -1 } * solver.solve(&end).unwrap().margin;
        assert_eq!(value, puzzle.value, "{}", puzzle.board);
    }
}

#[test]
fn the_puzzles_of_the_page_are_proven() {
    for (text, rules) in [(PUZZLES, &["standard", "empty"][..]), (RELAY_PUZZLES, &["relay"])] {
        assert!(text.len() <= 40_000);
        let made: Puzzles = serde_json::from_str(text).unwrap();
        assert_eq!(made.version, 2);
        assert!(made.puzzles.iter().filter(|puzzle| puzzle.steps > 2).count() >= 60);
        assert!((200..=300).contains(&made.puzzles.len()), "{}", made.puzzles.len());
        for level in 1..=3 {
            assert!(made.puzzles.iter().filter(|puzzle| puzzle.level == level).count() >= 50);
        }
        for rules in rules {
            for houses in ["<3", "<4", "<6"] {
                let is_of = |puzzle: &&Puzzle| {
                    let name = puzzle.sowing.as_ref().unwrap_or(&puzzle.capture);
                    puzzle.board.starts_with(houses) && name == rules
                };
                assert!(made.puzzles.iter().find(is_of).is_some());
            }
        }
        check_puzzles(&made);
    }
}

#[test]
fn a_seed_gives_the_same_puzzles() {
    let folder = Folder::new();
    let path = folder.path("puzzles.json");
    for sowing in Sowing::ALL {
        let games = runs(4, 12) as u64;
        let words = ["--games", &games.to_string(), "--seed", "7", "--sowing", sowing.name()];
        run(&[&["puzzles"], &words[..], &["--output", &path]].concat());
        let written: Puzzles = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let made = puzzles(games, 7, sowing, &StopToken::new(), |_, _| {}).unwrap();
        assert!(!made.puzzles.is_empty() && written == made);
        check_puzzles(&made);
        fs::remove_file(&path).unwrap();
    }
}
