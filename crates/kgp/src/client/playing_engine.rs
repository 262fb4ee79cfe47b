//! An engine that answers requests, in a thread. One that ends or hangs is started again with the next.

use std::io;
use std::iter;
use std::ops::ControlFlow;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use tokio::sync::mpsc::UnboundedSender;

use super::settings::{ClientSettings, Goal};
use crate::wide_board::is_asked;
use kalah::StopToken;
use kalah::board::{Board, Move};
use kalah::protocol::{EngineInfo, EngineScore, Go};
use kalah::search::{Bound, Limits};
use kalah_client::{EngineCommand, REPLY_TIME, UciClient, UciError};

/// The longest that an engine ponders: the other player may have left.
const MAX_PONDER_TIME: Duration = Duration::from_secs(30);

/// Moves of a line in a comment.
const COMMENT_MOVES: usize = 16;

/// A board to search or to ponder on.
pub(super) struct EngineOrder {
    /// The number of the request among all; `None` to ponder on a board that is expected in one.
    pub(super) request: Option<u64>,
    /// The board, with South to move.
    pub(super) board: Board,
    /// The end of the time for the move; if it is expected, as if the request had come with the order.
    pub(super) answer_by: Instant,
    /// Stopped when the answer is not wanted any more, or, for pondering, after a request was queued.
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

/// Starts an engine, which takes orders until the sender is dropped, and reports when it is ready.
pub(super) fn start_engine(
    number: usize,
    settings: &ClientSettings,
    reports: UnboundedSender<RequestReport>,
    end: &StopToken,
) -> io::Result<Sender<EngineOrder>> {
    let command = settings.engine.clone().map_or_else(EngineCommand::this_program, Ok)?;
    let (sender, orders) = unbounded();
    let (settings, end) = (settings.clone(), end.clone());
    thread::Builder::new().name(format!("engine {number}")).spawn(move || {
        let client = UciClient::new(command, REPLY_TIME);
        EngineThread { number, settings, reports, orders, end, client }.run();
    })?;
    Ok(sender)
}

struct EngineThread {
    number: usize,
    settings: ClientSettings,
    reports: UnboundedSender<RequestReport>,
    orders: Receiver<EngineOrder>,
    end: StopToken,
    client: UciClient,
}

impl EngineThread {
    fn run(mut self) {
        let started = self.set_options().and_then(|()| self.client.start(&self.end));
        self.report_end(None, started.map(|_| None));
        let mut next = None;
        while let Some(order) = next.take().or_else(|| self.orders.recv().ok()) {
            match order.request {
                Some(request) => self.search(request, &order, false),
                None => next = self.ponder(&order),
            }
        }
    }

    fn set_options(&mut self) -> Result<(), UciError> {
        if self.settings.ponders {
            self.client.offer_option("Ponder", "true");
        }
        let mut options = self.settings.options.iter();
        options.try_for_each(|(name, value)| self.client.set_option(name, value))
    }

    fn report(&self, report: RequestReport) {
        let _ = self.reports.send(report);
    }

    /// Reports that the engine is free, with the board that it expects, or has failed.
    fn report_end(&self, request: Option<u64>, result: Result<Option<Board>, UciError>) {
        let engine = self.number;
        self.report(match result {
            Ok(expected) => RequestReport::Free { engine, expected },
            Err(UciError::Stopped) if request.is_some() => {
                RequestReport::Free { engine, expected: None }
            }
            Err(error) => RequestReport::Failed { engine, request, reason: error.to_string() },
        });
    }

    fn begin(&mut self, order: &EngineOrder) -> Result<(), UciError> {
        self.client.start(&self.end)?;
        let think = order.answer_by.saturating_duration_since(Instant::now());
        // An engine that gets no time at all might refuse.
        let movetime = Some(think.max(Duration::from_millis(1)));
        let limits = Limits { movetime, ..Limits::default() };
        let go = Go { limits, ponder: order.request.is_none(), ..Go::default() };
        self.client.go(&order.board, "", &go, &order.stop)
    }

    /// Answers a request; the engine may be pondering on its board already.
    fn search(&mut self, request: u64, order: &EngineOrder, is_expected: bool) {
        let result = self.find_move(request, order, is_expected);
        self.report_end(Some(request), result);
    }

    /// Reports moves until the last one; returns the board that is expected in the next request.
    fn find_move(
        &mut self,
        request: u64,
        order: &EngineOrder,
        is_expected: bool,
    ) -> Result<Option<Board>, UciError> {
        if is_expected {
            self.client.ponder_hit();
        } else {
            self.begin(order)?;
        }
        let plays_to_win = self.settings.goal == Goal::Win;
        let is_won = |score: EngineScore| {
            score.proven && score.centiseeds > 0 && score.bound != Bound::Upper
        };
        let mut sent = None;
        let answer = self.client.answer(None, &order.stop, |line| {
            let first = first_move(line, &order.board);
            if let Some(mv) = first.filter(|_| first != sent) {
                sent = first;
                let report = RequestReport::Move { request, mv, comment: None, is_last: false };
                let _ = self.reports.send(report);
            }
            if plays_to_win && line.score.is_some_and(is_won) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        let Some(answer) = answer else { return self.client.stop_search().map(|_| None) };
        let (mv, line) = (answer.best, &answer.line);
        let comment = Some(line).filter(|_| self.settings.comments).and_then(comment);
        self.report(RequestReport::Move { request, mv, comment, is_last: true });
        Ok(expected_board(line, &order.board, mv))
    }

    /// Ponders until a request has come or the time is over. Returns an order that is left.
    fn ponder(&mut self, order: &EngineOrder) -> Option<EngineOrder> {
        let pondered = self.begin(order).and_then(|()| {
            let within = Some(MAX_PONDER_TIME);
            self.client.answer(within, &order.stop, |_| ControlFlow::Continue(()))
        });
        let next = self.orders.try_recv().ok();
        if let (Ok(None), Some(search)) = (&pondered, &next)
            && let Some(request) = search.request
            && search.board == order.board
        {
            self.search(request, search, true);
            return None;
        }
        match pondered.and_then(|_| self.client.stop_search()) {
            Ok(_) | Err(UciError::Stopped) => {}
            Err(error) => self.report_end(None, Err(error)),
        }
        next
    }
}

fn first_move(line: &EngineInfo, board: &Board) -> Option<Move> {
    line.pv.first().and_then(|mv| board.legal_move(mv))
}

/// The score in seeds, the depth and the line; `None` without any: servers refuse an empty text.
fn comment(line: &EngineInfo) -> Option<String> {
    let mut words = Vec::new();
    if let Some(EngineScore { centiseeds, bound, proven }) = line.score {
        let mark = match bound {
            Bound::Exact => "",
            Bound::Lower => ">=",
            Bound::Upper => "<=",
        };
        words.push(format!("{mark}{:+.2}", f64::from(centiseeds) / 100.0));
        words.extend(proven.then(|| "proven".to_owned()));
    }
    words.extend(line.depth.map(|depth| format!("depth {depth}:")));
    let letters = line.pv.iter().take(COMMENT_MOVES).filter(|mv| mv.len() == 1);
    words.extend(letters.cloned());
    (!words.is_empty()).then(|| words.join(" "))
}

/// The board that South will be asked about next, if both play this line.
fn expected_board(line: &EngineInfo, board: &Board, best: Move) -> Option<Board> {
    let is_of_line = first_move(line, board) == Some(best);
    let replies = line.pv.iter().skip(1).filter(|_| is_of_line).flat_map(|mv| mv.chars());
    let mut after = *board;
    after.play(best).ok()?;
    let later = after.replay(replies).map_while(Result::ok).map(|(_, board)| board);
    iter::once(after).chain(later).find(is_asked)
}
