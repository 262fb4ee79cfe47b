//! `kalah lab`: one file an experiment, on what they have in common.

mod bounds;
mod chance;

mod examples;
mod middle_games;

mod ordering;
mod outputs;
mod pearl;
mod pictures;
mod progress;
mod savings;

mod uniform;

use clap::{Args, Subcommand};
use kalah::lab::LabError;

use super::usage::wrong_usage;

/// Repeat the experiments of the literature.
///
/// Each prints a table of what was found, with what was published beside it. On request it writes
/// all it has measured as CSV or JSON, and draws a chart. Experiments use all processors; their
/// results do not depend on how many there are. Random numbers follow from a seed, which is
/// printed.
#[derive(Args)]
pub(super) struct Lab {
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
    Pictures(pictures::PicturesCommand),
}

impl Lab {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.experiment {
            Experiment::Pearl(pearl) => pearl.run(),
            Experiment::Uniform(uniform) => uniform.run(),
            Experiment::Bounds(bounds) => bounds.run(),
            Experiment::Examples(examples) => examples.run(),
            Experiment::Ordering(ordering) => ordering.run(),
            Experiment::Savings(savings) => savings.run(),
            Experiment::Chance(chance) => chance.run(),
            Experiment::Pictures(pictures) => pictures.run(),
        }
    }
}

/// The error of an experiment as the command line sees it: some come of wrong sizes.
fn explained(experiment: &str, error: LabError) -> anyhow::Error {
    match error {
        LabError::Width(_)
        | LabError::Depth(_)
        | LabError::TooLong { .. }
        | LabError::TooLargeToDraw { .. }
        | LabError::Board(_)
        | LabError::NoMiddleGame { .. }
        | LabError::NotProven { .. } => wrong_usage(&["lab", experiment], error).into(),
        _ => error.into(),
    }
}
