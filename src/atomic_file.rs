//! Atomic file replacement: contents are written to a temporary file beside the target, which is
//! renamed when it is complete and on the disk, and removed if anything fails.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use crate::regular_file;

/// Temporary names begin and end so.
const PREFIX: &str = ".kalah-";
const SUFFIX: &str = ".part";

/// The directory of a file.
pub fn directory_of(path: &Path) -> &Path {
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
    directory.unwrap_or(Path::new("."))
}

/// Creates an empty file that is removed when it is dropped. While it is open its lock tells it from a stray.
///
/// # Errors
/// Returns an error if the directory does not exist or is not writable.
pub fn create_temporary(directory: &Path) -> io::Result<NamedTempFile> {
    // The system's message for a missing directory is clearer than that of `tempfile`.
    fs::metadata(directory)?;
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // Those of ordinary new files; `tempfile` makes private ones by default.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    remove_strays(directory);
    loop {
        // The message would contain the temporary name.
        let file = builder.tempfile_in(directory).map_err(|error| io::Error::from(error.kind()))?;
        let is_taken = matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
        // Before it was locked, another process may have taken it for a stray.
        if !is_taken && file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes the temporary files that processes have left which were killed. Where files cannot be locked,
/// nothing tells them from those still in use, and they stay.
pub fn remove_strays(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(PREFIX)
            && name.ends_with(SUFFIX)
            && let Ok(file) = regular_file::open(&entry.path())
            && file.try_lock().is_ok()
        {
            // Still locked: its owner, had it just begun, would take it for its own.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes a file, replacing an existing one and keeping its permissions.
///
/// # Errors
/// Returns the error of `contents`, or why the file cannot be written. An existing file stays as it was.
pub fn replace_file<E: From<io::Error>>(
    path: &Path,
    contents: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let mut file = create_temporary(directory_of(path))?;
    // Errors of the `NamedTempFile` itself would contain the temporary name.
    contents(file.as_file_mut())?;
    file.as_file().sync_all()?;
    if let Ok(old) = fs::metadata(path) {
        file.as_file().set_permissions(old.permissions())?;
    }
    let file = file.persist(path).map_err(|error| error.error)?;
    // A process that another thread is just starting would keep the lock for a moment.
    let _ = file.unlock();
    sync_directory_of(path);
    Ok(())
}

/// Makes a new file name survive a power failure, if the system supports it.
pub fn sync_directory_of(path: &Path) {
    let _ = File::open(directory_of(path)).and_then(|directory| directory.sync_all());
}
