//! Text from files, pipes and standard input, without byte order marks and with line feeds as line ends.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::regular_file;

/// What some editors write before UTF-8.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Opens a file or a pipe, to be read to its end; `-` is standard input. Waits for the writer of a FIFO.
///
/// # Errors
/// Returns an error if it cannot be opened.
pub fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    Ok(if path == Path::new("-") { Box::new(io::stdin()) } else { Box::new(File::open(path)?) })
}

/// The name of what [`open`] opens, for messages.
pub fn name(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".to_owned();
    }
    format!("'{}'", path.display())
}

/// Reads the whole text of a file, a pipe or standard input of at most `max` bytes, as by [`decode`].
///
/// # Errors
/// Returns an error if it is a device or a directory, is larger, cannot be read, or is not text in UTF-8.
pub fn read(path: &Path, max: u64) -> io::Result<String> {
    decode(if is_pipe(path) { read_pipe(path, max)? } else { regular_file::read(path, max)? })
}

/// Reads a pipe or standard input of at most `max` bytes to its end.
///
/// # Errors
/// Returns an error if it is larger or cannot be read.
pub fn read_pipe(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Err(io::Error::new(ErrorKind::InvalidData, format!("more than {max} bytes")));
    }
    Ok(bytes)
}

fn is_pipe(path: &Path) -> bool {
    if path == Path::new("-") {
        return true;
    }
    #[cfg(unix)]
    let is_fifo = std::os::unix::fs::FileTypeExt::is_fifo;
    #[cfg(not(unix))]
    let is_fifo = |_: &fs::FileType| false;
    fs::metadata(path).is_ok_and(|metadata| is_fifo(&metadata.file_type()))
}

/// The text of these bytes, without a byte order mark, and with line feeds alone as line ends.
///
/// # Errors
/// Returns an error if it is not UTF-8; UTF-16 is named.
pub fn decode(bytes: Vec<u8>) -> io::Result<String> {
    let wrong = |text| io::Error::new(ErrorKind::InvalidData, text);
    if is_utf16(&bytes) {
        return Err(wrong("text in UTF-16, expected UTF-8"));
    }
    let text = String::from_utf8(bytes).map_err(|_| wrong("not text in UTF-8"))?;
    Ok(match with_line_feeds(&text) {
        Cow::Borrowed(same) if same.len() == text.len() => text,
        other => other.into_owned(),
    })
}

/// Whether text that begins so is UTF-16: by its byte order mark, or by the zeros in its first characters.
pub fn is_utf16(beginning: &[u8]) -> bool {
    match beginning {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [0, first, 0, second, ..] | [first, 0, second, 0, ..] => *first != 0 && *second != 0,
        _ => false,
    }
}

/// A text without a byte order mark, with a line feed for each line end: CR, LF or both.
pub fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let text = text.trim_start_matches(BYTE_ORDER_MARK);
    if text.contains('\r') {
        return Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"));
    }
    Cow::Borrowed(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_all_editors_are_the_same() -> io::Result<()> {
        let expected = "a\n\nb\n";
        for text in ["a\n\nb\n", "\u{feff}a\n\nb\n", "a\r\n\r\nb\r\n", "\u{feff}a\r\rb\r"] {
            assert_eq!(decode(text.into())?, expected, "{text:?}");
        }
        for text in ["", "a", "a\0b"] {
            assert_eq!(decode(text.into())?, text);
        }
        let utf16 = |text: &str, swap: fn(u16) -> u16| -> Vec<u8> {
            text.encode_utf16().flat_map(|unit| swap(unit).to_le_bytes()).collect()
        };
        for text in ["\u{feff}CF", "CF", "\u{feff}中"] {
            for swap in [u16::to_le as fn(u16) -> u16, u16::swap_bytes] {
                let error = decode(utf16(text, swap)).map_err(|error| error.to_string());
                assert_eq!(error, Err("text in UTF-16, expected UTF-8".to_owned()));
            }
        }
        let error = decode(b"a\xff".to_vec()).map_err(|error| error.to_string());
        assert_eq!(error, Err("not text in UTF-8".to_owned()));
        Ok(())
    }
}
