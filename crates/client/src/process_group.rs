//! Process groups that end with this process, even if it is killed.
//!
//! Each program leads a process group of its own: signals of the terminal reach this process alone,
//! and everything that the program starts can be killed with it. A shell, the guard, reads the
//! numbers of the running groups from a pipe, and kills them when the pipe ends: that happens however
//! this process ends. Besides, where the system can, it kills a program itself when the thread that
//! started it ends. A process that has moved to another group is not caught.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Mutex;

use kalah::lock::lock;
use rustix::process::{Pid, Signal, kill_process_group};

/// The guard. It reads `+ GROUP` for a new group, once or twice, and `- GROUP` for one that was killed.
const GUARD: &str = r#"
trap '' HUP INT QUIT TERM
groups=' '
while read -r sign group; do
    case "$sign$groups" in
    +*" $group "*) ;;
    +*) groups="$groups$group " ;;
    -*" $group "*) groups="${groups%% $group *} ${groups#* $group }" ;;
    esac
done
for group in $groups; do
    kill -s KILL -- "-$group"
done
"#;

/// All running groups.
static GROUPS: Mutex<ProcessGroups> =
    Mutex::new(ProcessGroups { running: BTreeSet::new(), guard: None });

struct ProcessGroups {
    /// The ids of their leaders.
    running: BTreeSet<u32>,
    guard: Option<(Child, ChildStdin)>,
}

/// Starts a command as the leader of a new group.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut groups = lock(&GROUPS);
    groups.ensure_guard()?;
    command.process_group(0);
    // This process may be killed before it can tell the guard: so where it is possible the child does.
    #[cfg(target_os = "linux")]
    announce_and_kill_with_thread(command, groups.pipe()?);
    let child = command.spawn().inspect_err(|_| groups.replace_guard())?;
    groups.running.insert(child.id());
    groups.report('+', child.id());
    Ok(child)
}

/// Kills the group of a child whose exit was not waited for, so that its id is not another's.
pub(super) fn kill(id: u32) {
    let mut groups = lock(&GROUPS);
    if let Some(group) = Pid::from_raw(id.cast_signed()) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    groups.running.remove(&id);
    groups.report('-', id);
    if groups.running.is_empty() {
        groups.end_guard();
    }
}

impl ProcessGroups {
    /// Starts a guard if none is running.
    fn ensure_guard(&mut self) -> io::Result<()> {
        if let Some((guard, _)) = &mut self.guard
            && let Ok(None) = guard.try_wait()
        {
            return Ok(());
        }
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", GUARD, "kalah-guard"]).current_dir("/");
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        self.guard = match shell.spawn() {
            Ok(mut guard) => guard.stdin.take().map(|input| (guard, input)),
            // A system without a shell.
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        for id in self.running.clone() {
            self.report('+', id);
        }
        Ok(())
    }

    /// A second end of the pipe to the guard.
    #[cfg(target_os = "linux")]
    fn pipe(&self) -> io::Result<Option<std::os::fd::OwnedFd>> {
        use std::os::fd::AsFd;
        self.guard.as_ref().map(|(_, input)| input.as_fd().try_clone_to_owned()).transpose()
    }

    /// Replaces the guard by one that knows the running groups alone.
    fn replace_guard(&mut self) {
        self.end_guard();
        if !self.running.is_empty() {
            let _ = self.ensure_guard();
        }
    }

    fn end_guard(&mut self) {
        if let Some((mut guard, _)) = self.guard.take() {
            // Not every system waits for the children of a process that has ended.
            let _ = guard.kill();
            let _ = guard.wait();
        }
    }

    /// Tells the guard of a group. If it has been killed, the next program gets a new one.
    fn report(&mut self, sign: char, id: u32) {
        if let Some((_, input)) = &mut self.guard {
            let _ = input.write_all(format!("{sign} {id}\n").as_bytes());
        }
    }
}

/// Has the child of a command write `+ ID` to a pipe, with its process id, before it runs its program;
/// and has the system kill it when the calling thread ends, as it also does when this process is killed.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn announce_and_kill_with_thread(command: &mut Command, pipe: Option<std::os::fd::OwnedFd>) {
    use rustix::process::{getpid, getppid, set_parent_process_death_signal};

    let parent = getpid();
    let in_child = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        if let Some(pipe) = &pipe {
            let mut line = io::Cursor::new([0; 16]);
            writeln!(line, "+ {}", getpid().as_raw_nonzero())?;
            let length = line.position() as usize;
            rustix::io::write(pipe, &line.get_ref()[..length])?;
        }
        // No signal comes if the parent has ended before.
        if getppid() == Some(parent) { Ok(()) } else { Err(rustix::io::Errno::SRCH.into()) }
    };
    // SAFETY: in the child, which has one thread of this process and its memory as it was at that
    // moment, the closure makes four system calls and writes to its stack. It takes no lock and
    // allocates nothing.
    unsafe {
        command.pre_exec(in_child);
    }
}
