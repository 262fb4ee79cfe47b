//! Games with comments and variations, as text in the manner of PGN (`docs/formats/games.md`) and as JSON.
//!
//! [`AnnotatedGame::parse`] reads text, [`Display`](std::fmt::Display) writes it. What was written is
//! read back to the same text. Moves are checked by the rules while they are read.

mod cursor;
mod game;
mod json;
mod read;
mod text;
mod write;

pub use cursor::GameTextError;
pub use game::{
    AnnotatedGame, GameOutcome, MAX_GAMES_TEXT, MAX_PLIES, MAX_VARIATION_DEPTH, Ply,
    UnknownOutcome, result_of_moves,
};
pub use json::{
    UncheckedGame, deserialize_from_str, message_without_place, without_names_of_types,
};
pub use read::GamesText;
pub use text::{RecordReader, RecordTextError, each_game, is_json};
