//! What process groups take of memory, processor time and processes, from /proc of Linux; and the processors there are.

use std::collections::BTreeMap;
use std::time::Duration;

/// What all processes of a group take together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Resident memory in bytes; what processes share counts for each.
    pub memory: u64,
    /// In user and system mode, of those that run.
    pub cpu_time: Duration,
    /// Processes and threads.
    pub tasks: u64,
}

/// The usage of all process groups by their numbers; `None` on a system that does not tell.
#[cfg(target_os = "linux")]
pub(crate) fn usage_by_group() -> Option<BTreeMap<u32, Usage>> {
    let ticks = rustix::param::clock_ticks_per_second();
    let page = rustix::param::page_size() as u64;
    let mut groups: BTreeMap<u32, Usage> = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let is_process =
            entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit());
        // A process may end before it is read.
        let stat =
            is_process.then(|| std::fs::read_to_string(entry.path().join("stat")).ok()).flatten();
        if let Some((group, usage)) = stat.and_then(|stat| read_stat(&stat, ticks, page)) {
            let sum = groups.entry(group).or_default();
            sum.memory += usage.memory;
            sum.cpu_time += usage.cpu_time;
            sum.tasks += usage.tasks;
        }
    }
    (!groups.is_empty()).then_some(groups)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn usage_by_group() -> Option<BTreeMap<u32, Usage>> {
    None
}

/// The numbers of the processors that this process may use; none if the system does not tell.
#[cfg(target_os = "linux")]
pub(crate) fn processors() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};

    let Ok(allowed) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|&processor| allowed.is_set(processor)).collect()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn processors() -> Vec<usize> {
    Vec::new()
}

/// Reads a line of /proc/PID/stat: the process group, and what the process takes. Ended children that
/// were waited for count in its processor time.
#[cfg(target_os = "linux")]
fn read_stat(stat: &str, ticks_per_second: u64, page_size: u64) -> Option<(u32, Usage)> {
    // The second field, the name of the program, may have spaces and brackets.
    let (_, fields) = stat.rsplit_once(") ")?;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    // The first of these is field 3 of proc(5).
    let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
    let ticks: Option<u64> = (14..=17).map(field).sum();
    let cpu_time = Duration::from_millis(ticks? * 1000 / ticks_per_second.max(1));
    // A process that has ended is none.
    let is_ended = matches!(fields.first(), Some(&"Z" | &"X"));
    let tasks = if is_ended { 0 } else { field(20)? };
    let usage = Usage { memory: field(24)? * page_size, cpu_time, tasks };
    Some((field(5)? as u32, usage))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_whatever_the_program_is_called() {
        let line = "42 (a) b) S 1 7 7 0 -1 4194304 1 2 3 4 100 50 25 25 20 0 3 0 99 1000 6 18446744073709551615";
        let usage = Usage { memory: 6 * 4096, cpu_time: Duration::from_secs(2), tasks: 3 };
        assert_eq!(read_stat(line, 100, 4096), Some((7, usage)));
        assert_eq!(read_stat("42 (a) S 1 7", 100, 4096), None);
        assert_eq!(read_stat("", 100, 4096), None);
    }

    #[test]
    fn this_process_is_in_a_group_that_takes_memory() {
        let group = rustix::process::getpgrp().as_raw_nonzero().get().cast_unsigned();
        let usage = usage_by_group().and_then(|groups| groups.get(&group).copied());
        assert!(usage.is_some_and(|usage| usage.memory > 1 << 20 && usage.tasks > 1), "{usage:?}");
    }
}
