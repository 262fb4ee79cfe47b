//! The program: the protocol thread reads and replies, the search thread works ([`crate::engine`] draws it).
//!
//! Commands are carried out as they come, also during a search. While an option is being set they are queued.

use std::collections::VecDeque;
use std::error::Error;
use std::io::{self, BufRead, ErrorKind, Write};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvError, Sender, after, bounded, never, select, unbounded};
use log::{debug, warn};

use super::engine::Engine;
use super::error::{EngineError, UciLoopError};
use super::logging::{self, TRAFFIC_TARGET};
use super::options::{Effect, EngineOptions, Setting, handshake, parse_setting};
use super::position::CurrentPosition;
use crate::board::{Board, Move, Rules};
use crate::protocol::{Command, Go, InputLine, LineReader, ParseError, Reply};
use crate::search::{Counters, Limits, PonderHit, SearchReport, SearchStats, TimeManager, divide};
use crate::stop::StopToken;
use crate::sys::Instant;

/// The most commands that wait while an option is being set; no more lines are read then.
const MAX_QUEUED: usize = 1024;

/// The program does not wait longer than this after `quit` for an option that is being set.
const MAX_QUIT_DELAY: Duration = Duration::from_secs(1);

/// What the protocol thread asks. [`EngineEvent::Changed`] or [`EngineEvent::Done`] answers each request.
pub(super) enum EngineRequest {
    NewGame,
    /// Applies a setting, with the rules of `startpos`.
    Set(Setting, Rules),
    /// Finds a move, with a clock that runs already.
    Think(Box<(Board, Limits, TimeManager)>),
    /// Counts the leaves to a depth.
    Perft(Box<Board>, u32, StopToken),
}

pub(super) enum EngineEvent {
    /// Information about the search.
    Info(Reply),
    /// The request has changed the options to these, or nothing.
    Changed(Result<Arc<EngineOptions>, EngineError>),
    /// The search has ended.
    Done { best: Option<Move>, ponder: Option<Move>, counters: Option<Box<Counters>> },
    /// There is no memory for an engine. The thread has ended.
    Failed(EngineError),
}

/// Carries out requests until their channel is closed.
fn run_requests(requests: &Receiver<EngineRequest>, events: &Sender<EngineEvent>) {
    // The protocol thread may have ended, and with it the receiver.
    let mut send = |event| {
        let _ = events.send(event);
    };
    match new_engine() {
        Ok(mut engine) => {
            requests.iter().for_each(|request| carry_out(&mut engine, request, &mut send));
        }
        Err(error) => send(EngineEvent::Failed(error)),
    }
}

/// An engine with the default options, or with a smaller table if there is no memory for these.
pub(super) fn new_engine() -> Result<Engine, EngineError> {
    Engine::new().or_else(|error| {
        warn!("{error}; searching with a smaller one");
        Engine::with_options(EngineOptions { hash_mebibytes: 1, ..EngineOptions::default() })
    })
}

/// Carries out a request; `send` gets all events that come of it, last the one that answers it.
pub(super) fn carry_out(
    engine: &mut Engine,
    request: EngineRequest,
    mut send: impl FnMut(EngineEvent),
) {
    let answer = match request {
        EngineRequest::NewGame => {
            engine.new_game();
            EngineEvent::Changed(Ok(Arc::clone(&engine.options)))
        }
        EngineRequest::Set(setting, rules) => {
            let changed = engine.apply(setting, Some(rules));
            EngineEvent::Changed(changed.map(|()| Arc::clone(&engine.options)))
        }
        EngineRequest::Think(search) => {
            let (board, limits, time) = &*search;
            let result = engine.think(board, limits, time, &mut |report| {
                send(EngineEvent::Info(match report {
                    SearchReport::Line(line, stats) => Reply::Line(line.clone(), *stats),
                    SearchReport::Note(text) => Reply::Info(text.to_owned()),
                }));
            });
            let counters = Some(Box::new(result.counters));
            EngineEvent::Done { best: result.best, ponder: result.ponder, counters }
        }
        EngineRequest::Perft(board, depth, stop) => {
            let start = Instant::now();
            let each = |mv, leaves| {
                send(EngineEvent::Info(Reply::Info(format!("perft {mv} {leaves}"))));
            };
            if let Some(nodes) = divide(&board, depth, &stop, each) {
                let stats = SearchStats { nodes, time: start.elapsed(), ..SearchStats::default() };
                send(EngineEvent::Info(Reply::Work(stats)));
            }
            EngineEvent::Done { best: None, ponder: None, counters: None }
        }
    };
    send(answer);
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

/// What the search thread is doing.
enum SearchThread {
    Idle,
    /// It changes options or forgets a game.
    Changing,
    Searching(RunningSearch),
}

/// A line of input, or its end.
enum Input {
    Command(Result<Command, ParseError>),
    End(Result<(), UciLoopError>),
}

pub(super) struct UciLoop<W> {
    pub(super) output: W,
    position: CurrentPosition,
    options: Arc<EngineOptions>,
    requests: Sender<EngineRequest>,
    events: Receiver<EngineEvent>,
    search_thread: SearchThread,
    /// Whether the counters of each search are printed.
    debug: bool,
    /// Asked by searches whether to stop, if no other thread reads the input.
    has_pending_stop: Option<fn() -> bool>,
}

/// Runs the engine as a program: until `quit`, the end of the input, or the output is closed.
///
/// # Errors
/// Returns an error if the engine cannot be set up, or if reading or writing fails.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write) -> Result<(), UciLoopError> {
    let (requests, request_receiver) = bounded(1);
    let (event_sender, events) = unbounded();
    spawn("search", move || run_requests(&request_receiver, &event_sender))?;
    // If the loop ends before the input, this thread stays behind in its last read.
    let (sender, lines) = bounded(64);
    spawn("reader", move || {
        let mut input = LineReader::new(input);
        while let Some(line) = input.next_line().transpose() {
            let is_last = line.is_err();
            if sender.send(line).is_err() || is_last {
                return;
            }
        }
    })?;
    let mut uci = UciLoop::new(output, requests, events, None)?;
    match uci.run(lines) {
        Err(UciLoopError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), UciLoopError> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.map(drop).map_err(UciLoopError::Thread)
}

impl<W: Write> UciLoop<W> {
    pub(super) fn new(
        output: W,
        requests: Sender<EngineRequest>,
        events: Receiver<EngineEvent>,
        has_pending_stop: Option<fn() -> bool>,
    ) -> Result<UciLoop<W>, UciLoopError> {
        Ok(UciLoop {
            output,
            position: CurrentPosition::new()?,
            options: Arc::default(),
            requests,
            events,
            search_thread: SearchThread::Idle,
            debug: false,
            has_pending_stop,
        })
    }

    fn run(&mut self, mut lines: Receiver<io::Result<InputLine>>) -> Result<(), UciLoopError> {
        let (mut queue, mut quit_delay, none) = (VecDeque::new(), never(), never());
        loop {
            if !matches!(self.search_thread, SearchThread::Changing)
                && let Some(input) = queue.pop_front()
            {
                match input {
                    Input::Command(command) => {
                        if self.handle_command(command)? {
                            return Ok(());
                        }
                    }
                    Input::End(end) => {
                        self.finish_at_end()?;
                        return end;
                    }
                }
                continue;
            }
            let open_lines = if queue.len() < MAX_QUEUED { &lines } else { &none };
            select! {
                recv(open_lines) -> line => {
                    let Some(input) = parse(line) else { continue };
                    let is_quit = matches!(input, Input::Command(Ok(Command::Quit)));
                    if is_quit || matches!(input, Input::End(_)) {
                        lines = never();
                    }
                    // At the end of the input, what was asked before is still done.
                    if is_quit || matches!(input, Input::End(_)) && queue.is_empty() {
                        quit_delay = after(MAX_QUIT_DELAY);
                    }
                    queue.push_back(input);
                }
                recv(self.events) -> event => self.handle_event(event)?,
                recv(quit_delay) -> _ => return Ok(()),
            }
        }
    }

    /// At the end of the input a search with limits runs to its end; any other is stopped.
    fn finish_at_end(&mut self) -> Result<(), UciLoopError> {
        if let SearchThread::Searching(search) = &self.search_thread
            && (search.ponder.is_some() || !search.is_limited)
        {
            search.stop.stop();
        }
        self.finish_search()
    }

    /// Carries out a command. Returns true after `quit`.
    pub(super) fn handle_command(
        &mut self,
        command: Result<Command, ParseError>,
    ) -> Result<bool, UciLoopError> {
        let is_quit = matches!(command, Ok(Command::Quit));
        if let Err(error) = command.map_err(Box::from).and_then(|command| self.execute(command)) {
            match error.downcast::<UciLoopError>() {
                Ok(error) => return Err(*error),
                Err(refused) => self.reply(&Reply::Error(refused.to_string()))?,
            }
        }
        Ok(is_quit)
    }

    /// The loop ends with a [`UciLoopError`], and goes on after any other error.
    fn execute(&mut self, command: Command) -> Result<(), Box<dyn Error>> {
        match command {
            Command::Uci => handshake().try_for_each(|reply| self.reply(&reply))?,
            Command::IsReady => self.reply(&Reply::ReadyOk)?,
            Command::UciNewGame => {
                self.check_idle("ucinewgame")?;
                self.change(EngineRequest::NewGame);
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::Position(position) => self.position.set(position)?,
            Command::Go(go) => self.go(&go)?,
            Command::Stop | Command::Quit => match &self.search_thread {
                SearchThread::Searching(search) => {
                    search.stop.stop();
                    self.finish_search()?;
                }
                _ if command == Command::Stop => return Err("no search is running".into()),
                _ => {}
            },
            Command::PonderHit => {
                let ponder = match &mut self.search_thread {
                    SearchThread::Searching(search) => search.ponder.take(),
                    _ => None,
                };
                ponder.ok_or("no search is pondering")?.signal();
            }
            Command::Debug(on) => {
                self.debug = on;
                logging::set_verbose(on);
            }
            Command::Display => self.reply(&Reply::Text(self.position.drawing()))?,
            Command::Eval => {
                let text = self.position.evaluation(&self.options.search);
                self.reply(&Reply::Text(text))?;
            }
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), Box<dyn Error>> {
        self.check_idle("setoption")?;
        let setting = parse_setting(name, value)?;
        match setting.effect {
            Effect::Start(set) => {
                if !self.position.set_start(|options| set(options, setting.number))? {
                    let text = "the position does not fit the option, it is now startpos";
                    self.reply(&Reply::Info(text.to_owned()))?;
                }
            }
            Effect::LogFile => logging::set_file(setting.path.as_deref())
                .map_err(|error| format!("the log file cannot be opened: {error}"))?,
            _ => {
                let rules = self.position.start.rules();
                self.change(EngineRequest::Set(setting, rules));
            }
        }
        Ok(())
    }

    /// Sends a request that [`EngineEvent::Changed`] answers.
    fn change(&mut self, request: EngineRequest) {
        self.search_thread = SearchThread::Changing;
        self.send(request);
    }

    fn send(&self, request: EngineRequest) {
        // If the search thread has ended, so has the channel of its events, which the loop reads next.
        let _ = self.requests.send(request);
    }

    fn go(&mut self, go: &Go) -> Result<(), Box<dyn Error>> {
        self.check_idle("go")?;
        let board = self.position.board;
        let limits = go.limits_for(board.side());
        self.options.check_limits(&board, &limits)?;
        let stop = self.has_pending_stop.map_or_else(StopToken::new, StopToken::with_poll);
        let ponder = go.ponder.then(PonderHit::new);
        let request = if let Some(depth) = go.perft {
            EngineRequest::Perft(Box::new(board), depth, stop.clone())
        } else {
            let limits = Limits { ponder: ponder.clone(), ..limits };
            let overhead = self.options.search.move_overhead;
            let time = TimeManager::new(&limits, board.seeds_in_play(), overhead, &stop);
            EngineRequest::Think(Box::new((board, limits, time)))
        };
        let is_limited = go.is_limited_for(board.side());
        self.search_thread = SearchThread::Searching(RunningSearch { stop, is_limited, ponder });
        self.send(request);
        Ok(())
    }

    fn check_idle(&self, command: &str) -> Result<(), String> {
        match self.search_thread {
            SearchThread::Searching(_) => {
                Err(format!("'{command}' has to wait for the end of the search"))
            }
            _ => Ok(()),
        }
    }

    /// Handles events until the search has answered.
    fn finish_search(&mut self) -> Result<(), UciLoopError> {
        while matches!(self.search_thread, SearchThread::Searching(_)) {
            let event = self.events.recv();
            self.handle_event(event)?;
        }
        Ok(())
    }

    pub(super) fn handle_event(
        &mut self,
        event: Result<EngineEvent, RecvError>,
    ) -> Result<(), UciLoopError> {
        match event {
            Ok(EngineEvent::Info(reply)) => self.reply(&reply),
            Ok(EngineEvent::Changed(changed)) => {
                self.search_thread = SearchThread::Idle;
                match changed {
                    Ok(options) => self.options = options,
                    Err(error) => self.reply(&Reply::Error(error.to_string()))?,
                }
                Ok(())
            }
            Ok(EngineEvent::Done { best, ponder, counters }) => {
                self.search_thread = SearchThread::Idle;
                if let Some(counters) = counters.filter(|_| self.debug) {
                    self.reply(&Reply::Info(format!("counters {counters}")))?;
                }
                self.reply(&Reply::BestMove { best, ponder })
            }
            Ok(EngineEvent::Failed(error)) => Err(error.into()),
            Err(RecvError) => {
                // A defect of the engine. The client must not wait for ever, nor be given a move that
                // nobody found: the program ends.
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

/// Parses what the reader thread sends; `None` if the line is empty.
fn parse(line: Result<io::Result<InputLine>, RecvError>) -> Option<Input> {
    let line = match line {
        Ok(Ok(line)) => line,
        Ok(Err(error)) => return Some(Input::End(Err(UciLoopError::Input(error)))),
        Err(RecvError) => return Some(Input::End(Ok(()))),
    };
    parse_command(&line).map(Input::Command)
}

/// Parses a line; `None` if it is empty.
pub(super) fn parse_command(line: &InputLine) -> Option<Result<Command, ParseError>> {
    if let InputLine::Text(text) = line {
        debug!(target: TRAFFIC_TARGET, "> {}", text.escape_debug());
        if text.trim_ascii().is_empty() {
            return None;
        }
    }
    Some(Command::try_from(line))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests;
