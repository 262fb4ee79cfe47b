//! `kalah kgp`: tournaments over the Kalah Game Protocol.

mod serve;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{
    AgentIdentity, ClientEvent, ClientMode, ClientSettings, Goal, RequestCounts, ServerAddress,
    run_client,
};
use anyhow::{Context, bail};
use clap::{Args, Subcommand, ValueEnum};
use kalah::regular_file;
use kalah_client::{EngineCommand, NotACommand};
use kalah_command::say;

use kalah_command::exit::{Interrupted, stop_on_ctrl_c, wrong_usage};
use kalah_command::options::seconds;

/// The environment variable with the token.
const TOKEN_VARIABLE: &str = "KALAH_KGP_TOKEN";

/// Bytes of a file with a token.
const MAX_TOKEN_FILE: u64 = 4096;

/// Play on a server of the Kalah Game Protocol
///
/// Plays on a server until it is stopped by Ctrl-C, and connects again when the connection is lost. The
/// server is HOST or HOST:PORT for TCP, or begins with ws:// or wss:// for a WebSocket.
///
///   kalah kgp localhost --name Ann
///   kalah kgp example.org:2671 --name Ann --token-file token.txt
///
/// Servers know an agent by its token, which nobody else may know: it is read from the first line of a file,
/// or from the environment variable `KALAH_KGP_TOKEN`. Without one a random token is used, for this run
/// alone.
#[derive(Args)]
#[command(
    verbatim_doc_comment,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct KgpCommand {
    #[command(subcommand)]
    other: Option<OtherCommand>,

    #[command(flatten)]
    client: Option<ClientArguments>,
}

/// What `kalah kgp` does besides playing.
#[derive(Subcommand)]
enum OtherCommand {
    Serve(Box<serve::ServeCommand>),
}

#[derive(Args)]
struct ClientArguments {
    /// HOST[:PORT], ws://… or wss://…
    #[arg(value_name = "SERVER")]
    server: ServerAddress,

    /// The name under which the engine plays
    #[arg(long, value_name = "NAME", value_parser = one_line)]
    name: String,

    /// A file whose first line is the token
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// Who has written the engine
    #[arg(long, value_name = "NAMES", value_parser = one_line)]
    authors: Option<String>,

    /// What the engine is
    #[arg(long, value_name = "TEXT", value_parser = one_line)]
    description: Option<String>,

    /// An engine that speaks the protocol of this program, with its arguments [default: this program]
    #[arg(long, value_name = "CMD")]
    engine: Option<String>,

    /// An option of the engine; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = engine_option)]
    options: Vec<(String, String)>,

    /// The longest time for a move, in seconds; less once the server turns out to stop earlier
    #[arg(long, value_name = "SECONDS", default_value = "4.5", value_parser = seconds)]
    time: Duration,

    /// What is kept in reserve of the server's time limit, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 100)]
    margin: u64,

    /// Moves that are searched at the same time, each by an engine of its own
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,

    /// Do not think while the other player is to move
    #[arg(long)]
    no_ponder: bool,

    /// What to play for: the most seeds, or a win, for which a move that is proven to win is enough
    #[arg(long, value_enum, value_name = "GOAL", default_value_t)]
    goal: GoalName,

    /// Send score, depth and line with the last move of each request, for the server's log
    #[arg(long)]
    comments: bool,

    /// What to ask the server for: games, or problems that check the rules
    #[arg(long, value_enum, value_name = "MODE", default_value_t)]
    mode: ModeName,

    /// Append the games to a file, as text, as far as the protocol shows them
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// End when the connection does
    #[arg(long)]
    once: bool,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum GoalName {
    #[default]
    Margin,
    Win,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum ModeName {
    #[default]
    Freeplay,
    Verify,
}

impl KgpCommand {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<()> {
        match (self.other, self.client) {
            (Some(OtherCommand::Serve(serve)), _) => serve.run(),
            (None, Some(client)) => client.run(),
            (None, None) => Err(wrong_usage(&["kgp"], "expected a server, or 'serve'").into()),
        }
    }
}

impl ClientArguments {
    fn run(self) -> anyhow::Result<()> {
        let token = self.token()?;
        let engine = self.engine_command()?;
        let settings = ClientSettings {
            address: self.server,
            mode: match self.mode {
                ModeName::Freeplay => ClientMode::Freeplay,
                ModeName::Verify => ClientMode::Verify,
            },
            identity: AgentIdentity {
                token,
                name: self.name,
                authors: self.authors,
                description: self.description,
            },
            engine,
            options: self.options,
            concurrency: self.concurrency.into(),
            think: self.time,
            margin: Duration::from_millis(self.margin),
            ponders: !self.no_ponder,
            goal: match self.goal {
                GoalName::Margin => Goal::Margin,
                GoalName::Win => Goal::Win,
            },
            comments: self.comments,
            reconnects: !self.once,
        };
        let stop = stop_on_ctrl_c()?;
        let address = settings.address.to_string();
        let counts = run_client(&settings, self.record.as_deref(), &stop, |event| match event {
            ClientEvent::Connected => say!("connected to {address}"),
            ClientEvent::Lost { reason, pause } => {
                say!("{address}: {reason}; trying again in {:.1} s", pause.as_secs_f64());
            }
        })?;
        say!("{}", counts_text(&counts));
        if stop.was_stopped() { Err(Interrupted.into()) } else { Ok(()) }
    }

    fn token(&self) -> anyhow::Result<String> {
        if let Some(path) = &self.token_file {
            return token_of_file(path)
                .with_context(|| format!("cannot read the token from '{}'", path.display()));
        }
        let variable = std::env::var_os(TOKEN_VARIABLE).filter(|token| !token.is_empty());
        let Some(token) = variable else {
            say!("no token: a random one is used, for this run alone");
            return Ok((0..32).map(|_| fastrand::alphanumeric()).collect());
        };
        let token = token.into_string().ok().filter(|token| is_token(token));
        token.with_context(|| format!("{TOKEN_VARIABLE} is not a token: it is to be a line"))
    }

    fn engine_command(&self) -> anyhow::Result<EngineCommand> {
        let Some(command) = &self.engine else {
            let program = std::env::current_exe().context("cannot find this program")?;
            return Ok(EngineCommand::new("Kalah", program));
        };
        Ok(command.parse().map_err(|error: NotACommand| wrong_usage(&["kgp"], error))?)
    }
}

fn token_of_file(path: &Path) -> anyhow::Result<String> {
    let text = String::from_utf8(regular_file::read(path, MAX_TOKEN_FILE)?);
    let text = text.map_err(|_| anyhow::anyhow!("it is not text"))?;
    let token = text.lines().next().unwrap_or_default().trim();
    if !is_token(token) {
        bail!("its first line is not a token");
    }
    Ok(token.to_owned())
}

fn is_token(token: &str) -> bool {
    !token.is_empty() && token.len() <= 1000 && !token.chars().any(char::is_control)
}

fn counts_text(counts: &RequestCounts) -> String {
    let RequestCounts { answered, without_engine, stopped } = counts;
    let alone = match without_engine {
        0 => String::new(),
        number => format!(", {number} of them without an engine"),
    };
    let late = match stopped {
        0 => String::new(),
        number => format!("; {number} stopped by the server before the answer"),
    };
    format!("{answered} requests answered{alone}{late}")
}

fn one_line(text: &str) -> Result<String, String> {
    let is_line = !text.trim().is_empty() && !text.chars().any(char::is_control);
    // The lines of the protocol have a limit.
    let is_short = text.chars().count() <= 1000;
    if is_line && is_short { Ok(text.to_owned()) } else { Err("not a line of text".to_owned()) }
}

fn engine_option(text: &str) -> Result<(String, String), String> {
    let wrong = || "not NAME=VALUE".to_owned();
    let (name, value) = text.split_once('=').ok_or_else(wrong)?;
    let is_wrong = name.trim().is_empty() || text.contains(['\n', '\r']);
    if is_wrong { Err(wrong()) } else { Ok((name.trim().to_owned(), value.to_owned())) }
}
