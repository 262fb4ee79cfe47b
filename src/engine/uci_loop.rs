//! The protocol loop: commands in, replies out, while a search may run.

use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::{Arc, Mutex};
use std::thread;

use crossbeam_channel::{Receiver, RecvError, Sender, bounded, select, unbounded};
use log::debug;
use thiserror::Error;

use super::describe;
use super::engine::{Engine, check_limits};
use super::error::{EngineError, UciLoopError};
use super::logging::{self, TRAFFIC_TARGET};
use super::options::{EngineOptions, Setting, options, parse_setting};
use super::position::CurrentPosition;
use super::reader::{InputLine, read_line};
use super::search_thread::{self, Job, JobEvent, JobWork};
use crate::lock::lock;
use crate::protocol::{Command, Go, Reply};
use crate::search::{Limits, PonderHit, SearchOptions, TimeManager};
use crate::stop::StopToken;
use crate::tablebase::TablebaseFiles;

/// Why a command was not carried out.
#[derive(Debug, Error)]
enum CommandError {
    /// The loop goes on.
    #[error(transparent)]
    Refused(#[from] EngineError),
    /// The loop ends.
    #[error(transparent)]
    Fatal(#[from] UciLoopError),
}

/// A search, or a count of leaves, that has not answered yet. Dropping it stops it.
struct RunningSearch {
    stop: StopToken,
    /// Whether it ends without a stop once its clock runs.
    is_limited: bool,
    /// The signal that starts its clock, until it is given.
    ponder: Option<PonderHit>,
}

impl Drop for RunningSearch {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

/// The state of the protocol thread.
struct UciLoop<W> {
    output: W,
    position: CurrentPosition,
    /// A copy of the engine's options, which can be read while the engine searches.
    options: EngineOptions,
    engine: Arc<Mutex<Engine>>,
    jobs: Sender<Job>,
    events: Receiver<JobEvent>,
    search: Option<RunningSearch>,
    /// Whether the counters of each search are printed.
    debug: bool,
}

/// Runs the engine as a program: reads commands and writes replies until `quit`, the end of the
/// input, or until the reader of the output closes it.
///
/// # Errors
/// Returns an error if the engine cannot be set up, or if reading or writing fails.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> Result<(), UciLoopError> {
    let options = EngineOptions::default();
    // The search thread allocates the full table, so that `uci` is answered without waiting for it.
    let engine = Engine::with_options(EngineOptions { hash_mebibytes: 1, ..options.clone() })?;
    let engine = Arc::new(Mutex::new(engine));
    let (jobs, job_receiver) = bounded(1);
    let (event_sender, events) = unbounded();
    search_thread::spawn(Arc::clone(&engine), options.hash_mebibytes, job_receiver, event_sender)
        .map_err(UciLoopError::Thread)?;
    let lines = spawn_reader(input).map_err(UciLoopError::Thread)?;
    let position = CurrentPosition::new()?;
    let (search, debug) = (None, false);
    let mut uci = UciLoop { output, position, options, engine, jobs, events, search, debug };
    match uci.run(&lines) {
        Err(UciLoopError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Starts the thread that reads lines up to the end of the input or an error. If the loop ends first,
/// the thread stays behind in its last read.
fn spawn_reader(
    mut input: impl BufRead + Send + 'static,
) -> io::Result<Receiver<io::Result<InputLine>>> {
    let (sender, lines) = bounded(64);
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        while let Some(line) = read_line(&mut input).transpose() {
            let is_last = line.is_err();
            if sender.send(line).is_err() || is_last {
                return;
            }
        }
    })?;
    Ok(lines)
}

impl<W: Write> UciLoop<W> {
    fn run(&mut self, lines: &Receiver<io::Result<InputLine>>) -> Result<(), UciLoopError> {
        let end = loop {
            select! {
                recv(lines) -> line => match line {
                    Ok(Ok(line)) => if self.handle_line(line)? { break Ok(()) },
                    Ok(Err(error)) => break Err(UciLoopError::Input(error)),
                    Err(_) => break Ok(()),
                },
                recv(self.events) -> event => self.handle_event(event)?,
            }
        };
        // At the end of the input a search with limits runs to its end; any other is stopped. `quit`
        // has stopped all of them.
        if let Some(search) = &self.search
            && (search.ponder.is_some() || !search.is_limited)
        {
            search.stop.stop();
        }
        self.finish_search()?;
        end
    }

    /// Carries out a line. Returns true after `quit`.
    fn handle_line(&mut self, line: InputLine) -> Result<bool, UciLoopError> {
        let command = match line {
            InputLine::Text(text) => {
                debug!(target: TRAFFIC_TARGET, "> {}", text.escape_debug());
                if text.trim_ascii().is_empty() {
                    return Ok(false);
                }
                text.parse::<Command>().map_err(EngineError::from)
            }
            InputLine::TooLong => Err(EngineError::LineTooLong),
            InputLine::NotUtf8 => Err(EngineError::NotUtf8),
        };
        let is_quit = matches!(command, Ok(Command::Quit));
        match command.map_err(CommandError::from).and_then(|command| self.execute(command)) {
            Err(CommandError::Refused(error)) => self.reply(&Reply::Error(error.to_string()))?,
            Err(CommandError::Fatal(error)) => return Err(error),
            Ok(()) => {}
        }
        Ok(is_quit)
    }

    fn execute(&mut self, command: Command) -> Result<(), CommandError> {
        match command {
            Command::Uci => self.handshake()?,
            Command::IsReady => self.reply(&Reply::ReadyOk)?,
            Command::UciNewGame => {
                self.check_idle("ucinewgame")?;
                lock(&self.engine).new_game();
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::Position(position) => self.position.set(position)?,
            Command::Go(go) => self.go(&go)?,
            Command::Stop if self.search.is_none() => {
                return Err(EngineError::NotSearching.into());
            }
            Command::Stop | Command::Quit => {
                if let Some(search) = &self.search {
                    search.stop.stop();
                }
                self.finish_search()?;
            }
            Command::PonderHit => {
                let ponder = self.search.as_mut().and_then(|search| search.ponder.take());
                ponder.ok_or(EngineError::NotPondering)?.signal();
            }
            Command::Debug(on) => {
                self.debug = on;
                logging::set_verbose(on);
            }
            Command::Display => self.reply(&Reply::Text(describe::board(self.position.board())))?,
            Command::Eval => {
                let text = describe::evaluation(self.position.board(), &self.options.search);
                self.reply(&Reply::Text(text))?;
            }
        }
        Ok(())
    }

    fn handshake(&mut self) -> Result<(), UciLoopError> {
        self.reply(&Reply::Id("name", concat!("Kalah ", env!("CARGO_PKG_VERSION")).to_owned()))?;
        self.reply(&Reply::Id("author", "the Kalah authors".to_owned()))?;
        for option in options() {
            self.reply(&Reply::Option(option.to_string()))?;
        }
        self.reply(&Reply::UciOk)
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), CommandError> {
        self.check_idle("setoption")?;
        let setting = parse_setting(name, value).map_err(EngineError::from)?;
        let is_position_kept = match setting {
            Setting::Houses(houses) => self.position.set_start(Some(houses), None, None)?,
            Setting::Seeds(seeds) => self.position.set_start(None, Some(seeds), None)?,
            Setting::Capture(capture) => self.position.set_start(None, None, Some(capture))?,
            Setting::LogFile(path) => {
                logging::set_file(path.as_deref()).map_err(EngineError::from)?;
                true
            }
            setting => {
                if let Setting::Tablebase(Some(directory)) = &setting {
                    let rules = self.position.start_rules();
                    TablebaseFiles::open(directory, rules).map_err(EngineError::from)?;
                }
                let mut engine = lock(&self.engine);
                engine.apply(setting)?;
                self.options = engine.options().clone();
                true
            }
        };
        if !is_position_kept {
            let text = "the position does not fit the option, it is now startpos";
            self.reply(&Reply::Info(text.to_owned()))?;
        }
        Ok(())
    }

    fn go(&mut self, go: &Go) -> Result<(), EngineError> {
        self.check_idle("go")?;
        let board = *self.position.board();
        let SearchOptions { variant, move_overhead, .. } = self.options.search;
        let limits = go.limits_for(board.side());
        check_limits(&board, &limits, variant)?;
        let stop = StopToken::new();
        let ponder = go.ponder.then(PonderHit::new);
        let work = if let Some(depth) = go.perft {
            JobWork::Perft(depth)
        } else {
            let limits = Limits { ponder: ponder.clone(), ..limits };
            let seeds = board.seeds_in_play();
            let time = TimeManager::new(&limits, seeds, move_overhead, &stop);
            JobWork::Think(Box::new((limits, time)))
        };
        let is_limited = go.is_limited_for(board.side());
        self.search = Some(RunningSearch { stop: stop.clone(), is_limited, ponder });
        // If the search thread has ended, so has the channel of its events, which the loop reads next.
        let _ = self.jobs.send(Job { board, work, stop });
        Ok(())
    }

    fn check_idle(&self, command: &'static str) -> Result<(), EngineError> {
        if self.search.is_some() { Err(EngineError::Searching(command)) } else { Ok(()) }
    }

    /// Handles events until the search has answered.
    fn finish_search(&mut self) -> Result<(), UciLoopError> {
        while self.search.is_some() {
            let event = self.events.recv();
            self.handle_event(event)?;
        }
        Ok(())
    }

    fn handle_event(&mut self, event: Result<JobEvent, RecvError>) -> Result<(), UciLoopError> {
        match event {
            Ok(JobEvent::Line(line, stats)) => self.reply(&Reply::Line(line, stats)),
            Ok(JobEvent::Note(text)) => self.reply(&Reply::Info(text)),
            Ok(JobEvent::PerftMove(ply, leaves)) => {
                self.reply(&Reply::Info(format!("perft {ply} {leaves}")))
            }
            Ok(JobEvent::PerftTotal(stats)) => self.reply(&Reply::Work(stats)),
            Ok(JobEvent::Done { best, ponder, counters }) => {
                self.search = None;
                if let Some(counters) = counters.filter(|_| self.debug) {
                    self.reply(&Reply::Info(describe::counters(&counters)))?;
                }
                self.reply(&Reply::BestMove { best, ponder })
            }
            Err(RecvError) => {
                // A defect of the engine. The client must not wait for ever, nor be given a move that
                // nobody found: the program ends.
                self.search = None;
                self.reply(&Reply::Error(UciLoopError::SearchThread.to_string()))?;
                Err(UciLoopError::SearchThread)
            }
        }
    }

    fn reply(&mut self, reply: &Reply) -> Result<(), UciLoopError> {
        let line = format!("{reply}\n");
        debug!(target: TRAFFIC_TARGET, "< {}", line.trim_end());
        let written = self.output.write_all(line.as_bytes()).and_then(|()| self.output.flush());
        written.map_err(UciLoopError::Output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_thread_that_ended_gives_an_error_and_no_move() -> Result<(), UciLoopError> {
        let options = EngineOptions { hash_mebibytes: 1, ..EngineOptions::default() };
        let engine = Arc::new(Mutex::new(Engine::with_options(options.clone())?));
        let (jobs, _) = bounded(1);
        let (_, events) = unbounded();
        let (output, position) = (Vec::new(), CurrentPosition::new()?);
        let (search, debug) = (None, false);
        let mut uci = UciLoop { output, position, options, engine, jobs, events, search, debug };
        let (lines, received) = bounded(1);
        let _ = lines.send(Ok(InputLine::Text("go depth 1".to_owned())));
        assert!(matches!(uci.run(&received), Err(UciLoopError::SearchThread)));
        let output = String::from_utf8_lossy(&uci.output);
        assert_eq!(output, "info string error: the search thread failed\n");
        Ok(())
    }
}
