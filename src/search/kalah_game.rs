//! Kalah as the searches see it.

use arrayvec::ArrayVec;

use super::evaluation::Evaluation;
use super::exact_tables::ExactTables;
use super::game::{Game, ScoredMove};
use super::memory::TableEntry;
use super::step::Transition;
use super::value::Window;
use crate::board::{House, MAX_HOUSES, Next, Position, RowTables, Sowings};

/// The rules and the evaluation of a game of Kalah.
pub(super) struct Kalah<'a, R: RowTables> {
    pub sowings: &'static Sowings<R>,
    pub evaluation: &'a Evaluation,
    /// Where positions with few seeds are looked up, if anywhere.
    pub tables: Option<&'a ExactTables>,
}

/// A position with the seeds in its houses, which need not be counted at each of them.
#[derive(Clone, Copy)]
pub(super) struct Houses<R> {
    pub position: Position<R>,
    pub seeds: i32,
}

impl<'a, R: RowTables> Kalah<'a, R> {
    /// For searches that look nothing up.
    pub(super) fn without_tables(sowings: &'static Sowings<R>, evaluation: &'a Evaluation) -> Self {
        Kalah { sowings, evaluation, tables: None }
    }

    #[inline]
    fn step(&self, Houses { position, seeds }: &Houses<R>, house: House) -> Transition<Houses<R>> {
        let played = position.play(self.sowings, house);
        let seeds = seeds - played.banked as i32;
        let after = Houses { position: played.position, seeds };
        Transition { position: after, gain: played.won(), next: played.next }
    }
}

/// Seed counts that features tell apart.
const COUNTS: usize = 16;

/// The rank of an extra turn, above those of all other moves.
const EXTRA_TURN: i32 = 1 << 12;

impl<R: RowTables> Game for Kalah<'_, R> {
    type Position = Houses<R>;
    type Move = House;
    type MoveList = ArrayVec<ScoredMove<Houses<R>, House>, MAX_HOUSES>;

    /// Gains of a position have the parity of its seeds.
    const VALUE_STEP: i32 = 2;
    const ALTERNATES: bool = false;
    const HISTORY_SIZE: usize = MAX_HOUSES * COUNTS;

    #[inline]
    fn key(&self, houses: &Houses<R>) -> u64 {
        houses.position.key()
    }

    /// The end of the game is part of the step that leads there.
    #[inline]
    fn is_leaf(&self, _: &Houses<R>) -> bool {
        false
    }

    #[inline]
    fn evaluate(&self, Houses { position, seeds }: &Houses<R>) -> i32 {
        self.evaluation.gain(position, self.sowings.rules().houses(), *seeds)
    }

    #[inline]
    fn exact_value(&self, Houses { position, seeds }: &Houses<R>) -> Option<i32> {
        self.tables?.gain_of_any(position, *seeds as u32)
    }

    #[inline]
    fn for_each_move(&self, houses: &Houses<R>, mut see: impl FnMut(House, Transition<Houses<R>>)) {
        for house in houses.position.moves() {
            see(house, self.step(houses, house));
        }
    }

    #[inline]
    fn play(&self, houses: &Houses<R>, house: House) -> Option<Transition<Houses<R>>> {
        Some(self.step(houses, house))
    }

    #[inline]
    fn play_random(
        &self,
        houses: &Houses<R>,
        draw: impl FnOnce(usize) -> usize,
    ) -> Option<Transition<Houses<R>>> {
        let mut moves = houses.position.moves();
        let drawn = draw(moves.len());
        moves.nth(drawn).map(|house| self.step(houses, house))
    }

    #[inline]
    fn move_score(&self, before: &Houses<R>, house: House, step: &Transition<Houses<R>>) -> i32 {
        if step.next == Next::Again {
            // From the right: an extra turn there spoils none of those to its left.
            EXTRA_TURN + house.index() as i32
        } else {
            // A seed kept on one's own side is worth half a seed in the store.
            let banked = before.seeds - step.position.seeds;
            2 * banked + step.position.position.opponent_seeds() as i32
        }
    }

    #[inline]
    fn history_index(&self, houses: &Houses<R>, house: House) -> usize {
        let seeds = houses.position.own(house) as usize;
        house.index() * COUNTS + seeds.min(COUNTS - 1)
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
            && entry.best.is_none_or(|house| houses.position.own(house) > 0)
    }
}
