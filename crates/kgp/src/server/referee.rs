//! A game between two agents: whose move it is, which move counts, how the game ends.

use fastrand::Rng;

use super::super::wide_board::WideBoard;
use kalah::board::{Board, House, Side};
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

/// A move that was played.
#[derive(Clone, Debug)]
struct PlayedMove {
    house: usize,
    comment: Option<String>,
}

/// A game that is refereed. Moves without a choice are played as soon as they are due.
#[derive(Clone, Debug)]
pub(super) struct RefereedGame {
    start: Board,
    /// From the view of the side to move.
    board: WideBoard,
    mover: Side,
    moves: Vec<PlayedMove>,
    end: Option<GameEnd>,
}

impl RefereedGame {
    /// A game from the start of a board, after the moves of an opening; those that are illegal end it.
    pub(super) fn new(start: Board, board: WideBoard, opening: &[usize]) -> RefereedGame {
        let mut game =
            RefereedGame { start, board, mover: Side::South, moves: Vec::new(), end: None };
        for &house in opening {
            game.play(house, Some("opening".to_owned()));
        }
        game.play_single_moves();
        game
    }

    /// The side to move and the board as it receives it; `None` if the game is over.
    pub(super) fn request(&self) -> Option<(Side, &WideBoard)> {
        self.end.is_none().then_some((self.mover, &self.board))
    }

    /// The side to move, or the one that was when the game ended.
    pub(super) fn mover(&self) -> Side {
        self.mover
    }

    /// How the game has ended, if it has.
    pub(super) fn end(&self) -> Option<GameEnd> {
        self.end
    }

    /// The stores of South and North, in seeds.
    pub(super) fn stores(&self) -> [u64; 2] {
        let [own, other] = self.board.stores();
        if self.mover == Side::South { [own, other] } else { [other, own] }
    }

    /// Plies played.
    pub(super) fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The answer to the request: the house that was chosen last, counted from 1. Without one a random
    /// legal move is played; an illegal one loses the game.
    pub(super) fn answer(
        &mut self,
        chosen: Option<u64>,
        comment: Option<String>,
        random: &mut Rng,
    ) {
        let legal: Vec<usize> = self.board.moves().collect();
        let house = match chosen {
            None if legal.is_empty() => return,
            None => Some(legal[random.usize(..legal.len())]),
            Some(number) => {
                let house = number.checked_sub(1).and_then(|house| usize::try_from(house).ok());
                house.filter(|house| legal.contains(house))
            }
        };
        match house {
            Some(house) => {
                let comment = comment.or_else(|| chosen.is_none().then(|| "random".to_owned()));
                self.play(house, comment);
                self.play_single_moves();
            }
            None => self.forfeit(Some(self.mover), EndReason::IllegalMove),
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
            let (Some(house), None) = (moves.next(), moves.next()) else { return };
            drop(moves);
            self.play(house, None);
        }
    }

    fn play(&mut self, house: usize, comment: Option<String>) {
        let Some(played) = self.board.play(house) else {
            return self.forfeit(Some(self.mover), EndReason::IllegalMove);
        };
        self.moves.push(PlayedMove { house, comment });
        self.board = played.board;
        if self.board.is_over() {
            let [south, north] = self.stores();
            let margin = (south as i64 - north as i64) as i32;
            let outcome = GameOutcome::of_margin(margin);
            let reason = EndReason::PlayedOut;
            self.end = Some(GameEnd { outcome, margin: Some(margin), reason });
        } else if !played.is_extra_turn {
            self.board = self.board.mirrored();
            self.mover = !self.mover;
        }
    }

    /// The game with its moves and result, without tags.
    pub(super) fn to_annotated(&self) -> AnnotatedGame {
        let mut game = AnnotatedGame::new(self.start);
        let mut board = self.start;
        for PlayedMove { house, comment } in &self.moves {
            let Some(house) = House::new(*house) else { break };
            let mv = board.move_from(house);
            if board.play(mv).is_err() {
                break;
            }
            game.moves.push(Ply { mv, comment: comment.clone(), variations: Vec::new() });
        }
        game.result = self.end.map_or(GameOutcome::Unknown, |end| end.outcome);
        game
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah::board::{Capture, Rules};

    fn game(houses: usize, seeds: u16, opening: &[usize]) -> Option<RefereedGame> {
        let start = Board::start(Rules::new(houses, Capture::Standard).ok()?, seeds).ok()?;
        Some(RefereedGame::new(start, WideBoard::start(houses, seeds.into()), opening))
    }

    #[test]
    fn each_player_receives_the_board_as_south() -> Result<(), &'static str> {
        let mut game = game(6, 4, &[]).ok_or("no game")?;
        let mut random = Rng::with_seed(1);
        game.answer(Some(3), None, &mut random);
        let (side, board) = game.request().ok_or("over")?;
        assert_eq!(
            (side, board.to_string().as_str()),
            (Side::South, "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4>")
        );
        game.answer(Some(1), None, &mut random);
        let (side, board) = game.request().ok_or("over")?;
        assert_eq!(side, Side::North);
        assert_eq!(board.to_string(), "<6,0,1,4,4,4,4,4,4,0,5,1,6,6,5>");
        Ok(())
    }

    #[test]
    fn an_illegal_move_loses_and_no_move_is_a_random_one() -> Result<(), &'static str> {
        let mut random = Rng::with_seed(1);
        for wrong in [0, 7, u64::MAX] {
            let mut game = game(6, 4, &[]).ok_or("no game")?;
            game.answer(Some(wrong), None, &mut random);
            let end = game.end().ok_or("not over")?;
            assert_eq!((end.outcome, end.reason), (GameOutcome::North, EndReason::IllegalMove));
        }
        let mut game = game(6, 4, &[]).ok_or("no game")?;
        while game.end().is_none() {
            assert!(game.request().ok_or("over")?.1.moves().count() > 1, "a single move was sent");
            game.answer(None, None, &mut random);
        }
        let end = game.end().ok_or("not over")?;
        assert_eq!(end.margin.map(GameOutcome::of_margin), Some(end.outcome));
        assert_eq!(game.to_annotated().moves.len(), game.plies());
        Ok(())
    }
}
