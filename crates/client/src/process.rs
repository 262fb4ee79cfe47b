//! A child process that is spoken to over pipes. No call here waits longer than its deadline, and
//! dropping the process kills it with everything it has started.
//!
//! Each process has three threads: one reads its output and stamps each line with the time, one
//! writes its input, since a program that does not read would block the writer, and one keeps the
//! end of its stderr.

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::marker::PhantomData;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, never, select, unbounded};
use log::debug;

use kalah::StopToken;
use kalah::engine::TRAFFIC_TARGET;
use kalah::lock::lock;
use kalah::protocol::{InputLine, LineReader};

use crate::engine_command::EngineCommand;
use crate::process_group;

/// Unread lines, each of at most 1 MiB. When the queue is full the program has to wait.
const MAX_QUEUED_LINES: usize = 64;

/// Bytes of stderr that are kept.
const STDERR_BYTES: usize = 4096;

/// Time for a program to exit after `quit`.
const QUIT_TIME: Duration = Duration::from_millis(500);

/// Time from the end of a program's output to its exit and its last words, or the other way round.
const EXIT_TIME: Duration = Duration::from_secs(2);

/// Interval at which the exit of a program is polled: a program that keeps writing, or has closed
/// its output, gives no signal when it exits.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Interval at which a silent program is looked at: its end shows by the end of its output, unless a
/// process that it has started holds the pipe.
const LIFE_INTERVAL: Duration = Duration::from_millis(20);

/// Environment variables that a program which we start does not get.
const SECRETS: [&str; 2] = ["KALAH_GUI_TOKEN", "KALAH_KGP_TOKEN"];

/// A running program.
pub struct EngineProcess {
    name: String,
    child: Child,
    /// `None` once its input is closed.
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<(Instant, InputLine)>,
    stderr: Arc<Mutex<VecDeque<u8>>>,
    /// Disconnected when stderr ends.
    stderr_end: Receiver<()>,
    /// Whether the process was killed and waited for: its id may belong to another process now.
    is_reaped: bool,
    /// When it was last looked at.
    looked: Instant,
    /// When its exit was noticed while its output was still open.
    died: Option<Instant>,
    /// Stays in the thread that started the program, which would be killed at the end of that thread.
    _in_thread: PhantomData<*const ()>,
}

/// Why there is no line to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The deadline has passed.
    TimedOut,
    /// The output has ended.
    Closed,
    /// The stop token was stopped.
    Stopped,
}

impl EngineProcess {
    /// Starts a program, without the environment variables for secrets of this project's servers.
    ///
    /// # Errors
    /// The error of the system, which may lack the program, memory, processes, threads or file handles.
    pub fn spawn(engine: &EngineCommand) -> io::Result<EngineProcess> {
        let name = &engine.name;
        let mut command = Command::new(&engine.program);
        command.args(&engine.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        for secret in SECRETS {
            command.env_remove(secret);
        }
        if let Some(directory) = &engine.directory {
            command.current_dir(directory);
        }
        let mut child = process_group::spawn(&mut command)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (input, to_write) = unbounded();
        let (line_sender, lines) = bounded(MAX_QUEUED_LINES);
        let (stderr_open, stderr_end) = bounded(0);
        let stderr_bytes = Arc::new(Mutex::new(VecDeque::new()));
        // From here on dropping it kills the program.
        let process = EngineProcess {
            name: name.clone(),
            child,
            input: Some(input),
            lines,
            stderr: Arc::clone(&stderr_bytes),
            stderr_end,
            is_reaped: false,
            looked: Instant::now(),
            died: None,
            _in_thread: PhantomData,
        };
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("no pipe"));
        };
        let thread = |what| thread::Builder::new().name(format!("{name} {what}"));
        thread("input").spawn(move || write_all(stdin, &to_write))?;
        thread("output").spawn(move || read_all(BufReader::new(stdout), &line_sender))?;
        thread("errors").spawn(move || keep_end(stderr, &stderr_bytes, stderr_open))?;
        Ok(process)
    }

    /// The number of the process, which leads a process group of the same number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Queues a line for the program. A write error shows as the end of the output or a missing reply.
    pub fn send(&self, line: &impl Display) {
        let line = format!("{line}\n");
        debug!(target: TRAFFIC_TARGET, "{} < {}", self.name, line.trim_end());
        self.send_bytes(line.into_bytes());
    }

    /// A way to queue lines for the program's input from another thread.
    pub fn input(&self) -> Option<Sender<Vec<u8>>> {
        self.input.clone()
    }

    /// Queues arbitrary bytes for the program's input.
    pub fn send_bytes(&self, bytes: Vec<u8>) {
        if let Some(input) = &self.input {
            let _ = input.send(bytes);
        }
    }

    /// The next line, whatever it contains, with the time of its arrival.
    ///
    /// # Errors
    /// If the output has ended, no line came before the deadline, or the token was stopped.
    pub fn next_line(
        &mut self,
        deadline: Option<Instant>,
        stop: &StopToken,
    ) -> Result<(Instant, InputLine), ReadError> {
        let (at, line) = loop {
            if self.looked.elapsed() >= LIFE_INTERVAL && self.is_dead() {
                return Err(ReadError::Closed);
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let left = left.into_iter().chain(stop.remaining()).min();
            select! {
                recv(self.lines) -> line => break line.map_err(|_| ReadError::Closed)?,
                recv(stop.signal()) -> _ => return Err(ReadError::Stopped),
                default(left.map_or(LIFE_INTERVAL, |left| left.min(LIFE_INTERVAL))) => {
                    if left.is_some_and(|left| left <= LIFE_INTERVAL) {
                        let is_stopped = stop.is_stopped();
                        return Err(if is_stopped { ReadError::Stopped } else { self.overdue() });
                    }
                }
            }
        };
        // The time of arrival decides, so that a flood of lines cannot extend the deadline.
        if deadline.is_some_and(|deadline| at > deadline) {
            return Err(self.overdue());
        }
        if let InputLine::Text(text) = &line {
            debug!(target: TRAFFIC_TARGET, "{} > {}", self.name, text.escape_debug());
        }
        Ok((at, line))
    }

    /// A line that has come already.
    pub fn ready_line(&mut self) -> Option<InputLine> {
        self.lines.try_recv().ok().map(|(_, line)| line)
    }

    /// Whether the program has ended and its output is not to be waited for any longer. If it has just
    /// ended, all that it has started is killed, so that the output ends, too, unless a process that
    /// cannot be killed holds it.
    fn is_dead(&mut self) -> bool {
        self.looked = Instant::now();
        let Ok(Some(_)) = self.child.try_wait() else { return false };
        self.kill();
        self.died.get_or_insert(self.looked).elapsed() > EXIT_TIME
    }

    /// Why a line has not come in time.
    fn overdue(&mut self) -> ReadError {
        let _ = self.is_dead();
        if self.died.is_some() { ReadError::Closed } else { ReadError::TimedOut }
    }

    /// Whether the program runs; one that has just been killed may still seem to.
    pub fn is_running(&mut self) -> bool {
        !self.is_reaped && matches!(self.child.try_wait(), Ok(None))
    }

    /// Whether the program has ended, and [`post_mortem`](Self::post_mortem) need not wait for its last words.
    pub fn has_ended(&mut self) -> bool {
        let is_silent = self.stderr_end.try_recv().is_err_and(|error| error.is_disconnected());
        self.is_dead() || is_silent && self.died.is_some()
    }

    /// How the program ended, for a message, with its last words as they are; called when its output has ended.
    pub fn post_mortem(&mut self) -> String {
        // The exit status and the last bytes of stderr may arrive a little after the end of stdout.
        let deadline = self.died.unwrap_or_else(Instant::now) + EXIT_TIME;
        let _ = self.stderr_end.recv_deadline(deadline);
        let status = match self.wait_for_exit(deadline) {
            Some(status) => {
                self.kill();
                status.to_string()
            }
            None => "closed its output".to_owned(),
        };
        let mut stderr = lock(&self.stderr);
        let stderr = String::from_utf8_lossy(stderr.make_contiguous());
        match stderr.lines().rfind(|line| !line.trim().is_empty()) {
            Some(line) => format!("{status}, last line of stderr: {}", line.trim()),
            None => status,
        }
    }

    /// Kills the program and its process group, and waits for its exit.
    pub fn kill(&mut self) {
        if !self.is_reaped {
            self.is_reaped = true;
            process_group::kill(self.child.id());
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    /// Closes the input of the program.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Closes the program's output; the pipe is closed when it writes one more line.
    pub fn close_output(&mut self) {
        self.lines = never();
    }

    /// The exit status; `None` when the program still runs at the deadline.
    pub fn wait_for_exit(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < deadline => thread::sleep(POLL_INTERVAL),
                status => return status.ok().flatten(),
            }
        }
    }

    /// Sends `quit`, closes the input and waits a moment for the end of the output.
    pub fn quit(&mut self) {
        self.send(&"quit");
        self.close_input();
        let deadline = Instant::now() + QUIT_TIME;
        while self.lines.recv_deadline(deadline).is_ok() && Instant::now() < deadline {}
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        // Until an exited child is waited for, its process id is not used again.
        self.kill();
    }
}

fn write_all(mut stdin: ChildStdin, to_write: &Receiver<Vec<u8>>) {
    for bytes in to_write {
        if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_all(stdout: impl BufRead, lines: &Sender<(Instant, InputLine)>) {
    let mut stdout = LineReader::new(stdout);
    while let Ok(Some(line)) = stdout.next_line() {
        if lines.send((Instant::now(), line)).is_err() {
            return;
        }
    }
}

/// Keeps the last bytes of stderr; `_open` is dropped at its end.
fn keep_end(mut stderr: impl Read, end: &Mutex<VecDeque<u8>>, _open: Sender<()>) {
    let mut buffer = [0; 1024];
    while let Ok(length @ 1..) = stderr.read(&mut buffer) {
        let mut end = lock(end);
        end.extend(&buffer[..length]);
        let excess = end.len().saturating_sub(STDERR_BYTES);
        end.drain(..excess);
    }
}
