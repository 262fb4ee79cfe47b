//! Network files, and the networks that are built in. `docs/formats/networks.md` has the format.

use std::io;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use thiserror::Error;

use super::hidden_layer::{
    BLOCK_NEURONS, BlockParameters, MAX_BLOCKS, MAX_NEURONS, PHASES, SEED_COUNTS, blocks_of_neurons,
};
use super::network::{Network, NetworkError, NetworkParameters};
use crate::board::{MAX_HOUSES, Rules};
use crate::file_header::{CHECKSUM, FileFormat, FileHeaderError, START};
use crate::regular_file;

const FORMAT: FileFormat = FileFormat { name: "network", magic: *b"\x89KNN\r\n\x1a\n", version: 1 };

const MAX_BYTES: usize = bytes_of(MAX_HOUSES, MAX_BLOCKS);

/// Size of everything before the first 16-bit number.
const HEADER: usize = START + 4 + 4 * PHASES;

/// Size of a file for a board of this many houses a side.
const fn bytes_of(houses: usize, blocks: usize) -> usize {
    HEADER + blocks * rows_of_block(houses) * BLOCK_NEURONS * 2 + CHECKSUM
}

/// The biases, the output weights and the weights of the features of a block.
const fn rows_of_block(houses: usize) -> usize {
    1 + PHASES + 2 * houses * SEED_COUNTS
}

/// Why a network file cannot be used.
#[derive(Debug, Error)]
pub enum NetworkFileError {
    /// The file cannot be read.
    #[error("cannot be read")]
    Read(#[from] io::Error),
    /// The file is no network file, has another format version, or is damaged.
    #[error(transparent)]
    Format(#[from] FileHeaderError),
    /// The network has another size than those of this program.
    #[error(
        "has another size: {neurons} neurons, {counts} seed counts and {phases} phases, but this program \
         reads {BLOCK_NEURONS} to {MAX_NEURONS} neurons in steps of {BLOCK_NEURONS}, {SEED_COUNTS} seed \
         counts and {PHASES} phases"
    )]
    Size {
        /// Neurons in its hidden layer.
        neurons: u8,
        /// Its number of seed counts.
        counts: u8,
        /// Its number of phases.
        phases: u8,
    },
    /// The numbers do not make a network.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

impl Network {
    /// The contents of the network's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rules = self.rules();
        let NetworkParameters { blocks, output_bias, shift } = self.parameters();
        let mut bytes = Vec::with_capacity(bytes_of(rules.houses(), blocks.len()));
        bytes.extend(FORMAT.start(rules));
        let neurons = (blocks.len() * BLOCK_NEURONS) as u8;
        bytes.extend([SEED_COUNTS as u8, neurons, *shift, PHASES as u8]);
        bytes.extend(output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        for BlockParameters { bias, output, rows } in blocks {
            for row in [bias].into_iter().chain(output).chain(rows) {
                bytes.extend(row.iter().flat_map(|number| number.to_le_bytes()));
            }
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Parses the contents of a network file.
    ///
    /// # Errors
    /// Returns an error if they are not a network file, have another version or size, or are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkFileError> {
        let damaged = FileHeaderError::Damaged;
        let (rules, fields) = FORMAT.check(bytes)?;
        let &[counts, neurons, shift, phases, ref fields @ ..] = fields else {
            return Err(damaged.into());
        };
        let is_size = [counts, phases].map(usize::from) == [SEED_COUNTS, PHASES];
        let Some(blocks) = blocks_of_neurons(usize::from(neurons)).filter(|_| is_size) else {
            return Err(NetworkFileError::Size { neurons, counts, phases });
        };
        if bytes.len() != bytes_of(rules.houses(), blocks) {
            return Err(damaged.into());
        }
        let (biases, numbers) = fields.split_at(4 * PHASES);
        let numbers: Vec<i16> =
            numbers.as_chunks().0.iter().map(|bytes| i16::from_le_bytes(*bytes)).collect();
        let blocks = numbers.as_chunks().0.chunks(rows_of_block(rules.houses()));
        let block = |numbers: &[[i16; BLOCK_NEURONS]]| {
            let ([bias, output @ ..], rows) = numbers.split_first_chunk::<{ 1 + PHASES }>()?;
            Some(BlockParameters { bias: *bias, output: *output, rows: rows.to_vec() })
        };
        let blocks = blocks.map(block).collect::<Option<_>>().ok_or(damaged)?;
        let mut output_bias = [0; PHASES];
        for (bias, bytes) in output_bias.iter_mut().zip(biases.as_chunks().0) {
            *bias = i32::from_le_bytes(*bytes);
        }
        let parameters = NetworkParameters { blocks, output_bias, shift };
        Ok(Network::new(rules, parameters)?)
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or as [`Network::from_bytes`].
    pub fn read(path: &Path) -> Result<Network, NetworkFileError> {
        Network::from_bytes(&regular_file::read(path, MAX_BYTES as u64)?)
    }
}

macro_rules! built_in {
    ($($houses:literal)*) => {
        [$(
            include_bytes!(concat!("nets/", $houses, "-standard.knn")),
            include_bytes!(concat!("nets/", $houses, "-empty.knn")),
        )*]
    };
}

/// The built-in networks, as made by `kalah train`; `docs/manual/training.md` has the commands.
const BUILT_IN: [&[u8]; 18] = built_in!(4 5 6 7 8 9 10 11 12);

impl Network {
    /// The built-in network for these rules; `None` if there is none.
    pub fn built_in(rules: Rules) -> Option<Arc<Network>> {
        static NETWORKS: LazyLock<Vec<Arc<Network>>> = LazyLock::new(|| {
            let networks = BUILT_IN.iter().filter_map(|bytes| Network::from_bytes(bytes).ok());
            networks.map(Arc::new).collect()
        });
        NETWORKS.iter().find(|network| network.rules() == rules).cloned()
    }
}
