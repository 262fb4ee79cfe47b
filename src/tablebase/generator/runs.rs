//! Where rows go on in other tables, run by run.

use crate::sys::prefetch;

/// So many bytes are moved at a time.
const PIECE: usize = 16;

/// So many cache lines are asked for before a row is gathered. The processor sees by itself how it
/// goes on from there.
const AHEAD: usize = 6;

/// Neighbours that stay neighbours.
#[derive(Clone, Copy)]
struct Run {
    /// The rank of the first one.
    from: u32,
    /// What becomes of it.
    to: u32,
    length: u32,
    /// Seeds that are captured from each.
    captured: u32,
}

/// What rows of one side become by the same change, in mirrored order.
#[derive(Clone, Default)]
pub(super) struct Runs {
    all: Vec<Run>,
    /// By rank: the seeds captured.
    pub(super) captured: Vec<u8>,
    /// By seeds captured: the first rank that is reached.
    first: Vec<u32>,
}

impl Runs {
    /// Bytes behind a row that may be written, too.
    pub(super) const SLACK: usize = PIECE;

    /// From the seeds captured and the rank without them, for each row. Those with fewer captured
    /// seeds than `fewest` are left out.
    pub(super) fn new(targets: impl Iterator<Item = (u32, u32)>, fewest: u32) -> Runs {
        let mut made = Runs::default();
        for (from, (captured, to)) in (0..).zip(targets) {
            made.captured.push(captured as u8);
            if captured < fewest {
                continue;
            }
            let goes_on = |run: &&mut Run| {
                run.captured == captured
                    && run.from + run.length == from
                    && run.to + run.length == to
            };
            match made.all.last_mut().filter(goes_on) {
                Some(run) => run.length += 1,
                None => made.all.push(Run { from, to, length: 1, captured }),
            }
            if made.first.len() <= captured as usize {
                made.first.resize(captured as usize + 1, u32::MAX);
            }
            let first = &mut made.first[captured as usize];
            *first = to.min(*first);
        }
        made
    }

    /// Starts loading what will be gathered first of each row of the table.
    pub(super) fn prefetch(&self, table: &[u8], starts: &[usize]) {
        for (start, first) in starts.iter().zip(&self.first) {
            for line in 0..AHEAD {
                if let Some(byte) = table.get(start + *first as usize + 64 * line) {
                    prefetch(byte);
                }
            }
        }
    }

    /// Puts the bytes of `table` where the runs lead to into `row`. By captured seeds, `starts` says
    /// where the row of the table begins. There have to be [`Runs::SLACK`] bytes behind the row, for
    /// what is carried too far; what stands at rows that are left out is nothing of value.
    #[inline]
    pub(super) fn gather(&self, table: &[u8], starts: &[usize], row: &mut [u8]) {
        for run in &self.all {
            let mut from = starts[run.captured as usize] + run.to as usize;
            let mut to = run.from as usize;
            let end = to + run.length as usize;
            while to < end {
                let piece = &mut row[to..][..PIECE];
                if let Some(bytes) = table[from..].first_chunk::<PIECE>() {
                    piece.copy_from_slice(bytes);
                } else {
                    copy_last(piece, &table[from..]);
                }
                from += PIECE;
                to += PIECE;
            }
        }
    }
}

/// Copies the last bytes of a table, less than a piece.
#[cold]
#[inline(never)]
fn copy_last(piece: &mut [u8], bytes: &[u8]) {
    for (to, byte) in piece.iter_mut().zip(bytes) {
        *to = *byte;
    }
}
