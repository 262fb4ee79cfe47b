//! Processes that end with this one, even if it is killed, on Windows: each program is in a job of its own with everything
//! that it starts, and the system ends a job when its last handle is closed. A process that the program starts before
//! it is in its job is not caught.

use std::collections::BTreeMap;
use std::io;
use std::os::windows::io::AsRawHandle;
use std::process::{Child, Command};
use std::sync::Mutex;

use kalah::lock::lock;
use win32job::{ExtendedLimitInfo, Job};

/// The jobs of all running programs, by their process ids.
static JOBS: Mutex<BTreeMap<u32, Job>> = Mutex::new(BTreeMap::new());

/// Starts a command in a new job.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut limits = ExtendedLimitInfo::new();
    limits.limit_kill_on_job_close();
    let job = Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
    let mut child = command.spawn()?;
    if let Err(error) = job.assign_process(child.as_raw_handle() as isize) {
        let _ = child.kill();
        let _ = child.wait();
        return Err(io::Error::other(error));
    }
    lock(&JOBS).insert(child.id(), job);
    Ok(child)
}

/// Kills a child whose exit was not waited for, and all that it has started.
pub(super) fn kill(id: u32) {
    lock(&JOBS).remove(&id);
}
