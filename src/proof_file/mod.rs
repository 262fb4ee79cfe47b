//! Proofs of values in files, and an independent verifier.
//!
//! A [`ProofFile`] proves the value of a board by *claims* that the gain of a position reaches a target,
//! or that it does not. That it does follows from a claim about one move; that it does not, from claims
//! about all moves. Claims end at positions with few seeds, whose gains a tablebase holds, and at
//! *leaves*, which a search of limited size decides.
//!
//! [`Solver::proof`](crate::Solver::proof) writes a proof. [`ProofFile::verify`] verifies it and uses
//! nothing of the solver: no table of bounds, no order of moves, no sowing tables. It plays moves seed by
//! seed (`plain_position`), verifies each gain of the tablebase by its definition (`verify`),
//! follows the claims (`walk`) and searches the leaves (`leaf_search`).
//!
//! `docs/formats/proofs.md` specifies the format.

mod claim;
mod error;
mod file;
mod leaf_search;
mod plain_position;
mod verify;
mod walk;

pub use claim::ClaimText;
pub(crate) use claim::{Claim, EndgameGains};
pub use error::{ProofFault, ProofFileError};
pub use file::{MAX_LEAF_NODES, ProofFile, ProofLimits};
pub(crate) use leaf_search::LeafSearch;
pub(crate) use plain_position::PlainRanks;
pub use verify::{ProofProgress, ProofReport};
pub(crate) use walk::ProofStep;
