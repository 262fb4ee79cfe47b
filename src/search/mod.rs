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
mod proof_number;
mod question;
mod report;
mod root;
mod searcher;
mod settings;
mod spare;
mod step;
mod stop;
mod table;
mod threads;
mod tree;
mod value;
mod variant;

pub(crate) use busy::Busy;
pub use counters::Counters;
pub use depth_first::{Conduct, TableUse};
pub use evaluation::{
    COUNTS, DISTANCES, Evaluation, EvaluationChoice, HIDDEN, Network, NetworkError,
    NetworkFileError, Noise, PHASES, Parameters, Phases, Terms, Weights,
};
pub use exact_tables::ExactTables;
pub use game::{Child, Children, Game, MAX_RANK};
pub(crate) use limits::Deadline;
pub use limits::{Clock, Limits};
pub use memory::{Entry, FullMemory, Memory};
pub use ordering::Ordering;
pub(crate) use ordering::mixed;
pub use proof_number::{
    FirstNumbers, Numbers, ProofConduct, ProofNode, ProofOutcome, ProofSearch, ProofTree, Selection,
};
pub use question::{Player, Question, Relation, Test};
pub use report::{Effort, Line, Observer, Outcome};
pub use searcher::Searcher;
pub use settings::Settings;
pub use step::Step;
pub use stop::{StopHandle, StopToken, stop_pair};
pub use table::{MAX_DEPTH, Table, TableTooLarge};
pub use tree::{TreeOutcome, TreeSearch, TreeTest};
pub use value::{Bound, CENTISEEDS, Score, Window};
pub use variant::{DepthFirst, Driver, UnknownVariant, Variant};
