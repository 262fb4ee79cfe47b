//! Plays one game: asks the players for moves in turn and checks them.

use crate::{
    Adjudicator, Fault, GameClock, MoveEvaluation, MoveReply, MoveRequest, Player, PlayerError,
    ResignTracker,
};
use kalah::StopToken;
use kalah::board::{Board, Move, Side};
use kalah_records::{
    FaultKind, GameResult, MoveRecord, ResignRule, ScoreBound, Termination, TimeControl,
};

pub(super) struct PlayedGame {
    pub moves: Vec<MoveRecord>,
    pub result: GameResult,
    /// In seeds, from the view of South.
    pub margin: Option<i32>,
    pub reason: Termination,
    /// The fault that ended the game, and the side that committed it.
    pub fault: Option<(Side, Fault)>,
}

impl PlayedGame {
    fn new(result: GameResult, reason: Termination) -> PlayedGame {
        PlayedGame { moves: Vec::new(), result, margin: None, reason, fault: None }
    }

    fn with_margin(margin: i32, reason: Termination) -> PlayedGame {
        let game = PlayedGame::new(GameResult::from_margin(margin), reason);
        PlayedGame { margin: Some(margin), ..game }
    }

    pub(super) fn lost_by(side: Side, fault: Fault) -> PlayedGame {
        let game = PlayedGame::new(GameResult::lost_by(side), Termination::Fault(fault.kind));
        PlayedGame { fault: Some((side, fault)), ..game }
    }

    /// The end of a game in which a player returned an error, as [`Referee::play`] returns it.
    fn ended_by(side: Side, error: PlayerError) -> Result<Option<PlayedGame>, (Side, String)> {
        match error {
            PlayerError::Fault(fault) => Ok(Some(PlayedGame::lost_by(side, fault))),
            PlayerError::Failed(reason) | PlayerError::OutOfResources(reason) => {
                Err((side, reason))
            }
            PlayerError::Stopped => Ok(None),
        }
    }
}

pub(super) struct Contestant<'a> {
    pub player: &'a mut dyn Player,
    pub time_control: &'a TimeControl,
    pub random_seed: Option<u64>,
}

/// Plays games by the rules, with adjudication and resignation as set.
pub(super) struct Referee {
    pub resign: Option<ResignRule>,
    pub adjudicator: Option<Adjudicator>,
    pub stop: StopToken,
}

impl Referee {
    /// Plays a game and passes on each move; South is first in `players`. `None` if it was stopped. An error is
    /// this program's own, not a player's: nobody has lost.
    pub(super) fn play(
        &mut self,
        opening: &Board,
        mut players: [Contestant<'_>; 2],
        on_move: impl Fn(Side, &Board, &MoveEvaluation),
    ) -> Result<Option<PlayedGame>, (Side, String)> {
        let rules = opening.rules().rule_set();
        for (side, contestant) in Side::ALL.into_iter().zip(&mut players) {
            if let Err(error) = contestant.player.new_game(rules, contestant.random_seed) {
                return PlayedGame::ended_by(side, error);
            }
        }
        if let Some(adjudicator) = &mut self.adjudicator {
            adjudicator.clear();
        }
        let mut resign_tracker = self.resign.map(ResignTracker::new);
        let mut clocks = [0, 1].map(|side| GameClock::new(players[side].time_control));
        let mut board = *opening;
        let mut moves: Vec<Move> = Vec::new();
        let mut records = Vec::new();
        let game = loop {
            if let Some(margin) = board.result() {
                break PlayedGame::with_margin(margin, Termination::PlayedOut);
            }
            let adjudicator = self.adjudicator.as_mut();
            if let Some(margin) =
                adjudicator.and_then(|adjudicator| adjudicator.prove(&board, &self.stop))
            {
                break PlayedGame::with_margin(margin, Termination::Adjudicated);
            }
            let side = board.side();
            let player = &mut players[side.index()].player;
            let request = MoveRequest::new(opening, &moves, &board, side, &clocks);
            let MoveReply { mv, evaluation, time } = match player.choose_move(&request) {
                Ok(reply) => reply,
                Err(error) => match PlayedGame::ended_by(side, error)? {
                    Some(game) => break game,
                    None => return Ok(None),
                },
            };
            clocks[side.index()].stop(time);
            records.push(MoveRecord {
                letter: mv.letter(),
                score: evaluation.score.map(|score| score.centiseeds),
                bound: evaluation.score.and_then(|score| ScoreBound::of(score.bound)),
                proven: evaluation.score.is_some_and(|score| score.proven),
                depth: evaluation.depth,
                nodes: evaluation.nodes,
                time: (time.as_secs_f64() * 1e6).round() / 1e3,
            });
            moves.push(mv);
            if let Err(illegal) = board.play(mv) {
                let fault = Fault::new(FaultKind::IllegalMove, illegal.to_string());
                break PlayedGame::lost_by(side, fault);
            }
            on_move(side, &board, &evaluation);
            if board.side() != side && !board.is_over() {
                let next = MoveRequest::new(opening, &moves, &board, side, &clocks);
                player.ponder(&next);
            }
            if let Some(resign_tracker) = &mut resign_tracker
                && !board.is_over()
                && resign_tracker.resigns(side, &evaluation)
            {
                break PlayedGame::new(GameResult::lost_by(side), Termination::Resigned);
            }
        };
        Ok(Some(PlayedGame { moves: records, ..game }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use kalah::board::{RuleSet, Rules};

    /// Plays this number of moves and then fails.
    struct Failing(usize);

    impl Player for Failing {
        fn new_game(&mut self, _: RuleSet, _: Option<u64>) -> Result<(), PlayerError> {
            Ok(())
        }

        fn choose_move(&mut self, request: &MoveRequest) -> Result<MoveReply, PlayerError> {
            let failed = || PlayerError::Failed("out of order".to_owned());
            self.0 = self.0.checked_sub(1).ok_or_else(failed)?;
            let mv = request.board.moves().next().ok_or_else(failed)?;
            Ok(MoveReply { mv, evaluation: MoveEvaluation::default(), time: Duration::ZERO })
        }
    }

    #[test]
    fn a_game_in_which_a_part_of_this_program_fails_has_no_result()
    -> Result<(), Box<dyn std::error::Error>> {
        let opening = Board::start(Rules::default(), 4)?;
        let (stop, time_control) = (StopToken::new(), TimeControl::default());
        let mut referee = Referee { resign: None, adjudicator: None, stop };
        let mut play = |south, north| {
            let mut players = [Failing(south), Failing(north)];
            let contestants = players.each_mut().map(|player| Contestant {
                player,
                time_control: &time_control,
                random_seed: None,
            });
            let played = referee.play(&opening, contestants, |_, _, _| {});
            played.map(|played| played.is_some())
        };
        assert_eq!(play(2, 1000), Err((Side::South, "out of order".to_owned())));
        assert_eq!(play(1000, 0), Err((Side::North, "out of order".to_owned())));
        assert_eq!(play(1000, 1000), Ok(true));
        Ok(())
    }
}
