//! Programs that misbehave: each loses its game for the right reason, is started anew for the
//! next, and leaves nothing behind.
#![cfg(unix)]

use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use kalah::board::Side;
use kalah_records::{FaultKind, GameRecord, GameResult, Termination};

use crate::contest::Contest;

const GAMES: usize = 6;

/// The words for a program with a fault, which is shown by one process only.
fn faulty(fault: &str) -> String {
    faulty_engine(fault, "once")
}

fn faulty_engine(fault: &str, once: &str) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/misbehaving.sh");
    let args = shell_words::join([script, fault, env!("CARGO_BIN_EXE_kalah"), once]);
    format!("name=bad cmd=sh args={}", shell_words::quote(&args))
}

/// A match of a program with a fault against a search that plays on whatever happens.
fn against_good(engine: &str, limits: &str) -> String {
    let engine = shell_words::quote(engine).into_owned();
    format!(
        "match --engine {engine} --engine 'name=good builtin=negascout' --each 'depth=2 {limits}' \
         --games {GAMES} --concurrency 2 --record games"
    )
}

fn loser(game: &GameRecord) -> Option<&str> {
    let side = match game.result {
        GameResult::South => Side::North,
        GameResult::North => Side::South,
        GameResult::Draw => return None,
    };
    Some(&game.seat(side).player.name)
}

/// Plays a match in which the fault shows once; returns the game that was lost by it.
#[track_caller]
fn lost_game(fault: &str, limits: &str, kind: FaultKind) -> GameRecord {
    let contest = Contest::new();
    let (output, errors) = contest.played(&against_good(&faulty(fault), limits));
    let mut games = contest.games("games");
    assert_eq!(games.len(), GAMES, "{fault}: {output}\n{errors}");
    let at_fault = |game: &GameRecord| matches!(game.reason, Termination::Fault(_));
    assert_eq!(games.iter().filter(|&game| at_fault(game)).count(), 1, "{fault}: {errors}");
    let place = games.iter().position(at_fault).unwrap();
    let game = games.remove(place);
    assert!(
        games.iter().all(|game| game.reason == Termination::PlayedOut && game.margin.is_some())
    );
    assert_eq!(game.reason, Termination::Fault(kind), "{fault}: {:?}", game.detail);
    assert_eq!((loser(&game), game.margin), (Some("bad"), None), "{fault}: {game:?}");
    let said = format!("game {}: bad loses, {kind}: ", game.game);
    assert!(errors.contains(&said), "{fault}: {errors}");
    assert!(output.contains("bad lost 1 game by faults"), "{fault}: {output}");
    contest.assert_nobody_left();
    game
}

/// The detail of a lost game.
#[track_caller]
fn detail(fault: &str, limits: &str, kind: FaultKind) -> String {
    let game = lost_game(fault, limits, kind);
    let own = if game.south.player.name == "bad" { Side::South } else { Side::North };
    // The fault comes with the third question.
    let asked = game.boards().unwrap().iter().filter(|board| board.side() == own).count();
    assert_eq!(asked, 3, "{fault}: {game:?}");
    game.detail.unwrap()
}

/// Requires that a match is played as if there were no fault.
#[track_caller]
fn assert_harmless(fault: &str) {
    static GOOD: LazyLock<Vec<String>> = LazyLock::new(|| moves("none"));
    fn moves(fault: &str) -> Vec<String> {
        let contest = Contest::new();
        contest.played(&against_good(&faulty(fault), "deadline=30"));
        contest.assert_nobody_left();
        let games = contest.games("games");
        assert!(
            games.iter().all(|game| game.reason == Termination::PlayedOut),
            "{fault}: {games:#?}"
        );
        let letters = |game: &GameRecord| game.moves.iter().map(|ply| ply.letter).collect();
        games.iter().map(letters).collect()
    }
    assert_eq!(moves(fault), *GOOD, "{fault}");
}

/// A clock that no program but one that waits for it uses up.
const CLOCK: &str = "tc=600";
/// A time for each move: what the machine takes of one move is not missing in another.
const SHORT_CLOCK: &str = "st=4";
const NO_CLOCK: &str = "deadline=4";

/// Does all of it at the same time: most of it is waiting.
fn together<T: Sync>(all: &[T], each: impl Fn(&T) + Sync) {
    thread::scope(|scope| {
        for one in all {
            let each = &each;
            scope.spawn(move || each(one));
        }
    });
}

/// In one test, so that all of them wait at the same time.
#[test]
fn a_program_that_does_not_answer_in_time_loses() {
    let silences: [fn(); 3] = [
        no_answer_before_the_clock_runs_out_is_a_time_forfeit,
        no_answer_without_a_clock_is_a_stall,
        one_that_does_not_get_ready_stalls,
    ];
    together(&silences, |silence| silence());
}

fn no_answer_before_the_clock_runs_out_is_a_time_forfeit() {
    together(&["silent", "late", "endless-line", "deaf-grandchild"], |fault| {
        let detail = detail(fault, SHORT_CLOCK, FaultKind::TimeForfeit);
        assert!(detail.starts_with("no move within "), "{detail}");
    });
}

fn no_answer_without_a_clock_is_a_stall() {
    let no_move = "no move within 4 s";
    let complaint = "no move within 4 s; it said: I know\u{1}no such\tlimit";
    let faults = [
        ("silent", no_move),
        ("no-word", no_move),
        ("only-garbage", no_move),
        ("flood", no_move),
        ("closed-input", no_move),
        ("grandchild", no_move),
        ("refusal", complaint),
    ];
    together(&faults, |&(fault, told)| {
        assert_eq!(detail(fault, NO_CLOCK, FaultKind::Stalled), told, "{fault}");
    });
}

fn one_that_does_not_get_ready_stalls() {
    let faults = [("mute-later", "no 'uciok' within 4 s"), ("unready", "no 'readyok' within 4 s")];
    together(&faults, |&(fault, told)| {
        let game = lost_game(fault, NO_CLOCK, FaultKind::Stalled);
        assert_eq!(game.detail.as_deref(), Some(told));
        assert!(game.moves.is_empty(), "{game:?}");
    });
}

#[test]
fn moves_against_the_rules_are_illegal() {
    assert_eq!(detail("illegal", CLOCK, FaultKind::IllegalMove), "'L'");
    assert_eq!(detail("run-together", CLOCK, FaultKind::IllegalMove), "'AB'");
    let unparseable = detail("unparseable", NO_CLOCK, FaultKind::IllegalMove);
    assert!(unparseable.contains("\u{1b}[2J-A"), "{unparseable:?}");
    let none = detail("null-move", CLOCK, FaultKind::IllegalMove);
    assert_eq!(none, "no move, though there are legal moves");
}

#[test]
fn a_crash_is_told_with_its_status_and_last_words() {
    for _ in 0..3 {
        let crash = detail("crash", CLOCK, FaultKind::Crashed);
        assert_eq!(crash, "exit status: 7, last line of stderr: out of seeds");
    }
    let killed = detail("killed", NO_CLOCK, FaultKind::Crashed);
    assert!(killed.starts_with("signal: 9"), "{killed}");
}

#[test]
fn what_a_program_says_is_told_as_it_stands() {
    const ENGINE: &str = r#"while read -r line; do
    case $line in
    uci) printf 'id name words\nuciok\n' ;;
    isready) echo readyok ;;
    go*)
        [ "$1" = illegal ] || { echo "can't open \"é\"" >&2; exit 5; }
        echo "info string error: no \"é\""
        echo "bestmove '0'"
        ;;
    esac
done
"#;
    let faults = [
        ("illegal", r#"''0''; it said: no "é""#),
        ("crash", r#"exit status: 5, last line of stderr: can't open "é""#),
    ];
    together(&faults, |&(fault, told)| {
        let contest = Contest::new();
        contest.write("engine.sh", ENGINE);
        let args = format!("engine.sh {fault}");
        let engine = format!("name=bad cmd=sh args={}", shell_words::quote(&args));
        let (_, errors) = contest.played(&against_good(&engine, "deadline=30"));
        assert!(errors.contains(told), "{fault}: {errors}");
        let games = contest.games("games");
        assert_eq!(games.len(), GAMES, "{fault}: {errors}");
        assert!(games.iter().all(|game| game.detail.as_deref() == Some(told)), "{games:#?}");
        contest.assert_nobody_left();
    });
}

#[test]
fn leaving_in_the_middle_is_a_crash() {
    let left = detail("leave", CLOCK, FaultKind::Crashed);
    assert_eq!(left, "exit status: 0");
    let at_new_game = lost_game("newgame", CLOCK, FaultKind::Crashed);
    assert!(at_new_game.moves.is_empty(), "{at_new_game:?}");
}

/// Of the time until the deadline nothing is waited for: that would take years.
#[test]
fn the_end_of_a_program_is_a_crash_even_if_its_child_holds_the_pipe() {
    together(&[("orphan", 3), ("noisy-orphan", 4)], |(fault, status)| {
        let ended = detail(fault, "deadline=100000000", FaultKind::Crashed);
        assert_eq!(ended, format!("exit status: {status}"));
    });
}

#[test]
fn a_closed_output_is_a_crash() {
    let closed = detail("closed-output", CLOCK, FaultKind::Crashed);
    assert!(closed.starts_with("closed its output"), "{closed}");
}

#[test]
fn lines_that_mean_nothing_are_harmless() {
    assert_harmless("garbage");
    assert_harmless("bytes");
}

#[test]
fn lines_of_any_length_and_number_are_harmless() {
    assert_harmless("long-line");
    assert_harmless("chatter");
    assert_harmless("errors");
}

#[test]
fn answers_before_the_question_are_harmless() {
    assert_harmless("early");
    assert_harmless("twice");
    let contest = Contest::new();
    let (_, errors) = contest.played(&against_good(&faulty("twice"), "deadline=30"));
    let warnings = errors.matches("bad: a 'bestmove' without 'go' is ignored").count();
    assert!((1..=GAMES + 1).contains(&warnings), "once a process: {errors}");
}

#[test]
fn a_program_that_does_not_quit_is_killed() {
    assert_harmless("no-quit");
}

#[test]
fn a_program_that_is_always_at_fault_loses_every_game() {
    let contest = Contest::new();
    contest.played(&against_good(&faulty_engine("illegal", "always"), ""));
    let games = contest.games("games");
    assert_eq!(games.len(), GAMES);
    for game in games {
        assert_eq!(game.reason, Termination::Fault(FaultKind::IllegalMove));
        assert_eq!(loser(&game), Some("bad"));
    }
    contest.assert_nobody_left();
}

#[test]
fn programs_that_cannot_play_are_refused_before_play() {
    let slow = [
        ("mute", "stalled: no 'uciok' within"),
        ("mute-and-deaf", "stalled: no 'uciok' within"),
        ("flood-at-start", "stalled: no 'uciok' within"),
        ("dead", "crashed: exit status: 5, last line of stderr: no licence"),
    ];
    together(&slow, |(fault, named)| {
        let contest = Contest::new();
        let named = format!("player 'bad': {named}");
        // One that ends is not to be taken for slow on a busy machine.
        let deadline = if *fault == "dead" { "deadline=30" } else { "deadline=1" };
        contest.refused(&against_good(&faulty(fault), deadline), 1, &named);
        assert!(contest.files().is_empty(), "{fault}: {:?}", contest.files());
        contest.assert_nobody_left();
    });
}

#[test]
fn programs_that_do_not_exist_are_refused_before_play() {
    let contest = Contest::new();
    for (engine, named) in [
        ("name=bad cmd=/no/such/engine", "cannot start '/no/such/engine'"),
        ("name=bad cmd=/", "cannot start '/'"),
        ("name=bad cmd=sh dir=no/such/folder", "cannot start 'sh' in 'no/such/folder'"),
        ("name=bad cmd=true", "crashed: exit status: 0"),
        ("name=bad cmd=cat deadline=1", "stalled: no 'uciok' within"),
    ] {
        contest.refused(&against_good(engine, ""), 1, &format!("player 'bad': {named}"));
    }
    assert!(contest.files().is_empty());
    contest.assert_nobody_left();
}

#[test]
fn options_that_a_program_refuses_are_refused_before_play() {
    let contest = Contest::new();
    for (option, named) in [
        ("option.Nonsense=1", "'Nonsense'"),
        ("option.Hash=many", "many"),
        ("option.Hash=", "Hash"),
        ("option.Search=best", "best"),
        (
            "option.Hash=99999999",
            "option Hash takes a whole number from 1 to 33554432, not '99999999'",
        ),
    ] {
        let engine = format!("{} {option}", faulty("none"));
        contest.refused(&against_good(&engine, ""), 1, named);
        contest.refused(&against_good(&engine, ""), 1, "player 'bad': ");
    }
    assert!(contest.files().is_empty());
    contest.assert_nobody_left();
}

#[test]
fn a_program_that_refuses_the_capture_rule_is_refused_before_play() {
    let contest = Contest::new();
    let words = against_good(&faulty("one-rule"), "");
    contest.refused(
        &format!("{words} --capture empty"),
        1,
        r"player 'bad': there is\u{1b}one rule",
    );
    let without =
        against_good("name=bad cmd=sh args='-c \"read -r l; echo uciok; read -r l\"'", "");
    contest.refused(&format!("{without} --capture empty"), 1, "it has no option 'Capture'");
    assert!(contest.files().is_empty());
    contest.played(&words);
    contest.assert_nobody_left();
}

#[test]
fn want_of_open_files_is_the_fault_of_nobody() {
    let contest = Contest::new();
    let kalah = shell_words::quote(env!("CARGO_BIN_EXE_kalah")).into_owned();
    let engine = |name: &str| shell_words::quote(&format!("name={name} cmd={kalah}")).into_owned();
    let script = format!(
        "ulimit -n 40; exec {kalah} match --engine {} --engine {} --each depth=2 --games 60 \
         --concurrency 16 --record games",
        engine("a"),
        engine("b")
    );
    let mut command = Command::new("sh");
    let output = command.args(["-c", &script]).current_dir(contest.path("")).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("Too many open files"), "{errors}");
    for game in contest.games("games") {
        assert_eq!(game.reason, Termination::PlayedOut, "{game:?}");
    }
}

#[test]
fn faults_that_nobody_reads_of_are_no_failure() {
    let contest = Contest::new();
    let words = against_good(&faulty_engine("illegal", "always"), "");
    let mut command = Command::new(env!("CARGO_BIN_EXE_kalah"));
    command.args(shell_words::split(&words).unwrap()).current_dir(contest.path(""));
    let mut child =
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    drop(child.stderr.take());
    let start = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None => assert!(start.elapsed() < Duration::from_mins(1)),
        }
        thread::sleep(Duration::from_millis(1));
    };
    assert_eq!(status.code(), Some(0));
    assert_eq!(contest.games("games").len(), GAMES);
}

/// Engines that do not look at their input, with grandchildren that hold the pipes.
#[cfg(target_os = "linux")]
#[test]
fn a_command_that_is_killed_leaves_nothing_behind() {
    let family = "sh -c 'sleep 1002 & (trap \"\" TERM; sleep 1001) ; sleep 1000'";
    let words = [
        (against_good(&faulty_engine("grandchild", "always"), "deadline=1000"), "sleep 1000"),
        (format!("compliance --deadline 1000 {family}"), "sleep 1001"),
    ];
    together(&words, |(words, last)| {
        for signals in [&[Signal::KILL][..], &[Signal::INT, Signal::INT], &[Signal::TERM]] {
            let contest = Contest::new();
            let mut session = contest.start(words);
            contest.wait_for_process(last);
            for &signal in signals {
                session.signal(signal);
            }
            session.wait();
            contest.assert_nobody_left();
        }
    });
}

/// The program kills the command as soon as it runs, before the command knows of it.
#[cfg(target_os = "linux")]
#[test]
fn a_program_that_kills_its_command_is_not_left_behind() {
    let family = "sh -c 'sleep 1003 & kill -s KILL $PPID; sleep 1004'";
    for _ in 0..20 {
        let contest = Contest::new();
        contest.start(&format!("compliance --deadline 1000 {family}")).wait();
        contest.assert_nobody_left();
    }
}
