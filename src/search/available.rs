//! How much memory there is.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Bytes that this process can come to use and have, beside those it uses; `None` when the system
/// does not tell. Systems promise more memory than they have, and end the process that takes
/// them at their word.
pub(crate) fn available() -> Option<u64> {
    let what = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(what).ok()?;
    let of_machine = system.available_memory();
    let of_process = system.cgroup_limits().map_or(of_machine, |limits| limits.free_memory);
    Some(of_machine.min(of_process)).filter(|&bytes| bytes > 0)
}

/// Bytes in so many mebibytes, as far as they are not more than half of the memory that is left:
/// for what a search can do with less of.
pub(super) fn bytes_to_spare(mebibytes: usize) -> usize {
    const BYTES_PER_MIB: usize = 1 << 20;
    let room = available().map_or(usize::MAX, |bytes| bytes as usize / 2);
    mebibytes.max(1).saturating_mul(BYTES_PER_MIB).min(room)
}
