//! `kalah compliance`: this engine passes, and every point finds the engine that misses it.
//!
//! Engines that misbehave are this one with a shell between it and whoever speaks to it.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use kalah::StopToken;
use kalah_arena::compliance::{Check, CheckResult, EngineUnderTest, checks};

use crate::session::{Ended, Session};

const KALAH: &str = env!("CARGO_BIN_EXE_kalah");

/// What a shell does to the lines between this engine and whoever speaks to it.
enum Between {
    /// Cases for lines that the engine is to hear.
    Hearing(&'static str),
    /// Cases for lines that the engine has said.
    Saying(&'static str),
    /// Anything else; the engine is `"$1"`.
    Script(&'static str),
}

const SHORT: Duration = Duration::from_secs(2);
const LONG: Duration = Duration::from_mins(1);

use crate::runs::runs;
use Between::{Hearing, Saying, Script};

impl Between {
    /// The program with a time for its replies: short where none comes, so long that no machine is too
    /// slow where one does.
    fn candidate(&self, deadline: Duration) -> EngineUnderTest {
        let pass = r#"*) printf '%s\n' "$line";; esac; done"#;
        let script = match self {
            // From its book the engine would answer before a `stop` that does not reach it.
            Hearing(cases) => format!(
                "{{ echo setoption name OwnBook value false
                while IFS= read -r line; do case $line in {cases}
                quit) echo quit; break;; {pass}; }} | \"$1\""
            ),
            Saying(cases) => {
                format!("\"$1\" | while IFS= read -r line; do case $line in {cases} {pass}")
            }
            Script(script) => (*script).to_owned(),
        };
        let args = ["-c", &script, "sh", KALAH].map(str::to_owned).to_vec();
        EngineUnderTest { cmd: "sh".to_owned(), args, deadline }
    }
}

/// Makes those checks that are chosen.
fn run(candidate: &EngineUnderTest, chosen: impl Fn(&Check) -> bool) -> Vec<(String, CheckResult)> {
    let checks: Vec<Check> = checks().into_iter().filter(chosen).collect();
    let mut verdicts = Vec::new();
    let mut watch =
        |check: &Check, verdict: &CheckResult| verdicts.push((called(check), verdict.clone()));
    assert!(candidate.run(&checks, &StopToken::new(), &mut watch).expect("sh starts"));
    verdicts
}

/// A way to misbehave: what has to fail by it, and what has nothing to do with it, each as a part of
/// `section: name`.
struct Fault(Between, &'static [&'static str], &'static [&'static str]);

const INTRODUCTION: &str = "answered up to 'uciok'";
const DISPLAY: &str = "d: 'd' shows the board";
const PLAYED: &str = "bestmove: the move is legal";

const FAULTS: &[Fault] = &[
    // The handshake.
    Fault(Saying("uciok) ;;"), &[INTRODUCTION], &[]),
    Fault(Script("yes info string noise"), &[INTRODUCTION], &[]),
    Fault(Saying("readyok) ;;"), &["isready: 'isready' is answered by"], &[INTRODUCTION]),
    Fault(Saying("id*) ;;"), &["'id name' and"], &[INTRODUCTION]),
    Fault(
        Saying("'option name Hash'*) echo 'option name Hash type spin default 0 min 1 max 2';;"),
        &["described as in UCI"],
        &[INTRODUCTION],
    ),
    Fault(
        Saying("'option name Hash'*) echo 'option name Hash type string';;"),
        &["have the types"],
        &["described as in UCI"],
    ),
    Fault(
        Saying("'option name Houses'*|'option name Seeds'*|'option name Capture'*) ;;"),
        &[" exists: "],
        &["described as in UCI"],
    ),
    Fault(
        Hearing(
            "go*) on=1; echo \"$line\";; stop) on=; echo stop;;
            d|uci|isready) [ \"$on\" ] || echo \"$line\";;",
        ),
        &["is answered while searching"],
        &[INTRODUCTION],
    ),
    Fault(Hearing("debug*) echo hello;;"), &["debug on / debug off"], &[]),
    // Options.
    Fault(Hearing("'setoption name Ponder'*) echo hello;;"), &["accepts its default"], &[]),
    Fault(
        Saying("bestmove*) n=$((n + 1)); echo bestmove $((n % 2));;"),
        &["one thread gives the same", "the same player moves"],
        &["exactly one bestmove"],
    ),
    Fault(Saying("*'multipv 2'*|*'multipv 3'*) ;;"), &["MultiPV is"], &["have depth, score"]),
    // Boards.
    Fault(Saying("Fen:*) ;;"), &[DISPLAY], &[PLAYED]),
    Fault(
        Saying("Fen:*) echo 'Fen: <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S';;"),
        &[
            "South moves when no side",
            "boards of all sizes",
            "either case",
            "games of all sizes",
            "The game: ",
            "any case",
            "Houses and Seeds",
            "Capture is the rule",
            "position: it ",
            "options and position are kept",
        ],
        &[DISPLAY, "the initial position", PLAYED],
    ),
    Fault(
        Hearing("'setoption name Capture'*) ;;"),
        &["the lone seed captured", "Capture is the rule"],
        &["nothing opposite", "an extra turn"],
    ),
    Fault(
        Hearing("'setoption name Sowing'*) ;;"),
        &["Sowing is the way"],
        &["Capture is the rule"],
    ),
    Fault(
        Script("{ echo position startpos moves A; cat; } | \"$1\""),
        &["the initial position"],
        &[DISPLAY],
    ),
    Fault(Hearing("*CFbaA) ;;"), &["run together"], &["either case"]),
    Fault(
        Hearing(
            "go*) on=1; echo \"$line\";; stop) on=; echo stop;;
            position*) [ \"$on\" ] || echo \"$line\";;",
        ),
        &["is for the next"],
        &[DISPLAY],
    ),
    // Limits.
    Fault(Hearing("'go depth'*) echo go depth 6;;"), &["'depth' is the last"], &["'nodes' is"]),
    Fault(
        Hearing("'go nodes'*) echo go nodes 9999;;"),
        &["'nodes' is the node limit"],
        &["'depth' is"],
    ),
    Fault(
        Hearing("'go movetime'*) echo go nodes 10;;"),
        &["'movetime' is used up", "a limited search is finished"],
        &["'nodes' is"],
    ),
    Fault(Saying(LATE), &["'movetime' is not exceeded"], &[PLAYED]),
    Fault(Saying(LATE), &["ends every search at once"], &["exactly one bestmove"]),
    Fault(Saying(LATE), &["at or below zero"], &[]),
    Fault(Saying(LATE), &["a forced move"], &[]),
    Fault(Saying(LATE), &["limits count from then on"], &[]),
    Fault(Hearing(ENDLESS), &["South's clock counts", "'movestogo'"], &["'nodes' is"]),
    Fault(Hearing(ENDLESS), &["North's clock counts", "'sinc'"], &[]),
    Fault(Hearing(ENDLESS), &["'wtime'", "the first limit"], &[]),
    Fault(
        Hearing("'go searchmoves'*) echo go nodes 300;;"),
        &["only the 'searchmoves'", "every 'pv' begins"],
        &["'nodes' is"],
    ),
    Fault(
        Saying(r#"'info string perft'*) printf '%s0\n' "$line";;"#),
        &["'perft' counts"],
        &[PLAYED],
    ),
    Fault(
        Hearing("go*infinite*) echo go nodes 20;;"),
        &["'infinite' ends", "'infinite' waits"],
        &["'ponder' ends"],
    ),
    Fault(Hearing("go*ponder*) echo go nodes 20;;"), &["'ponder' ends"], &["'infinite' ends"]),
    // Answers.
    Fault(
        Hearing("stop) ;;"),
        &["can be stopped after it", "a stopped search sends", "dozens of searches"],
        &["a search that ends by itself"],
    ),
    Fault(
        Saying(r#"bestmove*) printf '%s\n%s\n' "$line" "$line";;"#),
        &["exactly one bestmove", "dozens of searches"],
        &[DISPLAY],
    ),
    Fault(
        Saying(
            r#"bestmove*) answer=$line;;
            'info string error'*) printf '%s\n%s\n' "$line" "$answer";;"#,
        ),
        &["comes before the replies"],
        &[DISPLAY],
    ),
    Fault(Hearing("go*) break;;"), &[PLAYED], &[DISPLAY]),
    Fault(Saying("bestmove*) echo bestmove L;;"), &[PLAYED], &["exactly one bestmove"]),
    Fault(
        Saying("bestmove*) echo \"$line\" | tr A-F a-f;;"),
        &["capital letter"],
        &["small letter", PLAYED],
    ),
    Fault(Saying("'bestmove '[a-f]*) echo bestmove A;;"), &["small letter"], &["capital letter"]),
    Fault(
        Saying("bestmove*) echo \"${line%% ponder *} ponder L\";;"),
        &["the ponder move"],
        &[PLAYED],
    ),
    Fault(Saying("'bestmove 0000') echo bestmove A;;"), &["the move is 0000"], &[PLAYED]),
    // What is told of a search.
    Fault(
        Saying("info*' pv '*) ;;"),
        &["comes before 'stop'", "have depth, score", "moves of the 'pv'"],
        &[PLAYED],
    ),
    Fault(
        Saying("info*' pv '*) echo \"info score cp 0 pv ${line##* pv }\";;"),
        &["have depth, score"],
        &["moves of the 'pv'", "had the form of protocol.md"],
    ),
    Fault(
        Saying("info*' pv '*) echo \"${line%% pv *} pv A A A\";;"),
        &["one after the other"],
        &["have depth, score", PLAYED],
    ),
    Fault(
        Saying(
            "info*' pv '*) echo \"${line%% pv *} pv $(echo \"${line##* pv }\" | tr A-F a-f)\";;",
        ),
        &["in the case of their player"],
        &["one after the other"],
    ),
    Fault(
        Saying(
            "*' proven '*) echo \"${line%% score *} score cp 4200 proven ${line##* proven }\";;",
        ),
        &["are correct"],
        &["one after the other", "had the form of protocol.md"],
    ),
    Fault(
        Saying("info*' pv '*) echo \"info depth many pv ${line##* pv }\";;"),
        &["had the form of protocol.md"],
        &[PLAYED],
    ),
    // Errors.
    Fault(
        Saying("'info string error'*) ;;"),
        &[
            "refused",
            "is an error",
            "answered by an error",
            "lower case",
            "in the order of the commands",
            "do not disturb",
        ],
        &[DISPLAY, PLAYED],
    ),
    Fault(
        Saying(r#"'info string error'*) printf '%s\n%s\n' "$line" "$line";;"#),
        &["unknown commands"],
        &[DISPLAY],
    ),
    // Endings.
    Fault(Hearing("quit) ;;"), &["quit: "], &["at the end of input"]),
    Fault(Script("\"$1\"; exit 3"), &["quit: the engine exits", "idle engine exits"], &[PLAYED]),
    Fault(
        Script("{ cat; sleep 60; } | \"$1\""),
        &["an idle engine exits", "an infinite search is", "a pondering search is"],
        &[PLAYED],
    ),
    Fault(
        Script("trap '' PIPE; while read -r line; do echo readyok; done 2>/dev/null"),
        &["its output is closed"],
        &[],
    ),
    // Lines.
    Fault(Hearing(r#"*"$(printf '\r')") ;;"#), &["a carriage return"], &["empty lines are"]),
    Fault(Hearing("'') echo hello;;"), &["empty lines are ignored"], &[DISPLAY]),
    Fault(Hearing("*'   '*) ;;"), &["any number of spaces"], &[DISPLAY]),
    Fault(Hearing("ISREADY) echo isready;;"), &["lower case"], &["are refused"]),
    Fault(Hearing("position*'      '*) ;;"), &["a line of 1 MiB is read"], &[]),
    Fault(
        Script(
            "while c=$(dd bs=99 count=1 2>/dev/null); [ \"$c\" ]; do echo \"$c\"; done | \"$1\"",
        ),
        &["may arrive in pieces"],
        &[],
    ),
    Fault(
        Saying(r"readyok) printf '\nreadyok\n';;"),
        &["no empty line was sent"],
        &["isready: 'isready' is answered by", PLAYED],
    ),
    Fault(
        Saying(r"'id author'*) printf 'id author \377\n';;"),
        &["were UTF-8"],
        &["no empty line was sent", INTRODUCTION],
    ),
];

/// Answers come later than at once.
const LATE: &str = "bestmove*) sleep 0.7; printf '%s\\n' \"$line\";;";

/// Time does not end searches.
const ENDLESS: &str = "go*time*) echo go infinite;;";

/// Whether one of these parts is in what a check is called.
fn is_meant(check: &Check, parts: &[&str]) -> bool {
    parts.iter().any(|part| called(check).contains(part))
}

fn called(check: &Check) -> String {
    format!("{}: {}", check.requirement.section, check.requirement.statement)
}

#[test]
fn this_engine_passes_every_point() {
    // Some points are about times that a machine with other work exceeds now and then.
    const ATTEMPTS: usize = 5;
    let mut ended = Session::run(&["compliance", KALAH]).wait();
    for _ in 1..ATTEMPTS {
        if ended.status.success() {
            break;
        }
        ended = Session::run(&["compliance", KALAH]).wait();
    }
    let (summary, points) = ended.output.split_last().expect("a summary");
    let (badge, points) = points.split_last().expect("a line for a README");
    assert!(badge.starts_with("kalah protocol: must "), "{badge}");
    assert_eq!(*summary, format!("{} ok, 0 failed, 0 skipped", checks().len()), "{points:#?}");
    assert!(points.iter().all(|line| line.starts_with("ok ")), "{points:#?}");
}

#[test]
fn every_fault_is_found_where_it_is() {
    // Most of the time goes by waiting; too many at a time would be late for other reasons.
    const AT_A_TIME: usize = 8;
    let left = Mutex::new(FAULTS.iter().step_by(runs(5, 1)));
    let next = || left.lock().unwrap().next();
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(fault) = next() {
                    assert_found(fault);
                }
            });
        }
    });
}

fn assert_found(Fault(between, fails, passes): &Fault) {
    /// A machine with other work may hide a fault, such as a reply that comes too early.
    const ATTEMPTS: usize = 20;
    let passing = between.candidate(LONG);
    let script = &passing.args[1];
    for (name, verdict) in run(&passing, |check| is_meant(check, passes) && !is_meant(check, fails))
    {
        let failed = matches!(verdict, CheckResult::Failed { .. });
        assert!(!failed, "{name}: {verdict:#?}\n{script}");
    }
    let failing = between.candidate(SHORT);
    let wanted = checks().iter().filter(|check| is_meant(check, fails)).count();
    let mut found = BTreeSet::new();
    for _ in 0..ATTEMPTS {
        // Points about the lines of all sessions need other sessions.
        let verdicts = run(&failing, |check| {
            is_meant(check, passes) || is_meant(check, fails) && !found.contains(&called(check))
        });
        let failed = verdicts.into_iter().filter(|(name, verdict)| {
            let is_failed = matches!(verdict, CheckResult::Failed { .. });
            is_failed && fails.iter().any(|part| name.contains(part))
        });
        found.extend(failed.map(|(name, _)| name));
        if found.len() == wanted {
            return;
        }
    }
    panic!("only {found:?} of {fails:?} are found\n{script}");
}

#[test]
fn every_point_can_fail() {
    let fails: Vec<&str> = FAULTS.iter().flat_map(|Fault(_, fails, _)| *fails).copied().collect();
    for check in checks() {
        assert!(is_meant(&check, &fails), "nothing fails '{}'", called(&check));
    }
    for Fault(_, fails, passes) in FAULTS {
        for part in fails.iter().chain(*passes) {
            assert!(checks().iter().any(|check| is_meant(check, &[part])), "no point '{part}'");
        }
    }
}

#[test]
fn points_have_names_of_their_own() {
    let checks = checks();
    let names: BTreeSet<_> = checks.iter().map(called).collect();
    assert_eq!(names.len(), checks.len());
}

#[test]
fn what_needs_a_point_that_fails_is_skipped() {
    let candidate = Saying("uciok) ;;").candidate(SHORT);
    let verdicts = run(&candidate, |_| true);
    let (first, others) = verdicts.split_first().expect("checks");
    assert!(matches!(first.1, CheckResult::Failed { .. }), "{first:#?}");
    assert!(others.iter().all(|(_, verdict)| matches!(verdict, CheckResult::Skipped { .. })));
    let verdicts = run(&Saying("Fen:*) ;;").candidate(LONG), |check| {
        is_meant(check, &[DISPLAY, "The game: "])
    });
    assert!(
        verdicts[1..].iter().all(|(_, verdict)| matches!(verdict, CheckResult::Skipped { .. }))
    );
}

#[test]
fn what_may_be_left_out_is_not_asked_for() {
    let bare = Saying(
        "'option name Houses'*|'option name Seeds'*|'option name Capture'*)
        printf '%s\\n' \"$line\";; option*|Key:*) ;;",
    );
    let verdicts = run(&bare.candidate(LONG), |check| {
        is_meant(check, &["Options: ", "uci: ", "setoption: ", "'nodes' is", DISPLAY])
    });
    let failed = verdicts.iter().find(|(_, verdict)| matches!(verdict, CheckResult::Failed { .. }));
    assert_eq!(failed, None);
    let skipped =
        verdicts.iter().filter(|(_, verdict)| matches!(verdict, CheckResult::Skipped { .. }));
    assert_eq!(skipped.count(), 3, "MultiPV, Threads and Sowing: {verdicts:#?}");
    let flat = Script("{ echo setoption name Search value flat-ucb; cat; } | \"$1\"");
    let verdicts =
        run(&flat.candidate(LONG), |check| is_meant(check, &["'depth' is", "'nodes' is"]));
    let [(_, CheckResult::Skipped { reason: why }), (_, CheckResult::Passed)] = &verdicts[..]
    else {
        panic!("{verdicts:#?}");
    };
    assert_eq!(why, "the engine has no limit 'depth'");
}

#[test]
fn no_process_is_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("signs of life");
    let path = file.display();
    let script = format!("while :; do echo >>'{path}'; sleep 0.01; done & wait");
    let args = ["-c", &script].map(str::to_owned).to_vec();
    let engine = EngineUnderTest { cmd: "sh".to_owned(), args, deadline: SHORT };
    // On a slow machine it may take more than one start to see it alive.
    while !file.exists() {
        run(&engine, |check| is_meant(check, &[INTRODUCTION]));
    }
    let length = || fs::metadata(&file).unwrap().len();
    // A write that has begun is finished.
    thread::sleep(Duration::from_millis(200));
    let before = length();
    assert!(before > 0);
    thread::sleep(Duration::from_millis(200));
    assert_eq!(length(), before, "it goes on");
}

#[test]
fn a_failure_says_what_was_expected_and_heard() {
    let script = "\"$1\"; exit 3";
    let mut session = Session::run(&[
        "compliance",
        "--tier",
        "must",
        "--deadline",
        "5",
        "sh",
        "-c",
        script,
        "sh",
        KALAH,
    ]);
    let Ended { status, output, errors } = session.wait();
    assert_eq!(status.code(), Some(1), "{errors}");
    assert!(errors.contains("'sh' does not comply with the protocol"), "{errors}");
    let at = output.iter().position(|line| line.starts_with("FAILED   quit: the engine exits"));
    let shown = &output[at.expect("a failure")..][1..4];
    assert_eq!(
        shown,
        [
            "         expected: exit with status 0",
            "         actual:   exit status: 3",
            "           > quit"
        ]
    );
    assert!(output.last().is_some_and(|summary| summary.ends_with(" failed, 0 skipped")));
}

#[test]
fn a_program_that_does_not_start_is_named() {
    for (arguments, status, named) in [
        (&["compliance", "./no-such-engine"][..], 1, "no-such-engine"),
        (&["compliance"], 2, "CMD"),
        (&["compliance", "--deadline", "0", "x"], 2, "0"),
        (&["compliance", "--list", "x"], 2, "--list"),
    ] {
        let Ended { status: ended, errors, .. } = Session::run(arguments).wait();
        assert_eq!(ended.code(), Some(status), "{arguments:?}: {errors}");
        assert!(errors.contains(named), "{arguments:?}: {errors}");
    }
}
