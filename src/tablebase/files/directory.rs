//! Lists the files of a directory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::layer::LayerFile;
use super::layout::{EXTENSION, parse_file_name};
use crate::board::Rules;
use crate::tablebase::error::{TablebaseError, TablebaseFileError};

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
    let mut files = read().map_err(|source| unreadable(directory, source))?;
    files.sort_by_cached_key(|file| {
        let order = |(rules, seeds): (Rules, u32)| (rules.houses(), rules.capture().index(), seeds);
        (file.layer.is_none(), file.layer.map(order), file.path.clone())
    });
    Ok(files)
}

fn surveyed(path: PathBuf) -> SurveyedFile {
    let bytes = fs::metadata(&path).map_or(0, |metadata| metadata.len());
    let layer = path.file_name().and_then(|name| parse_file_name(name.to_str()?));
    let contents = match layer {
        Some((rules, seeds)) => LayerFile::open(path.clone(), rules, seeds)
            .map(|file| (file.header().entries, file.header().packing.bits() as u32)),
        None => Err(TablebaseError::File { path: path.clone(), source: TablebaseFileError::Name }),
    };
    SurveyedFile { path, layer, bytes, contents }
}

/// Returns an error if the directory cannot be read, unlike one without tables.
pub(super) fn check_directory(directory: &Path) -> Result<(), TablebaseError> {
    directory.read_dir().map(|_| ()).map_err(|source| unreadable(directory, source))
}

fn unreadable(directory: &Path, source: io::Error) -> TablebaseError {
    TablebaseError::Directory { action: "read", directory: directory.to_owned(), source }
}
