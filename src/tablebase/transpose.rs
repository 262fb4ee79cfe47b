//! Matrices of bytes, turned over.

/// Bytes a side of the squares that are turned over at a time.
pub(super) const SIDE: usize = 16;

/// Some bytes of as many lines, line by line.
pub(super) type Square = [u8; SIDE * SIDE];

/// Squares one below the other that are turned over one after the other: what they write fills
/// whole cache lines.
const SQUARES: usize = 4;

/// Writes the transpose of a matrix with rows of `columns` bytes, which are taken in the order that
/// `row_at` gives.
pub(super) fn transpose(
    from: &[u8],
    columns: usize,
    row_at: impl Fn(usize) -> usize,
    to: &mut [u8],
) {
    let rows = from.len() / columns;
    let whole = [rows, columns].map(|side| side / SIDE * SIDE);
    for upper in (0..whole[0]).step_by(SQUARES * SIDE) {
        for column in (0..whole[1]).step_by(SIDE) {
            for row in (upper..whole[0].min(upper + SQUARES * SIDE)).step_by(SIDE) {
                let mut square = [0; SIDE * SIDE];
                for (i, line) in square.chunks_exact_mut(SIDE).enumerate() {
                    let start = row_at(row + i) * columns + column;
                    line.copy_from_slice(&from[start..][..SIDE]);
                }
                turn(&mut square);
                for (i, line) in square.chunks_exact(SIDE).enumerate() {
                    to[(column + i) * rows + row..][..SIDE].copy_from_slice(line);
                }
            }
        }
    }
    for row in 0..rows {
        let first = if row < whole[0] { whole[1] } else { 0 };
        for column in first..columns {
            to[column * rows + row] = from[row_at(row) * columns + column];
        }
    }
}

/// Swaps rows and columns.
#[inline]
pub(super) fn turn(square: &mut Square) {
    // Each time the top bit of the number of a line becomes the lowest of that of the byte.
    let mut shuffled = [0; SIDE * SIDE];
    shuffle(square, &mut shuffled);
    shuffle(&shuffled, square);
    shuffle(square, &mut shuffled);
    shuffle(&shuffled, square);
}

/// Shuffles bytes like the two halves of a deck of cards.
#[inline]
fn shuffle(from: &Square, to: &mut Square) {
    let (upper, lower) = from.split_at(SIDE * SIDE / 2);
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
