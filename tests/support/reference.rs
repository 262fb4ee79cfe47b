//! Kalah played one seed at a time, straight from the rules: slow, and short enough to be
//! checked by eye. What the packed board does is measured against this.

// Included by the test suite and by a benchmark, neither of which uses all of it.
#![allow(dead_code)]

use kalah::board::{Capture, RuleSet, Side, Sowing};

/// A board as plain counts, by side and then from the owner's left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) rule_set: RuleSet,
    /// The player to move; at the end of the game, the player who sowed last.
    pub(crate) side: Side,
    pub(crate) houses: [Vec<u16>; 2],
    pub(crate) stores: [u16; 2],
}

/// Where a seed can fall; the opponent's store is no such place.
#[derive(Clone, Copy)]
enum Place {
    House(Side, usize),
    OwnStore,
}

impl Reference {
    pub(crate) fn start(houses: usize, seeds: u16, rule_set: impl Into<RuleSet>) -> Reference {
        let (row, rule_set) = (vec![seeds; houses], rule_set.into());
        Reference { rule_set, side: Side::South, houses: [row.clone(), row], stores: [0, 0] }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.houses.iter().any(|row| row.iter().all(|&seeds| seeds == 0))
    }

    /// South's margin at the end of the game.
    pub(crate) fn result(&self) -> Option<i32> {
        let [south, north] = [Side::South, Side::North].map(|side| {
            let seeds = self.houses[side.index()].iter().chain([&self.stores[side.index()]]);
            seeds.map(|&seeds| i32::from(seeds)).sum::<i32>()
        });
        self.is_over().then_some(south - north)
    }

    pub(crate) fn moves(&self) -> Vec<usize> {
        if self.is_over() {
            return Vec::new();
        }
        let row = &self.houses[self.side.index()];
        (0..row.len()).filter(|&house| row[house] > 0).collect()
    }

    pub(crate) fn play(&mut self, house: usize) {
        let mover = self.side;
        let mut hand = std::mem::take(&mut self.houses[mover.index()][house]);
        let mut place = Place::House(mover, house);
        while hand > 0 {
            place = self.next(place);
            hand -= 1;
            let Place::House(side, house) = place else {
                self.stores[mover.index()] += 1;
                continue;
            };
            self.houses[side.index()][house] += 1;
            let held = self.houses[side.index()][house] > 1;
            if hand == 0 && held && self.rule_set.sowing() == Sowing::Relay {
                hand = std::mem::take(&mut self.houses[side.index()][house]);
            }
        }
        if let Place::House(side, last) = place
            && self.rule_set.sowing() == Sowing::Single
            && side == mover
            && self.houses[mover.index()][last] == 1
        {
            self.capture_from(last);
        }
        if self.is_over() {
            self.sweep();
        } else if !matches!(place, Place::OwnStore) {
            self.side = !mover;
        }
    }

    fn next(&self, place: Place) -> Place {
        let last = self.houses[0].len() - 1;
        match place {
            Place::House(side, house) if house < last => Place::House(side, house + 1),
            Place::House(side, _) if side == self.side => Place::OwnStore,
            Place::House(..) => Place::House(self.side, 0),
            Place::OwnStore => Place::House(!self.side, 0),
        }
    }

    fn capture_from(&mut self, last: usize) {
        let (mover, other) = (self.side.index(), (!self.side).index());
        let opposite = self.houses[0].len() - 1 - last;
        if self.houses[other][opposite] > 0 || self.rule_set.capture() == Capture::Empty {
            self.stores[mover] += self.houses[mover][last] + self.houses[other][opposite];
            self.houses[mover][last] = 0;
            self.houses[other][opposite] = 0;
        }
    }

    fn sweep(&mut self) {
        for side in 0..2 {
            self.stores[side] += self.houses[side].iter().sum::<u16>();
            self.houses[side].fill(0);
        }
    }

    /// The number of leaves `depth` plies below; a finished game is one leaf at any depth.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 || self.is_over() {
            return 1;
        }
        let after = |house| {
            let mut board = self.clone();
            board.play(house);
            board
        };
        self.moves().into_iter().map(|house| after(house).perft(depth - 1)).sum()
    }
}
