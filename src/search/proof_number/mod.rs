//! Proof-number search: L. V. Allis, M. van der Meulen and H. J. van den Herik, *Proof-Number
//! Search* (Artificial Intelligence 66, 1994).
//!
//! A search for those who want to know whether a claim holds, not how likely it is: it goes where
//! the proof, or the disproof, has the least left to show.

mod best_first;
mod df_pn;
mod numbers;
mod prover;
mod table;
mod tree;
mod values;

pub use best_first::{ProofNode, ProofTree, Selection};
pub use numbers::Numbers;
pub use tree::{ProofOutcome, ProofSearch};

pub(super) use prover::Prover;
pub(super) use table::NumberTable;
