//! The requests of a server and the engines that answer them, without sockets: events in, lines out.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::io;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use log::warn;
use tokio::sync::mpsc::UnboundedSender;

use super::playing_engine::{EngineOrder, RequestReport, start_engine};
use super::settings::{ClientSettings, Goal};
use super::thinking_time::ThinkingTime;
use crate::line::Line;
use crate::wide_board::WideBoard;
use kalah::StopToken;
use kalah::board::Board;
use kalah::printable::counted;

/// Requests that wait for an engine; the server floods us if there are more.
const MAX_WAITING: usize = 1000;

/// Engines that fail on a request before it is answered without one.
const MAX_FAILURES: u32 = 2;

pub(super) struct Requests {
    settings: ClientSettings,
    engines: Vec<EngineState>,
    /// By number, which says in which order they came.
    open: BTreeMap<u64, Request>,
    next_number: u64,
    /// What is known of the server's time.
    pub(super) time: ThinkingTime,
    reports: UnboundedSender<RequestReport>,
    end: StopToken,
    last_failure: String,
    pub(super) counts: RequestCounts,
}

/// What has become of the requests of a server.
#[derive(Clone, Copy, Default)]
pub(crate) struct RequestCounts {
    /// Answered before the server stopped them.
    answered: u64,
    /// Of these, without an engine: too large a board, too many at once, or an engine that failed.
    without_engine: u64,
    /// Stopped by the server before the answer.
    stopped: u64,
}

impl Display for RequestCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} answered", counted(self.answered, "request"))?;
        if self.without_engine > 0 {
            write!(f, ", {} of them without an engine", self.without_engine)?;
        }
        if self.stopped > 0 {
            write!(f, "; {} stopped by the server before the answer", self.stopped)?;
        }
        Ok(())
    }
}

struct Request {
    /// The number of the server's line.
    id: u64,
    board: Board,
    arrived: Instant,
    answer_by: Instant,
    stop: StopToken,
    /// Whether an engine works on it. Others wait for one.
    is_searched: bool,
    /// The move that the server has, from 0.
    sent: Option<usize>,
    failures: u32,
}

struct EngineState {
    orders: Sender<EngineOrder>,
    is_free: bool,
    /// The board that it ponders on, and how to end that.
    pondering: Option<(Board, StopToken)>,
    /// Houses and seeds of its last request: its table is of use in the same game.
    last: (usize, u32),
}

impl Requests {
    pub(super) fn new(
        settings: ClientSettings,
        reports: UnboundedSender<RequestReport>,
        end: StopToken,
    ) -> Requests {
        let time = ThinkingTime::new(settings.time, Duration::from_millis(settings.margin));
        Requests {
            settings,
            engines: Vec::new(),
            open: BTreeMap::new(),
            next_number: 0,
            time,
            reports,
            end,
            last_failure: String::new(),
            counts: RequestCounts::default(),
        }
    }

    /// Starts one more engine. It reports when it is free.
    pub(super) fn start_engine(&mut self) -> io::Result<()> {
        let number = self.engines.len();
        let reports = self.reports.clone();
        let orders = start_engine(number, &self.settings, reports, &self.end)?;
        self.engines.push(EngineState { orders, is_free: false, pondering: None, last: (0, 0) });
        Ok(())
    }

    /// The server asks for a move. Returns what can be said at once.
    pub(super) fn state(&mut self, id: u64, board: &WideBoard, arrived: Instant) -> Vec<Line> {
        if let Some(old) = self.number_of(id) {
            self.close(old);
        }
        let wins = |&house: &usize| {
            board.play(house).is_some_and(|played| {
                let [own, other] = played.board.stores();
                played.board.is_over() && own > other
            })
        };
        let moves: Vec<usize> = board.moves().collect();
        let at_once = match moves[..] {
            // The game is over: there is nothing to play.
            [] => return vec![Line::reply(id, "yield")],
            [only] => Some(only),
            _ if self.settings.goal == Goal::Win => moves.into_iter().find(wins),
            _ => None,
        };
        if at_once.is_some() {
            self.counts.answered += 1;
            return answer(id, at_once);
        }
        let waiting = self.open.values().filter(|request| !request.is_searched).count();
        let Some(engine_board) = board.to_board().filter(|_| waiting < MAX_WAITING) else {
            self.counts.answered += 1;
            self.counts.without_engine += 1;
            return answer(id, board.greedy_move());
        };
        let request = Request {
            id,
            board: engine_board,
            arrived,
            answer_by: arrived + self.time.budget(),
            stop: self.end.child(),
            is_searched: false,
            sent: None,
            failures: 0,
        };
        self.open.insert(self.next_number, request);
        self.next_number += 1;
        self.stop_pondering(Some(&engine_board));
        self.assign();
        Vec::new()
    }

    /// Gives requests that wait to engines that are free.
    fn assign(&mut self) {
        let mut is_short = false;
        for (&number, request) in self.open.iter_mut().filter(|(_, request)| !request.is_searched) {
            let board = request.board;
            let kind = (board.rules().houses(), board.seeds());
            let rank = |state: &EngineState| {
                let expects =
                    state.pondering.as_ref().is_some_and(|(expected, _)| *expected == board);
                (expects, state.last == kind)
            };
            let free = self.engines.iter_mut().filter(|state| state.is_free);
            let Some(state) = free.max_by_key(|state| rank(state)) else {
                is_short = true;
                break;
            };
            request.is_searched = true;
            (state.is_free, state.last) = (false, kind);
            let _ = state.orders.send(EngineOrder {
                request: Some(number),
                board,
                answer_by: request.answer_by,
                stop: request.stop.clone(),
            });
            // The order comes first, so that an engine which has expected this board finds it.
            if let Some((_, stop)) = state.pondering.take() {
                stop.stop();
            }
        }
        let busy = self.open.values().filter(|request| request.is_searched).count();
        // Otherwise one is starting, or about to be free.
        let are_all_busy = self.engines.len() == busy;
        if is_short
            && are_all_busy
            && busy < self.settings.concurrency.into()
            && let Err(error) = self.start_engine()
        {
            warn!("cannot start another engine: {error}");
        }
    }

    /// Ends all pondering but that on this board.
    fn stop_pondering(&mut self, except: Option<&Board>) {
        for state in &mut self.engines {
            let pondering = state.pondering.take_if(|(board, _)| Some(&*board) != except);
            if let Some((_, stop)) = pondering {
                stop.stop();
            }
        }
    }

    /// An engine has something to report. Returns lines for the server.
    pub(super) fn report(&mut self, report: RequestReport) -> Vec<Line> {
        match report {
            RequestReport::Move { request: number, mv, comment, is_last } => {
                let Some(request) = self.open.get_mut(&number) else { return Vec::new() };
                let (id, house) = (request.id, mv.house.index());
                let mut lines = Vec::new();
                if request.sent != Some(house) || comment.is_some() {
                    request.sent = Some(house);
                    let set = Line::command("set").with("info:comment");
                    lines.extend(comment.map(|text| set.with_text(&text)));
                    lines.push(move_line(id, house));
                }
                if is_last {
                    lines.push(Line::reply(id, "yield"));
                    self.answered(number);
                }
                lines
            }
            RequestReport::Free { engine, expected } => {
                self.engines[engine].is_free = true;
                self.assign();
                if let Some(board) =
                    expected.filter(|_| self.settings.ponders && self.open.is_empty())
                {
                    self.ponder(engine, board);
                }
                Vec::new()
            }
            RequestReport::Failed { engine, request: number, reason } => {
                if reason != self.last_failure {
                    warn!("engine {engine}: {reason}");
                    self.last_failure = reason;
                }
                self.engines[engine].is_free = true;
                self.engines[engine].pondering = None;
                let mut lines = Vec::new();
                if let Some(number) = number
                    && let Some(request) = self.open.get_mut(&number)
                {
                    request.is_searched = false;
                    request.failures += 1;
                    if request.failures >= MAX_FAILURES {
                        lines = self.answer_without_engine(number);
                    }
                }
                self.assign();
                lines
            }
        }
    }

    fn ponder(&mut self, engine: usize, board: Board) {
        let stop = self.end.child();
        let answer_by = Instant::now() + self.time.budget();
        let order = EngineOrder { request: None, board, answer_by, stop: stop.clone() };
        let _ = self.engines[engine].orders.send(order);
        self.engines[engine].pondering = Some((board, stop));
    }

    /// The server wants no more moves for one of its requests. Returns whether its time limit has changed.
    pub(super) fn stopped(&mut self, id: u64, was_pinged: bool) -> bool {
        let Some(number) = self.number_of(id) else { return false };
        let after = self.open[&number].arrived.elapsed();
        self.close(number);
        self.counts.stopped += 1;
        self.time.stopped(after, was_pinged)
    }

    /// When the next request has to be answered, come what may: engines get a little more than their time.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.open.values().map(|request| request.answer_by).min().map(|time| time + self.grace())
    }

    fn grace(&self) -> Duration {
        self.time.margin() / 2
    }

    pub(super) fn expire(&mut self, now: Instant) -> Vec<Line> {
        let grace = self.grace();
        let due = self.open.iter().filter(|(_, request)| request.answer_by + grace <= now);
        let due: Vec<u64> = due.map(|(&number, _)| number).collect();
        due.into_iter().flat_map(|number| self.answer_without_engine(number)).collect()
    }

    /// Answers with the move that the server has, or with the one that looks best at once.
    fn answer_without_engine(&mut self, number: u64) -> Vec<Line> {
        let Some(&Request { id, board, sent, .. }) = self.open.get(&number) else {
            return Vec::new();
        };
        self.answered(number);
        if sent.is_some() {
            return answer(id, None);
        }
        self.counts.without_engine += 1;
        answer(id, WideBoard::from(&board).greedy_move())
    }

    fn answered(&mut self, number: u64) {
        self.counts.answered += 1;
        self.time.answered();
        self.close(number);
    }

    fn number_of(&self, id: u64) -> Option<u64> {
        self.open.iter().find(|(_, request)| request.id == id).map(|(&number, _)| number)
    }

    /// A request needs no more work.
    fn close(&mut self, number: u64) {
        if let Some(request) = self.open.remove(&number) {
            request.stop.stop();
        }
    }

    /// The connection is lost, and all requests with it.
    pub(super) fn clear(&mut self) {
        self.stop_pondering(None);
        for (_, request) in std::mem::take(&mut self.open) {
            request.stop.stop();
        }
        self.time.announce(None);
    }
}

fn move_line(id: u64, house: usize) -> Line {
    Line::reply(id, "move").with(house as u64 + 1)
}

/// A move, if there is one, and the end of the answer.
fn answer(id: u64, house: Option<usize>) -> Vec<Line> {
    house.map(|house| move_line(id, house)).into_iter().chain([Line::reply(id, "yield")]).collect()
}
