//! One connection to a server, from its greeting to its end.

use std::io::{self, ErrorKind};
use std::ops::ControlFlow::{self, Break, Continue};
use std::time::{Duration, Instant};

use log::{debug, warn};
use tokio::sync::mpsc::UnboundedReceiver;

use super::connection::Connection;
use super::playing_engine::RequestReport;
use super::requests::Requests;
use super::seen_games::SeenGames;
use super::settings::ClientSettings;
use crate::line::Line;
use crate::line_stream::sleep_until;
use kalah::printable::printable;
use kalah::protocol::InputLine;

const GREETING_TIME: Duration = Duration::from_secs(20);

/// The major version of the protocol that is spoken.
pub(super) const MAJOR: u64 = 1;

/// The number of moves among which a clock for the whole game is shared.
const MOVES_TO_GO: u32 = 20;

pub(super) enum SessionEnd {
    /// The server has said goodbye, or closed the connection.
    ByServer,
    /// We were asked to stop.
    ByUs,
    /// The server speaks this version of the protocol.
    Version(u64),
}

/// What a session uses, and what it leaves behind.
pub(super) struct Session<'a> {
    pub(super) settings: &'a ClientSettings,
    pub(super) token: &'a str,
    pub(super) requests: &'a mut Requests,
    pub(super) reports: &'a mut UnboundedReceiver<RequestReport>,
    pub(super) games: &'a mut SeenGames,
    /// Whether the server has asked for anything.
    pub(super) was_asked: bool,
    /// Number and time of the line that has set the mode, until it is answered.
    pub(super) mode_request: Option<(u64, Instant)>,
    pub(super) has_greeted: bool,
    /// Whether the last line of the server was a ping.
    pub(super) was_pinged: bool,
    /// A move may take the announced time divided by this.
    pub(super) clock_share: u32,
}

impl Session<'_> {
    /// Talks to the server until the connection ends, or until `stopped` resolves.
    pub(super) async fn run(
        &mut self,
        connection: &mut Connection,
        stopped: &mut (impl Future<Output = ()> + Unpin),
    ) -> io::Result<SessionEnd> {
        let opened = Instant::now();
        loop {
            let greeting = (!self.has_greeted).then_some(opened + GREETING_TIME);
            let deadline = self.requests.deadline().into_iter().chain(greeting).min();
            let lines = tokio::select! {
                biased;
                () = &mut *stopped => {
                    let _ = connection.send(&Line::command("goodbye"));
                    return Ok(SessionEnd::ByUs);
                }
                line = connection.next() => match line? {
                    None => return Ok(SessionEnd::ByServer),
                    Some(InputLine::Text(text)) => match self.handle_line(&text) {
                        Continue(lines) => lines,
                        Break(end) => return Ok(end),
                    },
                    Some(_) => {
                        debug!("a line of the server is too long, or not text");
                        continue;
                    }
                },
                // Reports come from engines that are at work, whatever the connection does.
                Some(report) = self.reports.recv() => self.requests.report(report),
                () = sleep_until(deadline) => {
                    let now = Instant::now();
                    if greeting.is_some_and(|time| time <= now) {
                        let seconds = GREETING_TIME.as_secs();
                        let reason = format!("the server did not greet within {seconds} s");
                        return Err(io::Error::new(ErrorKind::TimedOut, reason));
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

    /// Answers a line of the server, unless it ends the session. What is not understood is ignored.
    fn handle_line(&mut self, text: &str) -> ControlFlow<SessionEnd, Vec<Line>> {
        let Ok(line) = text.parse::<Line>() else { return Continue(Vec::new()) };
        let was_pinged = std::mem::replace(&mut self.was_pinged, line.command == "ping");
        match (line.command.as_str(), line.id, line.reference) {
            ("ping", id, _) => {
                let pong = Line { reference: id, ..Line::command("pong") };
                return Continue(vec![pong]);
            }
            ("state", Some(id), _) => {
                if let Some(board) = line.board(0) {
                    self.was_asked = true;
                    // The engine thinks while the record of a finished game is brought to the disk.
                    let lines = self.requests.state(id, board, Instant::now());
                    self.games.state(id, board);
                    return Continue(lines);
                }
            }
            ("stop", _, Some(reference)) if self.requests.stopped(reference, was_pinged) => {
                let seconds = self.requests.time.budget().as_secs_f64();
                warn!("the server stops early: a move now takes at most {seconds:.2} s");
            }
            ("problem", Some(id), _) => {
                self.was_asked = true;
                return Continue(solution(id, &line).into_iter().collect());
            }
            ("kgp", ..) => return self.greet(&line),
            ("ok", _, Some(reference)) => {
                if let Some((_, sent)) = self.mode_request.take_if(|(id, _)| *id == reference) {
                    self.requests.time.saw_round_trip(sent.elapsed());
                }
            }
            ("set", ..) => self.set(&line),
            ("error", ..) => {
                warn!("the server says: {}", printable(line.text(0).unwrap_or("an error")));
            }
            ("goodbye", ..) => return Break(SessionEnd::ByServer),
            _ => {}
        }
        Continue(Vec::new())
    }

    fn greet(&mut self, line: &Line) -> ControlFlow<SessionEnd, Vec<Line>> {
        // A second greeting could have us set the mode twice, which servers do not survive.
        let Some(version) = line.number(0).filter(|_| !self.has_greeted) else {
            return Continue(Vec::new());
        };
        if version != MAJOR {
            return Break(SessionEnd::Version(version));
        }
        self.has_greeted = true;
        let options = [
            ("auth:token", Some(self.token)),
            ("info:name", Some(self.settings.name.as_str())),
            ("info:authors", self.settings.authors.as_deref()),
            ("info:description", self.settings.description.as_deref()),
        ];
        let options = options.into_iter().filter_map(|(option, value)| Some((option, value?)));
        let set = |(option, value)| Line::command("set").with(option).with_text(value);
        let mode = Line::command("mode").with(self.settings.mode.as_str());
        // Our own numbers are odd.
        let lines = (1..).step_by(2).zip(options.map(set).chain([mode]));
        let lines: Vec<Line> = lines.map(|(id, line)| line.with_id(id)).collect();
        self.mode_request = lines.last().and_then(|mode| Some((mode.id?, Instant::now())));
        Continue(lines)
    }

    /// The options of the published protocol that say how much time there is, and of which game.
    fn set(&mut self, line: &Line) {
        match line.text(0) {
            Some("time:mode") => {
                let is_absolute = line.text(1) == Some("absolute");
                self.clock_share = if is_absolute { MOVES_TO_GO } else { 1 };
                if line.text(1) == Some("none") {
                    self.requests.time.announce(None);
                }
            }
            Some("time:clock") => {
                let seconds = line.text(1).and_then(|text| text.parse::<f64>().ok());
                let clock = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                self.requests.time.announce(clock.map(|clock| clock / self.clock_share));
            }
            Some(option) => {
                let value = line.text(1).unwrap_or_default();
                self.games.announce(option, value);
            }
            None => {}
        }
    }
}

/// Whether the move of a problem is an extra turn. The house counts from 0 here.
fn solution(id: u64, problem: &Line) -> Option<Line> {
    let house = usize::try_from(problem.number(1)?).ok()?;
    let played = problem.board(0)?.sow(house)?;
    let word = if played.is_extra_turn { "true" } else { "false" };
    Some(Line::reply(id, "solution").with(played.board).with(word))
}
