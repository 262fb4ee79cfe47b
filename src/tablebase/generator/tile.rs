//! Transposition of byte matrices.

/// Rows of a tile, and the side of the squares that are transposed at a time, in bytes.
pub(super) const TILE_ROWS: usize = 16;

type Square = [u8; TILE_ROWS * TILE_ROWS];

/// Some rows of a block, transposed: what does not depend on the row is done for all of them at once.
pub(super) struct Tile {
    pub(super) columns: Vec<[u8; TILE_ROWS]>,
}

impl Tile {
    pub(super) fn new(columns: usize) -> Tile {
        Tile { columns: vec![[0; TILE_ROWS]; columns] }
    }

    /// Copies these rows of `block` into the tile.
    pub(super) fn load(&mut self, block: &[u8], rows: &[usize; TILE_ROWS]) {
        if self.columns.len() < TILE_ROWS {
            self.load_squares::<1>(block, rows);
        } else {
            self.load_squares::<TILE_ROWS>(block, rows);
        }
    }

    /// Calls `combine` with each byte of these rows of `block` and the tile's from the column `column_of` its own.
    pub(super) fn merge_into(
        &self,
        column_of: impl Fn(usize) -> usize,
        block: &mut [u8],
        rows: &[usize; TILE_ROWS],
        combine: impl Fn(&mut u8, u8),
    ) {
        if self.columns.len() < TILE_ROWS {
            self.merge_squares::<1>(column_of, block, rows, combine);
        } else {
            self.merge_squares::<TILE_ROWS>(column_of, block, rows, combine);
        }
    }

    /// The first columns of squares that cover the tile. The last square may overlap the one before.
    fn squares<const WIDTH: usize>(&self) -> impl Iterator<Item = usize> + use<WIDTH> {
        let length = self.columns.len();
        (0..length).step_by(WIDTH).map(move |start| start.min(length - WIDTH))
    }

    fn load_squares<const WIDTH: usize>(&mut self, block: &[u8], rows: &[usize; TILE_ROWS]) {
        let starts = rows.map(|row| row * self.columns.len());
        for first in self.squares::<WIDTH>() {
            let mut square = [0; TILE_ROWS * TILE_ROWS];
            for (line, start) in square.chunks_exact_mut(TILE_ROWS).zip(starts) {
                line[..WIDTH].copy_from_slice(&block[start + first..][..WIDTH]);
            }
            transpose_square(&mut square);
            let lines = square.chunks_exact(TILE_ROWS);
            for (column, line) in self.columns[first..][..WIDTH].iter_mut().zip(lines) {
                column.copy_from_slice(line);
            }
        }
    }

    fn merge_squares<const WIDTH: usize>(
        &self,
        column_of: impl Fn(usize) -> usize,
        block: &mut [u8],
        rows: &[usize; TILE_ROWS],
        combine: impl Fn(&mut u8, u8),
    ) {
        let starts = rows.map(|row| row * self.columns.len());
        for first in self.squares::<WIDTH>() {
            let mut square = [0; TILE_ROWS * TILE_ROWS];
            for (i, line) in square.chunks_exact_mut(TILE_ROWS).take(WIDTH).enumerate() {
                line.copy_from_slice(&self.columns[column_of(first + i)]);
            }
            transpose_square(&mut square);
            for (line, start) in square.chunks_exact(TILE_ROWS).zip(starts) {
                for (byte, &other) in block[start + first..][..WIDTH].iter_mut().zip(line) {
                    combine(byte, other);
                }
            }
        }
    }
}

/// Writes the transpose of a matrix with rows of `columns` bytes, whose row i is row `row_at(i)` of `from`.
pub(super) fn transpose(
    from: &[u8],
    columns: usize,
    row_at: impl Fn(usize) -> usize,
    to: &mut [u8],
) {
    /// Squares transposed one after the other, so that writes fill whole cache lines.
    const SQUARES: usize = 4;
    let rows = from.len() / columns;
    let [square_rows, square_columns] = [rows, columns].map(|side| side / TILE_ROWS * TILE_ROWS);
    for upper in (0..square_rows).step_by(SQUARES * TILE_ROWS) {
        for column in (0..square_columns).step_by(TILE_ROWS) {
            let lower = square_rows.min(upper + SQUARES * TILE_ROWS);
            for row in (upper..lower).step_by(TILE_ROWS) {
                let mut square = [0; TILE_ROWS * TILE_ROWS];
                for (i, line) in square.chunks_exact_mut(TILE_ROWS).enumerate() {
                    let start = row_at(row + i) * columns + column;
                    line.copy_from_slice(&from[start..][..TILE_ROWS]);
                }
                transpose_square(&mut square);
                for (i, line) in square.chunks_exact(TILE_ROWS).enumerate() {
                    to[(column + i) * rows + row..][..TILE_ROWS].copy_from_slice(line);
                }
            }
        }
    }
    for row in 0..rows {
        let first = if row < square_rows { square_columns } else { 0 };
        for column in first..columns {
            to[column * rows + row] = from[row_at(row) * columns + column];
        }
    }
}

#[inline]
fn transpose_square(square: &mut Square) {
    // A shuffle rotates the 8 bits of a byte's place, so four exchange line and column.
    let mut shuffled = [0; TILE_ROWS * TILE_ROWS];
    shuffle(square, &mut shuffled);
    shuffle(&shuffled, square);
    shuffle(square, &mut shuffled);
    shuffle(&shuffled, square);
}

/// Interleaves the two halves, like a perfect shuffle of a deck of cards.
#[inline]
fn shuffle(from: &Square, to: &mut Square) {
    let (upper, lower) = from.split_at(TILE_ROWS * TILE_ROWS / 2);
    for ((to, upper), lower) in to.chunks_exact_mut(2).zip(upper).zip(lower) {
        to[0] = *upper;
        to[1] = *lower;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_goes_to_its_place() {
        for (rows, columns) in
            [(1, 1), (16, 16), (32, 48), (80, 33), (15, 17), (17, 15), (1, 30), (35, 1), (21, 56)]
        {
            let from: Vec<u8> = (0..rows * columns).map(|i| (i * 37 % 251) as u8).collect();
            let mut to = vec![0; from.len()];
            transpose(&from, columns, |row| rows - 1 - row, &mut to);
            for (i, byte) in from.iter().enumerate() {
                assert_eq!(to[i % columns * rows + rows - 1 - i / columns], *byte);
            }
        }
    }
}
