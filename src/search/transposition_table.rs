//! The interface of transposition tables, and a table without replacement.
//!
//! The engine plays with [`HashTable`](super::hash_table::HashTable).

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::value::{Bound, Score, Window};

/// The stored result of searching a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableEntry<M> {
    /// The score.
    pub score: Score,
    /// How the score bounds the value.
    pub bound: Bound,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The best move; `None` for leaves.
    pub best: Option<M>,
}

/// A table of search results by position key.
pub trait TranspositionTable<M> {
    /// Whether leaves are stored, because probing is cheaper than evaluating.
    const STORES_LEAVES: bool;

    /// Prefetches the memory that [`TranspositionTable::probe`] reads for this key.
    fn prefetch(&self, key: u64);

    /// The entry of a position; of several entries, one that causes a cutoff in this window.
    fn probe(&self, key: u64, window: Window) -> Option<TableEntry<M>>;

    /// Stores a result.
    fn store(&self, key: u64, entry: TableEntry<M>);
}

/// A table that never replaces another position: it holds the latest lower and the latest upper
/// bound of each position and grows with the number of nodes. The papers on best-first searches
/// assume such a table.
#[derive(Debug)]
pub struct UnboundedTable<M>(RefCell<FxHashMap<u64, BoundPair<M>>>);

#[derive(Clone, Copy, Debug)]
struct BoundPair<M> {
    lower: Option<TableEntry<M>>,
    upper: Option<TableEntry<M>>,
}

impl<M> UnboundedTable<M> {
    /// The most bytes a position can take: while the hash map grows, a table that is half full
    /// exists beside the full one of half its size.
    pub const BYTES: u64 = 3 * (size_of::<(u64, BoundPair<M>)>() as u64 + 1);
}

impl<M> Default for UnboundedTable<M> {
    fn default() -> Self {
        UnboundedTable(RefCell::default())
    }
}

impl<M: Copy> TranspositionTable<M> for UnboundedTable<M> {
    const STORES_LEAVES: bool = true;

    fn prefetch(&self, _: u64) {}

    fn probe(&self, key: u64, window: Window) -> Option<TableEntry<M>> {
        let entries = self.0.borrow();
        let BoundPair { lower, upper } = entries.get(&key)?;
        let is_cutoff = |entry: &&TableEntry<M>| entry.bound.is_cutoff(entry.score.gain, window);
        let cutoff = lower.iter().chain(upper).find(is_cutoff);
        cutoff.or(lower.as_ref()).or(upper.as_ref()).copied()
    }

    fn store(&self, key: u64, entry: TableEntry<M>) {
        let mut entries = self.0.borrow_mut();
        let bounds = entries.entry(key).or_insert(BoundPair { lower: None, upper: None });
        if entry.bound != Bound::Upper {
            bounds.lower = Some(entry);
        }
        if entry.bound != Bound::Lower {
            bounds.upper = Some(entry);
        }
    }
}
