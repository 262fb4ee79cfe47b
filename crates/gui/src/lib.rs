//! The board in the browser: a server of one page, which drives engines over their protocol.
//!
//! The page (`page/`) shows a board and speaks to engines; it asks the server for legal moves and
//! results, since the rules live in this crate alone. Page and server exchange JSON over a WebSocket;
//! `docs/formats/page-messages.md` describes the messages.

mod access;
mod command;
mod connections;
mod engines;
mod page;
mod replies;
mod reviews;
mod session;

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;

use thiserror::Error;

use kalah::StopToken;
use kalah_client::EngineCommand;
use kalah_games::AnnotatedGame;

pub use command::GuiCommand;
pub use replies::PositionReply;

/// The port that is tried first.
pub const DEFAULT_PORT: u16 = 5252;

/// What is served, and to whom.
#[derive(Clone, Debug)]
pub struct GuiSettings {
    /// The address to listen on: the loopback unless others are to play, too.
    pub address: IpAddr,
    /// The port; [`DEFAULT_PORT`] or, if that is taken, any free one without it.
    pub port: Option<u16>,
    /// What a client has to know; random without it.
    pub token: Option<String>,
    /// The engines that the page can start, at least one.
    pub engines: Vec<EngineCommand>,
    /// The game that a page begins with.
    pub game: Option<AnnotatedGame>,
}

impl GuiSettings {
    /// The settings for somebody at this machine.
    pub fn new(engines: Vec<EngineCommand>) -> GuiSettings {
        let address = Ipv4Addr::LOCALHOST.into();
        GuiSettings { address, port: None, token: None, engines, game: None }
    }
}

/// Why there is no server.
#[derive(Debug, Error)]
pub enum GuiError {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}")]
    Listen {
        /// Address and port.
        address: SocketAddr,
        /// The reason of the system.
        #[source]
        source: io::Error,
    },
    /// The token cannot stand in an address.
    #[error("a token has 8 to 128 letters, digits, '-' and '_'")]
    Token,
    /// The system gives no random numbers.
    #[error("cannot make a token: {0}")]
    Random(String),
    /// The system refuses something else.
    #[error("cannot start the server")]
    System(#[from] io::Error),
}

/// A server that listens.
#[derive(Debug)]
pub struct GuiServer {
    listener: TcpListener,
    shared: Arc<access::Shared>,
}

impl GuiServer {
    /// Begins to listen. Connections wait until [`GuiServer::run`] is called.
    ///
    /// # Errors
    /// Returns an error if the system refuses the address, or if the token is not one.
    pub fn bind(settings: GuiSettings) -> Result<GuiServer, GuiError> {
        let token = match settings.token {
            Some(token) if access::is_token(&token) => token,
            Some(_) => return Err(GuiError::Token),
            None => access::random_token().map_err(|error| GuiError::Random(error.to_string()))?,
        };
        let bind = |port| {
            let address = SocketAddr::new(settings.address, port);
            TcpListener::bind(address).map_err(|source| GuiError::Listen { address, source })
        };
        let listener = match settings.port {
            Some(port) => bind(port)?,
            None => match bind(DEFAULT_PORT) {
                Err(GuiError::Listen { source, .. }) if source.kind() == ErrorKind::AddrInUse => {
                    bind(0)?
                }
                bound => bound?,
            },
        };
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let shared = access::Shared::new(address, token, settings.engines, settings.game);
        Ok(GuiServer { listener, shared: Arc::new(shared) })
    }

    /// The address of the page, with its token.
    pub fn url(&self) -> String {
        self.shared.url()
    }

    /// Serves until the token stops or the page asks for the end. All engines have ended then.
    ///
    /// # Errors
    /// Returns an error if the system refuses what a server needs.
    pub fn run(self, stop: &StopToken) -> Result<(), GuiError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let stop = stop.child();
        runtime.block_on(connections::serve(self.listener, Arc::clone(&self.shared), &stop))?;
        // Engine threads end with the token, and tell so by letting go of their permits.
        stop.stop();
        runtime.block_on(self.shared.engines_ended());
        Ok(())
    }
}
