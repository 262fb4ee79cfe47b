//! Locks that keep two processes from changing a file at the same time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::atomic_file::directory_of;
use crate::regular_file;

/// Attempts to lock a file.
const ATTEMPTS: usize = 100;

/// Time between two of them.
const PAUSE: Duration = Duration::from_millis(10);

/// An open file that is locked against other processes, as long as this lives.
#[derive(Debug)]
pub struct FileLock(File);

impl FileLock {
    /// Locks an open file; `None` if another process has. Where a file system has no locks, it counts as locked.
    pub fn new(file: File) -> Option<FileLock> {
        for attempt in 1.. {
            match file.try_lock() {
                // The lock of a process that was killed may outlive it for a moment: see `drop`.
                Err(TryLockError::WouldBlock) if attempt < ATTEMPTS => thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => break,
                Ok(()) | Err(TryLockError::Error(_)) => return Some(FileLock(file)),
            }
        }
        None
    }

    /// Opens or creates a file and locks it; `None` if another process has.
    ///
    /// # Errors
    /// Returns an error if it is not a regular file, or cannot be opened to read and write.
    pub(crate) fn open(path: &Path) -> io::Result<Option<FileLock>> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        loop {
            let Some(lock) = FileLock::new(regular_file::open_with(path, &mut options)?) else {
                return Ok(None);
            };
            // Its owner may have removed the file before it released the lock.
            if lock.is_at(path).unwrap_or(false) {
                return Ok(Some(lock));
            }
        }
    }

    /// Whether the path still names the file.
    ///
    /// # Errors
    /// Returns an error if the path or the file cannot be looked at.
    pub fn is_at(&self, path: &Path) -> io::Result<bool> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let inode = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
            Ok(inode(self.0.metadata()?) == inode(fs::metadata(path)?))
        }
        #[cfg(not(unix))]
        {
            // The system keeps an open file from being removed.
            let _ = path;
            Ok(true)
        }
    }
}

impl Deref for FileLock {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Closing it is not enough: a process just being started has the lock until its program begins.
        let _ = self.0.unlock();
    }
}

/// The exclusive use of a file name, for work that replaces the file again and again: a lock on the file
/// itself would be lost with each replacement. A hidden file beside it carries the lock.
#[derive(Debug)]
pub struct NameLock {
    path: PathBuf,
    _lock: FileLock,
}

impl NameLock {
    /// Locks a file name, whether or not there is such a file; `None` if another process has locked it.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written.
    pub fn new(path: &Path) -> io::Result<Option<NameLock>> {
        // The name itself may be too long to be made longer.
        let name = crc32fast::hash(path.file_name().unwrap_or_default().as_encoded_bytes());
        let path = directory_of(path).join(format!(".kalah-{name:08x}.lock"));
        Ok(FileLock::open(&path)?.map(|lock| NameLock { path, _lock: lock }))
    }
}

impl Drop for NameLock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
