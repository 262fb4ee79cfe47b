//! `kalah gui`.

use std::io::{self, Write};
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use crate::{GuiServer, GuiSettings};
use anyhow::Context;
use clap::Args;
use kalah::board::Capture;
use kalah::regular_file;
use kalah_arena::games_from_text;
use kalah_client::{EngineCommand, NotACommand};
use kalah_command::say;
use kalah_games::AnnotatedGame;

use kalah_command::exit::{stop_on_ctrl_c, wrong_usage};

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
    engines: Vec<String>,

    /// The port [default: 5252, or any free one]
    #[arg(long, value_name = "N")]
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
        let mut engines = Vec::new();
        for command in &self.engines {
            let engine = command.parse();
            engines.push(engine.map_err(|error: NotACommand| wrong_usage(&["gui"], error))?);
        }
        let program = std::env::current_exe().context("cannot find this program")?;
        engines.push(EngineCommand::new("Kalah", program));
        let mut settings = GuiSettings::new(engines);
        settings.port = self.port;
        settings.address = self.listen.unwrap_or(settings.address);
        // What is not UTF-8 is no token either, and is refused like others that are none.
        let token = std::env::var_os("KALAH_GUI_TOKEN");
        settings.token = token.map(|token| token.to_string_lossy().into_owned());
        settings.game = self.game.as_deref().map(first_game).transpose()?;
        let address = settings.address;
        let server = GuiServer::bind(settings)?;
        let stop = stop_on_ctrl_c()?;
        let url = server.url();
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
        Ok(server.run(&stop)?)
    }
}

/// The first game of a file.
fn first_game(path: &Path) -> anyhow::Result<AnnotatedGame> {
    const MAX_BYTES: u64 = 1 << 20;
    let cannot = || format!("cannot read a game from '{}'", path.display());
    let bytes = regular_file::read(path, MAX_BYTES).with_context(cannot)?;
    let text = String::from_utf8(bytes).with_context(cannot)?;
    let games = games_from_text(&text, Capture::Standard).with_context(cannot)?;
    games.into_iter().next().with_context(|| format!("'{}' has no game", path.display()))
}
