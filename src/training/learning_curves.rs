//! Learning curves: the errors of a network after each epoch, kept in a file for each generation.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::trainer::MeanErrors;
use super::{TrainingError, write_file};
use crate::regular_file;

/// Most bytes of a file of errors.
const MAX_BYTES: u64 = 1 << 20;

/// The errors of the network of one generation, epoch by epoch.
#[derive(Clone, Debug, PartialEq)]
pub struct LearningCurve {
    /// The generation, from 1.
    pub generation: u32,
    /// The errors after each epoch, from the first.
    pub errors: Vec<MeanErrors>,
}

#[derive(Serialize, Deserialize)]
struct Row {
    epoch: usize,
    training: f64,
    validation: f64,
}

fn path(folder: &Path, generation: u32) -> PathBuf {
    folder.join(format!("generation-{generation}-errors.csv"))
}

impl LearningCurve {
    /// Writes the curve to the folder of its run.
    pub(super) fn write(&self, folder: &Path) -> Result<(), TrainingError> {
        write_file(&path(folder, self.generation), |output| {
            let mut rows = csv::Writer::from_writer(output);
            for (&MeanErrors { training, validation }, epoch) in self.errors.iter().zip(1..) {
                rows.serialize(Row { epoch, training, validation })?;
            }
            Ok(rows.flush()?)
        })
    }

    /// The curves in the folder of a training run, from generation 1 to the last that has one.
    ///
    /// # Errors
    /// When a file cannot be read or is damaged.
    pub fn read_all(folder: &Path) -> Result<Vec<LearningCurve>, TrainingError> {
        let mut curves = Vec::new();
        for generation in 1.. {
            let path = path(folder, generation);
            let bytes = match regular_file::read(&path, MAX_BYTES) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                Err(source) => return Err(TrainingError::File { path, source }),
            };
            let rows = csv::Reader::from_reader(&bytes[..]).into_deserialize();
            let errors = rows.map(|row| {
                row.map(|Row { training, validation, .. }| MeanErrors { training, validation })
            });
            let errors = errors
                .collect::<Result<_, _>>()
                .map_err(|error| TrainingError::Damaged { path, reason: error.to_string() })?;
            curves.push(LearningCurve { generation, errors });
        }
        Ok(curves)
    }
}
