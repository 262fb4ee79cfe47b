//! A game: players are asked in turn, and what they answer is checked.

use super::adjudication::{Prover, ResignRule, Resignation};
use super::players::{Answer, Fault, FaultKind, GameSetup, Player, Task, Trouble};
use super::players::{GameClock, TimeControl};
use super::records::{GameResult, MoveRecord, ScoreBound, Termination};
use crate::board::{Board, Move, Side};

/// How a game went.
pub(super) struct Played {
    pub moves: Vec<MoveRecord>,
    pub result: GameResult,
    /// From the view of South.
    pub margin: Option<i32>,
    pub reason: Termination,
    /// Whose fault ended the game, and what it was.
    pub fault: Option<(Side, Fault)>,
}

impl Played {
    /// A game that a player lost by a fault.
    pub(super) fn lost_by(side: Side, fault: Fault, moves: Vec<MoveRecord>) -> Played {
        let (result, reason) = (GameResult::lost_by(side), Termination::Fault(fault.kind));
        Played { moves, result, margin: None, reason, fault: Some((side, fault)) }
    }
}

/// A player sits down to a game.
pub(super) struct Contestant<'a> {
    pub player: &'a mut dyn Player,
    pub time_control: &'a TimeControl,
    pub random_seed: u64,
}

/// Sees to it that games are played by the rules.
#[derive(Default)]
pub(super) struct Referee {
    pub resign: Option<ResignRule>,
    pub prover: Option<Prover>,
}

/// Why a game has ended.
enum End {
    Margin(i32, Termination),
    Resigned(Side),
    Fault(Side, Fault),
}

impl Referee {
    /// Plays a game; South first in `players`. `None` when it was interrupted.
    pub(super) fn play(
        &mut self,
        opening: &Board,
        mut players: [Contestant<'_>; 2],
    ) -> Option<Played> {
        let mut moves = Vec::new();
        Some(match self.play_on(opening, &mut players, &mut moves)? {
            End::Margin(margin, reason) => {
                let result = GameResult::of_margin(margin);
                Played { moves, result, margin: Some(margin), reason, fault: None }
            }
            End::Resigned(side) => {
                let (result, reason) = (GameResult::lost_by(side), Termination::Resigned);
                Played { moves, result, margin: None, reason, fault: None }
            }
            End::Fault(side, fault) => Played::lost_by(side, fault, moves),
        })
    }

    fn play_on(
        &mut self,
        opening: &Board,
        players: &mut [Contestant<'_>; 2],
        records: &mut Vec<MoveRecord>,
    ) -> Option<End> {
        let capture = opening.rules().capture();
        for (side, contestant) in Side::ALL.into_iter().zip(players.iter_mut()) {
            let setup = GameSetup { capture, random_seed: contestant.random_seed };
            match contestant.player.prepare(&setup) {
                Ok(()) => {}
                Err(Trouble::Fault(fault)) => return Some(End::Fault(side, fault)),
                Err(Trouble::Interrupted) => return None,
            }
        }
        if let Some(prover) = &mut self.prover {
            prover.clear();
        }
        let mut resignation = self.resign.map(Resignation::new);
        let mut clocks = [0, 1].map(|side| GameClock::new(players[side].time_control));
        let mut board = *opening;
        let mut moves: Vec<Move> = Vec::new();
        loop {
            if let Some(margin) = board.result() {
                return Some(End::Margin(margin, Termination::PlayedOut));
            }
            if let Some(margin) = self.prover.as_mut().and_then(|prover| prover.prove(&board)) {
                return Some(End::Margin(margin, Termination::Adjudicated));
            }
            let side = board.side();
            let Contestant { player, time_control, .. } = &mut players[side.index()];
            let clock = &clocks[side.index()];
            let task = Task {
                opening,
                moves: &moves,
                board: &board,
                go: clock.go(side, &clocks[(!side).index()]),
                forfeit_after: clock.forfeit_after(),
                deadline: time_control.deadline(),
            };
            let Answer { house, thought, time } = match player.think(&task) {
                Ok(answer) => answer,
                Err(Trouble::Fault(fault)) => return Some(End::Fault(side, fault)),
                Err(Trouble::Interrupted) => return None,
            };
            clocks[side.index()].stop(time);
            records.push(MoveRecord {
                letter: house.letter(side),
                score: thought.score.map(|score| score.centiseeds),
                bound: thought.score.and_then(|score| ScoreBound::of(score.bound)),
                proven: thought.score.is_some_and(|score| score.proven),
                depth: thought.depth,
                nodes: thought.nodes,
                time: (time.as_secs_f64() * 1e6).round() / 1e3,
            });
            moves.push(Move { side, house });
            if let Err(illegal) = board.play(house) {
                let fault = Fault::new(FaultKind::IllegalMove, illegal.to_string());
                return Some(End::Fault(side, fault));
            }
            if let Some(resignation) = &mut resignation
                && !board.is_over()
                && resignation.hear(side, &thought)
            {
                return Some(End::Resigned(side));
            }
        }
    }
}
