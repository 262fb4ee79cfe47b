//! The game: rules, boards, moves, notation, keys and perft.
//!
//! [`Board`] is what programs that use the library need: [`Board::start`] or [`Board::from_fen`]
//! make one, [`Board::moves`] lists the legal moves, [`Board::play`] plays one, and
//! [`Board::result`] is the final margin. Searches use [`Position`], which is smaller and faster.

#[allow(clippy::module_inception)] // the field's word for both
mod board;
mod house;
mod key;
mod notation;
mod position;
mod row;
mod rules;
mod sowing;
mod trace;

pub use board::{AnyPosition, Board, BoardError, IllegalMove, MAX_SEEDS};
pub use house::{House, Move, NotAMove, Side, UnknownSide};
pub use key::{ZOBRIST_SEED, splitmix64};
pub use notation::{FenError, MovesError};
pub use position::{KeyedPosition, MoveResult, Next, Position};
pub(crate) use row::Row;
#[doc(hidden)]
pub use rules::shortened;
pub use rules::{
    Capture, HousesOutOfRange, MAX_HOUSES, RuleSet, Rules, Sowing, UnknownCapture, UnknownSowing,
};
pub use sowing::{RowTables, Sowings};
pub(crate) use sowing::{SowingEnd, SownHouse};
pub use trace::{MoveTrace, PickUp, Pit};
