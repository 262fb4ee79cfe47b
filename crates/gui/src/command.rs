//! `kalah gui`.

use std::io::{self, ErrorKind, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;

use super::access::{Shared, is_token};
use super::connections;
use anyhow::{Context, bail};
use clap::Args;
use kalah_client::EngineCommand;
use kalah_command::say;
use kalah_http::{listen, random_token};
use kalah_records::commands::read_games_file;

use kalah_command::exit::stop_on_ctrl_c;
use kalah_command::options::number;

/// The port that is tried first.
const DEFAULT_PORT: u16 = 5252;

const CANNOT_START: &str = "cannot start the server";

/// Play and analyse in the browser
///
/// Serves a page with a board on this machine alone, prints its address and opens it. The page plays at
/// any level, shows the value of each move, and reviews games. Ends with Ctrl-C.
///
///   kalah gui
///   kalah gui --engine ./other-engine --no-open
///
/// The token in the address changes with each start, unless the environment variable
/// `KALAH_GUI_TOKEN` is set.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct GuiCommand {
    /// Another engine that speaks the protocol, with its arguments; may be given several times
    #[arg(long = "engine", value_name = "CMD")]
    engines: Vec<EngineCommand>,

    /// The port [default: 5252, or any free one]
    #[arg(long, value_name = "N", value_parser = number::<u16>(..))]
    port: Option<u16>,

    /// Do not open the browser
    #[arg(long)]
    no_open: bool,

    /// An address of this machine, for players on other machines; 0.0.0.0 for all its addresses
    #[arg(long, value_name = "ADDR")]
    listen: Option<IpAddr>,

    /// A game to begin with: text, a record of the arena, a board or a list of moves; the first of several
    #[arg(value_name = "GAME")]
    game: Option<PathBuf>,
}

impl GuiCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// Returns why the command failed, for people.
    pub fn run(self) -> anyhow::Result<()> {
        let own = EngineCommand::this_program().context("cannot find this program")?;
        // Others are added; ours stays the one that is chosen at first.
        let engines = [own].into_iter().chain(self.engines.iter().cloned()).collect();
        let games = self.game.as_deref().map(read_games_file).transpose()?;
        let game = games.and_then(|games| games.into_iter().next());
        let token = token()?;
        let address = self.listen.unwrap_or(Ipv4Addr::LOCALHOST.into());
        let listener = self.listener(address)?;
        let bound = listener.local_addr().context(CANNOT_START)?;
        let shared = Shared::new(bound, token, engines, game, stop_on_ctrl_c()?);
        let url = shared.url();
        let mut output = io::stdout();
        writeln!(output, "{url}")?;
        output.flush()?;
        if !address.is_loopback() {
            say!(
                "Everybody who knows this address with its token can play and start engines here."
            );
        }
        if address.is_unspecified() {
            let own = if address.is_ipv4() { "127.0.0.1" } else { "[::1]" };
            say!("On other machines put an address of this one in place of {own}.");
        }
        if !self.no_open
            && let Err(error) = open::that_detached(&url)
        {
            say!("No browser could be opened ({error}): open this address yourself.");
        }
        connections::run(listener, shared).context(CANNOT_START)
    }

    /// A listener on the port that is asked for, or the usual one, or any if that is taken.
    fn listener(&self, address: IpAddr) -> anyhow::Result<TcpListener> {
        let listen = |port| listen(SocketAddr::new(address, port));
        let is_taken = |error: &anyhow::Error| {
            error.downcast_ref().is_some_and(|it: &io::Error| it.kind() == ErrorKind::AddrInUse)
        };
        match listen(self.port.unwrap_or(DEFAULT_PORT)) {
            Err(error) if self.port.is_none() && is_taken(&error) => listen(0),
            listener => listener,
        }
    }
}

/// The token of the environment, or a random one.
fn token() -> anyhow::Result<String> {
    let Some(token) = std::env::var_os("KALAH_GUI_TOKEN") else {
        return random_token().context("cannot make a token");
    };
    match token.into_string() {
        Ok(token) if is_token(&token) => Ok(token),
        _ => bail!("a token has 8 to 128 letters, digits, '-' and '_'"),
    }
}
