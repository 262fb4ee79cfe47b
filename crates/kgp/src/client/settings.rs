//! What the user decides.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, ValueEnum};

use super::address::ServerAddress;
use kalah_client::EngineCommand;
use kalah_command::options::{number, seconds};
use kalah_records::sets_board;

/// How a client plays, and as whom.
#[derive(Args, Clone)]
pub(crate) struct ClientSettings {
    /// `HOST[:PORT]`, `ws://…` or `wss://…`
    #[arg(value_name = "SERVER")]
    pub server: ServerAddress,

    /// The name under which the engine plays
    #[arg(long, value_name = "NAME", value_parser = one_line)]
    pub name: String,

    /// A file whose first line is the token
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,

    /// Who has written the engine
    #[arg(long, value_name = "NAMES", value_parser = one_line)]
    pub authors: Option<String>,

    /// What the engine is
    #[arg(long, value_name = "TEXT", value_parser = one_line)]
    pub description: Option<String>,

    /// An engine that speaks the protocol of this program, with its arguments [default: this program]
    #[arg(long, value_name = "CMD")]
    pub engine: Option<EngineCommand>,

    /// An option of the engine; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = engine_option)]
    pub options: Vec<(String, String)>,

    /// The longest time for a move, in seconds; less once the server turns out to stop earlier
    #[arg(long, value_name = "SECONDS", default_value = "4.5", value_parser = seconds)]
    pub time: Duration,

    /// What is kept in reserve of the server's time limit, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 100, value_parser = number::<u64>(..))]
    pub margin: u64,

    /// Moves that are searched at the same time, each by an engine of its own
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number::<u16>(1..=256))]
    pub concurrency: u16,

    /// Do not think while the other player is to move
    #[arg(long = "no-ponder", action = ArgAction::SetFalse)]
    pub ponders: bool,

    /// What to play for: the most seeds, or a win, for which a move that is proven to win is enough
    #[arg(long, value_enum, value_name = "GOAL", default_value_t)]
    pub goal: Goal,

    /// Send score, depth and line with the last move of each request, for the server's log
    #[arg(long)]
    pub comments: bool,

    /// What to ask the server for: games, or problems that check the rules
    #[arg(long, value_name = "MODE", default_value = "freeplay", value_parser = ["freeplay", "verify"])]
    pub mode: String,

    /// Append the games to a file, as text, as far as the protocol shows them
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    /// End when the connection does
    #[arg(long)]
    pub once: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Goal {
    #[default]
    Margin,
    Win,
}

/// Whether a text can be part of a line of the protocol, whose length is limited.
pub(crate) fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && !text.chars().any(char::is_control) && text.chars().count() <= 1000
}

fn one_line(text: &str) -> Result<String, &'static str> {
    if is_line(text) { Ok(text.to_owned()) } else { Err("not a line of text") }
}

fn engine_option(text: &str) -> Result<(String, String), String> {
    let option = text.split_once('=').map(|(name, value)| (name.trim(), value));
    let option = option.filter(|(name, _)| !name.is_empty() && !text.contains(['\n', '\r']));
    let (name, value) = option.ok_or("not NAME=VALUE")?;
    if sets_board(name) {
        return Err(format!("the server chooses the board, not the option {name}"));
    }
    Ok((name.to_owned(), value.to_owned()))
}
