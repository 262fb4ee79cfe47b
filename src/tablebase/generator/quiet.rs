//! Quiet moves, which stay in the layer.

use super::rows::{MoveTables, QuietMove};
use super::tile::{TILE_ROWS, Tile};
use crate::board::Row;
use crate::tablebase::index::negated;

impl MoveTables<'_> {
    /// Completes the gains of a block and its transpose by the quiet moves of both sides. Both hold
    /// the best of the scoring moves before.
    pub(super) fn apply_quiet_moves(&self, own: u32, opponent: u32, f: &mut [u8], g: &mut [u8]) {
        let (side, other) = (&self.sides[own as usize], &self.sides[opponent as usize]);
        let mut gains = Tile::new(other.rows.len());
        let mut min_gains = Tile::new(other.rows.len());
        for group in &side.groups {
            let mut ranks = &group[..];
            while let [rank, rest @ ..] = ranks {
                if rest.first() != Some(rank) {
                    self.apply_quiet_moves_of_row(own, opponent, *rank, f, g);
                }
                ranks = rest;
            }
            gains.load(f, group);
            // By the condition of a move: all ones for the rows that do not meet it.
            let mut forbidden = [[0; TILE_ROWS]; QuietMove::CONDITIONS];
            for (lane, &rank) in group.iter().enumerate() {
                for house in side.rows[rank].occupied() {
                    forbidden[house + 1][lane] = u8::MAX;
                }
            }
            for (rank, to) in min_gains.columns.iter_mut().enumerate() {
                let mut min = [u8::MAX; TILE_ROWS];
                for quiet in other.quiet_moves(rank) {
                    let from = &gains.columns[quiet.rank()];
                    let forbidden = &forbidden[quiet.condition()];
                    for ((min, from), forbidden) in min.iter_mut().zip(from).zip(forbidden) {
                        *min = (*min).min(from | forbidden);
                    }
                }
                *to = min;
            }
            let raise = |best: &mut u8, min| *best = (*best).max(negated(min, 0));
            min_gains.merge_into(|rank| rank, g, group, raise);
        }
    }

    /// The quiet moves of a row against all rows of the other side.
    fn apply_quiet_moves_of_row(
        &self,
        own: u32,
        opponent: u32,
        rank: usize,
        f: &mut [u8],
        g: &[u8],
    ) {
        let (side, other) = (&self.sides[own as usize], &self.sides[opponent as usize]);
        let columns = other.rows.len();
        let gains = &mut f[rank * columns..][..columns];
        for quiet in side.quiet_moves(rank) {
            let after = &g[quiet.rank() * columns..][..columns];
            match quiet.condition().checked_sub(1) {
                None => {
                    for (best, &after) in gains.iter_mut().zip(after) {
                        *best = (*best).max(negated(after, 0));
                    }
                }
                Some(house) => {
                    let occupied = &other.occupied[house];
                    for ((best, &after), &occupied) in gains.iter_mut().zip(after).zip(occupied) {
                        *best = (*best).max(negated(after | occupied, 0));
                    }
                }
            }
        }
    }
}
