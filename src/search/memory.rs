//! What searches remember of the positions they have been at.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::value::{Bound, Score, Window};

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry<M> {
    /// The value found, and whether it is proven.
    pub score: Score,
    /// How it bounds the value.
    pub bound: Bound,
    /// Plies searched below the position.
    pub depth: u32,
    /// The best move found; leaves have none.
    pub best: Option<M>,
}

/// A memory of positions, by key.
pub trait TranspositionTable<M> {
    /// Whether leaves are worth keeping, that is, whether looking up is cheaper than evaluating.
    const KEEPS_LEAVES: bool;

    /// Starts loading what a [`TranspositionTable::probe`] of this key will read.
    fn prefetch(&self, key: u64);

    /// What is known; of several things, one that answers the question of the window.
    fn probe(&self, key: u64, window: Window) -> Option<TableEntry<M>>;

    /// Remembers a result.
    fn store(&self, key: u64, entry: TableEntry<M>);
}

/// A memory that forgets nothing: a lower and an upper bound for each position, each of the
/// last search that found one. This is what the papers on best-first searches assume; it grows
/// with the nodes visited.
#[derive(Debug)]
pub struct UnboundedTable<M>(RefCell<FxHashMap<u64, Bounds<M>>>);

#[derive(Clone, Copy, Debug)]
struct Bounds<M> {
    lower: Option<TableEntry<M>>,
    upper: Option<TableEntry<M>>,
}

impl<M> UnboundedTable<M> {
    /// Bytes that each position can come to take: a table that is half full, beside the full one
    /// of half its size that it grows out of.
    pub const BYTES: u64 = 3 * (size_of::<(u64, Bounds<M>)>() as u64 + 1);
}

impl<M> Default for UnboundedTable<M> {
    fn default() -> Self {
        UnboundedTable(RefCell::default())
    }
}

impl<M: Copy> TranspositionTable<M> for UnboundedTable<M> {
    const KEEPS_LEAVES: bool = true;

    fn prefetch(&self, _: u64) {}

    fn probe(&self, key: u64, window: Window) -> Option<TableEntry<M>> {
        let known = self.0.borrow();
        let Bounds { lower, upper } = known.get(&key)?;
        let settles = |entry: &&TableEntry<M>| entry.bound.settles(entry.score.gain, window);
        let settling = lower.iter().chain(upper).find(settles);
        settling.or(lower.as_ref()).or(upper.as_ref()).copied()
    }

    fn store(&self, key: u64, entry: TableEntry<M>) {
        let mut known = self.0.borrow_mut();
        let bounds = known.entry(key).or_insert(Bounds { lower: None, upper: None });
        if entry.bound != Bound::Upper {
            bounds.lower = Some(entry);
        }
        if entry.bound != Bound::Lower {
            bounds.upper = Some(entry);
        }
    }
}
