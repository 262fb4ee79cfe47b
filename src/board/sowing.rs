//! Precomputed sowings, once for each set of rules.

use std::cmp::Ordering;
use std::sync::OnceLock;

use super::key;
use super::row::Row;
use super::rules::{Capture, MAX_HOUSES, Rules};

/// The effect of sowing one house with a given number of seeds, before any capture.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sowing<R> {
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
    /// The lowest bit of the lane of the last seed if it falls into one of the mover's houses.
    pub last_shift: u8,
    /// All ones if the last seed falls into one of the mover's houses, otherwise zero. The seeds in
    /// the last lane, masked with this, are 1 only if a capture is possible.
    pub last_is_own: u16,
    /// Whether the last seed falls into the mover's store.
    pub ends_in_store: bool,
}

/// The sowings of all houses with all numbers of seeds under one set of rules.
#[derive(Debug)]
pub struct Sowings<R> {
    rules: Rules,
    /// Indexed by house and seeds: `house << LANE_BITS | seeds`.
    table: Box<[Sowing<R>]>,
    /// Whether the last seed is captured opposite an empty house.
    pub(crate) empty_capture: bool,
    /// The sum of the shifts of a house and the opposite house.
    pub(crate) opposite_shifts: u32,
}

impl<R: RowTables> Sowings<R> {
    /// The sowings under these rules, computed on first use; `None` if the board has more houses
    /// than the row.
    pub fn from_rules(rules: Rules) -> Option<&'static Sowings<R>> {
        let rule = rules.capture().index();
        (rules.houses() <= R::MAX_HOUSES)
            .then(|| R::tables()[rule][rules.houses() - 1].get_or_init(|| Sowings::new(rules)))
    }

    /// The rules these sowings follow.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    fn new(rules: Rules) -> Sowings<R> {
        let houses = rules.houses();
        let mut table = vec![Sowing::default(); R::MAX_HOUSES << R::LANE_BITS];
        for house in 0..houses {
            for seeds in 1..=R::MAX_SEEDS {
                table[house << R::LANE_BITS | seeds as usize] = sow(houses, house, seeds);
            }
        }
        Sowings {
            rules,
            table: table.into_boxed_slice(),
            empty_capture: rules.capture() == Capture::Empty,
            opposite_shifts: (houses as u32 - 1) * R::LANE_BITS,
        }
    }

    #[inline]
    pub(crate) fn get(&self, lane: usize, seeds: u32) -> &Sowing<R> {
        &self.table[lane << R::LANE_BITS | seeds as usize]
    }
}

/// Sows around the ring of the mover's houses, the mover's store and the opponent's houses.
fn sow<R: Row>(houses: usize, house: usize, seeds: u32) -> Sowing<R> {
    let ring = 2 * houses + 1;
    let laps = seeds / ring as u32;
    let rest = seeds as usize % ring;
    let mut sowing = Sowing {
        own: R::default().minus(R::lane(house, seeds)),
        own_key: key::of_seeds(house, seeds).wrapping_neg(),
        ..Sowing::default()
    };
    for step in 1..=ring {
        let falls = laps + u32::from(step <= rest);
        let key = |lane| key::of_seeds(lane, falls);
        let place = (house + step) % ring;
        match place.cmp(&houses) {
            Ordering::Less => {
                sowing.own = sowing.own.plus(R::lane(place, falls));
                sowing.own_key = sowing.own_key.wrapping_add(key(place));
            }
            Ordering::Equal => sowing.banked = falls as u16,
            Ordering::Greater => {
                let lane = place - houses - 1;
                sowing.opponent = sowing.opponent.plus(R::lane(lane, falls));
                sowing.opponent_key = sowing.opponent_key.wrapping_add(key(lane));
            }
        }
    }
    let last = (house + seeds as usize) % ring;
    if last < houses {
        sowing.last_shift = (last as u32 * R::LANE_BITS) as u8;
        sowing.last_is_own = u16::MAX;
    }
    sowing.ends_in_store = last == houses;
    sowing
}

/// The sowings by capture rule and number of houses.
#[doc(hidden)]
pub(super) type SowingTables<R> = [[OnceLock<Sowings<R>>; MAX_HOUSES]; 2];

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
                    [const { [const { OnceLock::new() }; MAX_HOUSES] }; 2];
                &TABLES
            }
        }
    };
}
row_tables!(u64);
row_tables!(u128);
