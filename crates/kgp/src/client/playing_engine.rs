//! An engine that answers requests: a program that speaks the protocol of this crate, in the care of a
//! thread. One that ends or hangs is started again with the next request.

use std::io;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use tokio::sync::mpsc::UnboundedSender;

use super::settings::{ClientSettings, Goal};
use kalah::StopToken;
use kalah::board::{Board, Move, shortened};
use kalah::printable::printable;
use kalah::protocol::{
    Command, EngineInfo, EngineMessage, EngineScore, Go, PositionBase, PositionCommand,
};
use kalah::search::{Bound, Limits};
use kalah_arena::process::{EngineProcess, ReadError};

/// Time for the answers to `uci` and `isready`.
const HANDSHAKE_TIME: Duration = Duration::from_mins(1);

/// Time for the answer to `stop`.
const STOP_TIME: Duration = Duration::from_secs(5);

/// While an engine thinks, its thread looks at the clock at least this often.
const LONG_TIME: Duration = Duration::from_hours(1);

/// The longest that an engine ponders: the other player may have left.
const MAX_PONDER_TIME: Duration = Duration::from_secs(30);

/// Moves of a line in a comment.
const COMMENT_MOVES: usize = 16;

/// What an engine is to do.
pub(super) enum EngineOrder {
    Search(SearchOrder),
    Ponder(PonderOrder),
}

/// A move is wanted.
pub(super) struct SearchOrder {
    /// The number of the request among all.
    pub(super) request: u64,
    /// The board, with South to move.
    pub(super) board: Board,
    pub(super) answer_by: Instant,
    /// Stopped when the answer is not wanted any more.
    pub(super) stop: StopToken,
}

/// A board is expected in a request to come.
pub(super) struct PonderOrder {
    pub(super) board: Board,
    /// The time for the move, should the request come.
    pub(super) think: Duration,
    /// Stopped when a request has come, whose order is queued before.
    pub(super) stop: StopToken,
}

/// What the thread of an engine reports.
#[derive(Debug)]
pub(super) enum RequestReport {
    /// A move, perhaps not the last one for this request.
    Move { request: u64, mv: Move, comment: Option<String>, is_last: bool },
    /// The engine is free. It expects this board in a request.
    Free { engine: usize, expected: Option<Board> },
    /// The engine has failed, and is free for another try.
    Failed { engine: usize, request: Option<u64>, reason: String },
}

/// The sending side of an engine's orders; the engine ends when it is dropped.
pub(super) struct PlayingEngine {
    orders: Sender<EngineOrder>,
}

impl PlayingEngine {
    /// Starts a thread with an engine. The first report says that it is free, or that it cannot be started.
    pub(super) fn start(
        number: usize,
        settings: &ClientSettings,
        reports: UnboundedSender<RequestReport>,
        end: &StopToken,
    ) -> io::Result<PlayingEngine> {
        let (orders, received) = unbounded();
        let (settings, end) = (settings.clone(), end.clone());
        thread::Builder::new().name(format!("engine {number}")).spawn(move || {
            let mut engine =
                EngineThread { number, settings, reports, orders: received, end, process: None };
            engine.run();
        })?;
        Ok(PlayingEngine { orders })
    }

    pub(super) fn order(&self, order: EngineOrder) {
        let _ = self.orders.send(order);
    }
}

struct EngineThread {
    number: usize,
    settings: ClientSettings,
    reports: UnboundedSender<RequestReport>,
    orders: Receiver<EngineOrder>,
    end: StopToken,
    process: Option<EngineProcess>,
}

/// Why a search has no answer.
enum NoAnswer {
    /// It is not wanted any more.
    Stopped,
    /// The engine has failed.
    Failed(String),
}

impl EngineThread {
    fn run(&mut self) {
        match self.ensure_process() {
            Ok(_) => self.report_free(None),
            Err(reason) => self.fail(None, reason),
        }
        let mut next = None;
        while let Some(order) = next.take().or_else(|| self.orders.recv().ok()) {
            match order {
                EngineOrder::Search(order) => self.search(&order, false),
                EngineOrder::Ponder(order) => next = self.ponder(&order),
            }
        }
        if let Some(mut process) = self.process.take() {
            process.quit();
        }
    }

    fn report(&self, report: RequestReport) {
        let _ = self.reports.send(report);
    }

    fn report_free(&self, expected: Option<Board>) {
        self.report(RequestReport::Free { engine: self.number, expected });
    }

    fn fail(&mut self, request: Option<u64>, reason: String) {
        self.process = None;
        self.report(RequestReport::Failed { engine: self.number, request, reason });
    }

    /// Starts the engine if it does not run.
    fn ensure_process(&mut self) -> Result<&mut EngineProcess, String> {
        let process = match self.process.take() {
            Some(process) => process,
            None => start_process(&self.settings, &self.end)?,
        };
        Ok(self.process.insert(process))
    }

    /// Answers a request; the engine may be pondering on its board already.
    fn search(&mut self, order: &SearchOrder, is_expected: bool) {
        match self.find_move(order, is_expected) {
            Ok(expected) => self.report_free(expected),
            Err(NoAnswer::Stopped) => self.report_free(None),
            Err(NoAnswer::Failed(reason)) => self.fail(Some(order.request), reason),
        }
    }

    /// Reports moves until the last one; returns the board that is expected in the next request.
    fn find_move(
        &mut self,
        order: &SearchOrder,
        is_expected: bool,
    ) -> Result<Option<Board>, NoAnswer> {
        let (settings, reports) = (self.settings.clone(), self.reports.clone());
        let process = self.ensure_process().map_err(NoAnswer::Failed)?;
        if is_expected {
            process.send(&Command::PonderHit);
        } else {
            let think = order.answer_by.saturating_duration_since(Instant::now());
            go(process, &order.board, think, false);
        }
        let mut found = BestLine::default();
        let mut sent = None;
        let mut is_halted = false;
        loop {
            match process.next_message(Instant::now() + LONG_TIME, &order.stop) {
                Ok((_, EngineMessage::Info(info))) => {
                    found.update(info);
                    let mv = found.first_move(&order.board);
                    if mv.is_some() && mv != sent {
                        sent = mv;
                        report_move(&reports, order.request, mv, None, false);
                    }
                    if settings.goal == Goal::Win && found.is_won() && !is_halted {
                        is_halted = true;
                        process.send(&Command::Stop);
                    }
                }
                Ok((_, EngineMessage::BestMove { best, .. })) => {
                    let best = best.unwrap_or_default();
                    let mv = legal(&order.board, &best).ok_or_else(|| {
                        let best = shortened(&printable(&best));
                        NoAnswer::Failed(format!("it played the illegal move '{best}'"))
                    })?;
                    let comment = settings.comments.then(|| found.comment());
                    report_move(&reports, order.request, Some(mv), comment, true);
                    return Ok(found.expected(&order.board, mv));
                }
                Ok(_) | Err(ReadError::TimedOut) => {}
                Err(ReadError::Closed) => return Err(NoAnswer::Failed(process.post_mortem())),
                Err(ReadError::Stopped) => {
                    halt(process).map_err(NoAnswer::Failed)?;
                    return Err(NoAnswer::Stopped);
                }
            }
        }
    }

    /// Ponders until a request has come or the time is over. Returns an order that is still to be carried
    /// out.
    fn ponder(&mut self, order: &PonderOrder) -> Option<EngineOrder> {
        let Ok(process) = self.ensure_process() else { return None };
        go(process, &order.board, order.think, true);
        let deadline = Instant::now() + MAX_PONDER_TIME;
        let ended = loop {
            match process.next_message(deadline, &order.stop) {
                Ok((_, EngineMessage::BestMove { .. })) => break true,
                Ok(_) => {}
                Err(ReadError::Stopped | ReadError::TimedOut) => break false,
                Err(ReadError::Closed) => {
                    let reason = process.post_mortem();
                    self.fail(None, reason);
                    return None;
                }
            }
        };
        let next = self.orders.try_recv().ok();
        if let Some(EngineOrder::Search(search)) = &next
            && search.board == order.board
            && !ended
        {
            self.search(search, true);
            return None;
        }
        if !ended
            && let Some(process) = &mut self.process
            && let Err(reason) = halt(process)
        {
            self.fail(None, reason);
        }
        next
    }
}

fn start_process(settings: &ClientSettings, end: &StopToken) -> Result<EngineProcess, String> {
    let (program, arguments) = (&settings.program, &settings.arguments);
    let cannot = |error| format!("cannot start '{}': {error}", program.display());
    let mut process = EngineProcess::spawn("engine", program, arguments, None).map_err(cannot)?;
    let deadline = Instant::now() + HANDSHAKE_TIME;
    let failed = |process: &mut EngineProcess, error, reply| match error {
        ReadError::Closed => process.post_mortem(),
        ReadError::Stopped => "stopped".to_owned(),
        ReadError::TimedOut => format!("no '{reply}' within {} s", HANDSHAKE_TIME.as_secs()),
    };
    let identity = process.handshake(deadline, end);
    let identity = identity.map_err(|error| failed(&mut process, error, "uciok"))?;
    let ponder = settings.ponders.then(|| ("Ponder".to_owned(), "true".to_owned()));
    let ponder = ponder.filter(|(name, _)| identity.option(name).is_some());
    for (name, value) in ponder.iter().chain(&settings.options) {
        let name = identity.option(name).ok_or_else(|| format!("it has no option '{name}'"))?;
        process.send(&Command::SetOption { name: name.to_owned(), value: Some(value.clone()) });
    }
    process.send(&Command::IsReady);
    loop {
        match process.next_message(deadline, end) {
            Ok((_, EngineMessage::ReadyOk)) => return Ok(process),
            Ok((_, EngineMessage::Error(error))) => return Err(printable(&error).into_owned()),
            Ok(_) => {}
            Err(error) => return Err(failed(&mut process, error, "readyok")),
        }
    }
}

fn go(process: &EngineProcess, board: &Board, think: Duration, ponder: bool) {
    let base = PositionBase::Fen(board.fen());
    process.send(&Command::Position(PositionCommand { base, moves: String::new() }));
    // An engine that gets no time at all might refuse.
    let movetime = Some(think.max(Duration::from_millis(1)));
    let limits = Limits { movetime, ..Limits::default() };
    process.send(&Command::Go(Box::new(Go { limits, ponder, ..Go::default() })));
}

/// Ends a search whose answer is not wanted.
fn halt(process: &mut EngineProcess) -> Result<(), String> {
    process.send(&Command::Stop);
    let deadline = Instant::now() + STOP_TIME;
    loop {
        match process.next_message(deadline, &StopToken::new()) {
            Ok((_, EngineMessage::BestMove { .. })) => return Ok(()),
            Ok(_) => {}
            Err(ReadError::Closed) => return Err(process.post_mortem()),
            Err(_) => return Err("it does not answer 'stop'".to_owned()),
        }
    }
}

fn report_move(
    reports: &UnboundedSender<RequestReport>,
    request: u64,
    mv: Option<Move>,
    comment: Option<String>,
    is_last: bool,
) {
    if let Some(mv) = mv {
        let _ = reports.send(RequestReport::Move { request, mv, comment, is_last });
    }
}

fn legal(board: &Board, text: &str) -> Option<Move> {
    let mv = board.parse_move(text).ok()?;
    board.moves().find(|legal| *legal == mv)
}

/// The best line that an engine has reported in a search.
#[derive(Default)]
struct BestLine {
    score: Option<EngineScore>,
    depth: Option<u32>,
    pv: Vec<String>,
}

impl BestLine {
    fn update(&mut self, info: EngineInfo) {
        if info.multipv.is_none_or(|rank| rank == 1) && !info.pv.is_empty() {
            (self.score, self.depth, self.pv) = (info.score, info.depth, info.pv);
        }
    }

    fn first_move(&self, board: &Board) -> Option<Move> {
        self.pv.first().and_then(|mv| legal(board, mv))
    }

    /// Whether South is sure to win.
    fn is_won(&self) -> bool {
        self.score.is_some_and(|score| {
            score.proven && score.centiseeds > 0 && score.bound != Bound::Upper
        })
    }

    /// The score in seeds, the depth and the line.
    fn comment(&self) -> String {
        let mut words = Vec::new();
        if let Some(EngineScore { centiseeds, bound, proven }) = self.score {
            let mark = match bound {
                Bound::Exact => "",
                Bound::Lower => ">=",
                Bound::Upper => "<=",
            };
            words.push(format!("{mark}{:+.2}", f64::from(centiseeds) / 100.0));
            words.extend(proven.then(|| "proven".to_owned()));
        }
        words.extend(self.depth.map(|depth| format!("depth {depth}:")));
        let letters = self.pv.iter().take(COMMENT_MOVES).filter(|mv| mv.len() == 1);
        words.extend(letters.cloned());
        words.join(" ")
    }

    /// The board that South will be asked about next, if both play this line.
    fn expected(&self, board: &Board, best: Move) -> Option<Board> {
        let is_of_line = self.first_move(board) == Some(best);
        let line = self.pv.iter().skip(1).filter(|_| is_of_line);
        let mut board = *board;
        board.play(best).ok()?;
        for mv in line {
            if let Some(asked) = asked_about(&board) {
                return Some(asked);
            }
            board.play(legal(&board, mv)?).ok()?;
        }
        asked_about(&board)
    }
}

/// The board, if South is asked for a move: it has a choice. A single move is played by the server.
fn asked_about(board: &Board) -> Option<Board> {
    let is_asked = board.side() == kalah::board::Side::South && board.moves().nth(1).is_some();
    is_asked.then_some(*board)
}
