//! Headers of binary files about a board: magic bytes, a format version, the rules, further fields, and
//! a checksum of all that. Numbers are little-endian.

use std::io::{self, Read};

use thiserror::Error;

use crate::board::{Capture, Rules};

/// Bytes of the checksum, which ends a header.
const CHECKSUM: usize = 4;

/// A file does not begin with the header that it should have.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileHeaderError {
    /// The magic bytes at the start are missing.
    #[error("not a {0} file")]
    Magic(&'static str),
    /// The format version is unknown.
    #[error("format version {found} is not supported, only version {expected}")]
    Version {
        /// The version of the file.
        found: u16,
        /// The supported version.
        expected: u16,
    },
    /// The header is damaged.
    #[error("the header is damaged")]
    Damaged,
    /// The file is truncated, or has more bytes after its end.
    #[error("the file has {found} bytes instead of {expected}")]
    Length {
        /// The length according to the header.
        expected: u64,
        /// The length of the file.
        found: u64,
    },
}

/// What the headers of all files of a kind have in common.
pub(crate) struct FileFormat {
    /// The kind, as in "not a tablebase file".
    pub name: &'static str,
    /// Like those of PNG, they contain a byte that no text has and line ends that a conversion of text
    /// would change.
    pub magic: [u8; 8],
    pub version: u16,
}

impl FileFormat {
    /// A header of `N` bytes with these fields, each with its place.
    pub(crate) fn write<const N: usize>(&self, rules: Rules, fields: &[(usize, &[u8])]) -> [u8; N] {
        let mut bytes = [0; N];
        let version = self.version.to_le_bytes();
        let rules = [rules.houses() as u8, rules.capture().index() as u8];
        let start: [(usize, &[u8]); 3] = [(0, &self.magic), (8, &version), (10, &rules)];
        for (place, field) in start.iter().chain(fields) {
            bytes[*place..place + field.len()].copy_from_slice(field);
        }
        let (rest, checksum) = bytes.split_at_mut(N - CHECKSUM);
        checksum.copy_from_slice(&crc32fast::hash(rest).to_le_bytes());
        bytes
    }

    /// Reads the header of a file of `length` bytes, and returns its rules as well.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or does not begin with a header of this format.
    pub(crate) fn read<const N: usize, E: From<FileHeaderError> + From<io::Error>>(
        &self,
        input: &mut impl Read,
        length: u64,
    ) -> Result<([u8; N], Rules), E> {
        let mut bytes = [0; N];
        let available = usize::try_from(length).unwrap_or(N).min(N);
        input.read_exact(&mut bytes[..available])?;
        if !bytes.starts_with(&self.magic) {
            return Err(FileHeaderError::Magic(self.name).into());
        }
        if available < N {
            return Err(FileHeaderError::Length { expected: N as u64, found: length }.into());
        }
        // The version and the checksum have the same place in every version.
        let (rest, checksum) = bytes.split_at(N - CHECKSUM);
        if crc32fast::hash(rest).to_le_bytes() != checksum {
            return Err(FileHeaderError::Damaged.into());
        }
        let found = little_endian(&bytes[8..10]) as u16;
        if found != self.version {
            return Err(FileHeaderError::Version { found, expected: self.version }.into());
        }
        let capture = Capture::ALL.get(usize::from(bytes[11]));
        let rules = capture.and_then(|&capture| Rules::new(bytes[10].into(), capture).ok());
        Ok((bytes, rules.ok_or(FileHeaderError::Damaged)?))
    }
}

/// A number of up to eight bytes.
pub(crate) fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
