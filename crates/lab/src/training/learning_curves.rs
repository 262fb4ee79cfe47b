//! Learning curves: the errors of a network after each epoch, as CSV.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::trainer::MeanErrors;

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

impl LearningCurve {
    /// Writes the errors.
    pub(super) fn write(&self, output: impl Write) -> io::Result<()> {
        let mut rows = csv::Writer::from_writer(output);
        for (&MeanErrors { training, validation }, epoch) in self.errors.iter().zip(1..) {
            rows.serialize(Row { epoch, training, validation })?;
        }
        rows.flush()
    }

    /// Reads the errors of a generation as they were written.
    pub(super) fn read(generation: u32, bytes: &[u8]) -> Result<LearningCurve, csv::Error> {
        let rows = csv::Reader::from_reader(bytes).into_deserialize();
        let errors = rows.map(|row| {
            row.map(|Row { training, validation, .. }| MeanErrors { training, validation })
        });
        Ok(LearningCurve { generation, errors: errors.collect::<Result<_, _>>()? })
    }
}
