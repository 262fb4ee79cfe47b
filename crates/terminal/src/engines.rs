//! The engines, each in the care of a thread. One that ends is started again with the next question.

use std::io;
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use kalah::StopToken;
use kalah::engine::MAX_SKILL_LEVEL;
use kalah::printable::printable;
use kalah_client::{EngineCommand, REPLY_TIME, UciClient, UciError};

use super::advice::{EngineQuestion, ProcessReport};

/// Time to end in good order.
const QUIT_TIME: Duration = Duration::from_secs(1);

/// Characters of a name that are shown.
const MAX_NAME: usize = 40;

/// What an engine is to do; each order ends the search of the last one.
#[derive(Clone, Debug)]
pub(super) enum EngineOrder {
    Think(Box<EngineQuestion>),
    /// Ends the search, which is then answered.
    Stop,
    NewGame,
    /// Ends a process that broke the rules or does not answer; the next question starts another.
    Restart,
    Quit,
}

/// An engine that is started when it is first asked.
pub(super) struct EngineThread {
    /// Each order comes with the token that stops it.
    orders: Sender<(EngineOrder, StopToken)>,
    last: StopToken,
    /// Disconnected when the thread has ended.
    end: Receiver<()>,
}

impl EngineThread {
    /// `report` is called with whatever the engine says.
    pub(super) fn start(
        command: EngineCommand,
        report: impl Fn(ProcessReport) + Send + 'static,
    ) -> io::Result<EngineThread> {
        let (orders, received) = unbounded();
        let (running, end) = bounded(0);
        thread::Builder::new().name("engine".to_owned()).spawn(move || {
            let _running: Sender<()> = running;
            let client = UciClient::new(command.clone(), REPLY_TIME);
            EngineWorker { command, orders: received, next: None, report, client }.run();
        })?;
        Ok(EngineThread { orders, last: StopToken::new(), end })
    }

    pub(super) fn order(&mut self, order: EngineOrder) {
        let stop = StopToken::new();
        let _ = self.orders.send((order, stop.clone()));
        std::mem::replace(&mut self.last, stop).stop();
    }
}

impl Drop for EngineThread {
    fn drop(&mut self) {
        self.order(EngineOrder::Quit);
        let _ = self.end.recv_timeout(QUIT_TIME);
    }
}

struct EngineWorker<R> {
    command: EngineCommand,
    orders: Receiver<(EngineOrder, StopToken)>,
    /// The order that has ended a search.
    next: Option<(EngineOrder, StopToken)>,
    report: R,
    client: UciClient,
}

impl<R: Fn(ProcessReport)> EngineWorker<R> {
    fn run(mut self) {
        while let Some((order, stop)) = self.next.take().or_else(|| self.orders.recv().ok()) {
            match order {
                EngineOrder::Think(question) => {
                    if let Err(error) = self.think(&question, &stop) {
                        self.client.quit();
                        (self.report)(ProcessReport::Failed { reason: error.to_string() });
                    }
                }
                EngineOrder::Stop => {}
                // One that fails is started again with the next question.
                EngineOrder::NewGame => drop(self.client.new_game(&StopToken::new())),
                EngineOrder::Restart => self.client.quit(),
                EngineOrder::Quit => return,
            }
        }
    }

    fn think(&mut self, question: &EngineQuestion, stop: &StopToken) -> Result<(), UciError> {
        if self.client.start(&StopToken::new())? {
            let name = match self.client.id_name() {
                "" => self.command.program.to_string_lossy(),
                name => name.into(),
            };
            let name: String = name.chars().take(MAX_NAME).collect();
            let name = printable(&name).into_owned();
            let has_levels = self.client.has_option("Skill Level");
            (self.report)(ProcessReport::Ready { name, has_levels });
        }
        let EngineQuestion { id, start, moves, level, go } = question;
        self.client.set_rules(start.rules())?;
        let level = (*level).min(MAX_SKILL_LEVEL);
        self.client.offer_option("Skill Level", &level.to_string());
        self.client.go(start, moves, go, &StopToken::new())?;
        let answer = match self.client.answer(None, stop, |_| ControlFlow::Continue(()))? {
            None => {
                self.next = self.orders.recv().ok();
                if let None | Some((EngineOrder::Restart | EngineOrder::Quit, _)) = self.next {
                    return Ok(());
                }
                self.client.stop_search()?
            }
            answer => answer,
        };
        if let Some(answer) = answer {
            let (best, score) = (answer.best, answer.exact.or(answer.line.score));
            (self.report)(ProcessReport::Answer { id: *id, best, score });
        }
        Ok(())
    }
}
