//! Files of learned evaluations; `docs/strength.md` has the layout.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

use super::network::{HIDDEN_NEURONS, Network, NetworkError, NetworkParameters, SEED_COUNTS};
use super::phases::PHASES;
use crate::board::{Capture, MAX_HOUSES, Rules};

/// Like that of PNG: a byte that no text has, and line ends that are spoilt when a file is taken
/// for text.
const MAGIC: [u8; 8] = *b"\x89KNN\r\n\x1a\n";

const VERSION: u16 = 1;

const CHECKSUM: usize = 4;

/// Bytes of the largest file.
const MOST_BYTES: usize = bytes_of(MAX_HOUSES);

/// What is before the numbers of 16 bits.
const HEADER: usize = MAGIC.len() + 2 + 6 + 4 * PHASES;

const fn bytes_of(houses: usize) -> usize {
    HEADER + (1 + PHASES + 2 * houses * SEED_COUNTS) * HIDDEN_NEURONS * 2 + CHECKSUM
}

/// Why a file is no evaluation to play with.
#[derive(Debug, Error)]
pub enum NetworkFileError {
    /// It cannot be read.
    #[error("cannot read it: {0}")]
    Read(#[from] io::Error),
    /// It is something else.
    #[error("it is no learned evaluation")]
    Foreign,
    /// It is of a version that is not known here.
    #[error("it is of version {0}, this program reads version {VERSION}")]
    Version(u16),
    /// It is not what was written.
    #[error("it is damaged")]
    Damaged,
    /// It is whole, but no network of the size that this program plays with.
    #[error(
        "it is of another size: {hidden} hidden numbers, {counts} seed counts, {phases} phases"
    )]
    Size {
        /// Numbers in its hidden layer.
        hidden: u8,
        /// Seed counts it tells apart.
        counts: u8,
        /// GamePhases it tells apart.
        phases: u8,
    },
    /// Its numbers make no network.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

impl Network {
    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rules = self.rules();
        let NetworkParameters { rows, bias, output, output_bias, shift } = self.parameters();
        let mut bytes = Vec::with_capacity(bytes_of(rules.houses()));
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        let capture = rules.capture().index();
        let sizes =
            [rules.houses(), capture, SEED_COUNTS, HIDDEN_NEURONS, usize::from(shift), PHASES];
        bytes.extend(sizes.map(|size| size as u8));
        bytes.extend(output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        for row in [bias].iter().chain(&output).chain(&rows) {
            bytes.extend(row.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The network of a file's bytes.
    ///
    /// # Errors
    /// When they are no such file, of another version or size, or not what was written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkFileError> {
        let damaged = NetworkFileError::Damaged;
        if !bytes.starts_with(&MAGIC) {
            return Err(NetworkFileError::Foreign);
        }
        let (bytes, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(damaged)?;
        if crc32fast::hash(bytes) != u32::from_le_bytes(*checksum) {
            return Err(NetworkFileError::Damaged);
        }
        let (header, numbers) =
            bytes.split_first_chunk::<HEADER>().ok_or(NetworkFileError::Damaged)?;
        let [
            _,
            _,
            _,
            _,
            _,
            _,
            _,
            _,
            low,
            high,
            houses,
            capture,
            counts,
            hidden,
            shift,
            phases,
            biases @ ..,
        ] = *header;
        let version = u16::from_le_bytes([low, high]);
        if version != VERSION {
            return Err(NetworkFileError::Version(version));
        }
        if [counts, hidden, phases].map(usize::from) != [SEED_COUNTS, HIDDEN_NEURONS, PHASES] {
            return Err(NetworkFileError::Size { hidden, counts, phases });
        }
        let capture = Capture::ALL.into_iter().find(|known| known.index() == usize::from(capture));
        let rules = capture.and_then(|capture| Rules::new(usize::from(houses), capture).ok());
        let rules = rules.ok_or(NetworkFileError::Damaged)?;
        if numbers.len() + HEADER + CHECKSUM != bytes_of(rules.houses()) {
            return Err(NetworkFileError::Damaged);
        }
        let numbers: Vec<i16> =
            numbers.as_chunks().0.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect();
        let Some(([bias, output @ ..], rows)) =
            numbers.as_chunks().0.split_first_chunk::<{ 1 + PHASES }>()
        else {
            return Err(NetworkFileError::Damaged);
        };
        let mut output_bias = [0; PHASES];
        for (bias, bytes) in output_bias.iter_mut().zip(biases.as_chunks().0) {
            *bias = i32::from_le_bytes(*bytes);
        }
        let rows = rows.to_vec();
        let parameters =
            NetworkParameters { rows, bias: *bias, output: *output, output_bias, shift };
        Ok(Network::new(rules, &parameters)?)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, and as [`Network::from_bytes`].
    pub fn read(path: &Path) -> Result<Network, NetworkFileError> {
        let mut bytes = Vec::new();
        // Something else may be of any length, or without an end.
        File::open(path)?.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        Network::from_bytes(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;

    #[test]
    fn what_is_written_is_read() -> Result<(), Box<dyn Error>> {
        for houses in 1..=MAX_HOUSES {
            for capture in Capture::ALL {
                let rules = Rules::new(houses, capture)?;
                for (network, _) in Network::samples(rules)? {
                    let bytes = network.to_bytes();
                    assert_eq!(bytes.len(), bytes_of(houses));
                    assert_eq!(Network::from_bytes(&bytes)?, network);
                }
            }
        }
        Ok(())
    }

    #[test]
    fn what_is_damaged_is_refused() -> Result<(), Box<dyn Error>> {
        let (network, _) = &Network::samples(Rules::default())?[0];
        let good = network.to_bytes();
        for place in 0..good.len() {
            let mut bytes = good.clone();
            bytes[place] ^= 1 << (place % 8);
            assert!(Network::from_bytes(&bytes).is_err(), "byte {place}");
            assert!(Network::from_bytes(&good[..place]).is_err(), "{place} bytes");
        }
        assert!(Network::from_bytes(&[good, vec![0]].concat()).is_err());
        Ok(())
    }

    #[test]
    fn what_is_of_another_kind_is_named() -> Result<(), Box<dyn Error>> {
        let (network, _) = &Network::samples(Rules::default())?[0];
        let sealed = |change: &dyn Fn(&mut [u8])| {
            let mut bytes = network.to_bytes();
            change(&mut bytes);
            bytes.truncate(bytes.len() - CHECKSUM);
            bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
            Network::from_bytes(&bytes).err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert_eq!(sealed(&|bytes| bytes[1] = 0), "it is no learned evaluation");
        assert!(sealed(&|bytes| bytes[8] = 2).starts_with("it is of version 2"));
        assert_eq!(sealed(&|bytes| bytes[10] = 13), "it is damaged");
        assert_eq!(sealed(&|bytes| bytes[10] = 5), "it is damaged");
        assert_eq!(sealed(&|bytes| bytes[11] = 2), "it is damaged");
        for place in [12, 13, 15] {
            let size = sealed(&|bytes| bytes[place] -= 1);
            assert!(size.starts_with("it is of another size"), "{size}");
        }
        assert_eq!(sealed(&|bytes| bytes[14] = 99), "weights too large");
        Ok(())
    }
}
