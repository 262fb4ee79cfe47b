//! Opens regular files only: a FIFO or a device could block for ever, or have no end.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Opens a regular file to read it.
///
/// # Errors
/// Returns an error if it is not a regular file or cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, OpenOptions::new().read(true))
}

/// Opens a regular file. It never blocks, as opening a FIFO would.
///
/// # Errors
/// Returns an error if it is not a regular file or cannot be opened.
pub fn open_with(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // To open a device can have effects, and the error of a socket would not say what it is.
    if let Ok(metadata) = fs::metadata(path) {
        require_regular(&metadata)?;
    }
    // Meanwhile there may be a FIFO.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        options,
        rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
    );
    let file = options.open(path)?;
    require_regular(&file.metadata()?)?;
    Ok(file)
}

/// Reads a whole regular file of at most `max` bytes.
///
/// # Errors
/// Returns an error if it is not a regular file, is larger, or cannot be read.
pub fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let bytes = file.metadata()?.len();
    let mut contents = Vec::new();
    if bytes <= max {
        contents.try_reserve_exact(bytes as usize)?;
        // It may grow.
        file.take(max + 1).read_to_end(&mut contents)?;
    }
    let bytes = bytes.max(contents.len() as u64);
    if bytes <= max {
        return Ok(contents);
    }
    let text = format!("the file has {bytes} bytes, but no more than {max} are read");
    Err(io::Error::new(ErrorKind::InvalidData, text))
}

/// Requires that metadata are those of a regular file; the error says what it is instead.
fn require_regular(metadata: &Metadata) -> io::Result<()> {
    let kind = metadata.file_type();
    if kind.is_file() {
        return Ok(());
    }
    #[cfg(unix)]
    let special = {
        use std::os::unix::fs::FileTypeExt;
        [(kind.is_fifo(), "a FIFO"), (kind.is_socket(), "a socket"), (true, "a device")]
    };
    #[cfg(not(unix))]
    let special = [(true, "a device")];
    let names = [(kind.is_dir(), "a directory")].into_iter().chain(special);
    let name = names.into_iter().find(|(is, _)| *is).map_or("a device", |(_, name)| name);
    Err(io::Error::new(ErrorKind::InvalidInput, format!("{name}, not a regular file")))
}
