//! How much memory a table may take.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::EngineError;

const BYTES_PER_MIB: u64 = 1 << 20;

/// Refuses a table that this machine could only promise: systems hand out more memory than they
/// have and end the process that comes to use it.
pub(super) fn check(mebibytes: usize) -> Result<(), EngineError> {
    let what = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    // A system that does not tell leaves it to the allocation to fail.
    let Ok(system) = System::new_with_specifics(what) else { return Ok(()) };
    let of_machine = system.total_memory();
    let of_process = system.cgroup_limits().map_or(of_machine, |limits| limits.total_memory);
    let available = of_machine.min(of_process) / BYTES_PER_MIB;
    if available > 0 && mebibytes as u64 > available {
        return Err(EngineError::Memory { mebibytes, available });
    }
    Ok(())
}
