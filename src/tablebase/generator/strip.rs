//! Rows that stand side by side.

use crate::tablebase::transpose::{SIDE, turn};

/// So many rows of a block, turned over: what does the same to each of them, with no regard to
/// order, is done to all at once.
pub(super) struct Strip {
    /// By place in the rows.
    pub(super) columns: Vec<[u8; SIDE]>,
}

impl Strip {
    pub(super) fn new(columns: usize) -> Strip {
        Strip { columns: vec![[0; SIDE]; columns] }
    }

    /// Takes the rows of `block` with these numbers.
    pub(super) fn take(&mut self, block: &[u8], rows: &[usize; SIDE]) {
        if self.columns.len() < SIDE {
            self.take_pieces::<1>(block, rows);
        } else {
            self.take_pieces::<SIDE>(block, rows);
        }
    }

    /// Has `combine` change the rows of `block` with these numbers, byte by byte, by what stands in
    /// the strip, in the order that `place` gives.
    pub(super) fn give(
        &self,
        place: impl Fn(usize) -> usize,
        block: &mut [u8],
        rows: &[usize; SIDE],
        combine: impl Fn(&mut u8, u8),
    ) {
        if self.columns.len() < SIDE {
            self.give_pieces::<1>(place, block, rows, combine);
        } else {
            self.give_pieces::<SIDE>(place, block, rows, combine);
        }
    }

    /// Where the pieces of a row begin. Where the last one would stick out it begins earlier, on
    /// bytes that have been seen.
    fn pieces<const WIDTH: usize>(&self) -> impl Iterator<Item = usize> + use<WIDTH> {
        let length = self.columns.len();
        (0..length).step_by(WIDTH).map(move |piece| piece.min(length - WIDTH))
    }

    fn take_pieces<const WIDTH: usize>(&mut self, block: &[u8], rows: &[usize; SIDE]) {
        let starts = rows.map(|row| row * self.columns.len());
        for piece in self.pieces::<WIDTH>() {
            let mut square = [0; SIDE * SIDE];
            for (line, start) in square.chunks_exact_mut(SIDE).zip(starts) {
                line[..WIDTH].copy_from_slice(&block[start + piece..][..WIDTH]);
            }
            turn(&mut square);
            let lines = square.chunks_exact(SIDE);
            for (column, line) in self.columns[piece..][..WIDTH].iter_mut().zip(lines) {
                column.copy_from_slice(line);
            }
        }
    }

    fn give_pieces<const WIDTH: usize>(
        &self,
        place: impl Fn(usize) -> usize,
        block: &mut [u8],
        rows: &[usize; SIDE],
        combine: impl Fn(&mut u8, u8),
    ) {
        let starts = rows.map(|row| row * self.columns.len());
        for piece in self.pieces::<WIDTH>() {
            let mut square = [0; SIDE * SIDE];
            for (i, line) in square.chunks_exact_mut(SIDE).take(WIDTH).enumerate() {
                line.copy_from_slice(&self.columns[place(piece + i)]);
            }
            turn(&mut square);
            for (line, start) in square.chunks_exact(SIDE).zip(starts) {
                for (byte, &by) in block[start + piece..][..WIDTH].iter_mut().zip(line) {
                    combine(byte, by);
                }
            }
        }
    }
}
