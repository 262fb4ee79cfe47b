//! Files that are there whole or not at all: written beside their place under a temporary name, which
//! goes with whatever breaks off the work, and given their own when they are on the disk.

use std::fs::{self, File, Permissions};
use std::io;
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

/// How temporary names begin.
pub const TEMPORARY: &str = ".kalah-";

/// The folder of a file.
pub fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// An empty file that is removed unless it gets another name. The one it has ends with `suffix`.
///
/// # Errors
/// When the folder is none, or no files can be made there.
pub fn temporary(folder: &Path, suffix: &str) -> io::Result<NamedTempFile> {
    // Whether there is one the system says in words that people know.
    fs::metadata(folder)?;
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY).suffix(suffix);
    if let Some(permissions) = permissions() {
        builder.permissions(permissions);
    }
    // Its kind is all of the error that counts: the temporary name says nothing to anyone.
    builder.tempfile_in(folder).map_err(|error| error.kind().into())
}

/// As for any new file; temporary ones are for nobody else by default.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
fn permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn permissions() -> Option<Permissions> {
    None
}

/// Writes a file and puts it in its place, instead of the one there, if any.
///
/// # Errors
/// Of `contents`, and when the file cannot be written. What was there is as it was.
pub fn write_whole<E: From<io::Error>>(
    path: &Path,
    contents: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    let mut file = temporary(folder_of(path), "")?;
    // Not to the temporary file itself, which would add its name to what fails.
    contents(file.as_file_mut())?;
    file.as_file().sync_all()?;
    // Who may read a file and who not is not for us to change.
    if let Ok(old) = fs::metadata(path) {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.persist(path).map_err(|error| error.error)?;
    sync_name(path);
    Ok(())
}

/// Makes the name of a file outlive a loss of power, where the system can.
pub fn sync_name(path: &Path) {
    let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
}
