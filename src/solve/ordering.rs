//! Move ordering: static scores, refined by a shallow search where much is left to search.

use std::cmp::Reverse;

use super::frame::Successor;
use super::shallow_search::{INFINITE, ShallowSearch};
use crate::board::{House, Next, RowTables, Rules, Sowings};
use crate::search::CENTISEEDS;

// The weights of the static scores were tuned on 40 middle games of 36 to 43 seeds, solved exactly.
// With seeds banked and the house alone these took 103 million positions, with fewer replies 84,
// with the mover's next extra turns 78; without the opponent's extra turns, which had seemed to help
// before, a tenth fewer still. Anything that does not depend on the position alone makes the search
// visit more positions, as lines then transpose less often: killers and countermoves, put a little
// forward, doubled the work. The table move made no difference. `docs/notebook/solver.md` has all figures.

/// For each house further right. Scores are hundredths of a seed as the [`ShallowSearch`] estimates
/// it, which adds to them.
const FURTHER_RIGHT: i32 = 32;
/// For each seed banked.
const BANKED: i32 = 16 * FURTHER_RIGHT;
/// For each house that earns the mover an extra turn on the next move.
const NEXT_EXTRA_TURN: i32 = 4 * FURTHER_RIGHT;
/// For each reply of the opponent.
const REPLY: i32 = -8 * FURTHER_RIGHT;
/// For an extra turn or the end of the game: above all other moves.
const EXTRA_TURN: i32 = 1 << 20;

/// Scores moves by how promising they look.
pub(super) struct MoveScores<R> {
    /// In each lane the seeds that earn an extra turn when the house is sown.
    extra_turns: R,
    shallow_search: Option<ShallowSearch>,
    /// The fewest seeds in the houses for which a shallow search pays.
    min_seeds: u32,
}

impl<R: RowTables> MoveScores<R> {
    /// Scores for a search that ends at positions with `endgame_seeds` seeds.
    pub(super) fn new(rules: Rules, endgame_seeds: u32) -> MoveScores<R> {
        let distance = |lane| R::lane(lane, (rules.houses() - lane) as u32);
        // Lanes beyond the board are zero in rows as well, and so compare as equal: the same for
        // all moves.
        let extra_turns = (0..rules.houses()).map(distance).fold(R::default(), R::plus);
        // The plain evaluation would save nothing.
        let shallow_search = ShallowSearch::learned(rules);
        let min_seeds = endgame_seeds + MIN_SEEDS_BEYOND_ENDGAMES;
        MoveScores { extra_turns, shallow_search, min_seeds }
    }

    /// The static score of a move that leads to these rows.
    #[inline]
    pub(super) fn score(&self, house: House, banked: u32, next: Next, own: R, opponent: R) -> i32 {
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

    /// Adds estimated gains to the scores of the moves that pass the turn, if the position has
    /// enough seeds for that to pay. Returns whether it has. The first of these moves is then
    /// right; the scores of the others may be too high.
    #[inline]
    pub(super) fn add_shallow_scores(
        &self,
        sowings: &Sowings<R>,
        seeds: u32,
        moves: &mut [Successor<R>],
    ) -> bool {
        let Some(search) = &self.shallow_search else { return false };
        let Some(more) = seeds.checked_sub(self.min_seeds) else { return false };
        add_estimates(search, sowings, moves, (more / SEEDS_PER_PLY).min(MAX_PLIES));
        true
    }
}

#[inline(never)]
fn add_estimates<R: RowTables>(
    search: &ShallowSearch,
    sowings: &Sowings<R>,
    moves: &mut [Successor<R>],
    plies: u32,
) {
    moves.sort_unstable_by_key(|successor| Reverse(successor.score));
    let mut best: Option<i32> = None;
    let mut nodes = 0;
    for successor in moves.iter_mut().filter(|it| it.effect.next == Next::Other) {
        let won = CENTISEEDS * successor.effect.won;
        // With a smaller gain the move stays behind the best.
        let min_gain = best.map_or(-INFINITE, |best| best - successor.score);
        let (position, beta) = (successor.position(sowings), won - min_gain);
        let seeds = successor.seeds;
        let gain = search.gain(sowings, &position, seeds, plies, (-INFINITE, beta), &mut nodes);
        successor.score += won - gain;
        best = best.max(Some(successor.score));
    }
}

/// One more ply for this many more seeds in the houses. Both multiply what there is to search.
const SEEDS_PER_PLY: u32 = 6;

/// From this many seeds more than in the tablebase on the shallow search pays, at depth 0.
const MIN_SEEDS_BEYOND_ENDGAMES: u32 = 8;

const MAX_PLIES: u32 = 4;
