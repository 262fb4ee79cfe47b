//! Files that are read where they lie.

use std::fs::File;
use std::io;
use std::ptr;

use memmap2::{MmapOptions, MmapRaw};

/// The bytes of a file, which the system loads when they are first read and drops when memory
/// runs short.
///
/// What is read is copied out. Nobody gets a reference into the file, for others can write to it;
/// whoever reads it has to expect any bytes. A file that another program makes shorter ends this
/// one when a byte is read that is gone, as the system will have it (SIGBUS).
#[derive(Debug)]
pub(crate) struct MappedFile {
    map: MmapRaw,
}

impl MappedFile {
    /// Maps a file, which may be closed then.
    pub(crate) fn new(file: &File) -> io::Result<MappedFile> {
        Ok(MappedFile { map: MmapOptions::new().map_raw_read_only(file)? })
    }

    /// How many bytes there are.
    pub(crate) fn len(&self) -> usize {
        self.map.len()
    }

    /// The two bytes that begin there, the lower first; `None` behind the end.
    #[inline]
    #[allow(unsafe_code)]
    pub(crate) fn word(&self, start: usize) -> Option<u16> {
        if start.checked_add(2)? > self.map.len() {
            return None;
        }
        // SAFETY: `start` and the byte after it lie within the map, which is readable as long as
        // `self` lives and is not moved. No reference to the bytes exists anywhere, so others
        // that write to the file break no promise of the language; the read is volatile because
        // they may, and any two bytes are a value of the type, which needs no alignment.
        let bytes = unsafe { self.map.as_ptr().add(start).cast::<[u8; 2]>().read_volatile() };
        Some(u16::from_le_bytes(bytes))
    }

    /// Copies the bytes that begin there; whether there are as many.
    #[allow(unsafe_code)]
    #[must_use]
    pub(crate) fn copy(&self, start: usize, to: &mut [u8]) -> bool {
        if start.checked_add(to.len()).is_none_or(|end| end > self.map.len()) {
            return false;
        }
        // SAFETY: the range lies within the map, as above, and `to` is memory of somebody's own,
        // so that the two do not overlap. What others write meanwhile is copied or is not.
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
