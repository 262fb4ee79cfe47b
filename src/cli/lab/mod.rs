//! `kalah lab`: a file for each experiment.

mod bounds;
mod chance;
mod examples;
mod experiment;
mod ordering;
mod pearl;
#[cfg(feature = "charts")]
mod pictures;
#[cfg(feature = "arena")]
mod ratings;
mod savings;
mod screen;
mod uniform;
#[cfg(feature = "charts")]
mod values;
mod work;

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
    Work(work::WorkCommand),
    #[cfg(feature = "arena")]
    Ratings(Box<ratings::RatingsCommand>),
    #[cfg(feature = "charts")]
    Pictures(pictures::PicturesCommand),
    #[cfg(feature = "charts")]
    Values(values::ValuesCommand),
}

impl Lab {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.experiment {
            Experiment::Pearl(command) => command.run(),
            Experiment::Uniform(command) => command.run(),
            Experiment::Bounds(command) => command.run(),
            Experiment::Examples(command) => command.run(),
            Experiment::Ordering(command) => command.run(),
            Experiment::Savings(command) => command.run(),
            Experiment::Chance(command) => command.run(),
            Experiment::Work(command) => command.run(),
            #[cfg(feature = "arena")]
            Experiment::Ratings(command) => command.run(),
            #[cfg(feature = "charts")]
            Experiment::Pictures(command) => command.run(),
            #[cfg(feature = "charts")]
            Experiment::Values(command) => command.run(),
        }
    }
}
