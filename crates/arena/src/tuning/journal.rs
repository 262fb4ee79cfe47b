//! The record of a tuning run: a line with all settings, then one for each iteration.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::parameter::TuningParameter;
use super::spsa::Spsa;
use kalah::printable::counted;
use kalah_records::statistics::Pentanomial;
use kalah_records::{
    Conditions, FaultKind, JsonLine, LinesFile, PlayerSettings, RecordError, require_equal,
};

/// A recorded value may differ by this part of the range: the last digits of a power depend on the system.
const TOLERANCE: f64 = 1e-9;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TuningConditions {
    pub player: PlayerSettings,
    /// The `id name` of the engine.
    pub id: String,
    pub parameters: Vec<TuningParameter>,
    pub iterations: u32,
    /// The pairs of games in each.
    pub pairs: u16,
    pub conditions: Conditions,
}

/// An iteration of a tuning run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuningIteration {
    /// Its number, from 1.
    pub number: u32,
    /// The values of the first player, in the order of the parameters.
    pub plus: Vec<i32>,
    /// The values of its opponent.
    pub minus: Vec<i32>,
    /// The results from the view of the first player.
    pub pairs: Pentanomial,
    /// The games that one of the players lost by each kind of fault.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub faults: BTreeMap<FaultKind, u64>,
    /// The tuned values after the iteration.
    pub values: Vec<f64>,
}

impl TuningIteration {
    /// The games that the first player has won less those that it has lost.
    pub(super) fn points(pairs: &Pentanomial) -> f64 {
        let games = 2.0 * pairs.pairs() as f64;
        games * (2.0 * pairs.score() - 1.0)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TuningLine {
    Tuning(Box<TuningConditions>),
    Iteration(TuningIteration),
}

impl JsonLine for TuningLine {
    const NAME: &'static str = "a line of a tuning run";
    const BEGINNINGS: &'static [&'static [u8]] = &[br#"{"tuning":"#, br#"{"iteration":"#];
}

/// The iterations so far, and the file that they are appended to.
pub(super) struct TuningJournal {
    file: Option<LinesFile>,
    pub iterations: Vec<TuningIteration>,
    /// The tuned values after the last of them.
    pub values: Vec<f64>,
    /// Whether the file ended with an incomplete line, which was cut off.
    pub was_torn: bool,
}

impl TuningJournal {
    /// Opens or creates the record of a run, if it has one.
    pub(super) fn open(
        path: Option<&Path>,
        conditions: TuningConditions,
        spsa: &Spsa,
    ) -> Result<TuningJournal, RecordError> {
        let mut journal = TuningJournal {
            file: None,
            iterations: Vec::new(),
            values: spsa.start(),
            was_torn: false,
        };
        let Some(path) = path else { return Ok(journal) };
        let mut has_settings = false;
        let (mut file, was_torn) = LinesFile::open(path, |line, lines| {
            let checked = match line {
                TuningLine::Tuning(found) if !has_settings => {
                    has_settings = true;
                    require_equal(&conditions, &*found)
                }
                TuningLine::Iteration(iteration) if has_settings => {
                    journal.add(iteration, &conditions, spsa)
                }
                TuningLine::Tuning(_) => Err("the settings are not the first line".to_owned()),
                TuningLine::Iteration(_) => Err("the first line has no settings".to_owned()),
            };
            checked.map_err(|reason| {
                let problem = format!(" is of another tuning run: line {}: {reason}", lines.line());
                RecordError::Unusable { path: path.to_owned(), problem }
            })
        })?;
        if !has_settings {
            file.append(&[TuningLine::Tuning(Box::new(conditions))])?;
        }
        journal.was_torn = was_torn;
        journal.file = Some(file);
        Ok(journal)
    }

    /// Adds an iteration that was recorded; the error says why it does not follow the ones before.
    fn add(
        &mut self,
        iteration: TuningIteration,
        conditions: &TuningConditions,
        spsa: &Spsa,
    ) -> Result<(), String> {
        let index = self.iterations.len() as u32;
        if index >= conditions.iterations {
            return Err(format!("there are more than {}", counted(index, "iteration")));
        }
        require_equal(&(index + 1), &iteration.number)
            .map_err(|difference| format!("the number of the iteration {difference}"))?;
        let trial = spsa.trial(index, &self.values);
        require_equal(&[&trial.plus, &trial.minus], &[&iteration.plus, &iteration.minus])
            .map_err(|difference| format!("of the values that played, {difference}"))?;
        require_equal(&u64::from(conditions.pairs), &iteration.pairs.pairs())
            .map_err(|difference| format!("the number of pairs {difference}"))?;
        let points = TuningIteration::points(&iteration.pairs);
        let expected = spsa.update(index, &self.values, &trial, points);
        let is_near = |((found, expected), parameter): ((&f64, &f64), &TuningParameter)| {
            (found - expected).abs() <= TOLERANCE * parameter.range()
        };
        if iteration.values.len() != expected.len()
            || !iteration.values.iter().zip(&expected).zip(&spsa.parameters).all(is_near)
        {
            return Err("the values do not follow from the results".to_owned());
        }
        // The run goes on exactly where it ended.
        self.values.clone_from(&iteration.values);
        self.iterations.push(iteration);
        Ok(())
    }

    pub(super) fn append(&mut self, iteration: TuningIteration) -> Result<(), RecordError> {
        if let Some(file) = &mut self.file {
            file.append(&[TuningLine::Iteration(iteration.clone())])?;
        }
        self.values.clone_from(&iteration.values);
        self.iterations.push(iteration);
        Ok(())
    }
}
