//! How much memory there is.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Whether this many bytes fit into the memory of the machine, or into what the process may have
/// of it. Systems hand out more memory than they have, and end the process that comes to use it.
pub(super) fn holds(bytes: usize) -> bool {
    let what = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    // A system that does not tell leaves it to the allocation to fail.
    let Ok(system) = System::new_with_specifics(what) else { return true };
    let of_machine = system.total_memory();
    let of_process = system.cgroup_limits().map_or(of_machine, |limits| limits.total_memory);
    let total = of_machine.min(of_process);
    total == 0 || bytes as u64 <= total
}
