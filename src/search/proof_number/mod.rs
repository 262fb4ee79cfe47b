//! Proof-number search: L. V. Allis, M. van der Meulen and H. J. van den Herik, *Proof-Number
//! Search* (Artificial Intelligence 66, 1994).
//!
//! It asks whether a claim holds, the position is worth so much or more, and goes where the proof,
//! or the disproof, has least left to show. Nothing is estimated: what it finds is exact. There
//! are two forms. [`best_first`] keeps the tree and reads like the paper; [`df_pn`] works within a
//! table of fixed size and is the one that plays. [`values`] makes values of claims, and
//! [`prover`] a search of the engine.
//!
//! A node that counts is a visit that makes the moves of a position, or evaluates a leaf. Moves
//! that end the game, and positions settled by their range of values or by the table, are dealt
//! with where they come up and are no nodes.

mod best_first;
mod conduct;
mod df_pn;
mod numbers;
mod prover;
mod table;
mod tree;
mod values;

pub use best_first::{LeafSelection, ProofNode, ProofTree};
pub use conduct::{InitialNumbers, ProofOptions};
pub use numbers::ProofNumbers;
pub use tree::{ProofResult, ProofSearch};

pub(super) use prover::Prover;
pub(super) use table::NumberTable;
