//! The client with a small engine in the shell.
#![cfg(unix)]
// A test fails by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::ops::ControlFlow;
use std::time::Duration;

use kalah::protocol::Go;
use kalah::search::Limits;
use kalah::{Board, Rules, StopToken};
use kalah_client::{EngineCommand, SearchAnswer, UciClient, UciError};

/// What it does depends on the depth that it is asked for.
const ENGINE: &str = r#"
while read -r line; do
    case $line in
    uci) printf 'id name Small\noption name Level type string\nuciok\n' ;;
    isready) echo readyok ;;
    'setoption name Level value refused') echo 'info string error: no such level' ;;
    'setoption name Level value '*) level=${line##* } ;;
    'go depth 1')
        printf 'noise\n\377\n\ninfo depth 3 score cp 50 nodes 7 pv C A\ninfo multipv 2 depth 9 pv B\n'
        echo 'bestmove C ponder A'
        ;;
    'go depth 2') echo 'last words' >&2; exit 3 ;;
    'go depth 3') printf 'info string error: what?\nbestmove L\n' ;;
    'go depth 4') echo "bestmove $level" ;;
    'go depth 5') echo 'info depth 1 pv A' ;;
    stop) echo 'bestmove A' ;;
    esac
done"#;

const LONG: Duration = Duration::from_mins(1);

fn engine(script: &str) -> UciClient {
    let arguments = vec!["-c".to_owned(), script.to_owned()];
    UciClient::new(EngineCommand { arguments, ..EngineCommand::new("small", "sh") }, LONG)
}

fn go(engine: &mut UciClient, depth: u32) -> Result<(), UciError> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let start = Board::start(Rules::default(), 4).unwrap();
    engine.go(&start, "C A d", &Go { limits, ..Go::default() }, &StopToken::new())
}

fn ask(engine: &mut UciClient, depth: u32) -> Result<Option<SearchAnswer>, UciError> {
    go(engine, depth)?;
    engine.answer(None, &StopToken::new(), |_| ControlFlow::Continue(()))
}

#[test]
fn a_move_with_its_line_between_noise() {
    let mut engine = engine(ENGINE);
    assert!(engine.start(&StopToken::new()).unwrap());
    assert_eq!(engine.id_name(), "Small");
    assert!(engine.has_option("level") && !engine.has_option("Hash"));
    let answer = ask(&mut engine, 1).unwrap().unwrap();
    assert_eq!((answer.best.to_string(), answer.ponder.as_deref()), ("C".to_owned(), Some("A")));
    let line = answer.line;
    assert_eq!((line.depth, line.nodes, line.pv.join(" ")), (Some(3), Some(7), "C A".to_owned()));
    let start = Board::start(Rules::default(), 4).unwrap();
    let moves = engine.go(&start, "AAA", &Go::default(), &StopToken::new());
    assert!(matches!(moves, Err(UciError::Moves(_))));
}

#[test]
fn an_engine_that_ends_is_started_again_with_its_options() {
    let mut engine = engine(ENGINE);
    engine.set_option("LEVEL", "E").unwrap();
    engine.offer_option("Hash", "64");
    engine.start(&StopToken::new()).unwrap();
    let ended = ask(&mut engine, 2).unwrap_err().to_string();
    assert_eq!(ended, "exit status: 3, last line of stderr: last words");
    assert!(ask(&mut engine, 1).is_err(), "it does not run");
    assert!(engine.start(&StopToken::new()).unwrap());
    assert!(!engine.start(&StopToken::new()).unwrap());
    assert_eq!(ask(&mut engine, 4).unwrap().unwrap().best.to_string(), "E");
    engine.set_option("Level", "F").unwrap();
    assert_eq!(ask(&mut engine, 4).unwrap().unwrap().best.to_string(), "F");
}

#[test]
fn an_illegal_move_ends_the_engine() {
    let mut engine = engine(ENGINE);
    engine.start(&StopToken::new()).unwrap();
    let illegal = ask(&mut engine, 3).unwrap_err().to_string();
    assert_eq!(illegal, "illegal move: 'L'; it said: what?");
    assert!(engine.start(&StopToken::new()).unwrap());
}

#[test]
fn what_an_engine_has_said_before_it_fails_is_in_the_error() {
    const ENGINE: &str = r#"
fail() { printf "info string error: no $1\ninfo string error: sorry\n"; exit "$2"; }
while read -r line; do
    case $0,$line in
    uci,uci) fail licence 5 ;;
    *,uci) echo uciok ;;
    *,isready) echo readyok ;;
    new,ucinewgame) fail memory 6 ;;
    position,position*) echo 'info string error: no such board' ;;
    position,go*) echo 'bestmove L' ;;
    earlier,'go depth 1') printf 'info string error: no book\nbestmove C\n' ;;
    earlier,go*) exit 7 ;;
    go,go*) fail 'x\033[2J' 8 ;;
    closed,go*) echo 'info string error: no network'; exec cat >/dev/null ;;
    esac
done"#;
    for (when, expected) in [
        ("uci", "exit status: 5; it said: no licence"),
        ("new", "exit status: 6; it said: no memory"),
        ("position", "illegal move: 'L'; it said: no such board"),
        ("earlier", "exit status: 7"),
        ("go", "exit status: 8; it said: no x\u{1b}[2J"),
        ("closed", "closed its output; it said: no network"),
    ] {
        let arguments = ["-c", ENGINE, when].map(str::to_owned).to_vec();
        let command = EngineCommand { arguments, ..EngineCommand::new("small", "sh") };
        let (mut engine, stop) = (UciClient::new(command, LONG), StopToken::new());
        let started = engine.start(&stop).and_then(|_| engine.new_game(&stop));
        let asked = started.and_then(|()| ask(&mut engine, 1)).and_then(|_| ask(&mut engine, 2));
        assert_eq!(asked.unwrap_err().to_string(), expected, "{when}");
    }
}

#[test]
fn a_search_goes_on_until_it_is_stopped() {
    let mut engine = engine(ENGINE);
    engine.start(&StopToken::new()).unwrap();
    assert!(engine.stop_search().unwrap().is_none(), "no search runs");
    go(&mut engine, 6).unwrap();
    let mut wait = |within, stop: &StopToken| {
        engine.answer(within, stop, |_| ControlFlow::Continue(())).unwrap()
    };
    assert!(wait(Some(Duration::ZERO), &StopToken::new()).is_none());
    let stop = StopToken::new();
    stop.stop();
    assert!(wait(None, &stop).is_none());
    assert_eq!(engine.stop_search().unwrap().unwrap().best.to_string(), "A");
    go(&mut engine, 5).unwrap();
    let answer = engine.answer(None, &StopToken::new(), |_| ControlFlow::Break(()));
    assert_eq!(answer.unwrap().unwrap().best.to_string(), "A");
    // One that still runs is stopped by the next.
    go(&mut engine, 6).unwrap();
    assert_eq!(ask(&mut engine, 1).unwrap().unwrap().best.to_string(), "C");
}

#[test]
fn a_late_reply_is_not_that_to_the_next_request() {
    const LATE: &str = r"
while read -r line; do
    case $late$line in
    uci) echo uciok ;;
    isready) echo readyok ;;
    ucinewgame) late=late- ;;
    late-isready) late=again- ;;
    again-isready) printf 'readyok\nbestmove B\nreadyok\n' ;;
    again-go*) echo 'bestmove C' ;;
    esac
done";
    let mut engine = engine(LATE);
    engine.start(&StopToken::new()).unwrap();
    let stop = StopToken::new();
    stop.stop();
    assert!(matches!(engine.new_game(&stop), Err(UciError::Stopped)));
    assert_eq!(ask(&mut engine, 1).unwrap().unwrap().best.to_string(), "C");
}

#[test]
fn why_an_engine_cannot_be_used() {
    let error = |engine: &mut UciClient| engine.start(&StopToken::new()).unwrap_err().to_string();
    let mut missing = UciClient::new("/no/such/engine".parse().unwrap(), LONG);
    assert!(error(&mut missing).starts_with("cannot start '/no/such/engine': "));
    let mut mute = UciClient::new("cat".parse().unwrap(), Duration::from_millis(10));
    assert_eq!(error(&mut mute), "no 'uciok' within 0.01 s");
    assert_eq!(error(&mut engine("exit 7")), "exit status: 7");
    for (name, value, expected) in
        [("Hash", "1", "it has no option 'Hash'"), ("Level", "refused", "no such level")]
    {
        let mut engine = engine(ENGINE);
        engine.set_option(name, value).unwrap();
        assert_eq!(error(&mut engine), expected);
    }
    let mut engine = engine(ENGINE);
    engine.start(&StopToken::new()).unwrap();
    assert!(matches!(engine.set_option("Hash", "1"), Err(UciError::NoOption(_))));
    let stop = StopToken::new();
    stop.stop();
    assert!(matches!(engine.new_game(&stop), Err(UciError::Stopped)));
}

#[test]
fn options_are_checked_against_what_the_engine_says_of_them() {
    const OPTIONS: &str = r#"
while read -r line; do
    case $line in
    uci)
        echo 'option name Hash type spin default 16 min 1 max 1024'
        echo 'option name Contempt type spin default 0'
        echo 'option name Threads type spin default 3 min 1 max 8'
        echo 'option name Own Book type check default false'
        echo 'option name Style type combo default Solid var Solid var Very Wild'
        echo 'option name Clear Hash type button'
        echo 'option name Path type string default <empty>'
        echo 'option name Odd type slider'
        echo uciok
        ;;
    isready) echo readyok ;;
    'setoption name Own Book value true' | 'setoption name Style value Very Wild') ;;
    setoption*Book* | setoption*Style*) echo "info string error: $line" ;;
    esac
done"#;
    let set = |name, value| {
        let mut engine = engine(OPTIONS);
        engine.set_option(name, value).unwrap();
        engine.start(&StopToken::new()).map(|_| engine.threads()).map_err(|error| error.to_string())
    };
    let takes = [
        ("Hash", "1024", 3),
        ("Contempt", "-20", 3),
        ("threads", "2", 2),
        ("own book", "TRUE", 3),
        ("Style", "very wild", 3),
        ("Clear Hash", "", 3),
        ("Path", "any thing", 3),
        ("Path", "", 3),
        ("Odd", "any thing", 3),
    ];
    for (name, value, threads) in takes {
        assert_eq!(set(name, value), Ok(threads), "{name}={value}");
    }
    let refuses = [
        ("hash", "99999", "option Hash takes a whole number from 1 to 1024, not '99999'"),
        ("Hash", "abc", "option Hash takes a whole number from 1 to 1024, not 'abc'"),
        ("Hash", "+5", "option Hash takes a whole number from 1 to 1024, not '+5'"),
        ("Hash", "", "option Hash takes a whole number from 1 to 1024, not ''"),
        ("Contempt", "1.5", "option Contempt takes a whole number, not '1.5'"),
        ("Own Book", "1", "option Own Book takes true or false, not '1'"),
        ("Style", "Wild", "option Style takes one of: Solid, Very Wild, not 'Wild'"),
        ("Clear Hash", "now", "option Clear Hash is a button and takes no value, not 'now'"),
    ];
    for (name, value, expected) in refuses {
        assert_eq!(set(name, value), Err(expected.to_owned()), "{name}={value}");
    }
    let mut engine = engine(OPTIONS);
    engine.start(&StopToken::new()).unwrap();
    let running = engine.set_option("Hash", "0").unwrap_err();
    assert!(matches!(running, UciError::Refused(_)), "{running}");
}

#[test]
fn the_last_exact_score_is_told_apart_from_bounds_after_it() {
    const BOUNDS: &str = r"
while read -r line; do
    case $line in
    uci) echo uciok ;;
    isready) echo readyok ;;
    'go depth 1')
        echo 'info depth 5 score cp 300 pv C'
        echo 'info depth 6 multipv 2 score cp 100 pv A'
        echo 'info depth 6 score cp -900 lowerbound pv C'
        echo 'info depth 7 currmove A currmovenumber 2'
        echo 'bestmove C'
        ;;
    'go depth 2') printf 'info depth 6 score cp 900 upperbound pv C\nbestmove C\n' ;;
    esac
done";
    let mut engine = engine(BOUNDS);
    engine.start(&StopToken::new()).unwrap();
    let mut scores = |depth| {
        let answer = ask(&mut engine, depth).unwrap().unwrap();
        assert_eq!(answer.line.depth, Some(6), "that of the score");
        [answer.line.score, answer.exact].map(|score| score.map(|score| score.centiseeds))
    };
    assert_eq!(scores(1), [Some(-900), Some(300)]);
    assert_eq!(scores(2), [Some(900), None]);
}
