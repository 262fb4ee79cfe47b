//! The program where the system refuses threads or memory: the right result, or one clear message and status 1. And in
//! the surroundings of other people: folders with spaces and letters that are not ASCII, no home or one that cannot be
//! written to, other languages.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, id};
use tempfile::TempDir;

use crate::runs::runs;
use crate::session::{Ended, Session};

/// A command with little work.
pub(crate) struct Work {
    pub(crate) arguments: &'static str,
    input: &'static str,
    /// How the last line of a right result begins, after work or where there was none left.
    results: &'static [&'static str],
}

impl Work {
    /// The arguments for work in a folder.
    pub(crate) fn words(&self, folder: &Path) -> Vec<String> {
        let place = |word: &str| word.replace("DIR", &folder.display().to_string());
        self.arguments.split_whitespace().map(place).collect()
    }

    /// Starts the work in a folder, in a process that `describe` makes of the arguments.
    pub(crate) fn start(
        &self,
        folder: &Path,
        describe: impl FnOnce(&[String]) -> Command,
    ) -> Session {
        let mut session = Session::program(|command| {
            *command = describe(&self.words(folder));
            command.env_remove("RUST_LOG");
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        });
        session.send_bytes(self.input.as_bytes());
        session.close_input();
        session
    }

    /// Runs the work to its end. Requires a right result or one clear message; returns whether it was
    /// a result.
    pub(crate) fn run(&self, folder: &Path, describe: impl FnOnce(&[String]) -> Command) -> bool {
        let mut session = self.start(folder, describe);
        let Ended { status, output, errors } = session.wait();
        let words = self.words(folder);
        let story = format!("{words:?}: {status}\n{output:#?}\n{errors}");
        // A small allocation that is refused ends the program as the standard library does it.
        if errors.contains("memory allocation of") || errors.contains("stack_overflow.rs") {
            return false;
        }
        assert!(!errors.contains("panicked"), "{story}");
        assert!(!output.contains(&"bestmove 0000".to_owned()), "{story}");
        if status.success() {
            let last = output.last().unwrap();
            assert!(self.results.iter().any(|it| last.starts_with(it)), "{story}");
        } else {
            assert_eq!(status.code(), Some(1), "{story}");
            // Threads that are still there may log after the message.
            let is_logged = |line: &&str| line.starts_with('[') || line.is_empty();
            let messages = errors.lines().filter(|line| line.starts_with("kalah: ")).count();
            let last = errors.lines().rfind(|line| !is_logged(line));
            assert_eq!(messages, 1, "{story}");
            assert!(last.is_some_and(|line| line.starts_with("kalah: ")), "{story}");
        }
        status.success()
    }
}

/// Each command that starts threads or needs memory. `DIR` is a folder of its own.
pub(crate) const WORKS: [Work; 8] = [
    Work {
        arguments: "",
        input: "setoption name Threads value 4\ngo nodes 20000\n",
        results: &["bestmove "],
    },
    Work {
        arguments: "",
        input: "setoption name OwnBook value false\nsetoption name Threads value 4\ngo movetime 50\n",
        results: &["bestmove "],
    },
    Work {
        arguments: "solve --houses 5 --seeds 3 --threads 2 --checkpoint DIR/checkpoint \
                    --proof DIR/proof",
        input: "",
        results: &["proof "],
    },
    Work {
        arguments: "tablebase build DIR/tables --houses 4 --seeds 12 --threads 2",
        input: "",
        results: &["built ", "nothing is missing"],
    },
    Work {
        arguments: "book build DIR/book.kbk --houses 4 --seeds 3 --plies 5 --threads 2 --hash 16",
        input: "",
        results: &["complete: "],
    },
    Work {
        arguments: "train --out DIR/net.knn --houses 4 --seeds 3 --positions 60 --nodes 20 \
                    --generations 1 --games 0 --threads 2",
        input: "",
        results: &["errors ", "network "],
    },
    Work {
        arguments: "lab ordering --positions 1 --depth 3 --csv DIR/ordering.csv",
        input: "",
        results: &["| + aspiration "],
    },
    Work {
        arguments: "match --engine builtin=negascout --engine builtin=minimax --each depth=1 \
                    --games 2 --concurrency 2 --record DIR/games.jsonl",
        input: "",
        results: &["margin "],
    },
];

/// The words that start the program under a limit, and where the program is.
struct Limited {
    folder: TempDir,
    program: PathBuf,
    user: Option<u32>,
}

impl Limited {
    fn new() -> Limited {
        let folder = TempDir::new().unwrap();
        let program = PathBuf::from(env!("CARGO_BIN_EXE_kalah"));
        Limited { folder, program, user: None }
    }

    /// The limit on threads is one of a user, and none for root: so another user, whom nobody else
    /// is; each test has its own. `None` where that user cannot run the program.
    fn as_other_user(number: u32) -> Option<Limited> {
        const FIRST_UNUSED: u32 = 1 << 20;
        let folder = TempDir::new().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
        let program = folder.path().join("kalah");
        fs::copy(env!("CARGO_BIN_EXE_kalah"), &program).unwrap();
        let limited = Limited { folder, program, user: Some(FIRST_UNUSED + 2 * id() + number) };
        let version = limited.command("1000", &["--version".to_owned()]).output();
        version.is_ok_and(|output| output.status.success()).then_some(limited)
    }

    fn command(&self, limit: &str, arguments: &[String]) -> Command {
        let mut command = Command::new("prlimit");
        if let Some(user) = self.user {
            command = Command::new("setpriv");
            command.arg(format!("--reuid={user}")).arg(format!("--regid={user}"));
            command.args(["--clear-groups", "prlimit"]);
            command.arg(format!("--nproc={limit}"));
        } else {
            command.arg(format!("--as={limit}"));
        }
        command.arg(&self.program).args(arguments);
        command
    }

    /// Sweeps a limit upwards. Every command must succeed in the end, also with the files that runs
    /// without success have left.
    fn sweep(&self, limits: &[String]) {
        for work in &WORKS {
            let mut folder = self.writable_folder();
            let mut successes = 0;
            for limit in limits {
                if work.run(folder.path(), |words| self.command(limit, words)) {
                    successes += 1;
                    folder = self.writable_folder();
                }
            }
            assert!(successes > 0, "{} never succeeds", work.arguments);
        }
    }

    fn writable_folder(&self) -> TempDir {
        let folder = TempDir::new_in(self.folder.path()).unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
        folder
    }
}

#[test]
fn refused_threads_are_done_without() {
    let Some(limited) = Limited::as_other_user(0) else {
        eprintln!("not tested: it takes root, and a folder for temporary files that all can read");
        return;
    };
    let limits: Vec<String> =
        (1..=6).step_by(runs(5, 1)).map(|threads| threads.to_string()).collect();
    limited.sweep(&limits);
}

#[test]
fn refused_memory_is_done_without() {
    const MIB: u64 = 1 << 20;
    let limited = Limited::new();
    // The least that the loader of the system needs before the program begins.
    let starts = |bytes: &u64| {
        let version = limited.command(&bytes.to_string(), &["--version".to_owned()]).output();
        version.is_ok_and(|output| output.status.success())
    };
    let least = (1..=64).map(|number| number * 4 * MIB).find(starts).expect("256 MiB are enough");
    let more = [0, 1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 28, 40, 60, 100, 300];
    let limits: Vec<String> =
        more.iter().step_by(runs(5, 1)).map(|more| (least + more * MIB).to_string()).collect();
    limited.sweep(&limits);
}

#[test]
fn refused_processes_are_the_fault_of_no_program() {
    let Some(limited) = Limited::as_other_user(1) else {
        eprintln!("not tested: it takes root, and a folder for temporary files that all can read");
        return;
    };
    let work = Work {
        arguments: "match --engine name=a;cmd=DIR/../kalah --engine name=b;cmd=DIR/../kalah \
                    --each depth=2 --games 4 --concurrency 2 --record DIR/games.jsonl",
        input: "",
        results: &["margin "],
    };
    let (mut successes, limits) = (0, (2..=40).step_by(runs(19, 2)));
    for limit in limits {
        let folder = limited.writable_folder();
        let describe = |words: &[String]| {
            let words: Vec<String> = words.iter().map(|word| word.replace(';', " ")).collect();
            limited.command(&limit.to_string(), &words)
        };
        successes += usize::from(work.run(folder.path(), describe));
        let record = fs::read_to_string(folder.path().join("games.jsonl")).unwrap_or_default();
        for game in record.lines() {
            assert!(game.contains(r#""reason":"played out""#), "{limit}: {game}");
        }
    }
    assert!(successes > 0);
}

/// The language and the home. In Turkish a small I has its dot when it becomes a capital.
const SURROUNDINGS: [(&str, Option<&str>); 3] =
    [("tr_TR.UTF-8", None), ("C", Some("/proc")), ("xx_YY.ISO-8859-1", Some("/no/such/home"))];

#[test]
fn homes_languages_and_names_of_folders_do_not_matter() {
    for (index, work) in WORKS.iter().enumerate() {
        let all = SURROUNDINGS.len();
        for (language, home) in SURROUNDINGS.iter().cycle().skip(index).take(runs(1, all)) {
            let folder = TempDir::with_prefix("Spiele für İğne, 50 % ").unwrap();
            let is_result = work.run(folder.path(), |words| {
                let mut command = Command::new(env!("CARGO_BIN_EXE_kalah"));
                command.args(words).env_clear().envs([("LANG", language), ("LC_ALL", language)]);
                command.envs(home.map(|home| ("HOME", home))).current_dir(folder.path());
                command
            });
            assert!(is_result, "{}", work.arguments);
        }
    }
}
