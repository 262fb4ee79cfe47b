//! What can be wrong with a line.

use thiserror::Error;

/// A line that is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// The first word is none of the protocol's.
    #[error("unknown command '{0}'")]
    UnknownCommand(String),
    /// A word that has no place where it stands.
    #[error("unexpected '{word}' after '{command}'")]
    Unexpected {
        /// The command it stands in.
        command: &'static str,
        /// The word.
        word: String,
    },
    /// The line ends too early.
    #[error("'{command}' needs {what}")]
    Missing {
        /// The command, or the word of it that wants more.
        command: String,
        /// What is missing.
        what: &'static str,
    },
    /// A number that is none, or out of range.
    #[error("'{name}' takes a whole number from {min} to {max}, not '{text}'")]
    Number {
        /// What the number is for.
        name: String,
        /// The least allowed.
        min: i64,
        /// The greatest allowed.
        max: i64,
        /// What stands there.
        text: String,
    },
    /// `go perft` with other words.
    #[error("'perft' does not search: nothing else goes with it")]
    PerftNotAlone,
    /// A word that is given twice.
    #[error("'{0}' is given twice")]
    Twice(String),
}
