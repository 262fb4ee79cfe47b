//! Tables in files: a file a layer, read where it lies.

mod build;
mod fault;
mod layer;
mod layout;
mod survey;
mod verify;
mod writer;

use std::io::ErrorKind;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::{Path, PathBuf};

pub use build::{BuildNeeds, BuildProgress, BuildWatch};
pub use fault::FileFault;
pub use layout::layer_bytes;
pub use survey::{SurveyedFile, survey};
pub use verify::{Amount, Verified, VerifyProgress, VerifyWatch, verify};

use self::layer::Layer;
use self::layout::file_name;
use super::error::TablebaseError;
use super::index::{Blocks, MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, Ranks};
use super::table::Tablebase;
use super::workspace::Workspace;
use crate::board::{Position, Row, Rules};

/// The exact gain of every position with at most so many seeds in the houses, in the files of a
/// directory.
///
/// Opening takes a moment, whatever the size, and memory only for checksums: 1 byte in a thousand.
/// The system loads what is probed. Many threads may probe at once.
///
/// Files must not be written to or made shorter while they are open; builds never do that.
#[derive(Debug)]
pub struct TablebaseFiles {
    directory: PathBuf,
    rules: Rules,
    ranks: Ranks,
    blocks: Blocks,
    /// By seeds.
    layers: Vec<Layer>,
}

impl TablebaseFiles {
    /// Opens all layers for these rules up to the first that is not there; `None` when there are
    /// none. Layers after that are not used: see [`survey()`].
    ///
    /// # Errors
    /// When there are more than 8 houses a side, or one of the files cannot be read, is damaged,
    /// or of another version. Blocks are checked when they are first read.
    pub fn open(directory: &Path, rules: Rules) -> Result<Option<TablebaseFiles>, TablebaseError> {
        let houses = rules.houses();
        if houses > MAX_TABLE_HOUSES {
            return Err(TablebaseError::Houses(houses));
        }
        check_directory(directory)?;
        let mut layers = Vec::new();
        for seeds in 0..=MAX_TABLE_SEEDS {
            match open_layer(directory, rules, seeds)? {
                Some(layer) => layers.push(layer),
                None => break,
            }
        }
        Ok(TablebaseFiles::of_layers(directory, rules, layers))
    }

    /// Tables of layers that follow each other from that without seeds.
    fn of_layers(directory: &Path, rules: Rules, layers: Vec<Layer>) -> Option<TablebaseFiles> {
        let seeds = layers.len().checked_sub(1)? as u32;
        let ranks = Ranks::new(rules.houses());
        let blocks = Blocks::new(&ranks, seeds);
        Some(TablebaseFiles { directory: directory.to_owned(), rules, ranks, blocks, layers })
    }

    /// Where the files are.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The rules of the positions.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The most seeds in the houses of a position.
    pub fn seeds(&self) -> u32 {
        self.blocks.seeds()
    }

    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        self.layers.iter().map(|layer| layer.header().entries).sum()
    }

    /// The gain of the player to move, in seeds; `None` when the position has too many seeds. The
    /// position has to be of these rules.
    ///
    /// # Errors
    /// When the file is damaged there.
    #[inline]
    pub fn gain(&self, position: &Position<u64>) -> Result<Option<i32>, TablebaseError> {
        let (own, opponent) = (position.own_row(), position.opponent_row());
        let (a, b) = (own.total(), opponent.total());
        let Some(layer) = self.layers.get((a + b) as usize) else { return Ok(None) };
        let block = self.blocks.start(a, b) - self.blocks.start_of_layer(a + b);
        let place = self.ranks.rank(own) * self.ranks.count(b) + self.ranks.rank(opponent);
        layer.gain(block + place).map(Some)
    }

    /// Reads all gains of positions with at most `seeds` seeds into memory on `threads` threads.
    /// They take a byte each there. All of them are checked.
    ///
    /// # Errors
    /// When a file is damaged, there is not enough memory, or the files have not as many seeds.
    pub fn load(&self, seeds: u32, threads: NonZeroUsize) -> Result<Tablebase, TablebaseError> {
        if seeds > self.seeds() {
            return Err(TablebaseError::NoLayer { directory: self.directory.clone(), seeds });
        }
        let mut space = Workspace::to_load(self.rules, seeds)?;
        for (total, layer) in (0..=seeds).zip(&self.layers) {
            let place = of_layer(&space.blocks, total);
            layer.unpack(&mut space.f[place], threads)?;
        }
        Ok(space.into_table(self.rules))
    }
}

/// Where the positions of a layer are in a table in memory.
fn of_layer(blocks: &Blocks, total: u32) -> Range<usize> {
    blocks.start_of_layer(total)..blocks.start_of_layer(total + 1)
}

/// Opens the file of a layer, if it is there.
fn open_layer(directory: &Path, rules: Rules, seeds: u32) -> Result<Option<Layer>, TablebaseError> {
    let path = directory.join(file_name(rules, seeds));
    // A link to nothing is a file that cannot be read.
    match path.symlink_metadata() {
        Ok(_) => Layer::open(path, rules, seeds).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(TablebaseError::File { path, source: error.into() }),
    }
}

/// Tells a directory without tables from one that is not there.
fn check_directory(directory: &Path) -> Result<(), TablebaseError> {
    match directory.read_dir() {
        Ok(_) => Ok(()),
        Err(source) => {
            Err(TablebaseError::Directory { what: "read", directory: directory.to_owned(), source })
        }
    }
}
