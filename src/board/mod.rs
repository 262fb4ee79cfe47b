//! The game: rules, positions, moves, notation and keys. No I/O, no clocks, no threads.

#[allow(clippy::module_inception)] // the field's word for both the room and the thing
mod board;
mod house;
mod key;
mod notation;
mod perft;
mod position;
mod row;
mod rules;
mod sowing;

pub use board::{AnyPosition, Board, BoardError, IllegalMove, MAX_SEEDS};
pub use house::{House, Move, Side, UnknownSide};
pub use key::ZOBRIST_SEED;
pub(crate) use notation::shortened;
pub use notation::{FenError, MovesError};
pub use perft::{perft, perft_until};
pub use position::{Moves, Next, Played, Position};
pub use row::{Occupied, Row};
pub use rules::{Capture, HousesOutOfRange, MAX_HOUSES, Rules, UnknownCapture};
pub use sowing::{RowTables, Sowings, Tables};
