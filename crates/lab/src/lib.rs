//! The laboratory: experiments of the literature, repeated with the searches of this engine.
//!
//! An [`Experiment`] is a struct of its sizes and random seed. It runs searches on Kalah or on
//! artificial trees and returns rows of measurements. Results do not depend on the number of threads.
//!
//! ```
//! use kalah_lab::{LeafValues, UniformTree};
//! use kalah::search::{DepthFirst, DepthFirstOptions, TreeSearch, UnboundedTable};
//!
//! // Three moves in each of five plies, and random leaves from 0 to 99.
//! let tree = UniformTree::new(3, 5, LeafValues::Random(100), 1);
//! let nodes = |search| {
//!     let search = TreeSearch::new(search, DepthFirstOptions::default());
//!     search.run(&tree, &UnboundedTable::default(), &tree.root(), 5).counters.nodes
//! };
//! assert!(nodes(DepthFirst::AlphaBeta) < nodes(DepthFirst::Minimax));
//! ```

mod bounds;
pub mod commands;
mod examples;
mod experiment;
mod explicit_tree;
mod intervals;
mod midgame;
mod monte_carlo;
mod ordering;
mod pearl;
mod recorded;
mod savings;
pub mod training;
mod uniform;
mod uniform_tree;
mod work;

pub use bounds::{BoundsExperiment, BoundsRow};
pub use commands::screen::{ScreenTable, ScreenText};
pub use examples::{ProofExample, Replay, Visit, WorkedExample, proof_examples, worked_examples};
pub use experiment::{Experiment, LabContext, LabError};
pub use explicit_tree::{ExplicitNode, ExplicitTree, TreeParseError};
pub use intervals::ConfidenceInterval;
pub use midgame::Midgame;
pub use monte_carlo::{MonteCarloExperiment, MonteCarloRow};
pub use ordering::{OrderingExperiment, OrderingRow, OrderingSummary};
pub use pearl::{PearlExperiment, PearlRow, SuccessorOrder};
pub use recorded::{RecordedGame, SearchEvent};
pub use savings::{SavingsExperiment, SavingsRow, SavingsSummary};
pub use uniform::{BranchingFactor, UniformExperiment, UniformRow, optimal_rate, p_star};
pub use uniform_tree::{INFINITY, LeafValues, MAX_WIDTH, UniformNode, UniformTree};
pub use work::{WorkExperiment, WorkFit, WorkRow, WorkSummary, fit_work};
