//! Maps from rows to rows after a change, stored as runs of consecutive ranks.

use crate::sys::prefetch;

/// Bytes copied at a time.
const CHUNK: usize = 16;

/// Cache lines prefetched before a row is gathered; then the hardware prefetcher takes over.
const PREFETCHED_LINES: usize = 6;

/// Consecutive ranks that are mapped to consecutive ranks.
#[derive(Clone, Copy)]
struct Run {
    from: u32,
    to: u32,
    length: u32,
    /// Seeds captured from each row.
    captured: u32,
}

/// Where one change takes the rows of one side, in the order of their mirror images.
#[derive(Clone, Default)]
pub(super) struct RankMap {
    runs: Vec<Run>,
    /// The seeds captured, by rank.
    pub(super) captured: Vec<u8>,
    /// The lowest rank that is reached, by seeds captured.
    lowest: Vec<u32>,
}

impl RankMap {
    /// Bytes after a row that [`RankMap::gather`] may overwrite.
    pub(super) const SLACK: usize = CHUNK;

    /// Builds the map from the seeds captured and the new rank of each row. Rows with fewer than
    /// `min_captured` captured seeds are left out.
    pub(super) fn new(targets: impl Iterator<Item = (u32, u32)>, min_captured: u32) -> RankMap {
        let mut map = RankMap::default();
        for (from, (captured, to)) in (0..).zip(targets) {
            map.captured.push(captured as u8);
            if captured < min_captured {
                continue;
            }
            let continues = |run: &&mut Run| {
                run.captured == captured
                    && run.from + run.length == from
                    && run.to + run.length == to
            };
            match map.runs.last_mut().filter(continues) {
                Some(run) => run.length += 1,
                None => map.runs.push(Run { from, to, length: 1, captured }),
            }
            if map.lowest.len() <= captured as usize {
                map.lowest.resize(captured as usize + 1, u32::MAX);
            }
            let lowest = &mut map.lowest[captured as usize];
            *lowest = to.min(*lowest);
        }
        map
    }

    /// Prefetches what [`RankMap::gather`] reads first of each row of the table.
    pub(super) fn prefetch(&self, table: &[u8], starts: &[usize]) {
        for (start, lowest) in starts.iter().zip(&self.lowest) {
            for line in 0..PREFETCHED_LINES {
                if let Some(byte) = table.get(start + *lowest as usize + 64 * line) {
                    prefetch(byte);
                }
            }
        }
    }

    /// Copies the bytes that the map leads to from `table` to `row`. `starts` holds the start of
    /// the table's row, by captured seeds. `row` needs [`RankMap::SLACK`] more bytes than the map
    /// has ranks; bytes of rows that were left out are unspecified.
    #[inline]
    pub(super) fn gather(&self, table: &[u8], starts: &[usize], row: &mut [u8]) {
        for run in &self.runs {
            let mut from = starts[run.captured as usize] + run.to as usize;
            let mut to = run.from as usize;
            let end = to + run.length as usize;
            while to < end {
                let chunk = &mut row[to..][..CHUNK];
                if let Some(bytes) = table[from..].first_chunk::<CHUNK>() {
                    chunk.copy_from_slice(bytes);
                } else {
                    copy_last(chunk, &table[from..]);
                }
                from += CHUNK;
                to += CHUNK;
            }
        }
    }
}

/// Copies the last bytes of a table, less than a chunk.
#[cold]
#[inline(never)]
fn copy_last(chunk: &mut [u8], bytes: &[u8]) {
    for (to, byte) in chunk.iter_mut().zip(bytes) {
        *to = *byte;
    }
}
