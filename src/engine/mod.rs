//! The engine: commands in, replies out.
//!
//! Three threads. The *reader* takes lines from the input, so that the process can end while a
//! read is pending. The *protocol* thread, the one that calls [`run`], obeys commands one by one
//! and is the only one to write to the output. The *search* thread works on one job at a time
//! and sends back events. Each search has a fresh [`StopToken`].

mod describe;
mod error;
mod lock;
mod logging;
mod options;
mod reader;
mod search_thread;
mod state;
mod thinker;

use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::{Arc, Mutex};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, select, unbounded};
use log::debug;
use thiserror::Error;

use self::logging::TRAFFIC;
use self::options::OPTIONS;
use self::search_thread::{Event, Job, Task};
use self::state::{PositionKept, State};
use crate::protocol::{Command, Go, Reply};
use crate::search::{Limits, PonderHit, TableTooLarge, TimeManager};
use crate::stop::StopToken;

pub use self::error::EngineError;
pub(crate) use self::lock::lock;
pub use self::logging::init as init_logging;
pub(crate) use self::options::DEFAULT_HASH;
pub use self::options::{OptionError, set_option};
pub(crate) use self::reader::{InputLine, MAX_LINE, read_line};
pub use self::thinker::{Engine, EngineOptions, MAX_SKILL_LEVEL, Skill};

/// Why the engine can no longer be heard or spoken to.
#[derive(Debug, Error)]
pub enum Failure {
    /// The output cannot be written to. Closed by its reader, it means that the engine is no
    /// longer wanted, and [`run`] does not count it a failure.
    #[error("cannot write the output")]
    Output(#[source] io::Error),
    /// The input cannot be read.
    #[error("cannot read the input")]
    Input(#[source] io::Error),
    /// No thread is to be had.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
    /// The table of the default size cannot be had.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
    /// The defaults of the options do not go together.
    #[error(transparent)]
    Defaults(#[from] EngineError),
    /// The search thread has ended, which it never should.
    #[error("the search has broken down")]
    Search,
}

/// Why a command was not obeyed.
#[derive(Debug, Error)]
enum Trouble {
    #[error(transparent)]
    Refused(#[from] EngineError),
    #[error(transparent)]
    Fatal(#[from] Failure),
}

/// A search under way.
struct Search {
    stop: StopToken,
    /// Whether it ends by itself once its time runs.
    limited: bool,
    /// While its clock has not started.
    ponder: Option<PonderHit>,
}

impl Drop for Search {
    fn drop(&mut self) {
        // Nothing else could stop it.
        self.stop.stop();
    }
}

struct UciLoop<W> {
    output: W,
    state: State,
    thinker: Arc<Mutex<Engine>>,
    jobs: Sender<Job>,
    events: Receiver<Event>,
    search: Option<Search>,
    /// Whether the counters of each search are told.
    debug: bool,
}

/// Speaks the protocol until `quit`, the end of the input, or the closing of the output.
///
/// # Errors
/// When the engine cannot be set up, or input or output fail.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> Result<(), Failure> {
    let thinker = Arc::new(Mutex::new(Engine::new(1)?));
    let (jobs, job_receiver) = bounded(1);
    let (event_sender, events) = unbounded();
    search_thread::spawn(Arc::clone(&thinker), DEFAULT_HASH, job_receiver, event_sender)
        .map_err(Failure::Thread)?;
    let lines = spawn_reader(input).map_err(Failure::Thread)?;
    let state = State::new()?;
    let mut engine = UciLoop { output, state, thinker, jobs, events, search: None, debug: false };
    match engine.serve(&lines) {
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Reads lines on a thread of its own, up to the end of input or an error. It is left behind,
/// waiting, when the engine ends first.
fn spawn_reader(
    mut input: impl BufRead + Send + 'static,
) -> io::Result<Receiver<io::Result<InputLine>>> {
    let (sender, lines) = bounded(64);
    thread::Builder::new().name("reader".to_owned()).spawn(move || {
        while let Some(line) = read_line(&mut input).transpose() {
            let last = line.is_err();
            if sender.send(line).is_err() || last {
                return;
            }
        }
    })?;
    Ok(lines)
}

impl<W: Write> UciLoop<W> {
    fn serve(&mut self, lines: &Receiver<io::Result<InputLine>>) -> Result<(), Failure> {
        let end = loop {
            select! {
                recv(lines) -> line => match line {
                    Ok(Ok(line)) => if self.hear(line)? { break Ok(()) },
                    Ok(Err(error)) => break Err(Failure::Input(error)),
                    Err(_) => break Ok(()),
                },
                recv(self.events) -> event => self.tell(event)?,
            }
        };
        // At the end of input a search with limits goes on to its answer, any other is stopped;
        // `quit` has stopped it already.
        if let Some(search) = &self.search
            && (search.ponder.is_some() || !search.limited)
        {
            search.stop.stop();
        }
        self.finish_search()?;
        end
    }

    /// Obeys a line; tells whether it was the last.
    fn hear(&mut self, line: InputLine) -> Result<bool, Failure> {
        let command = match line {
            InputLine::Text(text) => {
                debug!(target: TRAFFIC, "> {}", text.escape_debug());
                if text.trim_ascii().is_empty() {
                    return Ok(false);
                }
                text.parse::<Command>().map_err(EngineError::from)
            }
            InputLine::TooLong => Err(EngineError::LineTooLong),
            InputLine::NotUtf8 => Err(EngineError::NotUtf8),
        };
        let last = matches!(command, Ok(Command::Quit));
        match command.map_err(Trouble::from).and_then(|command| self.obey(command)) {
            Err(Trouble::Refused(error)) => self.say(&Reply::Error(error.to_string()))?,
            Err(Trouble::Fatal(failure)) => return Err(failure),
            Ok(()) => {}
        }
        Ok(last)
    }

    fn obey(&mut self, command: Command) -> Result<(), Trouble> {
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady => self.say(&Reply::ReadyOk)?,
            Command::UciNewGame => {
                self.idle("ucinewgame")?;
                lock(&self.thinker).clear();
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::Position(position) => self.state.set_position(position)?,
            Command::Go(go) => self.go(&go)?,
            Command::Stop if self.search.is_none() => {
                return Err(EngineError::NotSearching("stop").into());
            }
            Command::Stop | Command::Quit => self.stop()?,
            Command::PonderHit => self.ponderhit()?,
            Command::Debug(on) => {
                self.debug = on;
                logging::set_verbose(on);
            }
            Command::Display => self.say(&Reply::Text(describe::board(&self.state.board)))?,
            Command::Eval => {
                let State { board, preferences, .. } = &self.state;
                let text = describe::evaluation(board, &preferences.search);
                self.say(&Reply::Text(text))?;
            }
        }
        Ok(())
    }

    fn say(&mut self, reply: &Reply) -> Result<(), Failure> {
        let line = format!("{reply}\n");
        debug!(target: TRAFFIC, "< {}", line.trim_end());
        let written = self.output.write_all(line.as_bytes()).and_then(|()| self.output.flush());
        written.map_err(Failure::Output)
    }

    /// Passes on what the search thread has to tell.
    fn tell(&mut self, event: Result<Event, crossbeam_channel::RecvError>) -> Result<(), Failure> {
        match event {
            Ok(Event::Line(line, effort)) => self.say(&Reply::Line(line, effort)),
            Ok(Event::Note(text)) => self.say(&Reply::Info(text)),
            Ok(Event::PerftMove(ply, leaves)) => {
                self.say(&Reply::Info(format!("perft {ply} {leaves}")))
            }
            Ok(Event::PerftTotal(effort)) => self.say(&Reply::Work(effort)),
            Ok(Event::Done { best, ponder, counters }) => {
                self.search = None;
                if let Some(counters) = counters.filter(|_| self.debug) {
                    self.say(&Reply::Info(describe::counters(&counters)))?;
                }
                self.say(&Reply::BestMove { best, ponder })
            }
            Err(_) => {
                // A defect, but whoever waits for an answer need not wait for ever.
                if self.search.take().is_some() {
                    self.say(&Reply::BestMove { best: None, ponder: None })?;
                }
                Err(Failure::Search)
            }
        }
    }

    /// Passes on events until the search has answered.
    fn finish_search(&mut self) -> Result<(), Failure> {
        while self.search.is_some() {
            let event = self.events.recv();
            self.tell(event)?;
        }
        Ok(())
    }

    /// Stops the search, if any, and answers it, so that what follows finds the engine idle.
    fn stop(&mut self) -> Result<(), Failure> {
        if let Some(search) = &self.search {
            search.stop.stop();
        }
        self.finish_search()
    }

    fn idle(&self, command: &'static str) -> Result<(), EngineError> {
        if self.search.is_some() { Err(EngineError::Searching(command)) } else { Ok(()) }
    }

    fn introduce(&mut self) -> Result<(), Failure> {
        self.say(&Reply::Id("name", concat!("Kalah ", env!("CARGO_PKG_VERSION")).to_owned()))?;
        self.say(&Reply::Id("author", "the Kalah authors".to_owned()))?;
        for option in &OPTIONS {
            self.say(&Reply::Option(option.to_string()))?;
        }
        self.say(&Reply::UciOk)
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), Trouble> {
        self.idle("setoption")?;
        let setting = options::read(name, value).map_err(EngineError::from)?;
        let kept = self.state.set(setting, &mut lock(&self.thinker))?;
        if kept == PositionKept::No {
            let text = "the position does not fit the option, it is now startpos";
            self.say(&Reply::Info(text.to_owned()))?;
        }
        Ok(())
    }

    fn ponderhit(&mut self) -> Result<(), EngineError> {
        let ponder = self.search.as_mut().and_then(|search| search.ponder.take());
        let ponder = ponder.ok_or(EngineError::NotSearching("ponderhit"))?;
        ponder.signal();
        Ok(())
    }

    fn go(&mut self, go: &Go) -> Result<(), EngineError> {
        self.idle("go")?;
        let board = self.state.board;
        let illegal = |house: &&_| !board.moves().any(|legal| legal == **house);
        if let Some(house) = go.limits.searchmoves.iter().find(illegal) {
            return Err(EngineError::SearchMove(house.letter(board.side())));
        }
        let search = self.state.preferences.search.variant;
        if let Some((limit, instead)) = search.unsupported_limit(&go.limits) {
            return Err(EngineError::Limit { search, limit, instead });
        }
        let stop = StopToken::new();
        let ponder = go.ponder.then(PonderHit::new);
        let task = match go.perft {
            Some(depth) => Task::Perft(depth),
            None => {
                let limits = Limits { ponder: ponder.clone(), ..go.limits_for(board.side()) };
                let preferences = self.state.preferences.clone();
                let overhead = preferences.search.move_overhead;
                let time = TimeManager::new(&limits, board.seeds_in_play(), overhead, &stop);
                Task::Search(limits, Box::new(preferences), time)
            }
        };
        let limited = go.is_limited_for(board.side());
        self.search = Some(Search { stop: stop.clone(), limited, ponder });
        // A search thread that is gone shows as the end of its events.
        let _ = self.jobs.send(Job { board, task, stop });
        Ok(())
    }
}
