//! `kalah lab` and `kalah train`.

#![allow(clippy::missing_errors_doc, reason = "the errors of commands are sentences for people")]
#![allow(missing_docs, reason = "what a command does is the text of its help")]

pub(crate) mod output;
mod pictures;
mod ratings;
pub(crate) mod screen;
mod train;
mod values;

use clap::Subcommand;

use self::output::ExperimentCommand;
use self::train::Train;
use crate::examples::ExamplesCommand;
use crate::savings::SavingsOptions;
use crate::uniform::UniformOptions;
use crate::{
    BoundsExperiment, MonteCarloExperiment, OrderingExperiment, PearlExperiment, WorkExperiment,
};

/// Repeat experiments of the literature
///
/// Each experiment prints a table of its results beside the published ones. Options write all
/// measurements as CSV or JSON and draw a chart. Tables of more than a screen are cut, unless --all
/// is given. Experiments use all processors; their results do not depend on the number of processors.
/// Only `ratings` measures time: it plays one game at a time, or as many as it is told. The random
/// seed is printed.
///
///   kalah lab pearl --seeds 1
///   kalah lab savings --seeds 6 --plot savings.svg
#[derive(Subcommand)]
#[command(verbatim_doc_comment)]
pub enum Lab {
    /// Repeat the table of Pearl's SCOUT paper: SCOUT and alpha-beta on Kalah with one seed a house.
    ///
    /// The paper does not say what it counts. These conventions reproduce most of its figures exactly
    /// and the others within 2 %: a ply is a whole turn, and every inspection of a terminal position
    /// counts. "Random" is the order of the houses from the left. "Dynamic" sorts by store difference,
    /// except for the moves that lead to the full depth; of equal moves MAX tries the rightmost first
    /// and MIN the leftmost. The shuffled orders, whose mean is given, are not in the paper.
    ///
    /// The paper also remarks that the advantage of SCOUT fades with more seeds: the other starts test
    /// that.
    ///
    ///   kalah lab pearl
    ///   kalah lab pearl --seeds 1 --csv pearl.csv
    #[command(verbatim_doc_comment)]
    Pearl(ExperimentCommand<PearlExperiment>),

    /// Search uniform random trees: leaf evaluations against alpha-beta's, and branching factors.
    ///
    /// A leaf's value is a hash of its path. Moves are searched from left to right. Alpha-beta,
    /// NegaScout, PVS and SCOUT use no transposition table, as they were published; MTD(f), SSS* and
    /// DUAL* use one of unlimited size. The first guess of MTD(f) is the median value of trees of this
    /// size, which can be calculated. A repeated evaluation of a leaf counts again.
    ///
    /// The first table compares the searches on wide trees, where A. Reinefeld (1983) found NegaScout
    /// 10 to 20 % better than alpha-beta. The second compares branching factors with the limit for
    /// infinite depth, P*/(1 - P*) for leaves that are all different (J. Pearl, 1980). They are fitted
    /// by least squares, ln(leaves) over depth, to the mean leaf evaluations at all even depths from 4
    /// to the greatest at which an optimal search takes at most --leaves. At finite depths a search may
    /// lie on either side of the limit.
    ///
    ///   kalah lab uniform
    ///   kalah lab uniform --plot uniform.svg
    #[command(verbatim_doc_comment)]
    Uniform(ExperimentCommand<UniformOptions>),

    /// Visit perfectly ordered trees and compare the nodes with the formulas for their minimum.
    ///
    /// The first move of every position is the best. TEST is run once with the answer TRUE and once
    /// with the answer FALSE; its minimum for TRUE is H1 of the lecture by T.-s. Hsu, that of
    /// alpha-beta is H2. The other searches visit the same nodes as alpha-beta; those that search the
    /// root repeatedly (MTD(f) with the right guess, SSS*, DUAL*) visit the principal variation twice.
    /// Any difference from the formulas is an error.
    ///
    /// H1 is the sum over all plies i of b^floor(i/2), H2 that of b^ceil(i/2) + b^floor(i/2) - 1. (The
    /// closed form of H2 in the lecture of 2015 is too small by b^(depth/2 - 1).)
    ///
    /// Without --all, the searches of the last tree alone are printed.
    ///
    ///   kalah lab bounds
    ///   kalah lab bounds --csv bounds.csv
    #[command(verbatim_doc_comment)]
    Bounds(ExperimentCommand<BoundsExperiment>),

    Examples(ExamplesCommand),

    /// Measure the nodes that each technique of a search saves, by adding them one by one.
    ///
    /// Middle-game positions, drawn by 8 to 20 random plies, are searched to the same depth by minimax
    /// (unless that takes too long), by alpha-beta with random and with static move order, then with
    /// the transposition table, dynamic move order, null windows (NegaScout) and aspiration windows.
    /// Nodes are those of all iterations up to the depth. 'First move' is the percentage of beta
    /// cutoffs by the first move.
    ///
    ///   kalah lab ordering
    ///   kalah lab ordering --seeds 6 --plot ordering.svg
    #[command(verbatim_doc_comment)]
    Ordering(ExperimentCommand<OrderingExperiment>),

    /// Measure the nodes that NegaScout and other searches save over alpha-beta on Kalah.
    ///
    /// Middle-game positions, drawn by 8 to 20 random plies, and the start are searched by iterative
    /// deepening with transposition table and dynamic move order. The nodes of all iterations up to a
    /// depth are compared with those of alpha-beta on the same position; the table shows medians over
    /// the middle-game positions. In chess engines NegaScout is said to save about 10 %
    /// (Wikipedia's article on it).
    ///
    /// The median over 50 positions of Kalah(6,6) at depth 12 alone:
    ///
    ///   kalah lab savings --seeds 6 --depths 12 --positions 50
    ///   kalah lab savings --plot savings.svg
    #[command(verbatim_doc_comment)]
    Savings(ExperimentCommand<SavingsOptions>),

    /// Count how often random games find a best move, by the number of games.
    ///
    /// Middle games of a small game are drawn by 8 to 20 random plies, and their best moves are proven
    /// by the engine's own search. Then flat Monte Carlo, flat UCB1 and Monte Carlo tree search search
    /// them.
    ///
    ///   kalah lab chance
    ///   kalah lab chance --plot chance.svg
    #[command(verbatim_doc_comment)]
    Chance(ExperimentCommand<MonteCarloExperiment>),

    /// Measure the positions that tests of the solver take, beside the number that it expects.
    ///
    /// Middle-game positions, drawn by 8 to 20 random plies, are solved. Then the solver tests, each time
    /// from nothing, whether the margin reaches targets up to 8 seeds below and above it. The formula of the
    /// expected work is fitted to the tests and printed beside the one in use: if the estimated margin is x seeds
    /// above the target, a test takes W positions, W = factor * (those expected at x = 0)^power * e^(-ease |x|),
    /// and reaches the target with the probability 1 / (1 + e^(-slope x)).
    ///
    ///   kalah lab work
    ///   kalah lab work --csv work.csv
    #[command(verbatim_doc_comment)]
    Work(ExperimentCommand<WorkExperiment>),

    Ratings(Box<ratings::RatingsCommand>),
    Pictures(pictures::PicturesCommand),
    Values(values::ValuesCommand),
}

kalah_command::run_subcommands!(Lab {
    Pearl,
    Uniform,
    Bounds,
    Examples,
    Ordering,
    Savings,
    Chance,
    Work,
    Ratings,
    Pictures,
    Values
});

/// The commands of the laboratory.
#[derive(Subcommand)]
pub enum LabCommand {
    Train(Train),
    #[command(subcommand)]
    Lab(Lab),
}

kalah_command::run_subcommands!(LabCommand { Train, Lab });

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use kalah_command::schemas::{check, written};
    use schemars::{JsonSchema, Schema, SchemaGenerator};

    use super::output::JsonDocument;
    use super::ratings::{RatedPlayer, RatingsSummary};
    use super::train;
    use crate::examples::VisitRow;
    use crate::{
        BoundsExperiment, Experiment, MonteCarloExperiment, OrderingExperiment, PearlExperiment,
        SavingsExperiment, UniformExperiment, WorkExperiment,
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

    fn check_experiment<E>() -> anyhow::Result<()>
    where
        E: Experiment<Row: JsonSchema, Summary: JsonSchema> + JsonSchema,
    {
        check_lab::<E, E::Row, E::Summary>(E::NAME)
    }

    #[test]
    #[allow(clippy::zero_sized_map_values, reason = "an object without members")]
    fn the_schemas_are_those_of_the_types() -> anyhow::Result<()> {
        check_experiment::<BoundsExperiment>()?;
        check_experiment::<OrderingExperiment>()?;
        check_experiment::<SavingsExperiment>()?;
        check_experiment::<MonteCarloExperiment>()?;
        check_experiment::<WorkExperiment>()?;
        check_experiment::<PearlExperiment>()?;
        check_experiment::<UniformExperiment>()?;
        check_lab::<BTreeMap<String, ()>, VisitRow, ()>("examples")?;
        check_lab::<RatingsSetup, RatedPlayer, RatingsSummary>("ratings")?;
        check::<train::TrainingJson>("train", "kalah train --json")
    }
}
