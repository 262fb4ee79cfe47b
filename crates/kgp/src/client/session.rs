//! One connection to a server, from its greeting to its end.

use std::io;
use std::time::{Duration, Instant};

use log::{debug, warn};
use thiserror::Error;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::sleep_until;

use super::super::line::Line;
use super::connection::Connection;
use super::playing_engine::RequestReport;
use super::requests::Requests;
use super::seen_games::SeenGames;
use super::settings::{AgentIdentity, ClientMode};
use kalah::printable::printable;
use kalah::protocol::InputLine;

/// Time for the server's greeting.
const GREETING_TIME: Duration = Duration::from_secs(20);

/// The major version of the protocol that is spoken.
const MAJOR: u64 = 1;

/// The number of moves among which a clock for the whole game is shared.
const MOVES_TO_GO: u32 = 20;

/// How a connection has ended in good order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SessionEnd {
    /// The server has said goodbye, or closed the connection.
    ByServer,
    /// We were asked to stop.
    ByUs,
}

/// Why a session has failed.
#[derive(Debug, Error)]
pub(super) enum SessionError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("the server did not greet within {} s", GREETING_TIME.as_secs())]
    NoGreeting,
    #[error("the server speaks version {0} of the protocol, not {MAJOR}")]
    Version(u64),
}

/// What a session uses, and what it leaves behind.
pub(super) struct Session<'a> {
    pub(super) identity: &'a AgentIdentity,
    pub(super) mode: ClientMode,
    pub(super) requests: &'a mut Requests,
    pub(super) reports: &'a mut UnboundedReceiver<RequestReport>,
    pub(super) games: &'a mut SeenGames,
    /// Whether the server has asked for anything.
    pub(super) was_asked: bool,
    /// Our own next line number; they are odd.
    next_id: u64,
    /// Number and time of the line that has set the mode, until it is answered.
    mode_request: Option<(u64, Instant)>,
    has_greeted: bool,
    /// Whether the last line of the server was a ping.
    was_pinged: bool,
    /// A move may take the announced time divided by this.
    clock_share: u32,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        identity: &'a AgentIdentity,
        mode: ClientMode,
        requests: &'a mut Requests,
        reports: &'a mut UnboundedReceiver<RequestReport>,
        games: &'a mut SeenGames,
    ) -> Session<'a> {
        Session {
            identity,
            mode,
            requests,
            reports,
            games,
            was_asked: false,
            next_id: 1,
            mode_request: None,
            has_greeted: false,
            was_pinged: false,
            clock_share: 1,
        }
    }

    /// Talks to the server until the connection ends, or until `stopped` resolves.
    pub(super) async fn run(
        &mut self,
        connection: &mut Connection,
        stopped: &mut (impl Future<Output = ()> + Unpin),
    ) -> Result<SessionEnd, SessionError> {
        let opened = Instant::now();
        loop {
            let greeting = (!self.has_greeted).then_some(opened + GREETING_TIME);
            let deadline = self.requests.deadline().into_iter().chain(greeting).min();
            let sleep = async {
                match deadline {
                    Some(deadline) => sleep_until(deadline.into()).await,
                    None => std::future::pending().await,
                }
            };
            let lines = tokio::select! {
                biased;
                () = &mut *stopped => {
                    let _ = connection.send(&Line::command("goodbye"));
                    return Ok(SessionEnd::ByUs);
                }
                line = connection.next() => match line? {
                    None => return Ok(SessionEnd::ByServer),
                    Some(InputLine::Text(text)) => match self.hear(&text)? {
                        Some(lines) => lines,
                        None => return Ok(SessionEnd::ByServer),
                    },
                    Some(_) => {
                        debug!("a line of the server is too long, or not text");
                        continue;
                    }
                },
                // Reports come from engines that are at work, whatever the connection does.
                Some(report) = self.reports.recv() => {
                    self.requests.report(report)
                }
                () = sleep => {
                    let now = Instant::now();
                    if greeting.is_some_and(|time| time <= now) {
                        return Err(SessionError::NoGreeting);
                    }
                    self.requests.expire(now)
                }
            };
            for line in &lines {
                self.games.sent(line);
                connection.send(line)?;
            }
        }
    }

    /// Answers a line of the server; `None` if it ends the session. What is not understood is ignored, as
    /// the server does.
    fn hear(&mut self, text: &str) -> Result<Option<Vec<Line>>, SessionError> {
        let Ok(line) = text.parse::<Line>() else { return Ok(Some(Vec::new())) };
        let was_pinged = std::mem::replace(&mut self.was_pinged, line.command == "ping");
        let lines = match (line.command.as_str(), line.id, line.reference) {
            ("ping", id, _) => {
                let pong = Line::command("pong");
                vec![Line { reference: id, ..pong }]
            }
            ("state", Some(id), _) => match line.board(0) {
                Some(board) => {
                    self.was_asked = true;
                    // The engine thinks while the record of a finished game is brought to the disk.
                    let lines = self.requests.state(id, board.clone(), Instant::now());
                    self.games.state(id, board);
                    lines
                }
                None => Vec::new(),
            },
            ("stop", _, Some(reference)) => {
                if self.requests.stopped(reference, was_pinged) {
                    let seconds = self.requests.time().budget().as_secs_f64();
                    warn!("the server stops early: a move now takes at most {seconds:.2} s");
                }
                Vec::new()
            }
            ("problem", Some(id), _) => {
                self.was_asked = true;
                solution(id, &line).into_iter().collect()
            }
            ("kgp", ..) => self.greet(&line)?,
            ("ok", _, Some(reference)) => {
                if let Some((_, sent)) = self.mode_request.take_if(|(id, _)| *id == reference) {
                    self.requests.time().saw_round_trip(sent.elapsed());
                }
                Vec::new()
            }
            ("set", ..) => {
                self.set(&line);
                Vec::new()
            }
            ("error", ..) => {
                warn!("the server says: {}", printable(line.text(0).unwrap_or("an error")));
                Vec::new()
            }
            ("goodbye", ..) => return Ok(None),
            _ => Vec::new(),
        };
        Ok(Some(lines))
    }

    /// Says who we are and what we want.
    fn greet(&mut self, line: &Line) -> Result<Vec<Line>, SessionError> {
        // A second greeting could have us set the mode twice, which servers do not survive.
        let Some(version) = line.number(0).filter(|_| !self.has_greeted) else {
            return Ok(Vec::new());
        };
        if version != MAJOR {
            return Err(SessionError::Version(version));
        }
        self.has_greeted = true;
        let AgentIdentity { token, name, authors, description } = self.identity;
        let options = [
            ("auth:token", Some(token)),
            ("info:name", Some(name)),
            ("info:authors", authors.as_ref()),
            ("info:description", description.as_ref()),
        ];
        let mut lines = Vec::new();
        for (option, value) in options {
            // The server drops empty texts.
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                let set = Line::command("set").with_word(option).with_text(value);
                lines.push(set.with_id(self.id()));
            }
        }
        let id = self.id();
        self.mode_request = Some((id, Instant::now()));
        let mode = match self.mode {
            ClientMode::Freeplay => "freeplay",
            ClientMode::Verify => "verify",
        };
        lines.push(Line::command("mode").with_word(mode).with_id(id));
        Ok(lines)
    }

    fn id(&mut self) -> u64 {
        self.next_id += 2;
        self.next_id - 2
    }

    /// The options of the published protocol that say how much time there is.
    fn set(&mut self, line: &Line) {
        match line.text(0) {
            Some("time:mode") => {
                let is_absolute = line.text(1) == Some("absolute");
                self.clock_share = if is_absolute { MOVES_TO_GO } else { 1 };
                if line.text(1) == Some("none") {
                    self.requests.time().announce(None);
                }
            }
            Some("time:clock") => {
                let seconds = line.text(1).and_then(|text| text.parse::<f64>().ok());
                let clock = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                self.requests.time().announce(clock.map(|clock| clock / self.clock_share));
            }
            _ => {}
        }
    }
}

/// Whether the move of a problem is an extra turn. The house counts from 0 here.
fn solution(id: u64, problem: &Line) -> Option<Line> {
    let house = usize::try_from(problem.number(1)?).ok()?;
    let played = problem.board(0)?.sow(house)?;
    let word = if played.is_extra_turn { "true" } else { "false" };
    let board = played.board;
    Some(Line::reply(id, "solution").with_board(board).with_word(word))
}
