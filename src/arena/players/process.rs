//! A program that is spoken to over pipes. Whatever it does or fails to do, nothing here waits
//! for longer than it is told to, and nothing of it stays behind.
//!
//! Three threads go with each: one reads what it says and notes when it came, one writes, since a
//! program that does not read would hold up whoever writes to it, and one keeps the end of what it
//! writes to stderr.

use std::collections::{BTreeSet, VecDeque};
use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, never, select, unbounded};
use log::debug;

use crate::engine::{InputLine, lock, read_line};
use crate::stop::StopToken;

/// Lines that wait to be heard, of a MiB at most; when there are more, the program has to wait.
const LINES_WAITING: usize = 64;

/// Bytes of stderr that are kept.
const ERRORS_KEPT: usize = 4096;

/// How long a program may take to leave when asked to.
const TIME_TO_LEAVE: Duration = Duration::from_millis(500);

/// How often it is looked whether a program has ended: nothing tells when one does that has closed
/// its output, or goes on saying things.
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

/// The target of lines said and heard.
const TRAFFIC: &str = "traffic";

/// The numbers of all programs that run.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    lock(&RUNNING)
}

/// Ends all programs that play, at once and unasked: for whoever leaves without waiting for the
/// players to be dropped, and leaves no program behind.
pub fn end_all_programs() {
    running().iter().for_each(|&id| kill_group(id));
}

/// A running program.
pub(crate) struct Process {
    name: String,
    child: Child,
    /// `None` once its input is closed.
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<(Instant, InputLine)>,
    errors: Arc<Mutex<VecDeque<u8>>>,
    /// Closed when stderr ends.
    errors_end: Receiver<()>,
    /// Whether all of it has been ended; its number may be somebody else's then.
    is_buried: bool,
}

/// Why no line is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// Nothing came in time.
    Late,
    /// The output has ended.
    Ended,
    /// Nobody wants to hear it any more.
    Interrupted,
}

impl Process {
    /// Starts a program. `name` is for the log.
    pub(crate) fn spawn(
        name: &str,
        program: impl AsRef<OsStr>,
        arguments: &[String],
        folder: Option<&str>,
    ) -> io::Result<Process> {
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        alone(&mut command);
        let mut child = {
            let mut running = running();
            let child = command.spawn()?;
            running.insert(child.id());
            child
        };
        let gone = || io::Error::other("no pipe");
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (input, to_write) = unbounded();
        let (heard, lines) = bounded(LINES_WAITING);
        let (errors_open, errors_end) = bounded(0);
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        // From here on dropping it ends the program.
        let process = Process {
            name: name.to_owned(),
            child,
            input: Some(input),
            lines,
            errors: Arc::clone(&errors),
            errors_end,
            is_buried: false,
        };
        let (stdin, stdout) = (stdin.ok_or_else(gone)?, stdout.ok_or_else(gone)?);
        let stderr = stderr.ok_or_else(gone)?;
        let thread = |what| thread::Builder::new().name(format!("{name} {what}"));
        thread("input").spawn(move || write_all(stdin, &to_write))?;
        thread("output").spawn(move || read_all(BufReader::new(stdout), &heard))?;
        thread("errors").spawn(move || keep_end(stderr, &errors, errors_open))?;
        Ok(process)
    }

    /// Writes a line. That nobody reads it shows as the end of the output, or as no answer.
    pub(crate) fn say(&self, line: &impl Display) {
        let line = format!("{line}\n");
        debug!(target: TRAFFIC, "{} < {}", self.name, line.trim_end());
        self.say_bytes(line.into_bytes());
    }

    /// Writes anything at all.
    pub(crate) fn say_bytes(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            let _ = input.send(bytes);
        }
    }

    /// The next line, with the time at which it came. Lines that are no text are skipped.
    pub(crate) fn hear(
        &self,
        deadline: Instant,
        stop: &StopToken,
    ) -> Result<(Instant, String), Silence> {
        loop {
            if let (at, InputLine::Text(text)) = self.next_line(deadline, stop)? {
                return Ok((at, text));
            }
        }
    }

    /// The next line, whatever is in it, with the time at which it came.
    pub(crate) fn next_line(
        &self,
        deadline: Instant,
        stop: &StopToken,
    ) -> Result<(Instant, InputLine), Silence> {
        let (at, line) = select! {
            recv(self.lines) -> line => line.map_err(|_| Silence::Ended)?,
            recv(stop.signal()) -> _ => return Err(Silence::Interrupted),
            default(deadline.saturating_duration_since(Instant::now())) => {
                return Err(Silence::Late);
            }
        };
        // A line that came in time counts; a flood of lines does not put the end off.
        if at > deadline {
            return Err(Silence::Late);
        }
        if let InputLine::Text(text) = &line {
            debug!(target: TRAFFIC, "{} > {}", self.name, text.escape_debug());
        }
        Ok((at, line))
    }

    /// Forgets what was said that nobody has heard. A flood is left to whoever hears it next.
    pub(crate) fn forget(&self) {
        let _ = self.lines.try_iter().take(LINES_WAITING).count();
    }

    /// How the program ended, once its output has.
    pub(crate) fn post_mortem(&mut self) -> String {
        // What it wrote last, and then its status, come within moments when it has ended.
        let deadline = Instant::now() + TIME_TO_LEAVE;
        let _ = self.errors_end.recv_deadline(deadline);
        let status = match self.wait_for_exit(deadline) {
            Some(status) => {
                self.bury();
                status.to_string()
            }
            None => "closed its output".to_owned(),
        };
        let errors = lock(&self.errors);
        let errors: Vec<u8> = errors.iter().copied().collect();
        let errors = String::from_utf8_lossy(&errors);
        match errors.lines().rfind(|line| !line.trim().is_empty()) {
            Some(line) => format!("{status}, its last words: {}", line.trim().escape_debug()),
            None => status,
        }
    }

    /// Ends what is left of it.
    fn bury(&mut self) {
        if !self.is_buried {
            self.is_buried = true;
            // In this order there is no moment in which nobody would end it.
            kill_group(self.child.id());
            running().remove(&self.child.id());
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    /// Closes its input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Closes its output, as soon as it says one more line.
    pub(crate) fn close_output(&mut self) {
        self.lines = never();
    }

    /// How it ended, if it does in time.
    pub(crate) fn wait_for_exit(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < deadline => thread::sleep(BETWEEN_LOOKS),
                status => return status.ok().flatten(),
            }
        }
    }

    /// Waits until its output has ended, passing over what it still says.
    pub(crate) fn wait_for_end(&self, deadline: Instant) -> bool {
        loop {
            match self.lines.recv_deadline(deadline) {
                Ok(_) if Instant::now() < deadline => {}
                Ok(_) | Err(RecvTimeoutError::Timeout) => return false,
                Err(RecvTimeoutError::Disconnected) => return true,
            }
        }
    }

    /// Asks the program to leave, and gives it time to.
    pub(crate) fn quit(&mut self) {
        self.say(&"quit");
        self.close_input();
        self.wait_for_end(Instant::now() + TIME_TO_LEAVE);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already; until it is waited for its number is nobody else's.
        self.bury();
    }
}

/// Gives the program a group of processes of its own: signals from a terminal are for us alone to
/// act on, and what it starts can be ended with it.
#[cfg(unix)]
fn alone(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn alone(_: &mut Command) {}

/// Ends a program and all that it has started.
#[cfg(unix)]
fn kill_group(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = Pid::from_raw(id.cast_signed()) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

fn write_all(mut stdin: ChildStdin, said: &Receiver<Vec<u8>>) {
    for bytes in said {
        if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_all(mut stdout: impl BufRead, heard: &Sender<(Instant, InputLine)>) {
    while let Ok(Some(line)) = read_line(&mut stdout) {
        if heard.send((Instant::now(), line)).is_err() {
            return;
        }
    }
}

/// Keeps the last bytes; `_open` is dropped at the end.
fn keep_end(mut stderr: impl Read, kept: &Mutex<VecDeque<u8>>, _open: Sender<()>) {
    let mut buffer = [0; 1024];
    while let Ok(length @ 1..) = stderr.read(&mut buffer) {
        let mut kept = lock(kept);
        kept.extend(&buffer[..length]);
        let excess = kept.len().saturating_sub(ERRORS_KEPT);
        kept.drain(..excess);
    }
}
