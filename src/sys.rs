//! Requests to the processor and the system: all `unsafe` code but what the macro `multiversion` generates.

#[cfg(target_os = "linux")]
use std::fs::read_to_string;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::OnceLock;
use std::thread::available_parallelism;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_slice_box;
#[cfg(not(target_os = "linux"))]
use sysinfo::{MemoryRefreshKind, RefreshKind, System};
/// The clock: browsers have one, but their WebAssembly has none.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use web_time::Instant;

/// Prefetches the cache line of `place`, if the processor can.
#[inline]
#[allow(unsafe_code)]
pub(crate) fn prefetch<T>(place: &T) {
    // SAFETY: a prefetch changes nothing that the program can observe and cannot fault, whatever
    // the address; here it is that of a live reference besides. The instruction is part of SSE,
    // which every x86-64 processor has.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Asks for huge pages: random access has fewer TLB misses, and memory comes in 2 MiB instead of 4 KiB.
#[allow(unsafe_code)]
pub(crate) fn use_huge_pages<T>(memory: &[T]) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};

        // A multiple of every page size in use.
        const PAGE: usize = 1 << 16;
        let start = memory.as_ptr().cast::<u8>();
        let skipped = start.align_offset(PAGE);
        let length = size_of_val(memory).saturating_sub(skipped) / PAGE * PAGE;
        if length > 0 {
            // SAFETY: the range lies within the live allocation behind `memory`. The advice changes
            // neither the contents of memory nor the validity of addresses. A system that does not
            // support it returns an error, which does not matter.
            let _ = unsafe {
                madvise(start.add(skipped).cast_mut().cast(), length, Advice::LinuxHugepage)
            };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// Zeroed memory for some items, in huge pages if the system has them; `None` if it refuses the memory.
pub(crate) fn zeroed<T: Zeroable>(length: usize) -> Option<Box<[T]>> {
    let memory = try_zeroed_slice_box(length).ok()?;
    use_huge_pages(&memory);
    Some(memory)
}

/// The processors that this process may use, one if the system does not say: asked once, for that reads files.
pub fn processors() -> NonZeroUsize {
    static PROCESSORS: OnceLock<NonZeroUsize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| available_parallelism().unwrap_or(NonZeroUsize::MIN))
}

/// Bytes of memory that this process can still use, or `None` if the system does not report it. At most
/// those that a `usize` can count, on a 32-bit system of more memory.
///
/// An allocation proves nothing: systems promise more memory than they have and kill those that use it.
pub fn available_memory() -> Option<u64> {
    let of_process = available_addresses().unwrap_or(u64::MAX);
    Some(available_to_system()?.min(of_process).min(usize::MAX as u64))
}

/// The memory that the kernel can give without swapping, or what is left to the control group.
#[cfg(target_os = "linux")]
fn available_to_system() -> Option<u64> {
    /// Both versions of control groups, as containers see them: the files of the limit, of what is used, and of
    /// its parts, and the part that the kernel takes back when memory is needed: files read some time ago.
    const GROUPS: [[&str; 4]; 2] = [
        ["memory.max", "memory.current", "memory.stat", "inactive_file"],
        [
            "memory/memory.limit_in_bytes",
            "memory/memory.usage_in_bytes",
            "memory/memory.stat",
            "total_inactive_file",
        ],
    ];
    let left = |[limit, used, parts, files]: [&str; 4]| {
        let read = |name| read_to_string(Path::new("/sys/fs/cgroup").join(name)).ok();
        let number = |name| read(name)?.trim().parse::<u64>().ok();
        let files = read(parts).and_then(|text| number_after(&text, files)).unwrap_or(0);
        Some(number(limit)?.saturating_sub(number(used)?.saturating_sub(files)))
    };
    let kibibytes = number_after(&read_to_string("/proc/meminfo").ok()?, "MemAvailable:")?;
    Some(GROUPS.into_iter().filter_map(left).fold(kibibytes << 10, u64::min))
}

/// The number that follows a word at the beginning of a line.
#[cfg(target_os = "linux")]
fn number_after(text: &str, word: &str) -> Option<u64> {
    let mut words = text.lines().map(str::split_whitespace);
    let mut line = words.find(|line| line.clone().next() == Some(word))?;
    line.nth(1)?.parse().ok()
}

#[cfg(not(target_os = "linux"))]
fn available_to_system() -> Option<u64> {
    let ram = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(ram).ok()?;
    Some(system.available_memory()).filter(|&bytes| bytes > 0)
}

/// Checks that this process can use `needed` more bytes. The error is the number that it can use.
///
/// # Errors
/// Returns the number of bytes that it can use, if these are fewer.
pub fn check_memory(needed: u64) -> Result<(), u64> {
    /// Requests up to this size are not checked: what the system reports is too imprecise.
    const MAX_UNCHECKED: u64 = 64 << 20;
    let available = if needed > MAX_UNCHECKED { available_memory() } else { available_addresses() };
    available.filter(|&available| available < needed).map_or(Ok(()), Err)
}

/// Bytes that this process can still map before its limit (`ulimit -v`), less what stacks will need.
#[cfg(target_os = "linux")]
fn available_addresses() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};

    const RESERVE: u64 = 8 << 20;

    let limit = getrlimit(Resource::As).current?;
    let pages = read_to_string("/proc/self/statm").ok()?;
    let used: u64 = pages.split(' ').next()?.parse().ok()?;
    Some(limit.saturating_sub(used * rustix::param::page_size() as u64 + RESERVE))
}

#[cfg(not(target_os = "linux"))]
fn available_addresses() -> Option<u64> {
    None
}

/// Bytes that this user can still write to the disk of a directory; `None` if the system does not say.
#[cfg(unix)]
pub(crate) fn available_disk(directory: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(directory).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

#[cfg(not(unix))]
pub(crate) fn available_disk(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn numbers_are_found_after_whole_words() {
        let text =
            "anon 1\ninactive_file 2048\ntotal_inactive_file 7\nMemAvailable:   5 kB\nfile x\n";
        let found = ["inactive_file", "total_inactive_file", "MemAvailable:", "file", "kB", "none"]
            .map(|word| number_after(text, word));
        assert_eq!(found, [Some(2048), Some(7), Some(5), None, None, None]);
    }

    #[test]
    fn hints_do_not_change_memory() {
        for bytes in [0, 1, 4096, 1 << 16, (1 << 22) + 5] {
            let memory: Vec<u8> = (0..bytes).map(|i| i as u8).collect();
            use_huge_pages(&memory);
            memory.iter().step_by(64).for_each(prefetch);
            assert!(memory.iter().enumerate().all(|(i, &byte)| byte == i as u8));
        }
    }
}
