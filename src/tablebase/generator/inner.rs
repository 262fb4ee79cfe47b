//! The moves that stay in the layer.

use super::side::OwnMove;
use super::strip::Strip;
use super::{Builder, negated};
use crate::board::Row;
use crate::tablebase::transpose::SIDE;

impl Builder<'_> {
    /// The moves that stay in the layer, and with them the gains.
    pub(super) fn fill_inner(&self, own: u32, opponent: u32, f: &mut [u8], g: &mut [u8]) {
        let (side, other) = (&self.sides[own as usize], &self.sides[opponent as usize]);
        let mut gains = Strip::new(other.rows.len());
        let mut least_gains = Strip::new(other.rows.len());
        for group in &side.groups {
            let mut ranks = &group[..];
            while let [rank, rest @ ..] = ranks {
                if rest.first() != Some(rank) {
                    self.stay_all(own, opponent, *rank, f, g);
                }
                ranks = rest;
            }
            gains.take(f, group);
            // By the condition of a move: where it does not hold.
            let mut barred = [[0; SIDE]; OwnMove::CONDITIONS];
            for (lane, &rank) in group.iter().enumerate() {
                for house in side.rows[rank].occupied() {
                    barred[house + 1][lane] = u8::MAX;
                }
            }
            for (rank, to) in least_gains.columns.iter_mut().enumerate() {
                let mut least = [u8::MAX; SIDE];
                for own_move in other.own_moves(rank) {
                    let from = &gains.columns[own_move.rank()];
                    let barred = &barred[own_move.condition()];
                    for ((least, from), barred) in least.iter_mut().zip(from).zip(barred) {
                        *least = (*least).min(from | barred);
                    }
                }
                *to = least;
            }
            least_gains.give(
                |rank| rank,
                g,
                group,
                |best, least| *best = (*best).max(negated(least, 0)),
            );
        }
    }

    /// The moves of a row that stay on its side, against all rows of the other.
    fn stay_all(&self, own: u32, opponent: u32, rank: usize, f: &mut [u8], g: &[u8]) {
        let (side, other) = (&self.sides[own as usize], &self.sides[opponent as usize]);
        let columns = other.rows.len();
        let gains = &mut f[rank * columns..][..columns];
        for own_move in side.own_moves(rank) {
            let table = &g[own_move.rank() * columns..][..columns];
            match own_move.condition().checked_sub(1) {
                None => {
                    for (best, &from) in gains.iter_mut().zip(table) {
                        *best = (*best).max(negated(from, 0));
                    }
                }
                Some(house) => {
                    let barred = &other.barred[house];
                    for ((best, &from), &barred) in gains.iter_mut().zip(table).zip(barred) {
                        *best = (*best).max(negated(from | barred, 0));
                    }
                }
            }
        }
    }
}
