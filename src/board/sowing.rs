//! Precomputed sowings, once for each set of rules.

use std::cmp::Ordering;
use std::sync::OnceLock;

use super::key;
use super::row::Row;
use super::rules::{Capture, MAX_HOUSES, Rules, Sowing};

/// The effect of sowing one house with a given number of seeds, before any capture or relay.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SownHouse<R> {
    /// Added to the mover's row: empties the sown house and adds seeds to the houses passed.
    pub own: R,
    /// Added to the opponent's row.
    pub opponent: R,
    /// Added to the key of the mover's row.
    pub own_key: u64,
    /// Added to the key of the opponent's row.
    pub opponent_key: u64,
    /// Seeds that fall into the mover's store.
    pub banked: u16,
    /// All ones if the last seed falls into one of the mover's houses and may capture, otherwise zero.
    /// The seeds in the last lane, masked with this, are 1 only if a capture is possible.
    pub captures: u16,
    /// The lowest bit of the lane of the last seed if it falls into a house.
    pub last_shift: u8,
    /// The place of that house, for [`Sowings::get`].
    pub last: u8,
    pub end: SowingEnd,
}

/// What follows a sowing, unless the game is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SowingEnd {
    /// The turn passes.
    #[default]
    Pass,
    /// The last seed falls into the mover's store.
    Store,
    /// The last seed falls into a house, under relay sowing: if that held seeds, it is sown.
    Relay,
}

/// The sowings of all houses with all numbers of seeds under one set of rules.
#[derive(Debug)]
pub struct Sowings<R> {
    rules: Rules,
    /// Indexed by `place << LANE_BITS | seeds`. Under relay sowing the opponent's houses follow the mover's.
    table: Box<[SownHouse<R>]>,
    /// Whether the last seed is captured opposite an empty house.
    pub(crate) empty_capture: bool,
    /// The sum of the shifts of a house and the opposite house.
    pub(crate) opposite_shifts: u32,
}

impl Sowings<u128> {
    /// The sowings under these rules, in the row that holds every board.
    pub(super) fn widest(rules: Rules) -> &'static Sowings<u128> {
        const { assert!(<u128 as Row>::MAX_HOUSES == MAX_HOUSES) };
        Sowings::of_row(rules)
    }
}

impl<R: RowTables> Sowings<R> {
    /// The sowings under these rules, computed on first use; `None` if the row has fewer houses.
    pub fn from_rules(rules: Rules) -> Option<&'static Sowings<R>> {
        (rules.houses() <= R::MAX_HOUSES).then(|| Sowings::of_row(rules))
    }

    /// The sowings under these rules, whose houses fit the row.
    fn of_row(rules: Rules) -> &'static Sowings<R> {
        let tables = &R::tables()[rules.rule_set().index()];
        tables[rules.houses() - 1].get_or_init(|| Sowings::new(rules))
    }

    /// The rules these sowings follow.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    fn new(rules: Rules) -> Sowings<R> {
        let houses = rules.houses();
        let places = match rules.sowing() {
            Sowing::Single => houses,
            Sowing::Relay => 2 * houses,
        };
        let mut table = vec![SownHouse::default(); places << R::LANE_BITS];
        for place in 0..places {
            for seeds in 1..=R::MAX_SEEDS {
                table[place << R::LANE_BITS | seeds as usize] = sow(rules, place, seeds);
            }
        }
        Sowings {
            rules,
            table: table.into_boxed_slice(),
            empty_capture: rules.capture() == Capture::Empty,
            opposite_shifts: (houses as u32 - 1) * R::LANE_BITS,
        }
    }

    /// The sowing of a house: its lane, plus the number of houses for one of the opponent's (relay sowing).
    #[inline]
    pub(crate) fn get(&self, place: usize, seeds: u32) -> &SownHouse<R> {
        &self.table[place << R::LANE_BITS | seeds as usize]
    }

    /// Sows a house of the mover, and on under relay sowing until seeds fall into the opponent's houses:
    /// returns the mover's row before any capture, and the last sowing.
    pub(crate) fn sow_own_side(&self, row: R, lane: usize) -> (R, &SownHouse<R>) {
        let (mut row, mut lane) = (row, lane);
        loop {
            let sown = self.get(lane, row.seeds(lane));
            row = row.plus(sown.own);
            let goes_on = sown.end == SowingEnd::Relay && sown.opponent.is_empty();
            if !goes_on || row.seeds_at(u32::from(sown.last_shift)) == 1 {
                return (row, sown);
            }
            lane = usize::from(sown.last);
        }
    }
}

/// Sows around the ring of the mover's houses, the mover's store and the opponent's houses.
fn sow<R: Row>(rules: Rules, place: usize, seeds: u32) -> SownHouse<R> {
    let houses = rules.houses();
    let ring = 2 * houses + 1;
    let laps = seeds / ring as u32;
    let rest = seeds as usize % ring;
    let mut sown = SownHouse::default();
    let first = if place < houses { place } else { place + 1 };
    if let Some(lane) = first.checked_sub(houses + 1) {
        sown.opponent = R::default().minus_at(lane as u32 * R::LANE_BITS, seeds);
        sown.opponent_key = key::seeds_key(lane, seeds).wrapping_neg();
    } else {
        sown.own = R::default().minus_at(first as u32 * R::LANE_BITS, seeds);
        sown.own_key = key::seeds_key(first, seeds).wrapping_neg();
    }
    for step in 1..=ring {
        let falls = laps + u32::from(step <= rest);
        let key = |lane| key::seeds_key(lane, falls);
        let place = (first + step) % ring;
        match place.cmp(&houses) {
            Ordering::Less => {
                sown.own = sown.own.plus(R::lane(place, falls));
                sown.own_key = sown.own_key.wrapping_add(key(place));
            }
            Ordering::Equal => sown.banked = falls as u16,
            Ordering::Greater => {
                let lane = place - houses - 1;
                sown.opponent = sown.opponent.plus(R::lane(lane, falls));
                sown.opponent_key = sown.opponent_key.wrapping_add(key(lane));
            }
        }
    }
    let last = (first + seeds as usize) % ring;
    if last == houses {
        sown.end = SowingEnd::Store;
        return sown;
    }
    let lane = if last < houses { last } else { last - houses - 1 };
    sown.last_shift = (lane as u32 * R::LANE_BITS) as u8;
    sown.last = if last < houses { lane } else { houses + lane } as u8;
    match rules.sowing() {
        Sowing::Single if last < houses => sown.captures = u16::MAX,
        Sowing::Single => {}
        Sowing::Relay => sown.end = SowingEnd::Relay,
    }
    sown
}

/// The sowings by rule set and number of houses.
#[doc(hidden)]
pub(super) type SowingTables<R> = [[OnceLock<Sowings<R>>; MAX_HOUSES]; 3];

/// Rows with a static table of sowings.
pub trait RowTables: Row {
    /// The table, filled on first use.
    #[doc(hidden)]
    fn tables() -> &'static SowingTables<Self>;
}

macro_rules! row_tables {
    ($word:ty) => {
        impl RowTables for $word {
            fn tables() -> &'static SowingTables<$word> {
                static TABLES: SowingTables<$word> =
                    [const { [const { OnceLock::new() }; MAX_HOUSES] }; 3];
                &TABLES
            }
        }
    };
}
row_tables!(u64);
row_tables!(u128);
