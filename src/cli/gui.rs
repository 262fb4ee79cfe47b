//! `kalah gui`.

use std::io::{self, Write};
use std::net::IpAddr;

use anyhow::Context;
use clap::Args;
use kalah::gui::{EngineCommand, GuiServer, GuiSettings};

use super::exit::{stop_on_ctrl_c, wrong_usage};

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
pub(super) struct GuiCommand {
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
}

impl GuiCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut engines = Vec::new();
        for command in &self.engines {
            let engine = EngineCommand::parse(command);
            engines.push(engine.map_err(|error| wrong_usage(&["gui"], error))?);
        }
        let program = std::env::current_exe().context("cannot find this program")?;
        engines.push(EngineCommand::new("Kalah", program));
        let mut settings = GuiSettings::new(engines);
        settings.port = self.port;
        settings.address = self.listen.unwrap_or(settings.address);
        settings.token = std::env::var("KALAH_GUI_TOKEN").ok();
        let is_shared = !settings.address.is_loopback();
        let server = GuiServer::bind(settings)?;
        let stop = stop_on_ctrl_c()?;
        let url = server.url();
        let mut output = io::stdout();
        writeln!(output, "{url}")?;
        output.flush()?;
        if is_shared {
            say!(
                "Everybody who knows this address with its token can play and start engines here."
            );
        }
        if !self.no_open
            && let Err(error) = open::that_detached(&url)
        {
            say!("No browser could be opened ({error}): open this address yourself.");
        }
        Ok(server.run(&stop)?)
    }
}
