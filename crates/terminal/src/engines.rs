//! The engines as processes, each in the care of a thread: a program that ends is started again with the
//! next question.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use kalah::StopToken;
use kalah::board::Capture;
use kalah::engine::MAX_SKILL_LEVEL;
use kalah::protocol::{Command, EngineMessage, PositionBase, PositionCommand};
use kalah_arena::process::{EngineIdentity, EngineProcess, ReadError};

use super::advice::{EngineQuestion, ProcessReport};

/// Time for the answers to `uci` and `isready`.
const HANDSHAKE_TIME: Duration = Duration::from_mins(1);

/// While nothing is due from an engine, its end is noticed at least this often.
const IDLE_TIME: Duration = Duration::from_hours(1);

/// Time to end in good order.
const QUIT_TIME: Duration = Duration::from_secs(1);

/// Characters of a name that are shown.
const MAX_NAME: usize = 40;

/// A program with its arguments.
#[derive(Clone, Debug)]
pub(super) struct EngineProgram {
    pub(super) program: OsString,
    pub(super) arguments: Vec<String>,
}

enum EngineOrder {
    Think(Box<EngineQuestion>),
    Stop,
    NewGame,
    Restart,
    Quit,
}

/// An engine that is started when it is first asked.
pub(super) struct EngineThread {
    orders: Sender<EngineOrder>,
    /// Stopped to have the thread look at its orders.
    wake: Arc<Mutex<StopToken>>,
    /// Disconnected when the thread has ended.
    end: Receiver<()>,
}

impl EngineThread {
    /// `report` is called with whatever the engine says.
    pub(super) fn start(
        program: EngineProgram,
        report: impl Fn(ProcessReport) + Send + 'static,
    ) -> io::Result<EngineThread> {
        let (orders, received) = unbounded();
        let wake = Arc::new(Mutex::new(StopToken::new()));
        let (running, end) = bounded(0);
        let shared_wake = Arc::clone(&wake);
        let work = move || {
            let _running: Sender<()> = running;
            let worker = EngineWorker {
                program,
                orders: received,
                wake: shared_wake,
                report: Box::new(report),
                process: None,
                identity: EngineIdentity::default(),
                capture: None,
                level: None,
                searches: VecDeque::new(),
            };
            worker.run();
        };
        thread::Builder::new().name("engine".to_owned()).spawn(work)?;
        Ok(EngineThread { orders, wake, end })
    }

    fn order(&self, order: EngineOrder) {
        let _ = self.orders.send(order);
        self.wake.lock().unwrap_or_else(PoisonError::into_inner).stop();
    }

    pub(super) fn ask(&self, question: Box<EngineQuestion>) {
        self.order(EngineOrder::Think(question));
    }

    pub(super) fn stop(&self) {
        self.order(EngineOrder::Stop);
    }

    pub(super) fn new_game(&self) {
        self.order(EngineOrder::NewGame);
    }

    /// Ends the process; the next question starts another.
    pub(super) fn restart(&self) {
        self.order(EngineOrder::Restart);
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.order(EngineOrder::Quit);
        let _ = self.end.recv_timeout(QUIT_TIME);
    }
}

struct EngineWorker {
    program: EngineProgram,
    orders: Receiver<EngineOrder>,
    wake: Arc<Mutex<StopToken>>,
    report: Box<dyn Fn(ProcessReport)>,
    process: Option<EngineProcess>,
    /// What the engine says of itself.
    identity: EngineIdentity,
    /// What the engine was told last.
    capture: Option<Capture>,
    level: Option<u8>,
    /// The questions whose answers have not come, oldest first.
    searches: VecDeque<u64>,
}

impl EngineWorker {
    fn run(mut self) {
        loop {
            let wake = StopToken::new();
            *self.wake.lock().unwrap_or_else(PoisonError::into_inner) = wake.clone();
            // An order that came before is taken now; one that comes later stops the token.
            while let Ok(order) = self.orders.try_recv() {
                if !self.obey(order) {
                    return;
                }
            }
            let Some(process) = &mut self.process else {
                let order = self.orders.recv();
                if order.is_ok_and(|order| self.obey(order)) {
                    continue;
                }
                return;
            };
            match process.next_text(Instant::now() + IDLE_TIME, &wake) {
                Ok((_, line)) => self.hear(&line),
                Err(ReadError::Stopped | ReadError::TimedOut) => {}
                Err(ReadError::Closed) => self.died(),
            }
        }
    }

    /// Carries out an order; false at the end.
    fn obey(&mut self, order: EngineOrder) -> bool {
        match order {
            EngineOrder::Quit => {
                self.end();
                return false;
            }
            EngineOrder::Restart => self.end(),
            EngineOrder::Stop if !self.searches.is_empty() => self.send(&Command::Stop),
            EngineOrder::Stop => {}
            // Nothing is to be forgotten by a program that has not been started.
            EngineOrder::NewGame => {
                if !self.searches.is_empty() {
                    self.send(&Command::Stop);
                }
                self.send(&Command::UciNewGame);
            }
            EngineOrder::Think(question) => {
                if let Err(reason) = self.think(&question) {
                    self.end();
                    (self.report)(ProcessReport::Failed { reason });
                }
            }
        }
        true
    }

    fn send(&self, command: &Command) {
        if let Some(process) = &self.process {
            process.send(command);
        }
    }

    fn end(&mut self) {
        self.searches.clear();
        self.capture = None;
        self.level = None;
        if let Some(mut process) = self.process.take() {
            process.quit();
        }
    }

    fn died(&mut self) {
        let reason = self.process.as_mut().map(EngineProcess::post_mortem).unwrap_or_default();
        let was_busy = !self.searches.is_empty();
        self.end();
        // One that was not busy is not missed until the next question.
        if was_busy {
            (self.report)(ProcessReport::Failed { reason });
        }
    }

    /// Starts the engine if it does not run.
    fn ensure_process(&mut self) -> Result<(), String> {
        if self.process.is_some() {
            return Ok(());
        }
        let EngineProgram { program, arguments } = &self.program;
        let cannot = |error| format!("cannot start '{}': {error}", program.display());
        let process = EngineProcess::spawn("engine", program, arguments, None).map_err(cannot)?;
        let process = self.process.insert(process);
        let deadline = Instant::now() + HANDSHAKE_TIME;
        self.identity = match process.handshake(deadline, &StopToken::new()) {
            Ok(identity) => identity,
            Err(ReadError::Closed) => return Err(process.post_mortem()),
            Err(_) => return Err("it does not answer".to_owned()),
        };
        let name = match self.identity.name.as_str() {
            "" => program.to_string_lossy(),
            name => name.into(),
        };
        let name: String = name.chars().take(MAX_NAME).collect();
        let name = kalah::printable::printable(&name).into_owned();
        (self.report)(ProcessReport::Ready { name, has_levels: self.has_option("Skill Level") });
        Ok(())
    }

    fn has_option(&self, name: &str) -> bool {
        self.identity.option(name).is_some()
    }

    fn think(&mut self, question: &EngineQuestion) -> Result<(), String> {
        self.ensure_process()?;
        if !self.searches.is_empty() {
            self.send(&Command::Stop);
            // Options cannot be set while a search is running.
            while !self.searches.is_empty() {
                let Some(process) = &mut self.process else { break };
                let deadline = Instant::now() + HANDSHAKE_TIME;
                match process.next_text(deadline, &StopToken::new()) {
                    Ok((_, line)) => self.hear(&line),
                    Err(ReadError::Closed) => return Err(process.post_mortem()),
                    Err(_) => return Err("it does not answer to 'stop'".to_owned()),
                }
            }
        }
        let capture = question.start.rules().capture();
        if self.capture != Some(capture) {
            if self.has_option("Capture") {
                self.set_option("Capture", &capture.to_string());
            } else if capture != Capture::default() {
                return Err(format!("it cannot play the capture rule '{capture}'"));
            }
            self.capture = Some(capture);
        }
        let level = question.level.min(MAX_SKILL_LEVEL);
        if self.level != Some(level) && self.has_option("Skill Level") {
            self.set_option("Skill Level", &level.to_string());
            self.level = Some(level);
        }
        let base = PositionBase::Fen(question.start.fen());
        let position = PositionCommand { base, moves: question.moves.clone() };
        self.send(&Command::Position(position));
        self.send(&Command::Go(Box::new(question.go.clone())));
        self.searches.push_back(question.id);
        Ok(())
    }

    fn set_option(&self, name: &str, value: &str) {
        let (name, value) = (name.to_owned(), Some(value.to_owned()));
        self.send(&Command::SetOption { name, value });
    }

    fn hear(&mut self, line: &str) {
        match EngineMessage::from(line) {
            EngineMessage::Info(info) => {
                if let (Some(&id), Some(score)) = (self.searches.front(), info.score)
                    && info.multipv.is_none_or(|rank| rank == 1)
                {
                    (self.report)(ProcessReport::Score { id, score });
                }
            }
            EngineMessage::BestMove { best, .. } => {
                if let Some(id) = self.searches.pop_front() {
                    (self.report)(ProcessReport::Answer { id, best });
                }
            }
            _ => {}
        }
    }
}
