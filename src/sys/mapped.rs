//! Memory-mapped files.

use std::fs::File;
use std::io;
use std::ptr;

use memmap2::{MmapOptions, MmapRaw};

/// A memory-mapped file: the system loads pages when they are first read and drops them when memory
/// runs short.
///
/// Bytes are copied out. There are no references into the file, since other processes can write to
/// it; for the same reason callers have to expect any bytes. If another process truncates the file,
/// reading a byte that is gone ends this process (SIGBUS).
#[derive(Debug)]
pub(crate) struct MappedFile {
    map: MmapRaw,
}

impl MappedFile {
    /// Maps a file, which may be closed afterwards.
    pub(crate) fn new(file: &File) -> io::Result<MappedFile> {
        Ok(MappedFile { map: MmapOptions::new().map_raw_read_only(file)? })
    }

    /// The number of bytes.
    pub(crate) fn len(&self) -> usize {
        self.map.len()
    }

    /// The little-endian number in the two bytes at `start`; `None` beyond the end.
    #[inline]
    #[allow(unsafe_code)]
    pub(crate) fn word(&self, start: usize) -> Option<u16> {
        if start.checked_add(2)? > self.map.len() {
            return None;
        }
        // SAFETY: `start` and the byte after it lie within the map, which is readable and does not
        // move as long as `self` lives. There are no references to the bytes, so other processes
        // that write to the file break no aliasing rule; the read is volatile because they may.
        // Any two bytes are a value of the type, which needs no alignment.
        let bytes = unsafe { self.map.as_ptr().add(start).cast::<[u8; 2]>().read_volatile() };
        Some(u16::from_le_bytes(bytes))
    }

    /// Copies the bytes at `start`. Returns false if the file ends before.
    #[allow(unsafe_code)]
    #[must_use]
    pub(crate) fn copy(&self, start: usize, to: &mut [u8]) -> bool {
        if start.checked_add(to.len()).is_none_or(|end| end > self.map.len()) {
            return false;
        }
        // SAFETY: the range lies within the map, as above, and does not overlap `to`, which is
        // borrowed exclusively. Concurrent writes to the file are copied or not.
        unsafe {
            ptr::copy_nonoverlapping(self.map.as_ptr().add(start), to.as_mut_ptr(), to.len());
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn bytes_are_those_of_the_file() -> io::Result<()> {
        let mut file = tempfile::tempfile()?;
        file.write_all(&[1, 2, 3, 4, 5])?;
        let mapped = MappedFile::new(&file)?;
        assert_eq!(mapped.len(), 5);
        assert_eq!(mapped.word(0), Some(0x0201));
        assert_eq!(mapped.word(3), Some(0x0504));
        assert_eq!(mapped.word(4), None);
        assert_eq!(mapped.word(usize::MAX), None);
        let mut bytes = [0; 3];
        assert!(mapped.copy(2, &mut bytes));
        assert_eq!(bytes, [3, 4, 5]);
        assert!(!mapped.copy(3, &mut bytes));
        assert!(!mapped.copy(usize::MAX, &mut bytes));
        assert!(mapped.copy(5, &mut []));
        Ok(())
    }

    #[test]
    fn empty_files_have_no_bytes() -> io::Result<()> {
        let mapped = MappedFile::new(&tempfile::tempfile()?)?;
        assert_eq!((mapped.len(), mapped.word(0)), (0, None));
        Ok(())
    }
}
