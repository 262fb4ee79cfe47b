//! Which move looks best.

use crate::board::{House, Next, RowTables, Rules};

/// What speaks for a move, beside its house, the rightmost first.
///
/// Found by trial on 40 middle games of 36 to 43 seeds, solved exactly: by seeds banked and the house
/// alone these took 103 million positions, with fewer replies 84, with the extra turns that are then
/// to be had 78; without those of the opponent, which had seemed to help before, a tenth fewer still.
/// What does not depend on the position alone makes the search visit more of them, as lines then meet
/// less often: moves that refuted other positions at the same depth or after the same move, put a
/// little forward, doubled the work. The best move of an earlier visit made no difference. All is in
/// `docs/exact.md`.
const BANKED: i32 = 16 * FURTHER_RIGHT;
const NEXT_EXTRA_TURN: i32 = 4 * FURTHER_RIGHT;
const REPLY: i32 = -8 * FURTHER_RIGHT;

/// Ranks are in hundredths of a seed as [`super::look_ahead`] estimates it, which adds to them.
const FURTHER_RIGHT: i32 = 32;

/// Above all other moves.
const EXTRA_TURN: i32 = 1 << 20;

/// Tells how promising moves look.
pub(super) struct Ordering<R> {
    /// A house that earns an extra turn when it is sown holds this.
    extra_turns: R,
}

impl<R: RowTables> Ordering<R> {
    pub(super) fn new(rules: Rules) -> Ordering<R> {
        let distance = |lane| R::lane(lane, (rules.houses() - lane) as u32);
        let extra_turns = (0..rules.houses()).map(distance).fold(R::default(), R::plus);
        // Lanes that the board has not are empty, and equal.
        Ordering { extra_turns }
    }

    /// How promising a move looks that leads to these rows; the greatest comes first.
    #[inline]
    pub(super) fn rank(&self, house: House, banked: u32, next: Next, own: R, opponent: R) -> i32 {
        let right = FURTHER_RIGHT * house.index() as i32;
        match next {
            // From the right: an extra turn there spoils none of those to its left.
            Next::Again | Next::Over => EXTRA_TURN + right,
            Next::Other => {
                BANKED * banked as i32
                    + right
                    + NEXT_EXTRA_TURN * opponent.equal_lanes(self.extra_turns) as i32
                    + REPLY * own.occupied().len() as i32
            }
        }
    }
}
