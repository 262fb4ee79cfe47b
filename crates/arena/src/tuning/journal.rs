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

/// The result of a tuning run.
#[derive(Clone, Debug)]
pub struct TuningOutcome {
    /// The values before the first iteration.
    pub start: Vec<f64>,
    /// All iterations so far, those read from the record included.
    pub iterations: Vec<TuningIteration>,
    /// Whether it was stopped before the last iteration.
    pub was_stopped: bool,
}

impl TuningOutcome {
    /// The tuned values, in the order of the parameters.
    pub fn values(&self) -> &[f64] {
        self.values_after(self.iterations.len())
    }

    /// The values after this number of iterations, or at the end if there are fewer.
    pub fn values_after(&self, iterations: usize) -> &[f64] {
        let done = iterations.min(self.iterations.len());
        done.checked_sub(1).map_or(&self.start, |last| &self.iterations[last].values)
    }

    /// The games that the engine lost by each kind of fault, with any values.
    pub fn faults(&self) -> BTreeMap<FaultKind, u64> {
        let mut sum = BTreeMap::new();
        for (&kind, games) in self.iterations.iter().flat_map(|iteration| &iteration.faults) {
            *sum.entry(kind).or_default() += games;
        }
        sum
    }

    /// All pairs of games, from the view of the players with the increased values.
    pub fn pairs(&self) -> Pentanomial {
        let counts = |points: usize| self.iterations.iter().map(move |it| it.pairs.0[points]);
        Pentanomial(std::array::from_fn(|points| counts(points).fold(0, u64::saturating_add)))
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
    pub outcome: TuningOutcome,
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
        let outcome =
            TuningOutcome { start: spsa.start(), iterations: Vec::new(), was_stopped: false };
        let mut journal = TuningJournal { file: None, outcome, was_torn: false };
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
        let (index, values) = (self.outcome.iterations.len() as u32, self.outcome.values());
        if index >= conditions.iterations {
            return Err(format!("there are more than {}", counted(index, "iteration")));
        }
        require_equal(&(index + 1), &iteration.number)
            .map_err(|difference| format!("the number of the iteration {difference}"))?;
        let trial = spsa.trial(index, values);
        require_equal(&[&trial.plus, &trial.minus], &[&iteration.plus, &iteration.minus])
            .map_err(|difference| format!("of the values that played, {difference}"))?;
        require_equal(&u64::from(conditions.pairs), &iteration.pairs.pairs())
            .map_err(|difference| format!("the number of pairs {difference}"))?;
        let points = TuningIteration::points(&iteration.pairs);
        let expected = spsa.update(index, values, &trial, points);
        let is_near = |((found, expected), parameter): ((&f64, &f64), &TuningParameter)| {
            (found - expected).abs() <= TOLERANCE * parameter.range()
        };
        if iteration.values.len() != expected.len()
            || !iteration.values.iter().zip(&expected).zip(&spsa.parameters).all(is_near)
        {
            return Err("the values do not follow from the results".to_owned());
        }
        // The run goes on exactly where it ended.
        self.outcome.iterations.push(iteration);
        Ok(())
    }

    pub(super) fn append(&mut self, iteration: TuningIteration) -> Result<(), RecordError> {
        if let Some(file) = &mut self.file {
            file.append(&[TuningLine::Iteration(iteration.clone())])?;
        }
        self.outcome.iterations.push(iteration);
        Ok(())
    }
}
