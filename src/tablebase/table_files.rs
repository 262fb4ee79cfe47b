//! Tablebases in files, for probing and loading.

use std::fs::{self, DirEntry};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::{env, io};

use super::error::{TablebaseError, TablebaseFileError};
use super::index::{MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, PositionIndex};
use super::layer::LayerFile;
use super::layout::{EXTENSION, parse_file_name};
use super::table::{Tablebase, Workspace, check_size};
use crate::board::{Board, Position, Rules};
use crate::host_files;
use crate::stop::StopToken;

/// The exact gains of all positions up to a number of seeds, in the files of a directory.
///
/// Opening reads only the checksums, one byte in a thousand, and keeps them in memory. Probes read blocks from the files and keep them as long as there is memory; without, each
/// probe reads its block. Several threads may probe at the same time.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use kalah::tablebase::TablebaseFiles;
/// use kalah::{Board, Capture, StopToken};
///
/// # let directory = tempfile::tempdir()?;
/// # let directory = directory.path();
/// let board = Board::from_fen("<4,5,6,0,1,0,2,1,0,0,1>", Capture::Standard)?;
/// let (threads, stop) = (NonZeroUsize::MIN, StopToken::new());
/// let files = TablebaseFiles::build(directory, board.rules(), 6, threads, &stop, &|progress| {
///     println!("{} of {} positions", progress.built, progress.total);
/// })?;
/// assert_eq!(files.gain(&board)?, Some(-3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TablebaseFiles {
    pub(super) directory: PathBuf,
    pub(super) rules: Rules,
    pub(super) index: PositionIndex,
    /// By seeds.
    pub(super) layers: Vec<LayerFile>,
}

/// Says that [`TablebaseFiles::open`] finds no tables for these rules.
pub fn no_tables(directory: &Path, rules: Rules) -> String {
    format!("'{}' has no tables for {rules}", directory.display())
}

impl TablebaseFiles {
    /// Opens the layers for these rules from 0 seeds up to the first one that is missing; returns
    /// `None` if there are none. Layers above a gap are not used: see [`survey`](super::survey()).
    ///
    /// The directory can be a list as in `PATH`, separated by `:`, on Windows by `;`. A layer is read from
    /// the first of them that has it.
    ///
    /// # Errors
    /// Returns an error if there are more than 8 houses a side, or if a file cannot be read, is
    /// damaged, or has another version. Blocks are checked when they are first read.
    pub fn open(directory: &Path, rules: Rules) -> Result<Option<TablebaseFiles>, TablebaseError> {
        let houses = rules.houses();
        if houses > MAX_TABLE_HOUSES {
            return Err(TablebaseError::Houses(houses));
        }
        let is_one = directory.is_dir()
            || directory.as_os_str().is_empty()
            || host_files::has_folder(directory)
            // There are no lists where there is no `PATH`.
            || cfg!(target_family = "wasm");
        let directories: Vec<PathBuf> = if is_one {
            vec![directory.to_owned()]
        } else {
            env::split_paths(directory).filter(|path| !path.as_os_str().is_empty()).collect()
        };
        directories.iter().try_for_each(|directory| check_directory(directory))?;
        let mut layers = Vec::new();
        for seeds in 0..=MAX_TABLE_SEEDS {
            let find = |directory| LayerFile::find(directory, rules, seeds).transpose();
            let found = directories.iter().find_map(|directory| find(directory)).transpose()?;
            // A 32-bit system cannot count the entries of every file.
            let Some(layer) = found.filter(|_| check_size(houses, seeds).is_ok()) else { break };
            layers.push(layer);
        }
        Ok(TablebaseFiles::from_layers(directory, rules, layers))
    }

    /// Takes consecutive layers that start with the one without seeds.
    pub(super) fn from_layers(
        directory: &Path,
        rules: Rules,
        layers: Vec<LayerFile>,
    ) -> Option<TablebaseFiles> {
        let seeds = layers.len().checked_sub(1)? as u32;
        let index = PositionIndex::new(rules.houses(), seeds);
        Some(TablebaseFiles { directory: directory.to_owned(), rules, index, layers })
    }

    /// The rules of the positions.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The maximum number of seeds in the houses of a position.
    pub fn seeds(&self) -> u32 {
        self.index.seeds()
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.layers.iter().map(|layer| layer.header.entries).sum()
    }

    /// The gain of the player to move, in seeds; `None` for other rules or too many seeds in the houses.
    ///
    /// # Errors
    /// Returns an error if the file is damaged where it is read.
    pub fn gain(&self, board: &Board) -> Result<Option<i32>, TablebaseError> {
        let position = board.position().narrow().filter(|_| board.rules() == self.rules);
        position.map_or(Ok(None), |position| self.gain_of_position(&position))
    }

    /// The gain of the player to move, in seeds, under the files' rules; `None` with too many seeds.
    ///
    /// # Errors
    /// Returns an error if the file is damaged where it is read.
    #[inline]
    pub fn gain_of_position(
        &self,
        position: &Position<u64>,
    ) -> Result<Option<i32>, TablebaseError> {
        let seeds = position.seeds();
        let Some(layer) = self.layers.get(seeds as usize) else { return Ok(None) };
        let entry = self.index.index_of(position) - self.index.start_of_layer(seeds);
        layer.gain(entry).map(Some)
    }

    /// Loads the positions with at most `seeds` seeds, on up to `threads` threads, and checks all of them.
    ///
    /// # Errors
    /// Returns an error if a file is damaged, memory is too short, or the files have fewer seeds.
    pub fn load(&self, seeds: u32, threads: NonZeroUsize) -> Result<Tablebase, TablebaseError> {
        self.load_until(seeds, threads, &StopToken::new())
    }

    pub(crate) fn load_until(
        &self,
        seeds: u32,
        threads: NonZeroUsize,
        stop: &StopToken,
    ) -> Result<Tablebase, TablebaseError> {
        if seeds > self.seeds() {
            let directory = self.directory.clone();
            return Err(TablebaseError::MissingLayer { directory, seeds });
        }
        let mut space = Workspace::to_load(self.rules, seeds)?;
        for (total, layer) in (0..=seeds).zip(&self.layers) {
            layer.unpack(&mut space.f[space.index.layer(total)], threads, stop)?;
        }
        Ok(space.into_table(self.rules))
    }
}

/// A file with the extension of tablebase files.
#[derive(Debug)]
pub struct SurveyedFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The rules and the seeds in the houses according to the name.
    pub layer: Option<(Rules, u32)>,
    /// The length in bytes.
    pub bytes: u64,
    /// The number of positions and the bits of each, or what is wrong. Blocks are not checked.
    pub contents: Result<(u64, u32), TablebaseError>,
}

/// Lists all tablebase files of a directory, ordered by rules and seeds.
///
/// # Errors
/// Returns an error if the directory cannot be read. A bad file is listed with its error.
pub fn survey(directory: &Path) -> Result<Vec<SurveyedFile>, TablebaseError> {
    let entries = fs::read_dir(directory).and_then(Iterator::collect);
    let entries: Vec<DirEntry> = entries.map_err(directory_error("read", directory))?;
    let paths = entries.into_iter().map(|entry| entry.path());
    let paths = paths.filter(|path| path.extension().is_some_and(|it| it == EXTENSION));
    let mut files: Vec<_> = paths.map(|path| survey_file(path, false)).collect();
    files.sort_by_cached_key(|file| {
        let order =
            |(rules, seeds): (Rules, u32)| (rules.houses(), rules.rule_set().index(), seeds);
        (file.layer.is_none(), file.layer.map(order), file.path.clone())
    });
    Ok(files)
}

/// What [`survey`] says of a file; its blocks are checked by choice.
pub fn survey_file(path: PathBuf, checks_blocks: bool) -> SurveyedFile {
    let bytes = host_files::length(&path).unwrap_or(0);
    let layer = path.file_name().and_then(|name| parse_file_name(name.to_str()?));
    let contents = match layer {
        Some((rules, seeds)) => LayerFile::open(path.clone(), rules, seeds).and_then(|file| {
            if checks_blocks {
                file.verify(NonZeroUsize::MIN, &StopToken::new())?;
            }
            Ok((file.header.entries, file.header.packing.bits() as u32))
        }),
        None => Err(TablebaseError::File { path: path.clone(), source: TablebaseFileError::Name }),
    };
    SurveyedFile { path, layer, bytes, contents }
}

/// Returns an error if the directory cannot be read, unlike one without tables.
pub(super) fn check_directory(directory: &Path) -> Result<(), TablebaseError> {
    if host_files::has_folder(directory) {
        return Ok(());
    }
    directory.read_dir().map(|_| ()).map_err(directory_error("read", directory))
}

/// The error of an action on a directory.
pub(super) fn directory_error(
    action: &'static str,
    directory: &Path,
) -> impl FnOnce(io::Error) -> TablebaseError {
    move |source| TablebaseError::Directory { action, directory: directory.to_owned(), source }
}
