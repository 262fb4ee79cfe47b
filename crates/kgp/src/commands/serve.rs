//! `kalah kgp serve`.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{HostError, HostEvent, HostSettings, HostedFormat, KGP_PORT, KgpHost};
use anyhow::{Context, bail};
use clap::Args;
use kalah::board::{Board, Capture, Rules};
use kalah::regular_file;
use kalah_arena::statistics::RatingModel;
use kalah_command::say;

use kalah_arena::commands::{StandingsJson, standings_text};
use kalah_command::exit::{Interrupted, stop_on_ctrl_c, wrong_usage};
use kalah_command::new_file::NewFile;
use kalah_command::options::seconds;
use kalah_command::output::OutputOption;

/// Players of a round robin, at most.
const MAX_PLAYERS: usize = 200;

/// Bytes of a file with names.
const MAX_NAMES_FILE: u64 = 1 << 20;

/// The path of this command.
const COMMAND: [&str; 2] = ["kgp", "serve"];

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
pub(super) struct ServeCommand {
    /// The address to listen on; 127.0.0.1 for clients on this machine alone
    #[arg(long, value_name = "ADDR", default_value_t = Ipv4Addr::UNSPECIFIED.into())]
    listen: IpAddr,

    /// The port for clients; 0 for any free one
    #[arg(long, value_name = "PORT", default_value_t = KGP_PORT)]
    port: u16,

    /// The port for the page with the results, and for clients with WebSockets at /socket
    #[arg(long, value_name = "PORT")]
    web: Option<u16>,

    /// Houses a side, 1 to 12
    #[arg(long, value_name = "N", default_value_t = 6)]
    houses: usize,

    /// Seeds in each house
    #[arg(long, value_name = "N", default_value_t = 4)]
    seeds: u16,

    /// The time for a move, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    time: Duration,

    /// End after this many games
    #[arg(long, value_name = "N", conflicts_with = "round_robin",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: Option<u64>,

    /// Every player plays every other; begins when all players are there
    #[arg(long)]
    round_robin: bool,

    /// Rounds of the round robin: in each, every two players play two games, once on each side
    #[arg(long, value_name = "N", default_value_t = 1, requires = "round_robin",
        value_parser = clap::value_parser!(u64).range(1..=10_000))]
    rounds: u64,

    /// The number of players of the round robin [default: 2, or those of --names-file]
    #[arg(long, value_name = "N", requires = "round_robin")]
    players: Option<usize>,

    /// A file with the names of the players of the round robin, one a line: no others take part
    #[arg(long, value_name = "FILE", requires = "round_robin", conflicts_with = "players")]
    names_file: Option<PathBuf>,

    /// Random plies before the game, from the second round on; the same for all games of a round
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(0..=100))]
    opening_plies: u16,

    /// Random seed of the openings, and of the moves of agents that send none
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How long a player may be away before its other games of the round robin are lost, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    grace: Duration,

    /// The time to answer a ping, and to choose a mode, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = seconds)]
    ping_time: Duration,

    /// Append the games to this file, and go on after those it has
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Write the page with the results to this file at the end
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    #[command(flatten)]
    output: OutputOption,
}

impl ServeCommand {
    /// Runs the command.
    pub(super) fn run(self) -> anyhow::Result<()> {
        let format = self.format()?;
        let rules = Rules::new(self.houses, Capture::Standard);
        let rules = rules.map_err(|error| wrong_usage(&COMMAND, error))?;
        let start =
            Board::start(rules, self.seeds).map_err(|error| wrong_usage(&COMMAND, error))?;
        if start.is_over() {
            return Err(wrong_usage(&COMMAND, "a game needs seeds").into());
        }
        let report = self.report.as_deref().map(NewFile::create).transpose()?;
        if let (Some(report), Some(record)) = (&report, &self.record)
            && report.is(record)
        {
            bail!("'{}' cannot be both record and report", record.display());
        }
        let settings = HostSettings {
            address: self.listen,
            port: self.port,
            web_port: self.web,
            start,
            format,
            time: self.time,
            pong_time: self.ping_time,
            grace: self.grace,
            opening_plies: self.opening_plies.into(),
            seed: self.seed,
            record: self.record.clone(),
        };
        let host = KgpHost::bind(settings)?;
        let stop = stop_on_ctrl_c()?;
        let mut text = self.output.text();
        writeln!(text, "clients: {}", host.address()?)?;
        if let Some(address) = host.web_address()? {
            writeln!(text, "page: http://{address}/")?;
        }
        text.flush()?;
        let outcome = host.run(&stop, &mut |event| say_event(&event, self.record.as_deref()));
        let outcome = outcome.map_err(with_advice)?;
        if let Some(report) = report {
            report.write(|file| Ok(file.write_all(outcome.page.as_bytes())?))?;
        }
        if self.output.is_json() {
            self.output.print(&StandingsJson::new(
                &outcome.standings,
                None,
                RatingModel::default(),
            ))?;
        } else if !outcome.standings.games().is_empty() {
            writeln!(
                io::stdout(),
                "{}",
                standings_text(&outcome.standings, None, RatingModel::default())
            )?;
        }
        if outcome.is_complete {
            return Ok(());
        }
        Err(Interrupted::with_record("all finished games", self.record.as_deref()).into())
    }

    fn format(&self) -> anyhow::Result<HostedFormat> {
        if !self.round_robin {
            return Ok(HostedFormat::Freeplay { games: self.games });
        }
        let names = self.names_file.as_deref().map(names_of_file).transpose()?;
        let names = names.unwrap_or_default();
        let listed = if names.is_empty() { 2 } else { names.len() };
        let players = self.players.unwrap_or(listed);
        if !(2..=MAX_PLAYERS).contains(&players) {
            let error = format!("a round robin has 2 to {MAX_PLAYERS} players");
            return Err(wrong_usage(&COMMAND, error).into());
        }
        Ok(HostedFormat::RoundRobin { players, rounds: self.rounds, names })
    }
}

/// The names of a file, each once.
fn names_of_file(path: &Path) -> anyhow::Result<Vec<String>> {
    let cannot = || format!("cannot read the names in '{}'", path.display());
    let bytes = regular_file::read(path, MAX_NAMES_FILE).with_context(cannot)?;
    let text = String::from_utf8(bytes).with_context(cannot)?;
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

fn say_event(event: &HostEvent, record: Option<&Path>) {
    match event {
        HostEvent::TornRecord => {
            let path = record.unwrap_or(Path::new("the record"));
            say!("'{}' ended with an incomplete game, which was cut off", path.display());
        }
        HostEvent::Resumed(games) => say!("going on after {games} games of the record"),
        HostEvent::Joined(name) => say!("{name} has come"),
        HostEvent::Left(name, reason) => say!("{name} has left: {reason}"),
        HostEvent::Begun => say!("all players are there: the tournament begins"),
        HostEvent::Finished(text) => say!("{text}"),
    }
}

fn with_advice(error: HostError) -> anyhow::Error {
    let is_record = matches!(error, HostError::Record(_));
    let error = anyhow::Error::from(error);
    if is_record { error.context("the server has ended: a game cannot be recorded") } else { error }
}
