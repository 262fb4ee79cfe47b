//! `kalah lab`, a file for each experiment, and `kalah train`.

#![allow(clippy::missing_errors_doc, reason = "the errors of commands are sentences for people")]
#![allow(missing_docs, reason = "what a command does is the text of its help")]

mod bounds;
mod chance;
mod examples;
mod experiment;
mod ordering;
mod pearl;
mod pictures;
mod ratings;
mod savings;
mod screen;
mod train;
mod uniform;
mod values;
mod work;

use train::Train;

use clap::{Args, Subcommand};

/// Repeat experiments of the literature.
///
/// Each experiment prints a table of its results beside the published ones. Options write all
/// measurements as CSV or JSON and draw a chart. Tables of more than a screen are cut, unless --all
/// is given. Experiments use all processors; their results do not depend on the number of processors.
/// Only `ratings` measures time: it plays one game at a time, or as many as it is told. The random
/// seed is printed.
///
///   kalah lab pearl --seeds 1
///   kalah lab savings --seeds 6 --plot savings.svg
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct Lab {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Subcommand)]
enum Experiment {
    Pearl(pearl::PearlCommand),
    Uniform(uniform::UniformCommand),
    Bounds(bounds::BoundsCommand),
    Examples(examples::ExamplesCommand),
    Ordering(ordering::OrderingCommand),
    Savings(savings::SavingsCommand),
    Chance(chance::ChanceCommand),
    Work(work::WorkCommand),
    Ratings(Box<ratings::RatingsCommand>),
    Pictures(pictures::PicturesCommand),
    Values(values::ValuesCommand),
}

impl Lab {
    pub fn run(self) -> anyhow::Result<()> {
        match self.experiment {
            Experiment::Pearl(command) => command.run(),
            Experiment::Uniform(command) => command.run(),
            Experiment::Bounds(command) => command.run(),
            Experiment::Examples(command) => command.run(),
            Experiment::Ordering(command) => command.run(),
            Experiment::Savings(command) => command.run(),
            Experiment::Chance(command) => command.run(),
            Experiment::Work(command) => command.run(),
            Experiment::Ratings(command) => command.run(),
            Experiment::Pictures(command) => command.run(),
            Experiment::Values(command) => command.run(),
        }
    }
}

/// The commands of the laboratory.
#[derive(Subcommand)]
pub enum LabCommand {
    Train(Train),
    Lab(Lab),
}

impl LabCommand {
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            LabCommand::Train(command) => command.run(),
            LabCommand::Lab(command) => command.run(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use kalah_command::schemas::{check, written};
    use schemars::{JsonSchema, Schema, SchemaGenerator};

    use super::experiment::JsonDocument;
    use super::ratings::{RatingsSummary, list::RatedPlayer};
    use super::{examples, train};
    use crate::{
        BoundsExperiment, BoundsRow, BranchingFactor, MonteCarloExperiment, MonteCarloRow,
        OrderingExperiment, OrderingRow, OrderingSummary, PearlExperiment, PearlRow,
        SavingsExperiment, SavingsRow, SavingsSummary, UniformExperiment, UniformRow,
        WorkExperiment, WorkFit, WorkRow, WorkSummary,
    };

    /// The conditions of a tournament.
    #[derive(JsonSchema)]
    #[schemars(transparent)]
    struct RatingsSetup(#[schemars(schema_with = "conditions")] ());

    fn conditions(generator: &mut SchemaGenerator) -> Schema {
        written(generator, "record", Some("Conditions"))
    }

    fn check_lab<S: JsonSchema, R: JsonSchema, T: JsonSchema>(name: &str) -> anyhow::Result<()> {
        let command = format!("kalah lab {name} --json");
        check::<JsonDocument<'_, S, R, T>>(&format!("lab-{name}"), &command)
    }

    #[test]
    #[allow(clippy::zero_sized_map_values, reason = "an object without members")]
    fn the_schemas_are_those_of_the_types() -> anyhow::Result<()> {
        check_lab::<BoundsExperiment, BoundsRow, ()>("bounds")?;
        check_lab::<BTreeMap<String, ()>, examples::VisitRow, ()>("examples")?;
        check_lab::<OrderingExperiment, OrderingRow, Vec<OrderingSummary>>("ordering")?;
        check_lab::<SavingsExperiment, SavingsRow, Vec<SavingsSummary>>("savings")?;
        check_lab::<MonteCarloExperiment, MonteCarloRow, ()>("chance")?;
        check_lab::<WorkExperiment, WorkRow, (Vec<WorkSummary>, [WorkFit; 2])>("work")?;
        check_lab::<PearlExperiment, PearlRow, ()>("pearl")?;
        check_lab::<UniformExperiment, UniformRow, Vec<BranchingFactor>>("uniform")?;
        check_lab::<RatingsSetup, RatedPlayer, RatingsSummary>("ratings")?;
        check::<train::TrainingJson>("train", "kalah train --json")
    }
}
