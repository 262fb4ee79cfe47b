//! Output files, checked to be writable before the work starts.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use kalah::atomic_file::{create_temporary, directory_of, replace_file};
use kalah::file_lock::NameLock;
use kalah::regular_file;

/// An output file. It appears under its name when it is complete.
pub struct NewFile {
    path: PathBuf,
}

/// A kind of file that may be the result of long work, so that other output must not replace it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ValuableFile {
    /// A record of games.
    GameRecord,
    /// A record of a tuning run.
    TuningRecord,
    /// A record of reviews.
    ReviewRecord,
    /// A checkpoint of the solver.
    Checkpoint,
    /// A book.
    Book,
    /// A layer of a tablebase.
    TablebaseLayer,
}

impl ValuableFile {
    /// How such files begin.
    const BEGINNINGS: [(&[u8], ValuableFile); 7] = [
        (br#"{"game":"#, ValuableFile::GameRecord),
        (br#"{"tuning":"#, ValuableFile::TuningRecord),
        (br#"{"iteration":"#, ValuableFile::TuningRecord),
        (br#"{"limit":"#, ValuableFile::ReviewRecord),
        (b"\x89KBD", ValuableFile::Checkpoint),
        (b"\x89KBK", ValuableFile::Book),
        (b"\x89KTB", ValuableFile::TablebaseLayer),
    ];

    /// The kind of a file; `None` if it is none of them.
    fn of(path: &Path) -> Option<ValuableFile> {
        let mut start = Vec::new();
        let file = regular_file::open(path).ok()?;
        file.take(16).read_to_end(&mut start).ok()?;
        let kinds = ValuableFile::BEGINNINGS.into_iter();
        kinds.filter(|(beginning, _)| start.starts_with(beginning)).map(|(_, kind)| kind).next()
    }

    fn name(self) -> &'static str {
        match self {
            ValuableFile::GameRecord => "a record of games",
            ValuableFile::TuningRecord => "a record of a tuning run",
            ValuableFile::ReviewRecord => "a record of reviews",
            ValuableFile::Checkpoint => "a checkpoint",
            ValuableFile::Book => "a book",
            ValuableFile::TablebaseLayer => "a tablebase file",
        }
    }
}

impl NewFile {
    /// Checks that the file can be written. An existing file is left as it is. Fails for folders, special
    /// files, broken links, and for a file that is the result of long work.
    pub fn create(path: &Path) -> anyhow::Result<NewFile> {
        NewFile::replacing(path, None)
    }

    /// The same for a file that may replace one of its own kind.
    pub fn create_or_replace(path: &Path, kind: ValuableFile) -> anyhow::Result<NewFile> {
        NewFile::replacing(path, Some(kind))
    }

    fn replacing(path: &Path, kind: Option<ValuableFile>) -> anyhow::Result<NewFile> {
        let cannot = || format!("cannot write '{}'", path.display());
        // A symbolic link stays: the file that it points to is written.
        let path = match fs::canonicalize(path) {
            Ok(path) => {
                // Replacing the file does not need write permission, but must respect it.
                regular_file::open_with(&path, OpenOptions::new().append(true))
                    .with_context(cannot)?;
                if let Some(found) = ValuableFile::of(&path).filter(|&found| Some(found) != kind) {
                    bail!("{}: it is {}, which would be lost", cannot(), found.name());
                }
                path
            }
            Err(_) if path.is_symlink() => bail!("{}: the symbolic link is broken", cannot()),
            Err(error) if error.kind() != ErrorKind::NotFound || path.file_name().is_none() => {
                return Err(error).with_context(cannot);
            }
            Err(_) => canonical_new(path).unwrap_or_else(|| path.to_owned()),
        };
        let file = NewFile { path };
        // Removed at once, so that interrupted work leaves no temporary file behind.
        create_temporary(directory_of(&file.path)).with_context(cannot)?;
        Ok(file)
    }

    /// The canonical path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a path names this file.
    pub fn is(&self, path: &Path) -> bool {
        fs::canonicalize(path).ok().or_else(|| canonical_new(path)).as_ref() == Some(&self.path)
    }

    /// Locks the name of the file against other processes that would replace it during long work.
    pub fn lock(&self) -> anyhow::Result<NameLock> {
        let lock = NameLock::new(&self.path)
            .with_context(|| format!("cannot lock '{}'", self.path.display()))?;
        match lock {
            Some(lock) => Ok(lock),
            None => bail!("another process is writing to '{}'", self.path.display()),
        }
    }

    /// Writes the whole file under a temporary name and renames it.
    pub fn write(
        self,
        contents: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let cannot = || format!("cannot write '{}'", self.path.display());
        replace_file(&self.path, |file| contents(file)).with_context(cannot)
    }
}

/// Requires that no two outputs are the same file.
pub fn require_different<'a>(files: impl IntoIterator<Item = &'a NewFile>) -> anyhow::Result<()> {
    let mut paths = Vec::new();
    for NewFile { path } in files {
        if paths.contains(&path) {
            bail!("'{}' is named for two files", path.display());
        }
        paths.push(path);
    }
    Ok(())
}

/// The canonical path of a file that does not exist yet; `None` if its folder does not exist.
fn canonical_new(path: &Path) -> Option<PathBuf> {
    Some(fs::canonicalize(directory_of(path)).ok()?.join(path.file_name()?))
}
