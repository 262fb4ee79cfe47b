//! How files are built.

use std::fs::{self, File, TryLockError};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::layer::Layer;
use super::writer::{check_writable, remove_unfinished, write_layer};
use super::{TablebaseFiles, check_directory, layer_bytes, of_layer, open_layer};
use crate::board::{Rules, Sowings};
use crate::sys::{available_disk, available_memory};
use crate::tablebase::error::TablebaseError;
use crate::tablebase::generator::Builder;
use crate::tablebase::index::{positions, positions_of_layer};
use crate::tablebase::size::{check_size, memory_to_build};
use crate::tablebase::workspace::Workspace;

/// How far a build has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildProgress {
    /// Seeds in the houses of the positions that are being worked out.
    pub layer: u32,
    /// Positions that were in files already.
    pub loaded: u64,
    /// Positions worked out.
    pub built: u64,
    /// Positions there are to be.
    pub total: u64,
}

/// Hears of progress, on whatever thread made it, and says whether to go on.
pub type BuildWatch<'a> = &'a (dyn Fn(BuildProgress) -> ControlFlow<()> + Sync);

/// What a build takes, in bytes, and what there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildNeeds {
    /// Positions there are to be.
    pub positions: u64,
    /// Positions of them that are in files already.
    pub present: u64,
    /// Memory that the build takes.
    pub memory: u64,
    /// Memory that can be had, if the system tells.
    pub memory_available: Option<u64>,
    /// All files together.
    pub disk: u64,
    /// Files that are still to be written.
    pub disk_missing: u64,
    /// Room on the disk that they go to, if it is known.
    pub disk_available: Option<u64>,
    houses: usize,
    seeds: u32,
    directory: Option<PathBuf>,
}

impl BuildNeeds {
    /// What it takes to build all positions with at most so many seeds, into a directory or to see.
    ///
    /// # Errors
    /// When there are more than 8 houses a side or 100 seeds, more positions than fit any machine,
    /// the directory is none, or a file that is there is none of its name, as far as can be told
    /// without reading all of it.
    pub fn new(
        rules: Rules,
        seeds: u32,
        directory: Option<&Path>,
    ) -> Result<BuildNeeds, TablebaseError> {
        let houses = rules.houses();
        check_size(houses, seeds)?;
        let too_much = || TablebaseError::Memory { houses, seeds };
        let there = directory.filter(|directory| directory.exists());
        there.map_or(Ok(()), check_directory)?;
        let (mut present, mut disk, mut disk_missing) = (0, 0, 0);
        for layer in 0..=seeds {
            let bytes = layer_bytes(houses, layer).ok_or_else(too_much)?;
            let file = there.map(|directory| open_layer(directory, rules, layer)).transpose()?;
            if file.flatten().is_some() {
                present += positions_of_layer(houses, layer).ok_or_else(too_much)?;
            } else {
                disk_missing += bytes;
            }
            disk += bytes;
        }
        let positions = positions(houses, seeds).ok_or_else(too_much)?;
        let is_there = present == positions;
        Ok(BuildNeeds {
            positions,
            present,
            memory: if is_there {
                0
            } else {
                memory_to_build(houses, seeds).ok_or_else(too_much)?
            },
            memory_available: available_memory(),
            disk,
            disk_missing,
            disk_available: directory.and_then(|directory| available_disk(existing(directory))),
            houses,
            seeds,
            directory: directory.map(Path::to_owned),
        })
    }

    /// Refuses what cannot fit.
    ///
    /// # Errors
    /// When there is less memory, or less room on the disk, than is needed.
    pub fn check(&self) -> Result<(), TablebaseError> {
        let BuildNeeds { houses, seeds, .. } = *self;
        if let Some(available) = self.memory_available
            && available < self.memory
        {
            let needed = self.memory;
            return Err(TablebaseError::MemoryLeft { houses, seeds, needed, available });
        }
        if let (Some(directory), Some(available)) = (&self.directory, self.disk_available)
            && available < self.disk_missing
        {
            let (directory, needed) = (directory.clone(), self.disk_missing);
            return Err(TablebaseError::DiskLeft { directory, needed, available });
        }
        Ok(())
    }
}

/// The innermost folder of a path that is there.
fn existing(directory: &Path) -> &Path {
    let folder = directory.ancestors().find(|folder| folder.is_dir());
    folder.unwrap_or(Path::new("."))
}

impl TablebaseFiles {
    /// Works out the gains of all positions that have at most `seeds` seeds in the houses and writes
    /// them to files, on `threads` threads. Layers that have files are loaded;
    /// all of these are checked and none is changed. The directory is made if it is not there.
    ///
    /// # Errors
    /// When tables cannot be that large, memory or disk are not enough, a file that is there is
    /// damaged or none of its name, a file cannot be written, another build goes on there, or
    /// `watch` breaks off. Layers that were done then have their files, and the next build goes on
    /// from there.
    pub fn build(
        directory: &Path,
        rules: Rules,
        seeds: u32,
        threads: NonZeroUsize,
        watch: BuildWatch,
    ) -> Result<TablebaseFiles, TablebaseError> {
        let sowings = Sowings::of(rules).ok_or(TablebaseError::Houses(rules.houses()))?;
        let needs = BuildNeeds::new(rules, seeds, Some(directory))?;
        needs.check()?;
        let _lock = prepare(directory)?;
        let layers = (0..=seeds).map(|seeds| open_layer(directory, rules, seeds));
        let layers = layers.collect::<Result<Vec<_>, _>>()?;
        let progress = BuildProgress { layer: 0, loaded: 0, built: 0, total: needs.positions };
        if layers.iter().all(Option::is_some) {
            check_all(&layers, threads, progress, watch)?;
        } else {
            let task = Missing { directory, sowings, seeds, layers: &layers, threads };
            build_missing(task, progress, watch)?;
        }
        drop(layers);
        let files = TablebaseFiles::open(directory, rules)?;
        files.ok_or(TablebaseError::NoLayer { directory: directory.to_owned(), seeds: 0 })
    }
}

/// Makes the directory, and keeps other builds from it until the file is closed.
fn prepare(directory: &Path) -> Result<Option<File>, TablebaseError> {
    let cannot = |what| {
        let directory = directory.to_owned();
        move |source| TablebaseError::Directory { what, directory, source }
    };
    fs::create_dir_all(directory).map_err(cannot("make"))?;
    fs::read_dir(directory).map_err(cannot("read"))?;
    // Not all systems open and lock directories. Builds do each other no harm without it: files
    // get their names when they are whole, and are the same whoever writes them.
    let Ok(file) = File::open(directory) else { return Ok(None) };
    match file.try_lock() {
        Ok(()) => {
            remove_unfinished(directory).map_err(cannot("tidy"))?;
            Ok(Some(file))
        }
        Err(TryLockError::WouldBlock) => Err(TablebaseError::Busy(directory.to_owned())),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

/// Hears of a layer that is there.
fn hear(progress: BuildProgress, watch: BuildWatch) -> Result<(), TablebaseError> {
    match watch(progress) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(TablebaseError::Interrupted),
    }
}

/// Checks files that are all there.
fn check_all(
    layers: &[Option<Layer>],
    threads: NonZeroUsize,
    mut progress: BuildProgress,
    watch: BuildWatch,
) -> Result<(), TablebaseError> {
    for (layer, seeds) in layers.iter().flatten().zip(0..) {
        layer.check_all(threads)?;
        progress.layer = seeds;
        progress.loaded += layer.header().entries;
        hear(progress, watch)?;
    }
    Ok(())
}

/// Layers to be built into files.
#[derive(Clone, Copy)]
struct Missing<'a> {
    directory: &'a Path,
    sowings: &'a Sowings<u64>,
    seeds: u32,
    layers: &'a [Option<Layer>],
    threads: NonZeroUsize,
}

/// Loads the layers that are there, and builds and writes the others.
fn build_missing(
    task: Missing<'_>,
    mut progress: BuildProgress,
    watch: BuildWatch,
) -> Result<(), TablebaseError> {
    let Missing { directory, sowings, seeds, layers, threads } = task;
    let rules = sowings.rules();
    check_writable(directory).map_err(|source| {
        let directory = directory.to_owned();
        TablebaseError::Directory { what: "write to", directory, source }
    })?;
    let mut space = Workspace::to_build(rules, seeds)?;
    let Workspace { ranks, blocks, f, g } = &mut space;
    let builder = Builder::new(sowings, ranks, blocks, threads);
    for (layer, total) in layers.iter().zip(0..) {
        progress.layer = total;
        let place = of_layer(blocks, total);
        if let Some(layer) = layer {
            layer.unpack(&mut f[place], threads)?;
            // Nothing leads to the largest layer from another.
            if total < seeds {
                builder.turn_layer_over(total, f, g);
            }
            progress.loaded += layer.header().entries;
        } else {
            let built = AtomicU64::new(progress.built);
            let flow = builder.build_layer(total, f, g, &|positions| {
                let built = built.fetch_add(positions, Relaxed) + positions;
                watch(BuildProgress { built, ..progress })
            });
            if flow.is_break() {
                return Err(TablebaseError::Interrupted);
            }
            progress.built = built.into_inner();
            write_layer(directory, rules, total, &f[place], threads)?;
        }
        hear(progress, watch)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Capture;

    #[test]
    fn layers_are_turned_over_as_they_are_built() -> Result<(), Box<dyn std::error::Error>> {
        let seeds = 9;
        let sowings = Sowings::of(Rules::new(4, Capture::Standard)?).ok_or("rows are wide")?;
        let mut space = Workspace::to_build(sowings.rules(), seeds)?;
        let Workspace { ranks, blocks, f, g } = &mut space;
        let builder = Builder::new(sowings, ranks, blocks, NonZeroUsize::MIN);
        let mut turned = vec![0; g.len()];
        // Nobody needs the last layer turned over.
        for total in 0..seeds {
            let _ = builder.build_layer(total, f, g, &|_| ControlFlow::Continue(()));
            builder.turn_layer_over(total, f, &mut turned);
            let place = of_layer(blocks, total);
            assert_eq!(turned[place.clone()], g[place]);
        }
        Ok(())
    }
}
