//! Matrices of bytes, turned over.

/// Bytes a side of the squares that are turned over at a time.
const SIDE: usize = 8;

/// Writes the transpose of a matrix with rows of `columns` bytes.
pub(super) fn transpose(from: &[u8], columns: usize, to: &mut [u8]) {
    let rows = from.len() / columns;
    let whole = [rows, columns].map(|side| side / SIDE * SIDE);
    for row in (0..whole[0]).step_by(SIDE) {
        for column in (0..whole[1]).step_by(SIDE) {
            let mut square = [0; SIDE];
            for (i, line) in square.iter_mut().enumerate() {
                let start = (row + i) * columns + column;
                *line =
                    u64::from_le_bytes(from[start..start + SIDE].try_into().unwrap_or_default());
            }
            for (i, line) in turned(square).into_iter().enumerate() {
                let start = (column + i) * rows + row;
                to[start..start + SIDE].copy_from_slice(&line.to_le_bytes());
            }
        }
    }
    for row in 0..rows {
        let first = if row < whole[0] { whole[1] } else { 0 };
        for column in first..columns {
            to[column * rows + row] = from[row * columns + column];
        }
    }
}

/// Swaps the squares off the diagonal: first those of 4 by 4 bytes, then the smaller ones in each.
fn turned(mut lines: [u64; SIDE]) -> [u64; SIDE] {
    for (step, mask) in
        [(4, 0x0000_0000_ffff_ffff), (2, 0x0000_ffff_0000_ffff), (1, 0x00ff_00ff_00ff_00ff)]
    {
        let shift = 8 * step as u32;
        for i in (0..SIDE).filter(|i| i & step == 0) {
            let (upper, lower) = (lines[i], lines[i + step]);
            let swapped = ((upper >> shift) ^ lower) & mask;
            lines[i] = upper ^ (swapped << shift);
            lines[i + step] = lower ^ swapped;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_goes_to_its_place() {
        for (rows, columns) in
            [(1, 1), (8, 8), (16, 24), (7, 9), (9, 7), (1, 30), (35, 1), (21, 56)]
        {
            let from: Vec<u8> = (0..rows * columns).map(|i| (i * 37 % 251) as u8).collect();
            let mut to = vec![0; from.len()];
            transpose(&from, columns, &mut to);
            for (i, byte) in from.iter().enumerate() {
                assert_eq!(to[i % columns * rows + i / columns], *byte);
            }
        }
    }
}
