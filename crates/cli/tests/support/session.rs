//! A conversation with the real program over pipes. Nothing here waits for ever: whatever does
//! not come before a deadline fails the test and shows what was said until then.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Far more than anything takes, for tests share their machine with others.
const DEADLINE: Duration = Duration::from_mins(1);

/// A process of the program and what was said to it and by it.
pub(crate) struct Session {
    child: Child,
    /// To the thread that writes: the pipe can be full, and a test must not wait for that.
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<String>,
    errors: Option<JoinHandle<String>>,
    /// Whether what is said is for programs, some of which stop reading at a blank line.
    is_protocol: bool,
    transcript: Vec<String>,
}

/// What is left of a process that has ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    /// Lines that nobody had read.
    pub(crate) output: Vec<String>,
    /// All of stderr.
    pub(crate) errors: String,
}

/// The answer to a `go`.
#[derive(Debug)]
pub(crate) struct Answer {
    /// `info` lines with a score.
    pub(crate) infos: Vec<Info>,
    pub(crate) best: String,
    pub(crate) ponder: Option<String>,
}

/// An `info` line.
#[derive(Clone, Debug)]
pub(crate) struct Info(String);

impl Session {
    /// The engine.
    pub(crate) fn start() -> Session {
        Session::with(|_| {})
    }

    /// The program with these arguments.
    pub(crate) fn run(arguments: &[&str]) -> Session {
        Session::closing_output_after(usize::MAX, arguments)
    }

    /// The program, after changes to how it is started.
    pub(crate) fn with(change: impl FnOnce(&mut Command)) -> Session {
        Session::spawn(change, usize::MAX)
    }

    /// The program, after changes to how it is started; what it says is for people.
    pub(crate) fn program(change: impl FnOnce(&mut Command)) -> Session {
        let mut session = Session::spawn(change, usize::MAX);
        session.is_protocol = false;
        session
    }

    /// The program with an output that is closed after so many lines were read from it.
    pub(crate) fn closing_output_after(lines: usize, arguments: &[&str]) -> Session {
        let add = |command: &mut Command| {
            command.args(arguments);
        };
        let mut session = Session::spawn(add, lines);
        session.is_protocol = arguments.is_empty();
        session
    }

    fn spawn(change: impl FnOnce(&mut Command), lines: usize) -> Session {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kalah"));
        command.env_remove("RUST_LOG");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        change(&mut command);
        let mut child = command.spawn().expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let stdout = child.stdout.take().expect("a pipe");
        let mut stderr = child.stderr.take().expect("a pipe");
        let (input, to_write) = channel::<Vec<u8>>();
        thread::spawn(move || {
            // A process that has left reads no more; what it did before is what is tested.
            to_write.iter().all(|bytes| stdin.write_all(&bytes).is_ok());
        });
        let (read, output) = channel();
        thread::spawn(move || {
            let heard = lines_of(BufReader::new(stdout)).take(lines);
            heard.into_iter().all(|line| read.send(line).is_ok());
        });
        let errors = thread::spawn(move || {
            let mut text = Vec::new();
            stderr.read_to_end(&mut text).expect("stderr can be read");
            String::from_utf8_lossy(&text).into_owned()
        });
        let (input, errors) = (Some(input), Some(errors));
        let transcript = Vec::new();
        Session { child, input, output, errors, is_protocol: true, transcript }
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends the process a signal, unless it has ended.
    #[cfg(unix)]
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let id = rustix::process::Pid::from_raw(self.id().cast_signed()).unwrap();
        let _ = rustix::process::kill_process(id, signal);
    }

    /// Whether the process has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a child can be waited for").is_some()
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes in a single write, without an end of line.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.record('>', &String::from_utf8_lossy(bytes));
        let input = self.input.as_ref().expect("the input is open");
        // The writer is gone when the process is; the test finds out by what it does not hear.
        let _ = input.send(bytes.to_vec());
    }

    /// Ends the input once all that was sent is written.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// The next line.
    #[track_caller]
    pub(crate) fn line(&mut self) -> String {
        match self.next(DEADLINE) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => self.fail("no line came in time"),
            Err(RecvTimeoutError::Disconnected) => self.fail("the output ended"),
        }
    }

    /// Requires that the next line is this one.
    #[track_caller]
    pub(crate) fn expect(&mut self, expected: &str) {
        let line = self.line();
        if line != expected {
            self.fail(&format!("expected '{expected}', heard '{line}'"));
        }
    }

    /// The lines up to the first that begins so, with it.
    #[track_caller]
    pub(crate) fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines.last().is_some_and(|line| line.starts_with(start)) {
                return lines;
            }
        }
    }

    /// Requires that nothing is said for a while.
    #[track_caller]
    pub(crate) fn expect_silence(&mut self, time: Duration) {
        if let Ok(line) = self.next(time) {
            self.fail(&format!("heard '{line}' where nothing was to be said"));
        }
    }

    /// What is said before the answer to an `isready`.
    #[track_caller]
    pub(crate) fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Requires that nothing was left to be said.
    #[track_caller]
    pub(crate) fn expect_idle(&mut self) {
        let lines = self.sync();
        if !lines.is_empty() {
            self.fail(&format!("heard {lines:?} where only 'readyok' was due"));
        }
    }

    /// The board as `d` shows it.
    #[track_caller]
    pub(crate) fn display(&mut self) -> Vec<String> {
        self.send("d");
        self.until("Key: ")
    }

    /// Requires that a command is refused, by one line; returns what it says.
    #[track_caller]
    pub(crate) fn refused(&mut self, command: &str) -> String {
        self.send(command);
        let line = self.line();
        match line.strip_prefix("info string error: ") {
            Some(reason) => reason.to_owned(),
            None => self.fail(&format!("heard '{line}' where an error was due")),
        }
    }

    /// Requires that commands are obeyed without a word.
    #[track_caller]
    pub(crate) fn obeyed(&mut self, commands: &[&str]) {
        for command in commands {
            self.send(command);
        }
        self.expect_idle();
    }

    /// Sends a `go` and waits for its answer.
    #[track_caller]
    pub(crate) fn go(&mut self, words: &str) -> Answer {
        self.send(&format!("go {words}"));
        self.answer()
    }

    /// Waits for the answer to a `go`; only `info` lines may come before it.
    #[track_caller]
    pub(crate) fn answer(&mut self) -> Answer {
        let mut lines = self.until("bestmove ");
        let answer = lines.pop().unwrap_or_default();
        if let Some(other) = lines.iter().find(|line| !line.starts_with("info depth ")) {
            self.fail(&format!("heard '{other}' where infos or the answer were due"));
        }
        let words: Vec<&str> = answer.split(' ').collect();
        let (best, ponder) = match words[..] {
            ["bestmove", best] => (best.to_owned(), None),
            ["bestmove", best, "ponder", ponder] => (best.to_owned(), Some(ponder.to_owned())),
            _ => self.fail(&format!("'{answer}' is no answer")),
        };
        Answer { infos: lines.into_iter().map(Info).collect(), best, ponder }
    }

    /// Waits for the end of the process.
    #[track_caller]
    pub(crate) fn wait(&mut self) -> Ended {
        let start = Instant::now();
        let mut output = Vec::new();
        // The output ends before the process does, except when this side closed it.
        while let Ok(line) = self.next(DEADLINE.saturating_sub(start.elapsed())) {
            output.push(line);
        }
        let status = loop {
            match self.child.try_wait().expect("a child can be waited for") {
                Some(status) => break status,
                None if start.elapsed() > DEADLINE => self.fail("the process did not end"),
                None => thread::sleep(Duration::from_millis(1)),
            }
        };
        let errors = self.errors.take().and_then(|errors| errors.join().ok());
        Ended { status, output, errors: errors.expect("a process ends once, with a stderr") }
    }

    /// Waits for the end, which must come with status 0 and nothing on stderr; returns the
    /// lines that were not read yet.
    #[track_caller]
    pub(crate) fn wait_for_success(&mut self) -> Vec<String> {
        let Ended { status, output, errors } = self.wait();
        if !status.success() || !errors.is_empty() {
            self.fail(&format!("left with {status} and '{errors}' on stderr"));
        }
        output
    }

    /// Has the engine leave, with nothing more to say.
    #[track_caller]
    pub(crate) fn quit(mut self) {
        self.send("quit");
        let rest = self.wait_for_success();
        if !rest.is_empty() {
            self.fail(&format!("heard {rest:?} before leaving"));
        }
    }

    /// Fails the test, telling the story so far.
    #[track_caller]
    pub(crate) fn fail(&self, why: &str) -> ! {
        const TOLD: usize = 60;
        let skipped = self.transcript.len().saturating_sub(TOLD);
        let told = self.transcript[skipped..].join("\n");
        panic!("{why}\n--- the conversation, less {skipped} earlier lines ---\n{told}\n---");
    }

    #[track_caller]
    fn next(&mut self, deadline: Duration) -> Result<String, RecvTimeoutError> {
        let line = self.output.recv_timeout(deadline)?;
        self.record('<', &line);
        if self.is_protocol && line.trim().is_empty() {
            self.fail("a blank line");
        }
        Ok(line)
    }

    fn record(&mut self, direction: char, text: &str) {
        const LENGTH: usize = 200;
        let shown: String = text.trim_end_matches('\n').escape_debug().take(LENGTH).collect();
        self.transcript.push(format!("{direction} {shown}"));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have left already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of an output, however they end.
fn lines_of(mut output: impl BufRead) -> impl Iterator<Item = String> {
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        output.read_until(b'\n', &mut line).ok().filter(|&length| length > 0)?;
        let ended = line.pop_if(|&mut byte| byte == b'\n').is_some();
        let text = String::from_utf8(line).unwrap_or_else(|bad| format!("not UTF-8: {bad}"));
        Some(if ended { text } else { format!("{text} (without an end of line)") })
    })
}

impl Info {
    /// The word after this one.
    pub(crate) fn word(&self, name: &str) -> Option<&str> {
        self.0.split(' ').skip_while(|&word| word != name).nth(1)
    }

    /// The number after this word.
    #[track_caller]
    pub(crate) fn number(&self, name: &str) -> i64 {
        let number = self.word(name).and_then(|word| word.parse().ok());
        number.unwrap_or_else(|| panic!("no number after '{name}' in '{}'", self.0))
    }

    pub(crate) fn is_proven(&self) -> bool {
        self.0.split(' ').any(|word| word == "proven")
    }

    /// The moves expected.
    pub(crate) fn pv(&self) -> impl Iterator<Item = &str> {
        self.0.split(' ').skip_while(|&word| word != "pv").skip(1)
    }

    /// The line less what depends on the speed of the machine.
    pub(crate) fn without_times(&self) -> String {
        let mut timed = false;
        let words = self.0.split(' ').filter(|&word| {
            let skipped = std::mem::replace(&mut timed, matches!(word, "nps" | "time"));
            !skipped
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

impl Answer {
    /// The last line of the greatest depth.
    #[track_caller]
    pub(crate) fn last(&self) -> &Info {
        self.infos.last().expect("a search tells how it goes")
    }

    /// The lines of the last iteration, best first.
    pub(crate) fn last_lines(&self) -> Vec<&Info> {
        let first = self.infos.iter().rposition(|info| info.number("multipv") == 1);
        first.map(|first| self.infos[first..].iter().collect()).unwrap_or_default()
    }

    pub(crate) fn without_times(&self) -> Vec<String> {
        let infos = self.infos.iter().map(Info::without_times);
        infos.chain([format!("{} {:?}", self.best, self.ponder)]).collect()
    }
}
