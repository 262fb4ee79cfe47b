//! Matches and tournaments of the real program, each in a folder of its own.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kalah_records::{GameRecord, read_lines};
use tempfile::TempDir;

use crate::session::{Ended, Session};

/// What all processes of a contest have in their environment, with the folder for its value.
const MARK: &str = "KALAH_TEST_CONTEST";

/// Far more than any process needs to begin, or to be gone once it is killed.
const DEADLINE: Duration = Duration::from_mins(3);

/// A folder in which contests are held.
pub(crate) struct Contest {
    folder: TempDir,
}

impl Contest {
    pub(crate) fn new() -> Contest {
        Contest { folder: TempDir::new().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    /// Names of all files and folders.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let name = |name: &OsStr| name.to_string_lossy().into_owned();
        let mut names: Vec<String> =
            entries.map(|entry| name(&entry.unwrap().file_name())).collect();
        names.sort();
        names
    }

    /// Starts the program with words as a shell reads them.
    pub(crate) fn start(&self, words: &str) -> Session {
        self.start_with(words, &[])
    }

    /// Starts the program with variables of the environment besides.
    pub(crate) fn start_with(&self, words: &str, variables: &[(&str, &str)]) -> Session {
        Session::program(|command| {
            command.envs(variables.iter().copied());
            command.args(shell_words::split(words).unwrap());
            command.current_dir(self.folder.path());
            command.env(MARK, self.folder.path());
        })
    }

    /// Runs the program to its end.
    #[track_caller]
    pub(crate) fn run(&self, words: &str) -> Ended {
        self.start(words).wait()
    }

    /// Starts a command, and sends it a signal once it has written to this file, of which nothing is lost.
    #[cfg(unix)]
    #[track_caller]
    pub(crate) fn stopped_at_work(
        &self,
        words: &str,
        file: &str,
        signal: rustix::process::Signal,
    ) -> Ended {
        let path = self.path(file);
        let length = || path.metadata().map_or(0, |metadata| metadata.len());
        let before = length();
        let mut session = self.start(words);
        while length() <= before && !session.has_ended() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let written = length();
        assert!(written > before, "what is found is written while the work goes on");
        session.signal(signal);
        let ended = session.wait();
        assert!(length() >= written);
        ended
    }

    /// Runs the program, which must go well; returns what it said on stdout and stderr.
    #[track_caller]
    pub(crate) fn played(&self, words: &str) -> (String, String) {
        let Ended { status, output, errors } = self.run(words);
        assert_eq!(status.code(), Some(0), "{words}: {errors}");
        (output.join("\n"), errors)
    }

    /// Requires that the program refuses to play, in one message that has these words.
    #[track_caller]
    pub(crate) fn refused(&self, words: &str, code: i32, named: &str) {
        let Ended { status, output, errors } = self.run(words);
        assert_eq!(status.code(), Some(code), "{words}: {errors}");
        assert!(output.is_empty(), "{words}: {output:#?}");
        assert!(errors.contains(named), "{words}: '{named}' is not in: {errors}");
        let messages = errors
            .lines()
            .filter(|line| ["error: ", "kalah: "].iter().any(|start| line.starts_with(start)));
        assert_eq!(messages.count(), 1, "{words}: {errors}");
        assert!(!errors.contains("panicked"), "{words}: {errors}");
    }

    /// The games of a record.
    #[track_caller]
    pub(crate) fn games(&self, record: &str) -> Vec<GameRecord> {
        let games = read_lines::<GameRecord>(&self.path(record)).unwrap();
        games.map(|game| game.unwrap()).collect()
    }

    /// Waits until a process of a contest here has this command line.
    #[track_caller]
    pub(crate) fn wait_for_process(&self, command: &str) {
        let start = Instant::now();
        while !living(&self.mark()).iter().any(|process| process.ends_with(command)) {
            assert!(start.elapsed() < DEADLINE, "no process '{command}'");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The processes of a contest here: their ids and programs.
    pub(crate) fn processes(&self) -> Vec<(i32, String)> {
        let lines = living(&self.mark());
        let parts = lines.iter().filter_map(|line| line.split_once(": "));
        let ids = parts.filter_map(|(path, line)| Some((path.strip_prefix("/proc/")?, line)));
        ids.filter_map(|(id, line)| Some((id.parse().ok()?, line.to_owned()))).collect()
    }

    fn mark(&self) -> String {
        format!("{MARK}={}", self.folder.path().display())
    }

    /// Requires that no process of a contest here is left.
    #[track_caller]
    pub(crate) fn assert_nobody_left(&self) {
        let start = Instant::now();
        loop {
            let left = living(&self.mark());
            if left.is_empty() {
                return;
            }
            assert!(start.elapsed() < DEADLINE, "left behind: {left:#?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// The command lines of processes with these words in their environment, as far as the system
/// shows them.
fn living(mark: &str) -> Vec<String> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let has_mark = |path: &Path| {
        let environment = fs::read(path.join("environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|word| word == mark.as_bytes())
    };
    let command = |path: &Path| {
        let line = fs::read(path.join("cmdline")).unwrap_or_default();
        format!(
            "{}: {}",
            path.display(),
            String::from_utf8_lossy(&line).replace('\0', " ").trim_end()
        )
    };
    let paths = processes.filter_map(|process| Some(process.ok()?.path()));
    paths.filter(|path| has_mark(path)).map(|path| command(&path)).collect()
}

/// A record less what depends on the speed of the machine: all members called `time`.
pub(crate) fn without_times(record: &str) -> String {
    let mut rest = record;
    let mut text = String::new();
    while let Some((before, time)) = rest.split_once("\"time\":") {
        text.push_str(before);
        let end = if time.starts_with('{') {
            time.find('}').map(|end| end + 1)
        } else {
            time.find([',', '}', ']'])
        };
        rest = &time[end.unwrap()..];
    }
    text + rest
}
