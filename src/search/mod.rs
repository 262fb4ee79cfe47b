//! The search: from a board, limits and a stop token to a move. No text, no stdout.

mod busy;
mod deepening;
mod evaluation;
mod hints;
mod limits;
mod memory;
mod negascout;
mod ordering;
mod report;
mod root;
mod searcher;
mod settings;
mod stop;
mod table;
mod threads;
mod value;

pub use evaluation::{DISTANCES, Evaluation, Terms, Weights};
pub use limits::{Clock, Limits};
pub use report::{Effort, Line, Observer, Outcome};
pub use searcher::Searcher;
pub use settings::Settings;
pub use stop::{StopHandle, StopToken, stop_pair};
pub use table::{Entry, MAX_DEPTH, Table, TableTooLarge};
pub use value::{Bound, CENTISEEDS, Score};
