//! What a server is to do.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;

use crate::client::KGP_PORT;
use kalah::board::{Board, Capture, Rules};
use kalah::text_file;
use kalah_command::exit::{UsageError, wrong_usage};
use kalah_command::options::{houses, number, seconds, seeds};
use kalah_command::output::OutputOption;

/// Players of a round robin, at most.
const MAX_PLAYERS: usize = 200;

/// Bytes of a file with names.
const MAX_NAMES_FILE: u64 = 1 << 20;

/// Serve a tournament over the Kalah Game Protocol
///
/// Pairs all who are connected, again and again, or holds a round robin once all players are there, and
/// prints the standings at the end. Ends with Ctrl-C, or when all games have been played.
/// docs/manual/kgp.md describes it.
///
///   kalah kgp serve --web 8080
///   kalah kgp serve --round-robin --players 12 --record cup.jsonl --web 8080
///
/// Games are recorded as soon as they are over; the same command goes on after the last one.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct HostSettings {
    /// The address to listen on; 127.0.0.1 for clients on this machine alone
    #[arg(long, value_name = "ADDR", default_value_t = Ipv4Addr::UNSPECIFIED.into())]
    pub listen: IpAddr,

    /// The port for clients; 0 for any free one
    #[arg(long, value_name = "PORT", default_value_t = KGP_PORT, value_parser = number::<u16>(..))]
    pub port: u16,

    /// The port for the page with the results, and for clients with WebSockets at /socket
    #[arg(long, value_name = "PORT", value_parser = number::<u16>(..))]
    pub web: Option<u16>,

    /// Houses a side, 1 to 12
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = houses())]
    houses: usize,

    /// Seeds in each house
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = seeds())]
    seeds: u16,

    /// The time for a move, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub time: Duration,

    /// End after this many games
    #[arg(long, value_name = "N", conflicts_with = "round_robin",
        value_parser = number::<u64>(1..=1_000_000_000))]
    games: Option<u64>,

    /// Every player plays every other; begins when all players are there
    #[arg(long)]
    round_robin: bool,

    /// Rounds of the round robin: in each, every two players play two games, once on each side
    #[arg(long, value_name = "N", default_value_t = 1, requires = "round_robin",
        value_parser = number::<u64>(1..=10_000))]
    rounds: u64,

    /// The number of players of the round robin [default: 2, or those of --names-file]
    #[arg(long, value_name = "N", requires = "round_robin", value_parser = number::<usize>(2..=MAX_PLAYERS as u64))]
    players: Option<usize>,

    /// A file with the names of the players of the round robin, one a line: no others take part
    #[arg(long, value_name = "FILE", requires = "round_robin", conflicts_with = "players")]
    names_file: Option<PathBuf>,

    /// Random plies before the game, from the second round on; the same for all games of a round
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<u16>(0..=100))]
    pub opening_plies: u16,

    /// Random seed of the openings, and of the moves of agents that send none
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    pub seed: u64,

    /// How long a player may be away before its other games of the round robin are lost, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub grace: Duration,

    /// The time to answer a ping, and to choose a mode, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = seconds)]
    pub ping_time: Duration,

    /// Append the games to this file, and go on after those it has
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    /// Write the page with the results to this file at the end
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    #[command(flatten)]
    pub(super) output: OutputOption,
}

#[derive(Clone)]
pub(super) enum HostedFormat {
    /// Those who are connected play each other, those first who have met least.
    Freeplay {
        /// The server ends after this many games; `None`: never.
        games: Option<u64>,
    },
    RoundRobin {
        players: usize,
        /// In each round every two players play two games, with the sides exchanged.
        rounds: u64,
        /// The names of the players; empty: those who come first.
        names: Vec<String>,
    },
}

impl HostSettings {
    pub(super) fn start(&self) -> anyhow::Result<Board> {
        let rules = Rules::new(self.houses, Capture::Standard).map_err(wrong)?;
        let start = Board::start(rules, self.seeds).map_err(wrong)?;
        if start.is_over() {
            return Err(wrong("a game needs seeds").into());
        }
        Ok(start)
    }

    pub(super) fn format(&self) -> anyhow::Result<HostedFormat> {
        if !self.round_robin {
            return Ok(HostedFormat::Freeplay { games: self.games });
        }
        let names = self.names_file.as_deref().map(names_of_file).transpose()?;
        let names = names.unwrap_or_default();
        let listed = if names.is_empty() { 2 } else { names.len() };
        let players = self.players.unwrap_or(listed);
        if !(2..=MAX_PLAYERS).contains(&players) {
            return Err(wrong(format!("a round robin has 2 to {MAX_PLAYERS} players")).into());
        }
        Ok(HostedFormat::RoundRobin { players, rounds: self.rounds, names })
    }

    /// The settings of the games, which stay the same when a record is continued.
    pub(super) fn event(&self, format: &HostedFormat) -> String {
        let HostSettings { houses, seeds, opening_plies, seed, .. } = self;
        format!("Kalah({houses},{seeds}), {format}, openings of {opening_plies} plies, seed {seed}")
    }
}

fn wrong(error: impl fmt::Display) -> UsageError {
    wrong_usage(&["kgp", "serve"], error)
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

/// The names of a file, each once.
fn names_of_file(path: &Path) -> anyhow::Result<Vec<String>> {
    let cannot = || format!("cannot read the names in {}", text_file::name(path));
    let text = text_file::read(path, MAX_NAMES_FILE).with_context(cannot)?;
    let mut names: Vec<String> = Vec::new();
    for name in text.lines().map(str::trim).filter(|name| !name.is_empty()) {
        if names.iter().any(|other| other == name) {
            bail!("'{}' has the name '{name}' twice", path.display());
        }
        names.push(name.to_owned());
    }
    if names.len() < 2 {
        bail!("'{}' has fewer than two names", path.display());
    }
    Ok(names)
}
