//! How much memory and room on disks there is.

use std::path::Path;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Bytes that this process can come to use and have, beside those it uses; `None` when the system
/// does not tell. Systems promise more memory than they have, and end the process that takes
/// them at their word.
pub(crate) fn available_memory() -> Option<u64> {
    let what = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(what).ok()?;
    let of_machine = system.available_memory();
    let of_process = system.cgroup_limits().map_or(of_machine, |limits| limits.free_memory);
    Some(of_machine.min(of_process)).filter(|&bytes| bytes > 0)
}

/// Bytes that this user can still write to the disk that a folder is on; `None` when the system
/// does not tell.
#[cfg(unix)]
pub(crate) fn available_disk(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

#[cfg(not(unix))]
pub(crate) fn available_disk(_: &Path) -> Option<u64> {
    None
}
