//! The start of binary files about a board: magic bytes, a format version, the rules, and further fields.
//! A checksum ends the header, or the whole file. Numbers are little-endian.

use std::io::{self, Read};

use thiserror::Error;

use crate::board::{RuleSet, Rules};

/// Bytes of magic, version and rules.
pub(crate) const START: usize = 12;

/// Bytes of the checksum.
pub(crate) const CHECKSUM: usize = 4;

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
    /// The rules are none that this version knows.
    #[error("rule set {0} is unknown, only {names} are supported", names = rule_sets())]
    UnknownRules(u8),
    /// The header, or a file with one checksum, is damaged.
    #[error("is damaged")]
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

/// The rule sets by their numbers, as `0 (standard), …`.
fn rule_sets() -> String {
    RuleSet::ALL.map(|rule_set| format!("{} ({})", rule_set.index(), rule_set.name())).join(", ")
}

/// What the headers of all files of a kind have in common.
pub(crate) struct FileFormat {
    /// The kind, as in "not a tablebase file".
    pub name: &'static str,
    /// With a byte that no text has and line ends that a conversion of text would change, as in PNG.
    pub magic: [u8; 8],
    pub version: u16,
}

impl FileFormat {
    /// The bytes that every file begins with.
    pub(crate) fn start(&self, rules: Rules) -> [u8; START] {
        let mut bytes = [0; START];
        bytes[..8].copy_from_slice(&self.magic);
        bytes[8..10].copy_from_slice(&self.version.to_le_bytes());
        bytes[10..].copy_from_slice(&[rules.houses() as u8, rules.rule_set().index() as u8]);
        bytes
    }

    /// A header of `N` bytes with these fields, each with its offset.
    pub(crate) fn write<const N: usize>(&self, rules: Rules, fields: &[(usize, &[u8])]) -> [u8; N] {
        let mut bytes = [0; N];
        for (offset, field) in [(0, &self.start(rules)[..])].iter().chain(fields) {
            bytes[*offset..offset + field.len()].copy_from_slice(field);
        }
        let (rest, checksum) = bytes.split_at_mut(N - CHECKSUM);
        checksum.copy_from_slice(&crc32fast::hash(rest).to_le_bytes());
        bytes
    }

    /// Reads the header of a file of `length` bytes, and returns its rules as well.
    pub(crate) fn read<const N: usize, E: From<FileHeaderError> + From<io::Error>>(
        &self,
        input: &mut impl Read,
        length: u64,
    ) -> Result<([u8; N], Rules), E> {
        let mut bytes = [0; N];
        let available = usize::try_from(length).unwrap_or(N).min(N);
        input.read_exact(&mut bytes[..available])?;
        if available < N && bytes.starts_with(&self.magic) {
            return Err(FileHeaderError::Length { expected: N as u64, found: length }.into());
        }
        let (rules, _) = self.check(&bytes)?;
        Ok((bytes, rules))
    }

    /// Checks a header, or a file, that ends with its checksum. Returns the rules and the bytes between them.
    pub(crate) fn check<'a>(&self, bytes: &'a [u8]) -> Result<(Rules, &'a [u8]), FileHeaderError> {
        if !bytes.starts_with(&self.magic) {
            return Err(FileHeaderError::Magic(self.name));
        }
        // The version and the checksum have the same place in every version.
        let (rest, checksum) = bytes.split_last_chunk().ok_or(FileHeaderError::Damaged)?;
        let (start, fields) = rest.split_at_checked(START).ok_or(FileHeaderError::Damaged)?;
        if crc32fast::hash(rest) != u32::from_le_bytes(*checksum) {
            return Err(FileHeaderError::Damaged);
        }
        let found = little_endian(&start[8..10]) as u16;
        if found != self.version {
            return Err(FileHeaderError::Version { found, expected: self.version });
        }
        let rule_set = RuleSet::ALL.get(usize::from(start[11]));
        let &rule_set = rule_set.ok_or(FileHeaderError::UnknownRules(start[11]))?;
        let rules = Rules::new(start[10].into(), rule_set).map_err(|_| FileHeaderError::Damaged)?;
        Ok((rules, fields))
    }
}

/// A number of up to eight bytes.
pub(crate) fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
