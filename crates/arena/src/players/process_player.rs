//! Players that are programs.

use std::io::ErrorKind;
use std::mem;
use std::ops::ControlFlow;
use std::time::Duration;

use super::{Fault, MoveEvaluation, MoveReply, MoveRequest, Player, PlayerError, RANDOM_SEED};
use kalah::StopToken;
use kalah::board::RuleSet;
use kalah::protocol::{EngineInfo, Go};
use kalah_client::{EngineCommand, UciClient, UciError};
use kalah_records::{FaultKind, PlayerSettings};

/// Waited beyond the time limit of a move, so that a reply that arrived in time is also read.
const GRACE: Duration = Duration::from_millis(1);

/// A program that speaks the protocol. It is not started again: to end is a fault.
pub(super) struct ProcessPlayer {
    client: UciClient,
    ponders: bool,
    /// The reply that it expects to its last move.
    reply: Option<String>,
    /// The moves after which it ponders, or why it cannot.
    pondering: Result<Option<String>, UciError>,
    stop: StopToken,
}

impl ProcessPlayer {
    /// Starts the program and sets its options.
    pub(super) fn start(
        player: &PlayerSettings,
        command: EngineCommand,
        rules: RuleSet,
        stop: &StopToken,
    ) -> Result<ProcessPlayer, PlayerError> {
        let mut client = UciClient::new(command, player.time_control.deadline());
        let mut start = || {
            client.set_rules(rules)?;
            if player.ponder {
                client.offer_option("Ponder", "true");
            }
            for (name, value) in &player.options {
                client.set_option(name, value)?;
            }
            client.start(stop)
        };
        start().map_err(|error| {
            let is_shortage = is_out_of_resources(&error);
            let error = PlayerError::from(error);
            if is_shortage { PlayerError::OutOfResources(error.to_string()) } else { error }
        })?;
        Ok(ProcessPlayer {
            client,
            ponders: player.ponder,
            reply: None,
            pondering: Ok(None),
            stop: stop.clone(),
        })
    }

    pub(super) fn id_name(&self) -> &str {
        self.client.id_name()
    }

    /// A fault, with the error message that the program sent before, if any.
    fn explained(&self, fault: Fault) -> PlayerError {
        Fault { detail: self.client.explained(fault.detail), ..fault }.into()
    }
}

impl From<UciError> for PlayerError {
    fn from(error: UciError) -> PlayerError {
        let kind = match error {
            UciError::Stopped => return PlayerError::Stopped,
            UciError::Ended(_) => FaultKind::Crashed,
            UciError::NoReply(_) => FaultKind::Stalled,
            UciError::IllegalMove(detail) => {
                return Fault::new(FaultKind::IllegalMove, detail).into();
            }
            error => return PlayerError::Failed(error.to_string()),
        };
        Fault::new(kind, error.to_string()).into()
    }
}

/// Whether the system has refused threads, memory or files, to this process or to the program, which
/// has ended with the system's message.
fn is_out_of_resources(error: &UciError) -> bool {
    match error {
        UciError::CannotStart { source, .. } => {
            !matches!(source.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied)
        }
        #[cfg(unix)]
        UciError::Ended(last_words) => {
            use rustix::io::Errno;
            [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NFILE].into_iter().any(|refusal| {
                let text = std::io::Error::from(refusal).to_string();
                text.split(" (os error").next().is_some_and(|text| last_words.contains(text))
            })
        }
        _ => false,
    }
}

impl Player for ProcessPlayer {
    fn threads(&self) -> usize {
        self.client.threads()
    }

    fn new_game(&mut self, rules: RuleSet, random_seed: Option<u64>) -> Result<(), PlayerError> {
        self.pondering = Ok(None);
        self.client.stop_search()?;
        self.client.set_rules(rules)?;
        if let Some(random_seed) = random_seed {
            self.client.offer_option(RANDOM_SEED, &random_seed.to_string());
        }
        Ok(self.client.new_game(&self.stop)?)
    }

    fn choose_move(&mut self, request: &MoveRequest) -> Result<MoveReply, PlayerError> {
        let moves: String = request.moves.iter().map(|mv| mv.letter()).collect();
        match mem::replace(&mut self.pondering, Ok(None))? {
            Some(expected) if expected == moves => self.client.ponder_hit(),
            _ => self.client.go(request.opening, &moves, &request.go, &self.stop)?,
        }
        let limit = request.time_limit().saturating_add(GRACE);
        let answer = self.client.answer(Some(limit), &self.stop, |_| ControlFlow::Continue(()))?;
        let Some(answer) = answer else {
            let is_stopped = self.stop.is_stopped();
            return Err(if is_stopped {
                PlayerError::Stopped
            } else {
                self.explained(request.overtime(limit))
            });
        };
        request.check_time(answer.time).map_err(|fault| self.explained(fault))?;
        self.reply = answer.ponder;
        let EngineInfo { score, depth, nodes, .. } = answer.line;
        let evaluation = MoveEvaluation { score, exact: answer.exact, depth, nodes };
        Ok(MoveReply { mv: answer.best, evaluation, time: answer.time })
    }

    fn ponder(&mut self, request: &MoveRequest) {
        let Some(reply) = self.reply.take().filter(|_| self.ponders) else { return };
        let mut board = *request.board;
        let Ok(mv) = board.parse_move(&reply) else { return };
        // It can ponder only what it is asked next.
        if board.play(mv).is_err() || board.side() == request.board.side() || board.is_over() {
            return;
        }
        let moves: String = request.moves.iter().chain([&mv]).map(|mv| mv.letter()).collect();
        let go = Go { ponder: true, ..request.go.clone() };
        let begun = self.client.go(request.opening, &moves, &go, &self.stop);
        self.pondering = begun.map(|()| Some(moves));
    }
}
