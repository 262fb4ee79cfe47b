//! Files that are there whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::{Builder, NamedTempFile};

/// A file to be written, under a temporary name until it is.
pub(super) struct NewFile {
    path: PathBuf,
    file: NamedTempFile,
}

impl NewFile {
    /// Makes sure that the file can be written, and leaves what is there as it is.
    pub(super) fn create(path: &Path) -> anyhow::Result<NewFile> {
        let cannot = || format!("cannot write '{}'", path.display());
        // The file that a link names, not the link, is to be written.
        let path = match fs::canonicalize(path) {
            Ok(path) if !path.is_file() => bail!("{}: it is no ordinary file", cannot()),
            Ok(path) => path,
            Err(_) => path.to_owned(),
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut builder = Builder::new();
        builder.prefix(".kalah-");
        #[cfg(unix)]
        {
            // As for any new file; temporary ones are for nobody else by default.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        // Its kind is all of the error that counts: the temporary name says nothing to anyone.
        let file = builder
            .tempfile_in(folder.unwrap_or(Path::new(".")))
            .map_err(|error| io::Error::from(error.kind()))
            .with_context(cannot)?;
        Ok(NewFile { path, file })
    }

    /// Writes all of the file and puts it in its place.
    pub(super) fn write(
        mut self,
        contents: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let cannot = || format!("cannot write '{}'", self.path.display());
        contents(&mut self.file)
            .and_then(|()| Ok(self.file.as_file().sync_all()?))
            .with_context(cannot)?;
        self.file.persist(&self.path).map_err(|error| error.error).with_context(cannot)?;
        Ok(())
    }
}
