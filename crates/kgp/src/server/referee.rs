//! A game between two agents: whose move it is, which move counts, how the game ends.

use fastrand::Rng;

use crate::wide_board::final_margin;
use kalah::board::{Board, Move, Side};
use kalah_arena::{FaultKind, Termination};
use kalah_games::{AnnotatedGame, GameOutcome, Ply};

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndReason {
    /// The houses of a side were empty, or a store had more than half of all seeds.
    PlayedOut,
    /// The last move of an agent was not one.
    IllegalMove,
    /// A ping was not answered in time.
    NoPong,
    /// The connection was lost, or the player did not come.
    Disconnected,
}

impl EndReason {
    /// The word of the arena for it.
    pub(super) fn termination(self) -> Termination {
        match self {
            EndReason::PlayedOut => Termination::PlayedOut,
            EndReason::IllegalMove => Termination::Fault(FaultKind::IllegalMove),
            EndReason::NoPong => Termination::Fault(FaultKind::Stalled),
            EndReason::Disconnected => Termination::Fault(FaultKind::Crashed),
        }
    }
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameEnd {
    /// Unknown if both players are at fault.
    pub outcome: GameOutcome,
    /// In seeds, from the view of South; `None` after a fault.
    pub margin: Option<i32>,
    pub reason: EndReason,
}

/// A game that is refereed. Moves without a choice are played as soon as they are due.
#[derive(Clone, Debug)]
pub(super) struct RefereedGame {
    /// Start, moves and result.
    game: AnnotatedGame,
    board: Board,
    end: Option<GameEnd>,
}

impl RefereedGame {
    /// A game from a board, after the legal moves of an opening.
    pub(super) fn new(board: Board, opening: &[Move]) -> RefereedGame {
        let mut game = RefereedGame { game: AnnotatedGame::new(board), board, end: None };
        for &mv in opening {
            game.play(mv, Some("opening".to_owned()));
        }
        game.play_single_moves();
        game
    }

    /// The board after the moves that were played.
    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    /// How the game has ended, if it has.
    pub(super) fn end(&self) -> Option<GameEnd> {
        self.end
    }

    /// Plies played.
    pub(super) fn plies(&self) -> usize {
        self.game.moves.len()
    }

    /// The answer to the request: the house that was chosen last, counted from 1. Without one a random
    /// legal move is played; an illegal one loses the game.
    pub(super) fn answer(
        &mut self,
        chosen: Option<u64>,
        comment: Option<String>,
        random: &mut Rng,
    ) {
        let legal: Vec<Move> = self.board.moves().collect();
        let (mv, comment) = match chosen {
            None => (random.choice(legal), comment.or(Some("random".to_owned()))),
            Some(number) => {
                let is_chosen = |mv: &Move| mv.house.index() as u64 + 1 == number;
                (legal.into_iter().find(is_chosen), comment)
            }
        };
        match mv {
            Some(mv) => {
                self.play(mv, comment);
                self.play_single_moves();
            }
            None => self.forfeit(Some(self.board.side()), EndReason::IllegalMove),
        }
    }

    /// A side loses the game, or with `None` nobody wins it.
    pub(super) fn forfeit(&mut self, loser: Option<Side>, reason: EndReason) {
        let outcome = match loser {
            Some(Side::South) => GameOutcome::North,
            Some(Side::North) => GameOutcome::South,
            None => GameOutcome::Unknown,
        };
        self.end.get_or_insert(GameEnd { outcome, margin: None, reason });
    }

    fn play_single_moves(&mut self) {
        while self.end.is_none() {
            let mut moves = self.board.moves();
            let (Some(mv), None) = (moves.next(), moves.next()) else { return };
            self.play(mv, None);
        }
    }

    fn play(&mut self, mv: Move, comment: Option<String>) {
        if self.board.play(mv).is_err() {
            return;
        }
        self.game.moves.push(Ply { mv, comment, variations: Vec::new() });
        if let Some(margin) = final_margin(&self.board) {
            let (outcome, reason) = (GameOutcome::from_margin(margin), EndReason::PlayedOut);
            self.end = Some(GameEnd { outcome, margin: Some(margin), reason });
        }
    }

    /// The game with its moves and result, without tags.
    pub(super) fn to_annotated(&self) -> AnnotatedGame {
        let result = self.end.map_or(GameOutcome::Unknown, |end| end.outcome);
        AnnotatedGame { result, ..self.game.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wide_board::WideBoard;
    use kalah::board::Rules;

    type Tested = Result<(), Box<dyn std::error::Error>>;

    fn start() -> Result<RefereedGame, kalah::board::BoardError> {
        Ok(RefereedGame::new(Board::start(Rules::default(), 4)?, &[]))
    }

    #[test]
    fn each_player_receives_the_board_as_south() -> Tested {
        let mut game = start()?;
        let mut random = Rng::with_seed(1);
        game.answer(Some(3), None, &mut random);
        assert_eq!(game.board().side(), Side::South);
        let board = WideBoard::from(game.board()).to_string();
        assert_eq!(board, "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4>");
        game.answer(Some(1), None, &mut random);
        assert_eq!(game.board().side(), Side::North);
        let board = WideBoard::from(game.board()).to_string();
        assert_eq!(board, "<6,0,1,4,4,4,4,4,4,0,5,1,6,6,5>");
        Ok(())
    }

    #[test]
    fn an_illegal_move_loses_and_no_move_is_a_random_one() -> Tested {
        let mut random = Rng::with_seed(1);
        for wrong in [0, 7, u64::MAX] {
            let mut game = start()?;
            game.answer(Some(wrong), None, &mut random);
            let end = game.end().ok_or("not over")?;
            assert_eq!((end.outcome, end.reason), (GameOutcome::North, EndReason::IllegalMove));
        }
        let mut game = start()?;
        while game.end().is_none() {
            assert!(game.board().moves().count() > 1, "a single move was sent");
            game.answer(None, None, &mut random);
        }
        let end = game.end().ok_or("not over")?;
        assert_eq!(end.margin.map(GameOutcome::from_margin), Some(end.outcome));
        assert_eq!(game.to_annotated().moves.len(), game.plies());
        Ok(())
    }
}
