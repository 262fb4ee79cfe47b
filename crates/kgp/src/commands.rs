//! `kalah kgp`: tournaments over the Kalah Game Protocol.

use std::path::Path;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};

use super::{client, server};
use client::{ClientSettings, is_line};
use kalah::text_file;
use kalah_command::exit::{Interrupted, stop_on_ctrl_c, wrong_usage};
use kalah_command::say;
use kalah_http::random_token;
use server::HostSettings;

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
    client: Option<ClientSettings>,
}

/// What `kalah kgp` does besides playing.
#[derive(Subcommand)]
enum OtherCommand {
    Serve(Box<HostSettings>),
}

impl KgpCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns why the command failed, for people.
    pub fn run(self) -> anyhow::Result<()> {
        match (self.other, self.client) {
            (Some(OtherCommand::Serve(settings)), _) => server::run(*settings),
            (None, Some(settings)) => play(&settings),
            (None, None) => Err(wrong_usage(&["kgp"], "expected a server, or 'serve'").into()),
        }
    }
}

fn play(settings: &ClientSettings) -> anyhow::Result<()> {
    let token = token(settings)?;
    let stop = stop_on_ctrl_c()?;
    let counts = client::run(settings, &token, &stop)?;
    say!("{counts}");
    if stop.was_stopped() { Err(Interrupted.into()) } else { Ok(()) }
}

fn token(settings: &ClientSettings) -> anyhow::Result<String> {
    if let Some(path) = &settings.token_file {
        return token_of_file(path)
            .with_context(|| format!("cannot read the token from '{}'", path.display()));
    }
    let variable = std::env::var_os(TOKEN_VARIABLE).filter(|token| !token.is_empty());
    let Some(token) = variable else {
        say!("no token: a random one is used, for this run alone");
        return random_token().context("cannot make a token");
    };
    let token = token.into_string().ok().filter(|token| is_line(token));
    token.with_context(|| format!("{TOKEN_VARIABLE} is not a token: it is to be a line"))
}

fn token_of_file(path: &Path) -> anyhow::Result<String> {
    let text = text_file::read(path, MAX_TOKEN_FILE)?;
    let token = text.lines().next().unwrap_or_default().trim();
    if !is_line(token) {
        bail!("its first line is not a token");
    }
    Ok(token.to_owned())
}
