//! The search: from a board, limits and a stop token to a move. No text, no stdout.

mod assignment;
mod busy;
mod counters;
mod deepening;
mod depth_first;
mod evaluation;
mod exact_tables;
mod game;
mod kalah_game;
mod limits;
mod memory;
mod monte_carlo;
mod ordering;
mod ponder_hit;
mod proof_number;
mod question;
mod report;
mod root;
mod searcher;
mod settings;
mod spare;
mod step;
mod table;
mod threads;
mod time_manager;
mod tree;
mod value;
mod variant;

pub(crate) use busy::InFlightTable;
pub use counters::Counters;
pub use depth_first::{DepthFirstOptions, TableUse};
pub use evaluation::{
    DISTANCES, Evaluation, EvaluationChoice, EvaluationNoise, EvaluationTerms, GamePhases,
    HIDDEN_NEURONS, Network, NetworkError, NetworkFileError, NetworkParameters, PHASES,
    SEED_COUNTS, Weights,
};
pub use exact_tables::ExactTables;
pub use game::{Game, MAX_MOVE_SCORE, MoveList, ScoredMove};
pub(crate) use limits::TimeBudget;
pub use limits::{Clock, Limits};
pub use memory::{TableEntry, TranspositionTable, UnboundedTable};
pub use ordering::MoveOrdering;
pub(crate) use ordering::splitmix64;
pub use ponder_hit::PonderHit;
pub use proof_number::{
    InitialNumbers, LeafSelection, ProofNode, ProofNumbers, ProofOptions, ProofResult, ProofSearch,
    ProofTree,
};
pub use question::{BoundTest, Comparison, MinimaxPlayer, Query};
pub use report::{Observer, PvLine, SearchResult, SearchStats};
pub use searcher::Searcher;
pub use settings::SearchOptions;
pub use step::Transition;
pub use table::{HashTable, MAX_DEPTH, TableTooLarge};
pub(crate) use time_manager::TimeManager;
pub use tree::{TreeResult, TreeSearch, TreeTest};
pub use value::{Bound, CENTISEEDS, Score, Window};
pub use variant::{DepthFirst, MtdDriver, UnknownVariant, Variant};
