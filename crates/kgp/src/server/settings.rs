//! What a server is to do, and what it tells about its work.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use kalah::board::Board;
use kalah_arena::RecordError;

/// Who plays whom on a server of the Kalah Game Protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostedFormat {
    /// Those who are connected play each other, those first who have met least.
    Freeplay {
        /// The server ends after this many games; `None`: never.
        games: Option<u64>,
    },
    /// A tournament that begins once all players are there.
    RoundRobin {
        /// The number of players.
        players: usize,
        /// In each round every two players play two games, with the sides exchanged.
        rounds: u64,
        /// The names of the players; empty: those who come first.
        names: Vec<String>,
    },
}

/// The settings of a server of the Kalah Game Protocol.
#[derive(Clone, Debug)]
pub struct HostSettings {
    /// The address to listen on.
    pub address: IpAddr,
    /// The port for lines over TCP; 0 for any free one.
    pub port: u16,
    /// The port for the page with the results and for WebSockets; `None`: there is none.
    pub web_port: Option<u16>,
    /// The start of all games, with the capture rule `standard` and South to move.
    pub start: Board,
    /// Who plays whom.
    pub format: HostedFormat,
    /// The time for a move.
    pub time: Duration,
    /// The time for a pong, and for the mode after the greeting.
    pub pong_time: Duration,
    /// How long a player of a round robin may be away before its other games are lost.
    pub grace: Duration,
    /// From round 2 on games begin with this many random plies, the same for all in a round.
    pub opening_plies: usize,
    /// The random seed of the openings, and of moves for those that send none.
    pub seed: u64,
    /// The file to which the games are appended.
    pub record: Option<PathBuf>,
}

impl HostSettings {
    /// The settings of the games, which stay the same when a record is continued.
    pub(super) fn event(&self) -> String {
        let houses = self.start.rules().houses();
        let seeds = self.start.seeds_in_play() / (2 * houses as u32);
        let HostSettings { format, opening_plies, seed, .. } = self;
        format!("Kalah({houses},{seeds}), {format}, openings of {opening_plies} plies, seed {seed}")
    }
}

impl fmt::Display for HostedFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostedFormat::Freeplay { .. } => f.write_str("freeplay"),
            HostedFormat::RoundRobin { players, rounds, .. } => {
                let ending = if *rounds == 1 { "" } else { "s" };
                write!(f, "round robin of {players} players, {rounds} round{ending}")
            }
        }
    }
}

/// What happens on a server, for those who watch it. Names are those that clients have given themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostEvent {
    /// The record ends with an incomplete game, which was cut off.
    TornRecord,
    /// The record has this many games, after which the server goes on.
    Resumed(u64),
    /// An agent has come.
    Joined(String),
    /// An agent has left or was sent away, for this reason.
    Left(String, String),
    /// All players of the round robin are there.
    Begun,
    /// A game is over: a line with its players and its result.
    Finished(String),
}

/// Why a server ends, or cannot begin.
#[derive(Debug, Error)]
pub enum HostError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}")]
    Listen {
        /// Address and port.
        address: SocketAddr,
        /// The reason of the system.
        #[source]
        source: io::Error,
    },
    /// The record cannot be used.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The system refuses something else.
    #[error("cannot start the server")]
    System(#[from] io::Error),
}
