//! Files of a host without a file system, such as a web page: books and tablebases are read from them by path.
//!
//! ```
//! use std::path::Path;
//!
//! use kalah::book::Book;
//! use kalah::host_files::{self, HostFile};
//!
//! let nothing = |_: u32, _: u64, buffer: &mut [u8]| Ok(buffer.fill(0));
//! host_files::register("page/some.kbk", HostFile { number: 1, length: 5000, read: nothing });
//! assert!(Book::open(Path::new("page/some.kbk")).is_err_and(|error| error.to_string().contains("some.kbk")));
//! host_files::forget();
//! ```

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::lock::lock;
use crate::regular_file;

/// A file that the host reads.
#[derive(Clone, Copy, Debug)]
pub struct HostFile {
    /// What the host calls it.
    pub number: u32,
    /// Bytes.
    pub length: u64,
    /// Fills the buffer with the bytes of the file with this number from an offset on, all of which it has.
    pub read: fn(number: u32, offset: u64, buffer: &mut [u8]) -> io::Result<()>,
}

/// All of them, by their paths.
static FILES: Mutex<BTreeMap<PathBuf, HostFile>> = Mutex::new(BTreeMap::new());

/// Registers a file. From then on its folder has the files that are registered there, and no other.
pub fn register(path: impl Into<PathBuf>, file: HostFile) {
    lock(&FILES).insert(path.into(), file);
}

/// Forgets all files. Those that are open can still be read.
pub fn forget() {
    lock(&FILES).clear();
}

/// Whether the host has files in this folder.
pub(crate) fn has_folder(folder: &Path) -> bool {
    lock(&FILES).keys().any(|path| path.parent() == Some(folder))
}

/// Whether there is anything with this path. A broken link is a file that cannot be read.
pub(crate) fn exists(path: &Path) -> io::Result<bool> {
    if path.parent().is_some_and(has_folder) {
        return Ok(lock(&FILES).contains_key(path));
    }
    match path.symlink_metadata() {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The length of a file in bytes.
pub(crate) fn length(path: &Path) -> io::Result<u64> {
    let known = lock(&FILES).get(path).map(|file| file.length);
    known.map_or_else(|| fs::metadata(path).map(|metadata| metadata.len()), Ok)
}

/// An open file, of the system or of the host.
#[derive(Debug)]
pub(crate) enum OpenFile {
    System(File),
    /// With the place where the next bytes are read.
    Host(HostFile, u64),
}

/// Opens a file of the host, or a regular one of the system.
pub(crate) fn open(path: &Path) -> io::Result<OpenFile> {
    let known = lock(&FILES).get(path).copied();
    match known {
        Some(file) => Ok(OpenFile::Host(file, 0)),
        None => regular_file::open(path).map(OpenFile::System),
    }
}

impl OpenFile {
    /// Bytes.
    pub(crate) fn length(&self) -> io::Result<u64> {
        match self {
            OpenFile::System(file) => file.metadata().map(|metadata| metadata.len()),
            OpenFile::Host(file, _) => Ok(file.length),
        }
    }

    /// Fills the buffer with the bytes from an offset on.
    pub(crate) fn read_exact_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        match self {
            OpenFile::System(file) => {
                file.seek(SeekFrom::Start(offset))?;
            }
            OpenFile::Host(_, place) => *place = offset,
        }
        self.read_exact(buffer)
    }
}

impl Read for OpenFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            OpenFile::System(file) => file.read(buffer),
            OpenFile::Host(file, offset) => {
                let left = usize::try_from(file.length.saturating_sub(*offset));
                let count = left.unwrap_or(usize::MAX).min(buffer.len());
                if count > 0 {
                    (file.read)(file.number, *offset, &mut buffer[..count])?;
                }
                *offset += count as u64;
                Ok(count)
            }
        }
    }
}
