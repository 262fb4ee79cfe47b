//! What a proof claims about positions, and how a claim follows from others.

use std::fmt::{self, Display};

use super::plain_position::{PlainMove, PlainPosition};
use crate::board::{MAX_HOUSES, Next, Rules};
use crate::tablebase::Tablebase;

/// The claim that the gain of a position reaches a target, or that it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub position: PlainPosition,
    /// Seeds in the houses.
    pub seeds: u32,
    /// Of the parity of the seeds.
    pub target: i32,
    pub is_reached: bool,
}

impl Claim {
    /// The claim about the position after a move from which, for that move, this one follows.
    #[inline]
    pub(crate) fn after(&self, played: &PlainMove) -> Claim {
        let PlainMove { position, won, taken, next } = *played;
        let seeds = self.seeds - taken;
        match next {
            // Gains of one position are two apart: less than the target is at most two less.
            Next::Other => {
                let (target, is_reached) = (won - self.target + 2, !self.is_reached);
                Claim { position, seeds, target, is_reached }
            }
            Next::Again | Next::Over => {
                Claim { position, seeds, target: self.target - won, is_reached: self.is_reached }
            }
        }
    }

    /// The moves from the right, each with its house and the claim after it.
    #[inline]
    pub(crate) fn moves(
        &self,
        rules: Rules,
    ) -> impl DoubleEndedIterator<Item = (usize, PlainMove, Claim)> {
        let houses = (0..rules.houses()).rev().filter(|&house| self.position.own[house] > 0);
        houses.map(move |house| {
            let played = self.position.play(rules, house);
            (house, played, self.after(&played))
        })
    }

    /// The claim as text, with the board seen from South.
    pub(crate) fn text(&self, rules: Rules) -> ClaimText {
        ClaimText { claim: *self, houses: rules.houses() }
    }
}

/// A claim in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimText {
    claim: Claim,
    houses: usize,
}

impl Display for ClaimText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Claim { position, target, is_reached, .. } = &self.claim;
        write!(f, "the gain of <{},0,0", self.houses)?;
        for row in [position.own, position.opponent] {
            row.iter().take(self.houses).try_for_each(|seeds| write!(f, ",{seeds}"))?;
        }
        let relation = if *is_reached { "at least" } else { "less than" };
        write!(f, "> S is {relation} {target}")
    }
}

/// The tablebase of a proof: the gains of all positions with up to a number of seeds.
#[derive(Clone, Copy)]
pub(crate) struct EndgameGains<'a> {
    pub tablebase: Option<&'a Tablebase>,
    /// The most seeds that the proof uses it for; no more than it has.
    pub seeds: u32,
}

impl EndgameGains<'_> {
    /// The gain of a position with at most as many seeds as the table has.
    #[inline]
    pub(crate) fn gain(&self, position: &PlainPosition) -> Option<i32> {
        // Eight houses, the leftmost in the lowest byte.
        let row = |row: &[u8; MAX_HOUSES]| row.first_chunk().map(|row| u64::from_le_bytes(*row));
        Some(self.tablebase?.gain_of_rows(row(&position.own)?, row(&position.opponent)?))
    }

    /// Whether the gain of a position reaches a target, where that needs no search.
    #[inline]
    pub(crate) fn decide(&self, position: &PlainPosition, seeds: u32, target: i32) -> Option<bool> {
        let max_gain = seeds as i32;
        if target <= -max_gain || target > max_gain {
            return Some(target <= -max_gain);
        }
        if seeds <= self.seeds
            && let Some(gain) = self.gain(position)
        {
            return Some(gain >= target);
        }
        position.is_over().then(|| position.final_gain() >= target)
    }
}
