//! Memory for what a search can do with less of.

use crate::sys::available_memory;

/// Bytes in so many mebibytes, as far as they are not more than half of the memory that is left:
/// for what a search can do with less of.
pub(super) fn bytes_to_spare(mebibytes: usize) -> usize {
    const BYTES_PER_MIB: usize = 1 << 20;
    let room = available_memory().map_or(usize::MAX, |bytes| bytes as usize / 2);
    mebibytes.max(1).saturating_mul(BYTES_PER_MIB).min(room)
}
