//! In which order the moves of a position are tried.

use arrayvec::ArrayVec;

use super::busy::Busy;
use super::table::{MAX_DEPTH, Table};
use crate::board::{House, MAX_HOUSES, Next, Played, Position, RowTables, Sowings};

/// A move with what it leads to.
#[derive(Clone, Copy)]
pub(super) struct Child<R> {
    pub house: House,
    pub played: Played<R>,
    rank: i32,
}

/// The moves of a position, best first as they are taken.
pub(super) struct Children<R>(ArrayVec<Child<R>, MAX_HOUSES>);

/// Seed counts that the history tells apart.
const COUNTS: usize = 16;

/// What cut-offs elsewhere in the search teach about a move: killers, the moves that refuted
/// siblings at the same ply (S. Akl and M. Newborn, 1977), and the history heuristic
/// (J. Schaeffer, 1989). A move is told by its house and the seeds in it.
pub(super) struct Refutations {
    killers: Vec<[Option<(House, u32)>; 2]>,
    history: [[i32; COUNTS]; MAX_HOUSES],
}

/// Ranks are made of layers, each outweighing all below.
const TABLE_MOVE: i32 = 1 << 30;
const EXTRA_TURN: i32 = 1 << 28;
const HALF_SEED: i32 = 1 << 16;
const KILLER: i32 = 1 << 15;
const MAX_HISTORY: i32 = 1 << 14;
/// Added to put a move last: all other ranks are 0 and above.
const LAST: i32 = -TABLE_MOVE - 1;

impl Refutations {
    pub(super) fn new() -> Refutations {
        Refutations {
            killers: vec![[None; 2]; MAX_DEPTH as usize + 1],
            history: [[0; COUNTS]; MAX_HOUSES],
        }
    }

    /// Makes ready for the next search: killers belong to plies that have moved on, old history
    /// fades.
    pub(super) fn fade(&mut self) {
        self.killers.fill([None; 2]);
        for worth in self.history.as_flattened_mut() {
            *worth /= 4;
        }
    }

    fn history_of(&mut self, house: House, seeds: u32) -> &mut i32 {
        &mut self.history[house.index()][(seeds as usize).min(COUNTS - 1)]
    }

    fn is_killer(&self, ply: usize, house: House, seeds: u32) -> bool {
        self.killers[ply].contains(&Some((house, seeds)))
    }

    /// `house` refuted the position at `ply`.
    pub(super) fn reward(&mut self, ply: usize, house: House, seeds: u32, depth: u32) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some((house, seeds)) {
            *killers = [Some((house, seeds)), killers[0]];
        }
        // Moves towards the maximum ever more slowly, so that it cannot leave its layer.
        let bonus = (depth * depth).min(1 << 10) as i32;
        let worth = self.history_of(house, seeds);
        *worth += bonus - *worth * bonus / MAX_HISTORY;
    }
}

impl<R: RowTables> Children<R> {
    /// Plays every move and asks the processor for the table entries of what comes out.
    #[inline]
    pub(super) fn new(
        position: &Position<R>,
        sowings: &Sowings<R>,
        table: &Table,
        table_move: Option<House>,
        refutations: &mut Refutations,
        ply: usize,
    ) -> Children<R> {
        let mut children = ArrayVec::new();
        for house in position.moves() {
            let seeds = position.own(house);
            let played = position.play(sowings, house);
            if played.next != Next::Over {
                table.prefetch(played.position.key());
            }
            let rank = if table_move == Some(house) {
                TABLE_MOVE
            } else if played.next == Next::Again {
                // From the right: an extra turn there spoils none of those to its left.
                EXTRA_TURN + house.index() as i32
            } else {
                // A seed kept on one's own side is worth half a seed in the store.
                let kept = played.position.opponent_seeds();
                let killer = refutations.is_killer(ply, house, seeds);
                (2 * played.banked + kept) as i32 * HALF_SEED
                    + i32::from(killer) * KILLER
                    + *refutations.history_of(house, seeds)
            };
            children.push(Child { house, played, rank });
        }
        Children(children)
    }
}

impl<R: RowTables> Children<R> {
    /// Takes the best of the moves left.
    #[inline]
    pub(super) fn take_best(&mut self) -> Option<Child<R>> {
        // Most nodes are cut after a move or two: select, do not sort.
        let best = (0..self.0.len()).max_by_key(|&i| self.0[i].rank)?;
        Some(self.0.swap_remove(best))
    }

    /// Takes the best of the moves left that no other thread is working on, or the best of all
    /// when they all are busy.
    pub(super) fn take_idle(&mut self, busy: &Busy) -> Option<Child<R>> {
        for child in &mut self.0 {
            if child.rank >= 0 && busy.contains(child.played.position.key()) {
                child.rank += LAST;
            }
        }
        self.take_best()
    }
}
