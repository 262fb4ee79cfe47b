//! The program where a disk is full or a system call fails: the right result, or one clear message;
//! the files that were there stay whole, and nothing is left beside them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use kalah::proof_file::ProofFile;
use tempfile::TempDir;

use crate::resource_limits::{WORKS, Work};
use crate::runs::runs;

const PROGRAM: &str = env!("CARGO_BIN_EXE_kalah");

/// The files below a folder, with their contents.
pub(crate) fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            let below = contents(&entry.path()).into_iter();
            found.extend(below.map(|(path, bytes)| (format!("{name}/{path}"), bytes)));
        } else {
            found.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    found
}

/// Runs a command with a fault, in an empty folder and in one with the files of a run without: old
/// files stay whole, nothing is left beside them (or only until the next run), and that run, without the
/// fault, succeeds.
fn check(work: &Work, may_leave_strays: bool, start: impl Fn(&[String]) -> Command) {
    let plain = |folder: &Path| {
        let ended = work.start(folder, plain_command).wait();
        assert!(ended.status.success(), "{}: {}", work.arguments, ended.errors);
    };
    for has_files in [false, true] {
        let folder = TempDir::new().unwrap();
        if has_files {
            plain(folder.path());
        }
        let before = contents(folder.path());
        let is_result = work.run(folder.path(), &start);
        let after = contents(folder.path());
        if !may_leave_strays {
            assert_eq!(stray(&after), None, "{}", work.arguments);
        }
        if !is_result {
            for (name, bytes) in before {
                let found = &after[&name];
                let is_whole = match name.as_str() {
                    // It is appended to.
                    "checkpoint" => found.starts_with(&bytes),
                    // There are many; it may have been written before the line about it failed.
                    "proof" => ProofFile::from_bytes(found).is_ok(),
                    _ => *found == bytes,
                };
                assert!(is_whole, "{}: {name} was harmed", work.arguments);
            }
        }
        plain(folder.path());
        assert_eq!(stray(&contents(folder.path())), None, "{}", work.arguments);
    }
}

/// A temporary file that was left.
fn stray(files: &BTreeMap<String, Vec<u8>>) -> Option<&str> {
    let is_stray = |name: &&String| name.contains("/.kalah-") || name.starts_with(".kalah-");
    files.keys().find(is_stray).map(String::as_str)
}

pub(crate) fn plain_command(words: &[String]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(words);
    command
}

/// The commands that write files.
pub(crate) fn writers() -> impl Iterator<Item = &'static Work> {
    WORKS.iter().filter(|work| work.arguments.contains("DIR"))
}

/// The limit of a process on the size of files stands for a disk that is full; the shell ignores the
/// signal that comes with it, as nothing comes with a full disk.
#[test]
fn a_full_disk_is_reported() {
    const LIMITS: [u32; 5] = [100, 20_000, 0, 4096, 1_000_000];
    for (index, work) in writers().enumerate() {
        for bytes in LIMITS.iter().cycle().skip(index).take(runs(1, LIMITS.len())) {
            check(work, false, |words| {
                let mut command = Command::new("sh");
                let script = "trap '' XFSZ; limit=$1; shift; exec prlimit --fsize=$limit \"$@\"";
                command.args(["-c", script, "sh", &bytes.to_string(), PROGRAM]).args(words);
                command
            });
        }
    }
}

/// The same on a disk of memory that really is full, where this process may mount one.
#[test]
fn a_disk_in_memory_is_filled() {
    const SCRIPT: &str = "mount -t tmpfs -o size=$1 none \"$2\" && cd \"$2\" || exit 99
                          shift 2; \"$@\"; status=$?
                          test -z \"$(find . -name '.kalah-*')\" && exit $status";
    let on_disk = |size: &str, folder: &Path| {
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", SCRIPT, "sh", size]).arg(folder);
        command
    };
    let folder = TempDir::new().unwrap();
    let can_mount = on_disk("4k", folder.path()).arg("true").status();
    if !can_mount.is_ok_and(|status| status.success()) {
        eprintln!("not tested: it takes the right to mount");
        return;
    }
    for work in writers() {
        for size in ["16k", "4k", "64k", "8m"].into_iter().take(runs(1, 4)) {
            work.run(folder.path(), |words| {
                let mut command = on_disk(size, folder.path());
                command.arg(PROGRAM).args(words);
                command
            });
        }
    }
}

/// Calls of a system that may fail on a sound machine.
const CALLS: &str = "openat,read,pread64,write,fsync,rename,renameat,renameat2,unlink,unlinkat,statx,\
                     fstat,newfstatat,lseek,ftruncate,mkdir,mkdirat,fchmod,flock,clone3,mmap,\
                     getdents64,readlink,madvise,fadvise64,statfs";

/// Whether calls can be made to fail; says so if not.
pub(crate) fn can_trace() -> bool {
    let traced = Command::new("strace").args(["-f", "-qq", "-e", "trace=none", "true"]).output();
    let can_trace = traced.is_ok_and(|output| output.status.success());
    if !can_trace {
        eprintln!("not tested: it takes strace");
    }
    can_trace
}

/// How often the busiest thread of a command makes each call.
fn calls(words: &[String]) -> BTreeMap<String, usize> {
    let folder = TempDir::new().unwrap();
    let trace = folder.path().join("trace");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", "signal=none", "-o"]).arg(&trace);
    command.arg("-e").arg(format!("trace={CALLS}")).arg(PROGRAM).args(words);
    command.stdin(Stdio::null()).output().expect("strace runs");
    let mut by_thread = BTreeMap::<(&str, &str), usize>::new();
    let text = fs::read_to_string(trace).unwrap();
    for line in text.lines().filter(|line| !line.contains(" resumed>")) {
        let Some((thread, call)) = line.split_once(char::is_whitespace) else { continue };
        let Some((call, _)) = call.trim_start().split_once('(') else { continue };
        *by_thread.entry((thread, call)).or_default() += 1;
    }
    let mut most = BTreeMap::new();
    for ((_, call), count) in by_thread {
        let most = most.entry(call.to_owned()).or_default();
        *most = count.max(*most);
    }
    most
}

/// Most failures of the same call in the same command: some read one file of the system many times.
const MAX_OF_EACH: usize = 40;

/// Every call of every command is made to fail, one a run. By default a few of them, always the same;
/// all of them in `.ci/deep`.
#[test]
fn failing_system_calls_are_reported() {
    if !can_trace() {
        return;
    }
    // The loader makes the first calls of every program; what fails there fails before ours begins.
    let of_loader = calls(&["--version".to_owned()]);
    let mut faults = Vec::new();
    for work in writers() {
        let folder = TempDir::new().unwrap();
        for (call, count) in calls(&work.words(folder.path())) {
            let first = of_loader.get(&call).copied().unwrap_or(0) + 1;
            let step = (count / MAX_OF_EACH).max(1);
            faults.extend((first..=count).step_by(step).map(|number| (work, call.clone(), number)));
        }
    }
    eprintln!("{} faults", faults.len());
    fastrand::Rng::with_seed(20).shuffle(&mut faults);
    let is_harmless = |(work, call, number): &&(&'static Work, String, usize)| {
        let error = if call == "mmap" { "ENOMEM" } else { "EIO" };
        let describe = |words: &[String]| {
            let mut command = Command::new("strace");
            command.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}")]);
            command.args(["-e", &format!("inject={call}:error={error}:when={number}")]);
            command.arg(PROGRAM).args(words);
            command
        };
        std::panic::catch_unwind(|| check(work, call.starts_with("unlink"), describe)).is_ok()
    };
    let harmful: Vec<String> = faults
        .iter()
        .take(runs(4, usize::MAX))
        .filter(|fault| !is_harmless(fault))
        .map(|(work, call, number)| format!("{call} {number} of '{}'", work.arguments))
        .collect();
    assert!(harmful.is_empty(), "{} faults, {harmful:#?}", faults.len());
}
