//! What a server is to do.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;

use super::agents::AgentOptions;
use super::openings::Openings;
use super::stages::{Contest, MAX_ROUNDS, StageSettings, StageWords};
use crate::client::KGP_PORT;
use kalah::printable::counted;
use kalah::text_file;
use kalah_command::exit::{UsageError, wrong_usage};
use kalah_command::options::{houses, number, seconds, seeds};
use kalah_command::output::OutputOption;
use kalah_records::OpeningSettings;

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
///   kalah kgp serve --round-robin --agents handed-in --exam --stage "houses=6 seeds=6 keep=50%" \
///       --stage "houses=8 seeds=8" --record course.jsonl --report course.html
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
        value_parser = number::<u64>(1..=MAX_ROUNDS))]
    rounds: u64,

    /// A stage of the round robin, on another board: houses=8 seeds=8 rounds=1 time=5 keep=50%; repeat it for more
    ///
    /// What is not given is as in the other options; openings=WORDS as in --openings. With keep=N or
    /// keep=N% only the best go on to the next stage.
    #[arg(long = "stage", value_name = "WORDS", requires = "round_robin")]
    pub(super) stages: Vec<StageWords>,

    /// Games against the server that a player of the round robin has to win first: games=3 wins=2 against=random
    ///
    /// The player moves first. An illegal move fails at once, and a game in which a move came too late is no win.
    /// against=greedy plays the moves that bring most seeds at once. With houses=, seeds= and time=, which are those
    /// of the first stage otherwise.
    #[arg(long, value_name = "WORDS", requires = "round_robin", num_args = 0..=1, default_missing_value = "",
        value_parser = StageWords::of_exam)]
    pub(super) exam: Option<StageWords>,

    /// The number of players of the round robin [default: those of --names-file, else those of --agent and --agents, else 2]
    #[arg(long, value_name = "N", requires = "round_robin", value_parser = number::<usize>(2..=MAX_PLAYERS as u64))]
    players: Option<usize>,

    /// A file with the names of the players of the round robin, one a line: no others take part
    #[arg(long, value_name = "FILE", requires = "round_robin", conflicts_with = "players")]
    names_file: Option<PathBuf>,

    /// Random plies before the game, from the second round on; the same for all games of a round
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<u16>(0..=100))]
    pub opening_plies: u16,

    /// The boards that games begin with, as in a match: fair, plies=K, random=K or file=PATH
    #[arg(long, value_name = "WORDS", conflicts_with = "opening_plies")]
    pub openings: Option<OpeningSettings>,

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
    pub(super) agents: AgentOptions,

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
        /// The names of the players; empty: those who come first.
        names: Vec<String>,
    },
}

impl HostSettings {
    /// All stages: the exam, if there is one, and those of `--stage`, or else the one of the other options.
    pub(super) fn all_stages(&self) -> Vec<StageSettings> {
        let HostSettings { houses, seeds, time, rounds, .. } = *self;
        let contest = Contest::RoundRobin { rounds };
        let openings = self.openings.clone();
        let usual = StageSettings { houses, seeds, time, contest, keep: None, openings };
        let mut all: Vec<_> = self.stages.iter().map(|stage| stage.complete(&usual)).collect();
        if all.is_empty() {
            all.push(usual);
        }
        if let Some(exam) = &self.exam {
            all.insert(0, StageSettings { openings: None, ..exam.complete(&all[0]) });
        }
        all
    }

    /// The openings of a stage.
    pub(super) fn openings_of(&self, stage: &StageSettings) -> anyhow::Result<Openings> {
        let start = stage.start().map_err(wrong)?;
        if start.is_over() {
            return Err(wrong("a game needs seeds").into());
        }
        if let Some(openings) = &stage.openings {
            if openings.filter.is_some() {
                let why = "openings with margin= need searches, which would stop the server";
                return Err(wrong(why).into());
            }
            return Ok(Openings::of_match(start, openings, self.seed)?);
        }
        // The player moves first in an exam: the start is its advantage.
        let plies = if stage.examiner().is_some() { 0 } else { self.opening_plies.into() };
        Ok(Openings::RandomPlies { start, plies, seed: self.seed })
    }

    pub(super) fn format(&self) -> anyhow::Result<HostedFormat> {
        if !self.round_robin {
            return Ok(HostedFormat::Freeplay { games: self.games });
        }
        let names = self.names_file.as_deref().map(names_of_file).transpose()?;
        let names = names.unwrap_or_default();
        let listed = match (names.len(), self.agents.agents()?.len()) {
            (0, 0) => 2,
            (0, started) => started,
            (listed, _) => listed,
        };
        let players = self.players.unwrap_or(listed);
        if !(2..=MAX_PLAYERS).contains(&players) {
            return Err(wrong(format!("a round robin has 2 to {MAX_PLAYERS} players")).into());
        }
        Ok(HostedFormat::RoundRobin { players, names })
    }

    /// The settings of the games, which stay the same when a record is continued; so do the words for them.
    pub(super) fn event(&self, format: &HostedFormat) -> String {
        let HostSettings { houses, seeds, opening_plies, seed, rounds, .. } = self;
        let openings = match &self.openings {
            Some(openings) => format!("openings {openings}"),
            None => format!("openings of {opening_plies} plies"),
        };
        let games = match format {
            HostedFormat::RoundRobin { players, .. }
                if self.exam.is_some() || !self.stages.is_empty() =>
            {
                let stages = self.all_stages();
                let stages: Vec<String> = stages.iter().map(StageSettings::to_string).collect();
                format!("round robin of {players} players in stages: {};", stages.join("; "))
            }
            HostedFormat::RoundRobin { players, .. } => {
                let rounds = counted(*rounds, "round");
                format!("Kalah({houses},{seeds}), round robin of {players} players, {rounds},")
            }
            HostedFormat::Freeplay { .. } => format!("Kalah({houses},{seeds}), freeplay,"),
        };
        format!("{games} {openings}, seed {seed}")
    }
}

fn wrong(error: impl fmt::Display) -> UsageError {
    wrong_usage(&["kgp", "serve"], error)
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
