//! Players that are programs.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use log::warn;

use super::player::{
    Fault, FaultKind, MoveEvaluation, MoveReply, MoveRequest, Player, PlayerError, StartError,
};
use super::settings::{PlayerSettings, RANDOM_SEED};
use crate::process::{EngineIdentity, EngineProcess, ReadError};
use kalah::StopToken;
use kalah::board::{Capture, Move, shortened};
use kalah::printable::printable;
use kalah::protocol::{Command, EngineInfo, EngineMessage, PositionBase, PositionCommand};

/// Waited beyond the time limit of a move, so that a reply that arrived in time is also read.
const GRACE: Duration = Duration::from_millis(1);

/// No reply is waited for longer: a century, far from overflow.
const MAX_WAIT: Duration = Duration::from_hours(24 * 365 * 100);

/// Characters of an error message that are shown.
const MAX_ERROR_LENGTH: usize = 200;

/// A program that speaks the protocol.
pub(super) struct ProcessPlayer {
    name: String,
    process: EngineProcess,
    /// What it says of itself; every record contains its name.
    identity: EngineIdentity,
    /// Whether the user has set the random seed.
    has_seed: bool,
    /// Whether the user was warned of a `bestmove` without `go`.
    has_warned: bool,
    /// Time for the replies to `uci` and `isready`.
    deadline: Duration,
    stop: StopToken,
}

impl ProcessPlayer {
    /// Starts the program and sets its options.
    ///
    /// # Errors
    /// When it cannot be started, does not reply to `uci`, does not support the capture rule, or
    /// lacks or refuses an option.
    pub(super) fn start(
        player: &PlayerSettings,
        (cmd, args, dir): (&str, &[String], Option<&str>),
        capture: Capture,
        stop: &StopToken,
    ) -> Result<ProcessPlayer, StartError> {
        let wrong = |reason: String| StartError::CannotPlay { name: player.name.clone(), reason };
        let process = EngineProcess::spawn(&player.name, cmd, args, dir).map_err(|error| {
            let place = dir.map_or(String::new(), |dir| format!(" in '{dir}'"));
            let reason = format!("cannot start '{cmd}'{place}: {error}");
            match error.kind() {
                ErrorKind::NotFound | ErrorKind::PermissionDenied => wrong(reason),
                _ => StartError::OutOfResources { name: player.name.clone(), reason },
            }
        })?;
        let mut program = ProcessPlayer {
            name: player.name.clone(),
            process,
            identity: EngineIdentity::default(),
            has_seed: player.has_option(RANDOM_SEED),
            has_warned: false,
            deadline: player.time_control.deadline(),
            stop: stop.clone(),
        };
        let not_ready = |error| match error {
            PlayerError::Fault(fault) if is_for_want_of_resources(&fault) => {
                let reason = fault.to_string();
                StartError::OutOfResources { name: player.name.clone(), reason }
            }
            PlayerError::Fault(fault) => StartError::NotReady { name: player.name.clone(), fault },
            PlayerError::Failed(reason) => wrong(reason),
            PlayerError::Stopped => StartError::Stopped,
        };
        program.handshake().map_err(not_ready)?;
        if capture != Capture::default() {
            // Set now as well as before each game: a program without the rule fails at the start.
            let name = program
                .option("Capture")
                .map(str::to_owned)
                .ok_or_else(|| wrong(format!("it has no option 'Capture' to play '{capture}'")))?;
            program.send(&Command::SetOption { name, value: Some(capture.to_string()) });
        }
        for (name, value) in &player.options {
            let spelling = program.option(name).map(str::to_owned);
            let name = spelling.ok_or_else(|| wrong(format!("it has no option '{name}'")))?;
            let value = Some(value.clone()).filter(|value| !value.is_empty());
            program.send(&Command::SetOption { name, value });
        }
        match program.wait_until_ready().map_err(not_ready)? {
            // Control characters could drive the user's terminal.
            Some(error) => Err(wrong(error.replace(char::is_control, " "))),
            None => Ok(program),
        }
    }

    /// The `id name` of the program.
    pub(super) fn id_name(&self) -> &str {
        &self.identity.name
    }

    /// The option of this name in any case, as the program spells it.
    fn option(&self, name: &str) -> Option<&str> {
        self.identity.option(name)
    }

    /// Sends `uci` and stores what the program says of itself.
    fn handshake(&mut self) -> Result<(), PlayerError> {
        let deadline = Instant::now() + self.deadline;
        let identity = self.process.handshake(deadline, &self.stop);
        self.identity = identity.map_err(|error| self.fault(error, "uciok"))?;
        Ok(())
    }

    fn send(&self, command: &Command) {
        self.process.send(command);
    }

    fn read(&mut self, deadline: Instant) -> Result<(Instant, EngineMessage), ReadError> {
        self.process.next_message(deadline, &self.stop)
    }

    /// The fault of a program that did not send the expected reply.
    fn fault(&mut self, error: ReadError, expected: &str) -> PlayerError {
        match error {
            ReadError::Stopped => PlayerError::Stopped,
            ReadError::Closed => Fault::new(FaultKind::Crashed, self.process.post_mortem()).into(),
            ReadError::TimedOut => {
                let detail = format!("no '{expected}' within {} s", self.deadline.as_secs_f64());
                Fault::new(FaultKind::Stalled, detail).into()
            }
        }
    }

    /// Waits until all commands have taken effect; returns the first error message.
    fn wait_until_ready(&mut self) -> Result<Option<String>, PlayerError> {
        self.send(&Command::IsReady);
        let deadline = Instant::now() + self.deadline;
        let mut message = None;
        loop {
            match self.read(deadline).map_err(|error| self.fault(error, "readyok"))?.1 {
                EngineMessage::Error(error) => message = message.or(Some(error)),
                EngineMessage::ReadyOk => return Ok(message),
                EngineMessage::BestMove { .. } if !self.has_warned => {
                    self.has_warned = true;
                    warn!("{}: a 'bestmove' without 'go' is ignored", self.name);
                }
                _ => {}
            }
        }
    }

    /// Waits for the reply to `go`, which was sent at `start`.
    fn wait_for_move(
        &mut self,
        request: &MoveRequest,
        start: Instant,
    ) -> Result<MoveReply, PlayerError> {
        let limit = request.time_limit().min(MAX_WAIT) + GRACE;
        let mut evaluation = MoveEvaluation::default();
        // An error message explains a wrong or missing reply.
        let mut message = None;
        loop {
            let (at, reply) = match self.read(start + limit) {
                Ok(reply) => reply,
                Err(ReadError::TimedOut) => {
                    return Err(with_message(request.overtime(limit), message).into());
                }
                Err(error) => return Err(self.fault(error, "bestmove")),
            };
            match reply {
                EngineMessage::Info(info) => evaluation.update(&info),
                EngineMessage::Error(error) => message = message.or(Some(error)),
                EngineMessage::BestMove { best, .. } => {
                    let time = at.saturating_duration_since(start);
                    let mv = request.check_time(time);
                    let mv = mv.and_then(|()| legal_move(request, best.as_deref()));
                    let mv = mv.map_err(|fault| with_message(fault, message))?;
                    return Ok(MoveReply { mv, evaluation, time });
                }
                _ => {}
            }
        }
    }
}

impl MoveEvaluation {
    /// Takes over what an `info` line reports about the best line.
    fn update(&mut self, info: &EngineInfo) {
        if info.multipv.is_none_or(|rank| rank == 1) {
            self.score = info.score.or(self.score);
            self.depth = info.depth.or(self.depth);
        }
        self.nodes = info.nodes.or(self.nodes);
    }
}

/// Whether a program has ended with the message of a system that refuses threads, memory or files.
fn is_for_want_of_resources(fault: &Fault) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        let refused = [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NFILE];
        let text = |errno: Errno| {
            let error = std::io::Error::from(errno).to_string();
            error.split(" (os error").next().map(str::to_owned)
        };
        fault.kind == FaultKind::Crashed
            && refused.into_iter().filter_map(text).any(|text| fault.detail.contains(&text))
    }
    #[cfg(not(unix))]
    {
        let _ = fault;
        false
    }
}

/// The move of a `bestmove`.
fn legal_move(request: &MoveRequest, best: Option<&str>) -> Result<Move, Fault> {
    let illegal = |detail: String| Fault::new(FaultKind::IllegalMove, detail);
    let best = best.ok_or_else(|| illegal("no move, though there are legal moves".to_owned()))?;
    let mv = request.board.parse_move(best).ok();
    mv.filter(|mv| request.board.moves().any(|legal| legal == *mv))
        .ok_or_else(|| illegal(format!("'{}'", shortened(&printable(best)))))
}

/// Adds the error message that the program sent before, if any, to a fault.
fn with_message(fault: Fault, message: Option<String>) -> Fault {
    let Some(message) = message else { return fault };
    let message: String = message.chars().take(MAX_ERROR_LENGTH).collect();
    let detail = format!("{}; it said: {}", fault.detail, printable(&message));
    Fault::new(fault.kind, detail)
}

impl Player for ProcessPlayer {
    fn new_game(&mut self, capture: Capture, random_seed: u64) -> Result<(), PlayerError> {
        // A program without the option plays the default rule.
        if let Some(name) = self.option("Capture").map(str::to_owned) {
            let value = Some(capture.to_string());
            self.send(&Command::SetOption { name, value });
        }
        if let Some(name) = self.option(RANDOM_SEED).filter(|_| !self.has_seed) {
            let value = Some(random_seed.to_string());
            self.send(&Command::SetOption { name: name.to_owned(), value });
        }
        self.send(&Command::UciNewGame);
        self.wait_until_ready()?;
        Ok(())
    }

    fn choose_move(&mut self, request: &MoveRequest) -> Result<MoveReply, PlayerError> {
        self.send(&Command::Position(PositionCommand {
            base: PositionBase::Fen(request.opening.fen()),
            moves: request.moves.iter().map(|mv| mv.letter()).collect(),
        }));
        // What it says before its reply does not belong to this move, such as a second 'bestmove' for
        // the last one.
        self.wait_until_ready()?;
        let start = Instant::now();
        self.send(&Command::Go(Box::new(request.go.clone())));
        self.wait_for_move(request, start)
    }
}

impl Drop for ProcessPlayer {
    fn drop(&mut self) {
        self.process.quit();
    }
}
