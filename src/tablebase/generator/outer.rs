//! The moves that lead to smaller layers.

use std::array;
use std::ops::Range;

use super::runs::Runs;
use super::strip::Strip;
use super::{Builder, Lower, NOTHING, negated};
use crate::board::Row;
use crate::sys::prefetch;
use crate::tablebase::transpose::SIDE;

/// A move of a row against all rows of the other side.
struct Move<'a> {
    /// Where among the rows that are worked out together its row is.
    line: usize,
    banked: u8,
    kind: Kind<'a>,
}

enum Kind<'a> {
    /// The other side is as it was, and the mover plays again.
    Again { start: usize },
    /// The other side changes, and plays. By captured seeds, `starts` of [`Moves`] say where the
    /// gains begin.
    Other { runs: &'a Runs, starts: Range<usize>, fewest: u8 },
    /// What is too rare to have a better way than one row of the other side at a time.
    Each { row: u64, house: usize },
}

/// The moves of some rows.
#[derive(Default)]
struct Moves<'a> {
    moves: Vec<Move<'a>>,
    starts: Vec<usize>,
}

impl Builder<'_> {
    /// The best of the moves that lead to smaller layers, for each position of a block.
    pub(super) fn fill_outer(&self, own: u32, opponent: u32, block: &mut [u8], lower: Lower<'_>) {
        let (side, other) = (&self.sides[own as usize], &self.sides[opponent as usize]);
        let columns = other.rows.len();
        let mut moves = Moves::default();
        // What is in the order of G's columns, by line.
        let mut mirrored = vec![NOTHING; SIDE * columns];
        let mut gathered = vec![NOTHING; columns + Runs::SLACK];
        let mut strip = Strip::new(columns);
        for (rows, block) in side.rows.chunks(SIDE).zip(block.chunks_mut(SIDE * columns)) {
            self.collect(rows, opponent, &mut moves);
            mirrored.fill(NOTHING);
            for (i, played) in moves.moves.iter().enumerate() {
                if let Some(next) = moves.moves.get(i + 1) {
                    next.prefetch(&moves.starts, lower);
                }
                let line = played.line * columns..(played.line + 1) * columns;
                let banked = played.banked;
                match &played.kind {
                    Kind::Again { start } => {
                        for (best, &gain) in block[line].iter_mut().zip(&lower.f[*start..]) {
                            *best = (*best).max(gain.wrapping_add(banked));
                        }
                    }
                    Kind::Other { runs, starts, fewest } => {
                        let starts = &moves.starts[starts.clone()];
                        runs.gather(lower.g, starts, &mut gathered);
                        let best = &mut mirrored[line];
                        // Captures have at least two places to begin at.
                        if starts.len() == 1 {
                            raise_all(best, &gathered, banked);
                        } else {
                            capture_all(best, &gathered, &runs.captured, banked, *fewest);
                        }
                    }
                    Kind::Each { row, house } => {
                        self.play_each(*row, *house, opponent, &mut block[line], lower);
                    }
                }
            }
            strip.take(&mirrored, &array::from_fn(|i| i));
            strip.give(
                |rank| other.mirrored[rank] as usize,
                block,
                &array::from_fn(|i| i.min(rows.len() - 1)),
                |best, gain| *best = (*best).max(gain),
            );
        }
    }

    /// The moves of some rows that lead to smaller layers.
    fn collect<'a>(&'a self, rows: &[u64], opponent: u32, moves: &mut Moves<'a>) {
        moves.moves.clear();
        moves.starts.clear();
        // A house at a time: what neighbours lead to lies close together.
        for house in 0..self.rules.houses() {
            for (line, row) in rows.iter().enumerate() {
                if row.seeds(house) == 0 {
                    continue;
                }
                let sowing = self.sowings.get(house, row.seeds(house));
                let lands_alone = self.lands_alone(*row, house);
                if sowing.banked == 0 && !lands_alone {
                    continue;
                }
                let after = row.plus(sowing.own);
                let banked = sowing.banked as u8 + u8::from(lands_alone);
                let kind = if sowing.ends_in_store && sowing.opponent == 0 {
                    Kind::Again { start: self.start(after, opponent) }
                } else if let Some(runs) = self.runs(*row, house, opponent) {
                    let seeds = opponent + sowing.opponent.total();
                    let from = moves.starts.len();
                    let mut fewest = 0;
                    if lands_alone {
                        fewest = u8::from(!self.sowings.captures_alone);
                        let left = after.minus_at(u32::from(sowing.last_shift), 1);
                        moves.starts.extend(self.starts(left, seeds));
                    } else {
                        moves.starts.push(self.start(after, seeds));
                    }
                    Kind::Other { runs, starts: from..moves.starts.len(), fewest }
                } else {
                    Kind::Each { row: *row, house }
                };
                moves.moves.push(Move { line, banked, kind });
            }
        }
    }

    /// What playing a house makes of the rows of the other side, if that is known beforehand.
    fn runs(&self, row: u64, house: usize, opponent: u32) -> Option<&Runs> {
        let sowing = self.sowings.get(house, row.seeds(house));
        let side = &self.sides[opponent as usize];
        let first = sowing.opponent.total() as usize;
        let houses = self.rules.houses();
        let is_seed_each =
            first <= houses && (0..first).all(|house| sowing.opponent.seeds(house) == 1);
        if sowing.ends_in_store || !is_seed_each {
            return None;
        }
        if !self.lands_alone(row, house) {
            return side.raised.get(first.checked_sub(1)?);
        }
        let opposite = self.sowings.opposite_shifts - u32::from(sowing.last_shift);
        let taken = if first == 0 { &side.taken } else { &side.raised_and_taken };
        taken.get((opposite / u64::LANE_BITS) as usize)
    }

    /// By captured seeds: where the gains of a row begin against what is left of so many.
    fn starts(&self, row: u64, seeds: u32) -> impl Iterator<Item = usize> {
        let (own, rank) = (row.total(), self.ranks.rank(row));
        let left = (0..=seeds).rev();
        left.map(move |left| self.blocks.start(own, left) + rank * self.ranks.count(left))
    }

    /// Plays a house against one row of the other side at a time.
    fn play_each(&self, row: u64, house: usize, opponent: u32, gains: &mut [u8], lower: Lower<'_>) {
        let sowing = self.sowings.get(house, row.seeds(house));
        let last = u32::from(sowing.last_shift);
        let after = row.plus(sowing.own);
        let lands_alone = self.lands_alone(row, house);
        let opposite = self.sowings.opposite_shifts.saturating_sub(last);
        for (best, row) in gains.iter_mut().zip(&self.sides[opponent as usize].rows) {
            let other = row.plus(sowing.opponent);
            let captured = other.seeds_at(opposite);
            let banked = sowing.banked as u8;
            let gain = if sowing.ends_in_store {
                lower.f[self.place(after, other)].wrapping_add(banked)
            } else if lands_alone && (captured > 0 || self.sowings.captures_alone) {
                let own = after.minus_at(last, 1);
                let other = other.minus_at(opposite, captured);
                negated(lower.f[self.place(other, own)], banked + captured as u8 + 1)
            } else {
                negated(lower.f[self.place(other, after)], banked)
            };
            *best = (*best).max(gain);
        }
    }

    /// Whether the last seed falls into an empty house of the mover's.
    fn lands_alone(&self, row: u64, house: usize) -> bool {
        let sowing = self.sowings.get(house, row.seeds(house));
        let after = row.plus(sowing.own);
        after.seeds_at(u32::from(sowing.last_shift)) & u32::from(sowing.last_is_own) == 1
    }
}

impl Move<'_> {
    /// Starts loading what the move will need first.
    fn prefetch(&self, starts: &[usize], lower: Lower<'_>) {
        match &self.kind {
            Kind::Again { start } => {
                for line in 0..2 {
                    if let Some(byte) = lower.f.get(start + 64 * line) {
                        prefetch(byte);
                    }
                }
            }
            Kind::Other { runs, starts: own, .. } => runs.prefetch(lower.g, &starts[own.clone()]),
            Kind::Each { .. } => {}
        }
    }
}

/// Raises gains to those of a move, from what the other player has after it.
fn raise_all(best: &mut [u8], after: &[u8], banked: u8) {
    for (best, &after) in best.iter_mut().zip(after) {
        *best = (*best).max(negated(after, banked));
    }
}

/// The same where at least `fewest` seeds are captured, besides.
fn capture_all(best: &mut [u8], after: &[u8], captured: &[u8], banked: u8, fewest: u8) {
    for ((best, &after), &captured) in best.iter_mut().zip(after).zip(captured) {
        let gain = negated(after, banked.wrapping_add(captured));
        *best = (*best).max(if captured < fewest { NOTHING } else { gain });
    }
}
