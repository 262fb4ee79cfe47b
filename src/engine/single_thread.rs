//! The engine behind the lines of the protocol, in one thread: for hosts that have no others.

use std::io::Write;
use std::mem;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use super::engine::Engine;
use super::error::UciLoopError;
use super::uci_loop::{EngineEvent, EngineRequest, UciLoop, carry_out, new_engine, parse_command};
use crate::board::Board;
use crate::protocol::{Command, InputLine};
use crate::search::{Limits, TimeManager};
use crate::stop::StopToken;

/// An engine that carries out lines as the program `kalah` does; but the caller waits while it searches.
///
/// ```
/// use kalah::engine::SingleThreadLoop;
///
/// let mut output = Vec::new();
/// SingleThreadLoop::new(&mut output, || false)?.line("go depth 2")?;
/// assert!(String::from_utf8_lossy(&output).contains("\nbestmove "));
/// # Ok::<(), kalah::engine::UciLoopError>(())
/// ```
pub struct SingleThreadLoop<W> {
    uci: UciLoop<W>,
    engine: Engine,
    requests: Receiver<EngineRequest>,
    events: Sender<EngineEvent>,
    has_pending_stop: fn() -> bool,
    /// The answer of a search that may not answer yet.
    answer: Option<EngineEvent>,
    /// The search that begins when the ponderhit comes.
    pondering: Option<(Board, Limits)>,
}

impl<W: Write> SingleThreadLoop<W> {
    /// An engine that writes its replies to `output`. Every 1,024 nodes a search asks `has_pending_stop` whether the
    /// caller has a `stop`, `ponderhit` or `quit`. Then it ends, and answers when it is given that line.
    ///
    /// # Errors
    /// Returns an error if there is no memory for the engine.
    pub fn new(
        output: W,
        has_pending_stop: fn() -> bool,
    ) -> Result<SingleThreadLoop<W>, UciLoopError> {
        let (request_sender, requests) = bounded(1);
        let (events, event_receiver) = unbounded();
        let uci = UciLoop::new(output, request_sender, event_receiver, Some(has_pending_stop))?;
        let engine = new_engine()?;
        let (answer, pondering) = (None, None);
        Ok(SingleThreadLoop { uci, engine, requests, events, has_pending_stop, answer, pondering })
    }

    /// Carries out a line; a search ends before this returns. Returns true after `quit`.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn line(&mut self, line: &str) -> Result<bool, UciLoopError> {
        let Some(command) = parse_command(&InputLine::Text(line.to_owned())) else {
            return Ok(false);
        };
        if matches!(command, Ok(Command::Stop | Command::Quit))
            && let Some(answer) = self.answer.take()
        {
            let _ = self.events.send(answer);
        }
        let is_quit = self.uci.handle_command(command)?;
        let was_hit =
            |limits: &Limits| limits.ponder.as_ref().is_some_and(|hit| hit.time().is_some());
        if let Some((board, limits)) = self.pondering.take_if(|(_, limits)| was_hit(limits)) {
            self.answer = None;
            let limits = Limits { ponder: None, ..limits };
            let time = self.clock(&board, &limits);
            self.carry_out(EngineRequest::Think(Box::new((board, limits, time))))?;
        }
        while let Ok(request) = self.requests.try_recv() {
            self.carry_out(request)?;
        }
        Ok(is_quit)
    }

    fn clock(&self, board: &Board, limits: &Limits) -> TimeManager {
        let overhead = self.engine.options.search.move_overhead;
        let stop = StopToken::with_poll(self.has_pending_stop);
        TimeManager::new(limits, board.seeds_in_play(), overhead, &stop)
    }

    fn carry_out(&mut self, mut request: EngineRequest) -> Result<(), UciLoopError> {
        let mut must_wait = false;
        if let EngineRequest::Think(search) = &mut request
            && (search.1.infinite || search.1.ponder.is_some())
        {
            // The engine would sleep until a line that only this thread can read.
            must_wait = true;
            let (board, limits, time) = &mut **search;
            let asked = mem::take(limits);
            *limits = Limits {
                infinite: false,
                movetime: None,
                clock: None,
                ponder: None,
                ..asked.clone()
            };
            *time = self.clock(board, limits);
            self.pondering = asked.ponder.is_some().then_some((*board, asked));
        }
        let SingleThreadLoop { uci, engine, has_pending_stop, answer, .. } = self;
        let mut result = Ok(());
        carry_out(engine, request, |event| match event {
            EngineEvent::Done { .. } if must_wait || has_pending_stop() => *answer = Some(event),
            event if result.is_ok() => result = uci.handle_event(Ok(event)),
            _ => {}
        });
        result
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    use super::*;

    /// The last words of what an engine says to each line.
    fn talk(has_pending_stop: fn() -> bool, lines: &[&str]) -> Vec<String> {
        let mut engine = SingleThreadLoop::new(Vec::new(), has_pending_stop).unwrap();
        let said = |line: &&str| {
            engine.line(line).unwrap();
            let said = String::from_utf8(mem::take(&mut engine.uci.output)).unwrap();
            let last = said.lines().last().unwrap_or_default();
            last.split(' ').next().unwrap_or_default().to_owned()
        };
        lines.iter().map(said).collect()
    }

    #[test]
    fn a_search_answers_when_it_may() {
        let position = "position fen <3,0,0,0,0,2,1,0,1> S";
        let lines = ["isready", position, "go infinite", "isready", "stop", "go movetime 5"];
        assert_eq!(
            talk(|| false, &lines),
            ["readyok", "", "info", "readyok", "bestmove", "bestmove"]
        );
        let lines = [position, "go ponder movetime 5", "go", "ponderhit", "ponderhit", "quit"];
        assert_eq!(talk(|| false, &lines), ["", "info", "info", "bestmove", "info", ""]);
    }

    #[test]
    fn a_stop_on_its_way_ends_the_search_and_the_line_gives_the_answer() {
        static COMES: AtomicBool = AtomicBool::new(true);
        let lines = ["go movetime 3600000", "ucinewgame", "stop", "go perft 30", "quit"];
        let said = talk(|| COMES.load(Relaxed), &lines);
        assert_eq!(said, ["info", "info", "bestmove", "", "bestmove"]);
        // Without a stop the same engine goes on to the end of its time.
        COMES.store(false, Relaxed);
        assert_eq!(talk(|| COMES.load(Relaxed), &["go nodes 5000"]), ["bestmove"]);
    }
}
