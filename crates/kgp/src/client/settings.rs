//! What the user decides.

use std::time::Duration;

use super::address::ServerAddress;
use kalah_client::EngineCommand;

/// How a client plays, and as whom.
#[derive(Clone)]
pub struct ClientSettings {
    /// The server.
    pub address: ServerAddress,
    /// What is played.
    pub mode: ClientMode,
    /// Who plays.
    pub identity: AgentIdentity,
    /// The engine: a program that speaks the protocol of [`kalah::protocol`].
    pub engine: EngineCommand,
    /// Its options and their values.
    pub options: Vec<(String, String)>,
    /// Requests that are searched at the same time, each by an engine process of its own; more wait.
    pub concurrency: usize,
    /// The longest time from a request to its answer.
    pub think: Duration,
    /// What is kept in reserve of the server's time limit, once that is known.
    pub margin: Duration,
    /// Whether to think on while the other player is to move.
    pub ponders: bool,
    /// What is played for.
    pub goal: Goal,
    /// Whether moves get a comment with the score and the line.
    pub comments: bool,
    /// Whether to connect again when the connection is lost.
    pub reconnects: bool,
}

/// What a client says of itself. Servers know an agent by its token.
#[derive(Clone, Default)]
pub struct AgentIdentity {
    /// Proves who the agent is; never shown.
    pub token: String,
    /// The name, which a server shows.
    pub name: String,
    /// The authors, if they are to be shown.
    pub authors: Option<String>,
    /// A description, if there is one.
    pub description: Option<String>,
}

/// What is asked of a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientMode {
    /// Games.
    #[default]
    Freeplay,
    /// Problems that check the rules.
    Verify,
}

/// What is played for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// The most seeds.
    #[default]
    Margin,
    /// A win: a move that is proven to win is played at once.
    Win,
}
