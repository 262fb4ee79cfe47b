//! What tables there are in a directory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::fault::FileFault;
use super::layer::Layer;
use super::layout::{EXTENSION, named};
use crate::board::Rules;
use crate::tablebase::error::TablebaseError;

/// A file that is a table by its name.
#[derive(Debug)]
pub struct SurveyedFile {
    /// Where it is.
    pub path: PathBuf,
    /// The rules and the seeds in the houses, by its name.
    pub layer: Option<(Rules, u32)>,
    /// How long it is, in bytes.
    pub bytes: u64,
    /// How many positions it has and the bits for each, or what is wrong with it. Blocks are not
    /// checked.
    pub contents: Result<(u64, u32), TablebaseError>,
}

/// Looks at all tables of a directory, by rules and seeds.
///
/// # Errors
/// When the directory cannot be read.
pub fn survey(directory: &Path) -> Result<Vec<SurveyedFile>, TablebaseError> {
    let read = || -> io::Result<Vec<SurveyedFile>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == EXTENSION) {
                files.push(surveyed(path));
            }
        }
        Ok(files)
    };
    let mut files = read().map_err(|source| TablebaseError::Directory {
        what: "read",
        directory: directory.to_owned(),
        source,
    })?;
    files.sort_by_cached_key(|file| {
        let order = |(rules, seeds): (Rules, u32)| (rules.houses(), rules.capture().index(), seeds);
        (file.layer.is_none(), file.layer.map(order), file.path.clone())
    });
    Ok(files)
}

fn surveyed(path: PathBuf) -> SurveyedFile {
    let bytes = fs::metadata(&path).map_or(0, |metadata| metadata.len());
    let layer = path.file_name().and_then(|name| named(name.to_str()?));
    let contents = match layer {
        Some((rules, seeds)) => Layer::open(path.clone(), rules, seeds)
            .map(|layer| (layer.header().entries, layer.header().packing.bits() as u32)),
        None => Err(TablebaseError::File { path: path.clone(), source: FileFault::Name }),
    };
    SurveyedFile { path, layer, bytes, contents }
}
