//! The search: finds the best move of a board within limits. It prints nothing.
//!
//! [`Searcher`] runs one of the searches of [`Variant`]: iterative deepening over the
//! `depth_first` searches, `proof_number` search or `monte_carlo` searches.

mod depth_first;
mod divide;
mod evaluation;
mod exact_tables;
mod game;
mod job;
mod kalah_game;
mod limits;
mod monte_carlo;
mod move_ordering;
mod options;
mod proof_number;
mod result;
mod searcher;
mod selective_parameters;
mod shared;
mod transposition_table;
mod tree_search;
mod value;
mod variant;

pub use divide::divide;
pub use evaluation::{
    BLOCK_NEURONS, BlockParameters, DISTANCES, Evaluation, EvaluationChoice, EvaluationNoise,
    EvaluationTerms, GamePhases, MAX_BLOCKS, MAX_NEURONS, Network, NetworkError, NetworkFileError,
    NetworkParameters, PHASES, SEED_COUNTS, Weights, blocks_of_neurons,
};
pub use exact_tables::ExactTables;
pub use game::{Game, MAX_MOVE_SCORE, MoveList, ScoredMove};
pub use limits::{Clock, Limits, PonderHit};
pub(crate) use limits::{TimeBudget, TimeManager};
pub use move_ordering::{MoveOrdering, Oversights};
pub use options::{DepthFirstOptions, SearchOptions, TableUse};
pub use proof_number::{
    InitialNumbers, LeafSelection, ProofNode, ProofNumbers, ProofOptions, ProofResult, ProofSearch,
    ProofTree,
};
pub use result::{Counters, PvLine, SearchObserver, SearchReport, SearchResult, SearchStats};
pub use searcher::Searcher;
pub use selective_parameters::{SelectiveParameter, SelectiveParameters};
pub use transposition_table::{
    HashTable, MAX_DEPTH, TableEntry, TableTooLarge, TranspositionTable, UnboundedTable,
};
pub use tree_search::{TreeResult, TreeSearch};
pub use value::{
    Bound, BoundTest, CENTISEEDS, Comparison, MinimaxPlayer, Query, Score, Transition, Window,
};
pub use variant::{DepthFirst, MtdDriver, UnknownVariant, Variant};
