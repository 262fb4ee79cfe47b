//! Builds tablebases into files.

use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::error::TablebaseError;
use super::generator::Generator;
use super::index::{memory_to_build, positions, positions_of_layer};
use super::layer::{LayerFile, write_layer};
use super::layout::layer_bytes;
use super::table::{Workspace, check_size};
use super::table_files::{TablebaseFiles, check_directory, directory_error};
use crate::atomic_file::{create_temporary, remove_strays};
use crate::board::{Rules, Sowings};
use crate::file_lock::FileLock;
use crate::stop::StopToken;
use crate::sys::{available_disk, available_memory};

/// The progress of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildProgress {
    /// Seeds in the houses of the current layer.
    pub layer: u32,
    /// Positions loaded from files.
    pub loaded: u64,
    /// Positions computed.
    pub built: u64,
    /// Positions in total.
    pub total: u64,
}

/// The memory and disk space that a build needs, in bytes, and what is available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildNeeds {
    /// Positions in total.
    pub positions: u64,
    /// Positions that are in files already.
    pub present: u64,
    /// Memory needed.
    pub memory: u64,
    /// Memory available, if the system reports it.
    pub memory_available: Option<u64>,
    /// The size of all files.
    pub disk: u64,
    /// The size of the missing files.
    pub disk_missing: u64,
    /// Space available on the disk, if it is known.
    pub disk_available: Option<u64>,
    houses: usize,
    seeds: u32,
    directory: Option<PathBuf>,
}

impl BuildNeeds {
    /// What a build of all positions with at most `seeds` seeds needs, in a directory or without files.
    ///
    /// # Errors
    /// Returns an error if there are more than 8 houses a side or 100 seeds, if the table fits no machine, or if
    /// the directory or a file is bad. Blocks of files are not checked.
    pub fn new(
        rules: Rules,
        seeds: u32,
        directory: Option<&Path>,
    ) -> Result<BuildNeeds, TablebaseError> {
        let houses = rules.houses();
        check_size(houses, seeds)?;
        let too_large = || TablebaseError::TooLarge { houses, seeds };
        let existing = directory.filter(|directory| directory.exists());
        existing.map_or(Ok(()), check_directory)?;
        let (mut present, mut disk, mut disk_missing) = (0, 0, 0);
        for layer in 0..=seeds {
            let bytes = layer_bytes(houses, layer).ok_or_else(too_large)?;
            let file = existing.map(|directory| LayerFile::find(directory, rules, layer));
            if file.transpose()?.flatten().is_some() {
                present += positions_of_layer(houses, layer).ok_or_else(too_large)?;
            } else {
                disk_missing += bytes;
            }
            disk += bytes;
        }
        let positions = positions(houses, seeds).ok_or_else(too_large)?;
        let memory = match memory_to_build(houses, seeds).ok_or_else(too_large)? {
            _ if present == positions => 0,
            memory => memory,
        };
        Ok(BuildNeeds {
            positions,
            present,
            memory,
            memory_available: available_memory(),
            disk,
            disk_missing,
            disk_available: directory.map(existing_ancestor).and_then(available_disk),
            houses,
            seeds,
            directory: directory.map(Path::to_owned),
        })
    }

    /// Checks that the build fits.
    ///
    /// # Errors
    /// Returns an error if there is less memory or less disk space than the build needs.
    pub fn check(&self) -> Result<(), TablebaseError> {
        let BuildNeeds { houses, seeds, .. } = *self;
        if let Some(available) = self.memory_available
            && available < self.memory
        {
            let needed = self.memory;
            return Err(TablebaseError::NotEnoughMemory { houses, seeds, needed, available });
        }
        if let (Some(directory), Some(available)) = (&self.directory, self.disk_available)
            && available < self.disk_missing
        {
            let (directory, needed) = (directory.clone(), self.disk_missing);
            return Err(TablebaseError::NotEnoughDisk { directory, needed, available });
        }
        Ok(())
    }
}

/// The innermost directory of a path that exists.
fn existing_ancestor(directory: &Path) -> &Path {
    let ancestor = directory.ancestors().find(|ancestor| ancestor.is_dir());
    ancestor.unwrap_or(Path::new("."))
}

impl TablebaseFiles {
    /// Computes the gains of all positions with at most `seeds` seeds in the houses, on up to `threads` threads,
    /// and writes them to files. Layers that have a file are loaded and checked. The directory is created if need
    /// be. `progress` is called on the threads that do the work.
    ///
    /// # Errors
    /// Returns an error if tables cannot be that large, if there is not enough memory or disk
    /// space, if a file is bad or cannot be written, if another build is running in the directory,
    /// or if the build is stopped. The next build continues with the layers that are complete.
    pub fn build(
        directory: &Path,
        rules: Rules,
        seeds: u32,
        threads: NonZeroUsize,
        stop: &StopToken,
        progress: &(dyn Fn(BuildProgress) + Sync),
    ) -> Result<TablebaseFiles, TablebaseError> {
        let sowings = Sowings::from_rules(rules).ok_or(TablebaseError::Houses(rules.houses()))?;
        let needs = BuildNeeds::new(rules, seeds, Some(directory))?;
        needs.check()?;
        let _lock = prepare(directory)?;
        let layers = (0..=seeds).map(|seeds| LayerFile::find(directory, rules, seeds));
        let layers = layers.collect::<Result<Vec<_>, _>>()?;
        let build = FileBuild { directory, sowings, seeds, threads, stop, progress };
        let start = BuildProgress { layer: 0, loaded: 0, built: 0, total: needs.positions };
        if layers.iter().all(Option::is_some) {
            build.verify_all(&layers, start)?;
        } else {
            build.build_missing(&layers, start)?;
        }
        drop(layers);
        let files = TablebaseFiles::open(directory, rules)?;
        files.ok_or(TablebaseError::MissingLayer { directory: directory.to_owned(), seeds: 0 })
    }
}

/// Creates the directory and locks it against other builds.
fn prepare(directory: &Path) -> Result<Option<FileLock>, TablebaseError> {
    fs::create_dir_all(directory).map_err(directory_error("make", directory))?;
    check_directory(directory)?;
    // Some systems cannot open or lock directories. Two builds at the same time are harmless
    // without the lock: files are renamed when they are complete, and both write the same bytes.
    let Ok(file) = File::open(directory) else { return Ok(None) };
    let lock = FileLock::new(file).ok_or_else(|| TablebaseError::Busy(directory.to_owned()))?;
    remove_strays(directory);
    Ok(Some(lock))
}

struct FileBuild<'a> {
    directory: &'a Path,
    sowings: &'a Sowings<u64>,
    seeds: u32,
    threads: NonZeroUsize,
    stop: &'a StopToken,
    progress: &'a (dyn Fn(BuildProgress) + Sync),
}

impl FileBuild<'_> {
    /// Verifies all checksums of complete files.
    fn verify_all(
        &self,
        layers: &[Option<LayerFile>],
        mut progress: BuildProgress,
    ) -> Result<(), TablebaseError> {
        for (layer, seeds) in layers.iter().flatten().zip(0..) {
            layer.verify(self.threads, self.stop)?;
            progress.layer = seeds;
            progress.loaded += layer.header.entries;
            self.report(progress)?;
        }
        Ok(())
    }

    /// Loads the layers that have files, and computes and writes the others.
    fn build_missing(
        &self,
        layers: &[Option<LayerFile>],
        mut progress: BuildProgress,
    ) -> Result<(), TablebaseError> {
        let FileBuild { directory, sowings, threads, .. } = *self;
        // That no files can be written is better known before a long computation.
        create_temporary(directory).map_err(directory_error("write to", directory))?;
        let mut space = Workspace::to_build(sowings.rules(), self.seeds)?;
        let Workspace { index, f, g } = &mut space;
        let generator = Generator::new(sowings, index, threads);
        for (layer, total) in layers.iter().zip(0..) {
            progress.layer = total;
            let place = index.layer(total);
            if let Some(layer) = layer {
                layer.unpack(&mut f[place], threads, self.stop)?;
                // No move leads into the largest layer from another.
                if total < self.seeds {
                    generator.transpose_layer(total, f, g);
                }
                progress.loaded += layer.header.entries;
            } else {
                let built = AtomicU64::new(progress.built);
                generator.build_layer(total, f, g, self.stop, &|positions| {
                    let built = built.fetch_add(positions, Relaxed) + positions;
                    (self.progress)(BuildProgress { built, ..progress });
                })?;
                progress.built = built.into_inner();
                write_layer(directory, sowings.rules(), total, &f[place], threads)?;
            }
            self.report(progress)?;
        }
        Ok(())
    }

    /// Reports a complete layer.
    fn report(&self, progress: BuildProgress) -> Result<(), TablebaseError> {
        (self.progress)(progress);
        self.stop.check(TablebaseError::Stopped)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use super::*;
    use crate::board::Capture;

    #[test]
    fn layers_are_transposed_as_they_are_built() {
        let seeds = 9;
        let sowings = Sowings::from_rules(Rules::new(4, Capture::Standard).unwrap()).unwrap();
        let mut space = Workspace::to_build(sowings.rules(), seeds).unwrap();
        let Workspace { index, f, g } = &mut space;
        let generator = Generator::new(sowings, index, NonZeroUsize::MIN);
        let mut transposed = vec![0; g.len()];
        // The last layer is not transposed.
        for total in 0..seeds {
            generator.build_layer(total, f, g, &StopToken::new(), &|_| ()).unwrap();
            generator.transpose_layer(total, f, &mut transposed);
            let place = index.layer(total);
            assert_eq!(transposed[place.clone()], g[place]);
        }
    }
}
