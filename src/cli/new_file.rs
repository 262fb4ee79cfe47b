//! Files that a command writes: whether it can is found out before the work.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use kalah::atomic_file::{create_temporary, directory_of, replace_file};

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
        create_temporary(directory_of(&file.path), "").with_context(cannot)?;
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

    /// Writes all of the file and puts it in its place.
    pub(super) fn write(
        self,
        contents: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let cannot = || format!("cannot write '{}'", self.path.display());
        replace_file(&self.path, |file| contents(file)).with_context(cannot)
    }
}

/// A path to a file that is not there yet, without links and detours; `None` when there is no
/// such folder.
fn in_folder(path: &Path) -> Option<PathBuf> {
    Some(fs::canonicalize(directory_of(path)).ok()?.join(path.file_name()?))
}
