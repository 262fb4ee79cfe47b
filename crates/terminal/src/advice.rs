//! What the engines are asked, and what they say about the moves of a position.

use std::time::Duration;

use kalah::board::{Board, MAX_HOUSES, Move};
use kalah::protocol::{EngineScore, Go};
use kalah::search::{Bound, CENTISEEDS, Limits};
use kalah_command::table::signed;

/// Time for the first look at a move; it doubles with each further look, up to the last.
const FIRST_LOOK: Duration = Duration::from_millis(50);
const LAST_LOOK: Duration = Duration::from_secs(5);

/// Looks at each move after which its value is good enough for a hint.
const LOOKS_FOR_HINT: u32 = 4;

/// What an engine process is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EngineRole {
    Opponent,
    /// It finds hints and the values of moves.
    Adviser,
}

impl EngineRole {
    pub(super) const ALL: [EngineRole; 2] = [EngineRole::Opponent, EngineRole::Adviser];
}

#[derive(Clone, Debug)]
pub(super) struct EngineQuestion {
    pub(super) id: u64,
    /// The board at the start of the game, and the letters of the moves since.
    pub(super) start: Board,
    pub(super) moves: String,
    pub(super) level: u8,
    pub(super) go: Go,
}

#[derive(Clone, Debug)]
pub(super) enum ProcessReport {
    Ready {
        name: String,
        has_levels: bool,
    },
    /// Its move, which is legal, and the last exact score of its best line; a bound if there is no other.
    Answer {
        id: u64,
        best: Move,
        score: Option<EngineScore>,
    },
    /// It has ended, cannot be started, or breaks the rules of the protocol.
    Failed {
        reason: String,
    },
}

/// An engine, as far as the state knows it.
#[derive(Default)]
pub(super) struct EngineState {
    /// Its name, once it has started.
    pub(super) name: Option<String>,
    /// The search whose answer has not come.
    pub(super) search: Option<PendingSearch>,
    /// Failures since its last answer.
    pub(super) failures: u32,
}

/// A search of the current board, for a move, a hint or a value.
pub(super) struct PendingSearch {
    pub(super) id: u64,
    /// The move whose value is asked for.
    pub(super) value_of: Option<Move>,
    /// When it is too late for an answer.
    pub(super) deadline: Duration,
}

/// The value of a move, for the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveValue {
    /// The margin at the end of the game, in hundredths of a seed.
    centiseeds: i32,
    pub(super) is_proven: bool,
}

impl From<EngineScore> for MoveValue {
    fn from(score: EngineScore) -> MoveValue {
        let is_proven = score.proven && score.bound == Bound::Exact;
        MoveValue { centiseeds: score.centiseeds, is_proven }
    }
}

impl MoveValue {
    /// The margin in whole seeds.
    pub(super) fn seeds(self) -> i32 {
        let half = CENTISEEDS / 2 * self.centiseeds.signum();
        (self.centiseeds.saturating_add(half)) / CENTISEEDS
    }

    /// The seeds with their sign, as "+8"; "0" has none.
    pub(super) fn signed(self) -> String {
        signed(self.seeds())
    }

    /// As in "wins by 8, proven".
    pub(super) fn in_words(self) -> String {
        let seeds = match self.seeds() {
            0 => "ends even".to_owned(),
            seeds @ 1.. => format!("wins by {seeds}"),
            seeds => format!("loses by {}", -seeds),
        };
        format!("{seeds}, {}", if self.is_proven { "proven" } else { "estimated" })
    }
}

/// The values of all moves of a position, as they become known.
pub(super) struct MoveValues {
    board: Board,
    values: [Option<MoveValue>; MAX_HOUSES],
    looks: [u32; MAX_HOUSES],
}

impl MoveValues {
    /// Moves that end the game have their value at once.
    pub(super) fn new(board: &Board) -> MoveValues {
        let mut values =
            MoveValues { board: *board, values: [None; MAX_HOUSES], looks: [0; MAX_HOUSES] };
        for (mv, after) in board.successors() {
            if let Some(margin) = after.result_for(mv.side) {
                let value = MoveValue { centiseeds: margin * CENTISEEDS, is_proven: true };
                values.values[mv.house.index()] = Some(value);
            }
        }
        values
    }

    pub(super) fn value(&self, mv: Move) -> Option<MoveValue> {
        self.values[mv.house.index()]
    }

    /// The move to look at next, with the time for it; `None` when all values are proven.
    pub(super) fn next(&self) -> Option<(Move, Duration)> {
        let is_open = |mv: &Move| self.value(*mv).is_none_or(|value| !value.is_proven);
        let mv =
            self.board.moves().filter(is_open).min_by_key(|mv| self.looks[mv.house.index()])?;
        let doublings = self.looks[mv.house.index()].min(10);
        Some((mv, (FIRST_LOOK * (1 << doublings)).min(LAST_LOOK)))
    }

    /// A look at a move has ended with this score of the position after it.
    pub(super) fn set(&mut self, mv: Move, score: Option<EngineScore>) {
        let house = mv.house.index();
        self.looks[house] += 1;
        let mut after = self.board;
        if let (Some(score), Ok(_)) = (score, after.play(mv)) {
            let mut value = MoveValue::from(score);
            if after.side() != mv.side {
                value.centiseeds = value.centiseeds.saturating_neg();
            }
            self.values[house] = Some(value);
        }
    }

    /// The best of the moves, if all have a value; the first of equal ones.
    pub(super) fn best(&self) -> Option<(Move, MoveValue)> {
        let values = self.board.moves().map(|mv| Some((mv, self.value(mv)?)));
        let values: Vec<_> = values.collect::<Option<_>>()?;
        let key = |(_, value): &(Move, MoveValue)| (value.centiseeds, value.is_proven);
        values.into_iter().rev().max_by_key(key)
    }

    /// The best move, if the values are good enough for a hint.
    pub(super) fn hint(&self) -> Option<(Move, MoveValue)> {
        let is_good = |mv: Move| {
            self.value(mv).is_some_and(|value| value.is_proven)
                || self.looks[mv.house.index()] >= LOOKS_FOR_HINT
        };
        if self.board.moves().all(is_good) { self.best() } else { None }
    }
}

pub(super) fn go_for(time: Duration) -> Go {
    Go { limits: Limits { movetime: Some(time), ..Limits::default() }, ..Go::default() }
}

#[cfg(test)]
mod tests {
    use kalah::board::{Capture, FenError};

    use super::*;

    #[test]
    fn values_are_those_of_the_mover() -> Result<(), FenError> {
        let board = Board::from_fen("<3,0,0,1,0,3,1,1,1> S", Capture::Standard)?;
        let mut values = MoveValues::new(&board);
        let moves: Vec<Move> = board.moves().collect();
        let (a, c) = (moves[0], moves[1]);
        assert_eq!(values.best(), None);
        let score = |centiseeds, proven| EngineScore { centiseeds, bound: Bound::Exact, proven };
        assert_eq!(values.next(), Some((a, FIRST_LOOK)));
        values.set(a, Some(score(260, false)));
        assert_eq!(values.next(), Some((c, FIRST_LOOK)));
        values.set(c, Some(score(100, true)));
        assert_eq!(
            values.value(a).map(MoveValue::in_words).as_deref(),
            Some("loses by 3, estimated")
        );
        assert_eq!(values.value(c).map(MoveValue::in_words).as_deref(), Some("loses by 1, proven"));
        assert_eq!(values.best().map(|(best, _)| best), Some(c));
        assert_eq!(values.next(), Some((a, FIRST_LOOK * 2)), "proven ones are left alone");
        assert_eq!(values.hint(), None);
        for _ in 0..LOOKS_FOR_HINT {
            values.set(a, Some(score(-700, false)));
        }
        assert_eq!(values.hint().map(|(best, _)| best), Some(a));
        Ok(())
    }

    #[test]
    fn moves_that_end_the_game_have_a_value_at_once() -> Result<(), FenError> {
        let board = Board::from_fen("<3,0,0,0,0,1,1,1,1> S", Capture::Standard)?;
        let values = MoveValues::new(&board);
        let hint = values.hint().map(|(mv, value)| (mv.letter(), value.in_words()));
        assert_eq!(hint, Some(('C', "loses by 2, proven".to_owned())));
        assert_eq!(values.next(), None);
        Ok(())
    }
}
