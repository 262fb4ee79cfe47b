//! Files that are there whole or not at all.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::{Builder, NamedTempFile};

/// A file to be written, under a temporary name until it is.
pub(super) struct NewFile {
    path: PathBuf,
}

impl NewFile {
    /// Makes sure that the file can be written, and leaves what is there as it is.
    pub(super) fn create(path: &Path) -> anyhow::Result<NewFile> {
        let cannot = || format!("cannot write '{}'", path.display());
        // The file that a link names, not the link, is to be written.
        let path = match fs::canonicalize(path) {
            Ok(path) if !path.is_file() => bail!("{}: it is no ordinary file", cannot()),
            Ok(path) => {
                // It is going to be replaced, which would not ask for this right.
                OpenOptions::new().append(true).open(&path).with_context(cannot)?;
                path
            }
            Err(_) if path.is_symlink() => bail!("{}: it is a link to nothing", cannot()),
            Err(_) => in_folder(path).unwrap_or_else(|| path.to_owned()),
        };
        let file = NewFile { path };
        // Work may take long, and be broken off: until its end nothing is left lying around.
        file.temporary().with_context(cannot)?;
        Ok(file)
    }

    /// Where the file is going to be, by whatever name it was called.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a path leads there.
    pub(super) fn is(&self, path: &Path) -> bool {
        fs::canonicalize(path).ok().or_else(|| in_folder(path)).as_ref() == Some(&self.path)
    }

    /// An empty file beside it.
    fn temporary(&self) -> io::Result<NamedTempFile> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        // Whether there is one the system says in words that people know.
        fs::metadata(folder)?;
        let mut builder = Builder::new();
        builder.prefix(".kalah-");
        if let Some(permissions) = permissions() {
            builder.permissions(permissions);
        }
        // Its kind is all of the error that counts: the temporary name says nothing to anyone.
        let temporary = builder.tempfile_in(folder);
        temporary.map_err(|error| io::Error::from(error.kind()))
    }

    /// Writes all of the file and puts it in its place.
    pub(super) fn write(
        self,
        contents: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let cannot = || format!("cannot write '{}'", self.path.display());
        let mut file = self.temporary().with_context(cannot)?;
        // Not to the temporary file itself, which would add its name to what fails.
        let written = contents(file.as_file_mut());
        written.and_then(|()| Ok(file.as_file().sync_all()?)).with_context(cannot)?;
        // Who may read a file and who not is not for us to change.
        if let Ok(old) = fs::metadata(&self.path) {
            file.as_file().set_permissions(old.permissions()).with_context(cannot)?;
        }
        file.persist(&self.path).map_err(|error| error.error).with_context(cannot)?;
        Ok(())
    }
}

/// A path to a file that is not there yet, without links and detours; `None` when there is no
/// such folder.
fn in_folder(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    Some(fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?.join(path.file_name()?))
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
