//! A client of the Kalah Game Protocol: plays on a server with an engine until it is stopped.

mod address;
mod connection;
mod games_file;
mod playing_engine;
mod requests;
mod seen_games;
mod session;
mod settings;
mod thinking_time;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::sleep;

use connection::Connection;
use games_file::GamesFile;
use playing_engine::RequestReport;
use requests::Requests;
use seen_games::SeenGames;
use session::{Session, SessionEnd, SessionError};

use kalah::StopToken;
use kalah::printable::printable;
use kalah_http::stopped;

pub use address::{KGP_PORT, NotAServerAddress, ServerAddress};
pub use games_file::GamesFileError;
pub use requests::RequestCounts;
pub use settings::{AgentIdentity, ClientMode, ClientSettings, Goal};

/// The pause before the first try to connect again; it doubles from try to try.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_mins(1);

/// What happens to a client, for those who watch it.
#[derive(Clone, Debug)]
pub enum ClientEvent {
    /// There is a connection.
    Connected,
    /// The connection is lost, or there is none.
    Lost {
        /// Why.
        reason: String,
        /// How long until the next try.
        pause: Duration,
    },
}

/// Why a client ends.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The engine cannot be used.
    #[error("the engine: {0}")]
    Engine(String),
    /// The server cannot be used.
    #[error("{0}")]
    Server(String),
    /// Games cannot be appended to the file for them.
    #[error("'{}'", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: GamesFileError,
    },
    /// The system refuses what a client needs.
    #[error("cannot start the client")]
    System(#[from] io::Error),
}

/// Plays on a server until the token stops, or until the connection ends if the settings do not ask for
/// another one. Games are appended to the file `games` as text.
///
/// # Errors
/// Returns an error if the engine or the file cannot be used, if the server speaks another version of the
/// protocol, or if the connection is lost and no other is wanted.
pub fn run_client(
    settings: &ClientSettings,
    games: Option<&Path>,
    stop: &StopToken,
    mut on_event: impl FnMut(ClientEvent),
) -> Result<RequestCounts, ClientError> {
    let games = games.map(|path| {
        let games_error = |source| ClientError::Games { path: path.to_owned(), source };
        GamesFile::open(path).map_err(games_error)
    });
    let mut games = SeenGames::new(games.transpose()?, &settings.identity.name);
    let (sender, mut reports) = unbounded_channel();
    // Engines end with the client, however it ends.
    let end = stop.child();
    let mut requests = Requests::new(settings.clone(), sender, end.clone());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(async {
        let stopped = stopped(stop)?;
        tokio::pin!(stopped);
        requests.start_engine()?;
        tokio::select! {
            () = &mut stopped => return Ok(()),
            ready = wait_for_engine(&mut requests, &mut reports) => ready?,
        }
        let mut pause = FIRST_PAUSE;
        loop {
            let opened = tokio::select! {
                () = &mut stopped => return Ok(()),
                opened = Connection::open(&settings.address) => opened,
            };
            let mut was_asked = false;
            let ended = match opened {
                Err(error) => Err(SessionError::Io(error)),
                Ok(mut connection) => {
                    on_event(ClientEvent::Connected);
                    let mut session = Session::new(
                        &settings.identity,
                        settings.mode,
                        &mut requests,
                        &mut reports,
                        &mut games,
                    );
                    let ended = session.run(&mut connection, &mut stopped).await;
                    was_asked = session.was_asked;
                    connection.close().await;
                    ended
                }
            };
            requests.clear();
            games.end();
            let reason = match ended {
                Ok(SessionEnd::ByUs) => return Ok(()),
                Ok(SessionEnd::ByServer) if !settings.reconnects => return Ok(()),
                Ok(SessionEnd::ByServer) => "the server has closed the connection".to_owned(),
                Err(error @ SessionError::Version(_)) => {
                    return Err(ClientError::Server(error.to_string()));
                }
                Err(error) => printable(&error.to_string()).into_owned(),
            };
            if !settings.reconnects {
                return Err(ClientError::Server(format!("{}: {reason}", settings.address)));
            }
            if was_asked {
                pause = FIRST_PAUSE;
            }
            // Many clients that a server has lost at once do not come back at once.
            let jittered = pause.mul_f64(0.5 + 0.5 * fastrand::f64());
            on_event(ClientEvent::Lost { reason, pause: jittered });
            tokio::select! {
                () = &mut stopped => return Ok(()),
                () = sleep(jittered) => {}
            }
            pause = (pause * 2).min(MAX_PAUSE);
        }
    });
    end.stop();
    result.map(|()| requests.counts)
}

/// Waits until the first engine can play.
async fn wait_for_engine(
    requests: &mut Requests,
    reports: &mut UnboundedReceiver<RequestReport>,
) -> Result<(), ClientError> {
    match reports.recv().await {
        Some(RequestReport::Failed { reason, .. }) => Err(ClientError::Engine(reason)),
        Some(report) => {
            requests.report(report);
            Ok(())
        }
        None => Ok(()),
    }
}
