//! Kalah as a [`Game`] for the searches.

use arrayvec::ArrayVec;

use super::evaluation::Evaluation;
use super::exact_tables::ExactTables;
use super::game::{Game, ScoredMove};
use super::transposition_table::TableEntry;
use super::value::{Transition, Window};
use crate::board::{House, KeyedPosition, MAX_HOUSES, Next, Position, RowTables, Sowing, Sowings};

/// The rules of Kalah with an evaluation and, optionally, tables of exact gains.
pub(super) struct KalahGame<'a, R: RowTables> {
    pub sowings: &'static Sowings<R>,
    pub evaluation: &'a Evaluation,
    pub tables: Option<&'a ExactTables>,
}

/// A position with the number of seeds in its houses, which is updated move by move.
#[derive(Clone, Copy)]
pub(super) struct Houses<R> {
    pub position: KeyedPosition<R>,
    pub seeds: i32,
}

impl<R: RowTables> Houses<R> {
    pub(super) fn new(sowings: &Sowings<R>, position: Position<R>) -> Houses<R> {
        let seeds = position.seeds() as i32;
        Houses { position: KeyedPosition::new(sowings, position), seeds }
    }

    #[inline]
    fn position(&self) -> &Position<R> {
        self.position.position()
    }
}

impl<R: RowTables> KalahGame<'_, R> {
    #[inline]
    fn transition(
        &self,
        Houses { position, seeds }: &Houses<R>,
        house: House,
    ) -> Transition<Houses<R>> {
        let played = position.play(self.sowings, house);
        let seeds = seeds - played.banked as i32;
        let after = Houses { position: played.position, seeds };
        Transition { position: after, gain: played.won(), next: played.next }
    }
}

/// The move score of an extra turn, above that of any other move.
const EXTRA_TURN: i32 = 1 << 12;

impl<R: RowTables> Game for KalahGame<'_, R> {
    type Position = Houses<R>;
    type Move = House;
    type MoveList = ArrayVec<ScoredMove<Houses<R>, House>, MAX_HOUSES>;

    /// All gains of a position have the parity of its seeds.
    const VALUE_STEP: i32 = 2;
    const ALTERNATES: bool = false;

    #[inline]
    fn has_long_turns(&self) -> bool {
        self.sowings.rules().sowing() == Sowing::Relay
    }

    #[inline]
    fn key(&self, houses: &Houses<R>) -> u64 {
        houses.position.key()
    }

    /// The end of the game is part of the last move.
    #[inline]
    fn is_leaf(&self, _: &Houses<R>) -> bool {
        false
    }

    #[inline]
    fn evaluate(&self, Houses { position, seeds }: &Houses<R>) -> i32 {
        self.evaluation.gain(position.position(), self.sowings.rules().houses(), *seeds)
    }

    #[inline]
    fn exact_value(&self, Houses { position, seeds }: &Houses<R>) -> Option<i32> {
        self.tables?.gain_of_any(position.position(), *seeds as u32)
    }

    #[inline]
    fn for_each_move(
        &self,
        houses: &Houses<R>,
        mut visit: impl FnMut(House, Transition<Houses<R>>),
    ) {
        for house in houses.position().moves() {
            visit(house, self.transition(houses, house));
        }
    }

    #[inline]
    fn play(&self, houses: &Houses<R>, house: House) -> Option<Transition<Houses<R>>> {
        Some(self.transition(houses, house))
    }

    #[inline]
    fn play_random(
        &self,
        houses: &Houses<R>,
        pick: impl FnOnce(usize) -> usize,
    ) -> Option<Transition<Houses<R>>> {
        let picked = pick(houses.position().moves().len());
        houses.position().nth_move(picked).map(|house| self.transition(houses, house))
    }

    #[inline]
    fn move_score(
        &self,
        before: &Houses<R>,
        house: House,
        transition: &Transition<Houses<R>>,
    ) -> i32 {
        if transition.next == Next::Again {
            // From the right: an extra turn there leaves those of the houses to its left intact.
            EXTRA_TURN + house.index() as i32
        } else {
            // A seed kept on the mover's own side counts as half a seed in the store.
            let banked = before.seeds - transition.position.seeds;
            2 * banked + transition.position.position().opponent_seeds() as i32
        }
    }

    #[inline]
    fn value_range(&self, houses: &Houses<R>) -> (i32, i32) {
        (-houses.seeds, houses.seeds)
    }

    #[inline]
    fn align_window(&self, houses: &Houses<R>, window: Window) -> Window {
        window.aligned(houses.seeds)
    }

    #[inline]
    fn is_consistent(&self, houses: &Houses<R>, entry: &TableEntry<House>) -> bool {
        let gain = entry.score.gain;
        gain.abs() <= houses.seeds
            && (gain - houses.seeds) & 1 == 0
            && entry.best.is_none_or(|house| {
                house.index() < R::MAX_HOUSES && houses.position().own(house) > 0
            })
    }
}
