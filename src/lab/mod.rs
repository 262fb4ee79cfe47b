//! The laboratory: what the literature says of searches, tried on those of this engine.
//!
//! An experiment is a struct of its sizes and its seed. It runs searches as black boxes, on
//! Kalah or on trees made up for the purpose, and returns rows of measurements; to print, write
//! and draw them is the business of others.

mod bounds;
mod branching;
mod chance;
mod error;
mod examples;
mod explicit_tree;
mod ingredients;
mod kalah_search;
mod midgame;
mod pearl;
mod picture;
mod progress;
mod proof_numbers;
mod recorded;
mod savings;
mod statistics;
mod theory;
mod uniform;
mod uniform_tree;

pub use bounds::{Bounds, BoundsRow};
pub use branching::{Branching, branching};
pub use chance::{Chance, ChanceRow};
pub use error::LabError;
pub use examples::{Example, ProofExample, Replay, Visit, examples, proof_examples};
pub use explicit_tree::{ExplicitNode, ExplicitTree, TreeError};
pub use ingredients::{IngredientRow, IngredientSummary, Ingredients, summarize_ingredients};
pub use midgame::Midgame;
pub use pearl::{Pearl, PearlRow, Successors};
pub use picture::{Drawn, Picture};
pub use progress::{Progress, Watch};
pub use proof_numbers::{Evidence, NumberedTree};
pub use recorded::{Event, Recorded};
pub use savings::{Savings, SavingsReason, SavingsRow, SavingsSummary};
pub use statistics::{geometric_mean, median};
pub use theory::{optimal_rate, p_star};
pub use uniform::{SEARCHES, Uniform, UniformRow};
pub use uniform_tree::{INFINITY, Leaves, MAX_WIDTH, UniformNode, UniformTree};
