//! What the command lines of all products share: output for people and programs, early ends, progress,
//! new files, and the options of several commands.

#![allow(clippy::missing_errors_doc, reason = "the errors of commands are sentences for people")]

/// Writes a line to stderr, without characters that a terminal would obey, and ignores errors.
#[macro_export]
macro_rules! say {
    ($($text:tt)*) => { $crate::verbosity::say(&format!($($text)*)) };
}

/// Implements `run` of an enum of subcommands, by that of its variants.
#[macro_export]
macro_rules! run_subcommands {
    ($name:ident { $($variant:ident),* }) => {
        impl $name {
            /// Runs the subcommand.
            pub fn run(self) -> anyhow::Result<()> {
                match self {
                    $($name::$variant(command) => command.run(),)*
                }
            }
        }
    };
}

pub mod exit;
pub mod new_file;
pub mod options;
pub mod output;
pub mod progress_bar;
#[cfg(feature = "schemas")]
pub mod schemas;
pub mod table;
pub mod verbosity;
