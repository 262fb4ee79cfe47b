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

/// The kind of a record of games.
pub const GAME_RECORD: &str = "a record of games";

/// The kind of a book.
pub const BOOK: &str = "a book";

/// Files that may be the result of long work, which no other output replaces: how they begin, and kinds.
const VALUABLE_FILES: [(&[u8], &str); 8] = [
    (br#"{"game":"#, GAME_RECORD),
    (br#"{"tuning":"#, "a record of a tuning run"),
    (br#"{"iteration":"#, "a record of a tuning run"),
    (br#"{"limit":"#, "a record of reviews"),
    (br#"{"fen":"#, "a store of solved positions"),
    (b"\x89KBD", "a checkpoint"),
    (b"\x89KBK", BOOK),
    (b"\x89KTB", "a tablebase file"),
];

/// The kind of a file; `None` if it is not valuable.
fn valuable_kind(path: &Path) -> Option<&'static str> {
    let mut start = Vec::new();
    regular_file::open(path).ok()?.take(16).read_to_end(&mut start).ok()?;
    let mut kinds = VALUABLE_FILES.into_iter();
    kinds.find(|(beginning, _)| start.starts_with(beginning)).map(|(_, kind)| kind)
}

impl NewFile {
    /// Checks that the file can be written. An existing file is left as it is. Fails for folders, special
    /// files, broken links, and for a file that is the result of long work.
    pub fn create(path: &Path) -> anyhow::Result<NewFile> {
        NewFile::replacing(path, None)
    }

    /// The same for a file that may replace one of its own kind, such as [`BOOK`].
    pub fn create_or_replace(path: &Path, kind: &str) -> anyhow::Result<NewFile> {
        NewFile::replacing(path, Some(kind))
    }

    fn replacing(path: &Path, kind: Option<&str>) -> anyhow::Result<NewFile> {
        let cannot = || format!("cannot write '{}'", path.display());
        // A symbolic link stays: the file that it points to is written.
        let path = match fs::canonicalize(path) {
            Ok(path) => {
                // Replacing the file does not need write permission, but must respect it.
                regular_file::open_with(&path, OpenOptions::new().append(true))
                    .with_context(cannot)?;
                if let Some(found) = valuable_kind(&path).filter(|&found| Some(found) != kind) {
                    bail!("{}: it is {found}, which would be lost", cannot());
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
        let path = self.path.display();
        let lock = NameLock::new(&self.path).with_context(|| format!("cannot lock '{path}'"))?;
        lock.with_context(|| format!("another process is writing to '{path}'"))
    }

    /// Writes the whole file under a temporary name and renames it.
    pub fn write(
        self,
        contents: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let cannot = || format!("cannot write '{}'", self.path.display());
        replace_file(&self.path, |file| contents(file)).with_context(cannot)
    }

    /// The same for contents that are known.
    pub fn write_bytes(self, contents: impl AsRef<[u8]>) -> anyhow::Result<()> {
        self.write(|file| Ok(file.write_all(contents.as_ref())?))
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
