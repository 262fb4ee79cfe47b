//! A client of the Kalah Game Protocol: plays on a server with an engine until it is stopped.

mod address;
mod connection;
mod playing_engine;
mod requests;
mod seen_games;
mod session;
mod settings;
mod thinking_time;

use std::time::Duration;

use anyhow::{Context, bail};
use tokio::sync::mpsc::unbounded_channel;
use tokio::time::sleep;

use connection::Connection;
use playing_engine::RequestReport;
use requests::{RequestCounts, Requests};
use seen_games::{GamesFile, SeenGames};
use session::{MAJOR, Session, SessionEnd};

use kalah::StopToken;
use kalah::printable::printable;
use kalah_command::say;
use kalah_http::stopped;

pub(crate) use address::KGP_PORT;
pub use address::{NotAServerAddress, ServerAddress};
pub(crate) use settings::{ClientSettings, is_line};
pub use thinking_time::ThinkingTime;

/// The pause before the first try to connect again; it doubles from try to try.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

const MAX_PAUSE: Duration = Duration::from_mins(1);

const CANNOT_START: &str = "cannot start the client";

/// Plays on a server until the token stops, or with `--once` until the connection ends. The server knows
/// the agent by its `token`.
pub(crate) fn run(
    settings: &ClientSettings,
    token: &str,
    stop: &StopToken,
) -> anyhow::Result<RequestCounts> {
    let file = settings
        .record
        .as_deref()
        .map(|path| GamesFile::open(path).with_context(|| format!("'{}'", path.display())));
    let mut games = SeenGames::new(file.transpose()?, &settings.name);
    let (sender, mut reports) = unbounded_channel();
    // Engines end with the client, however it ends.
    let end = stop.child();
    let mut requests = Requests::new(settings.clone(), sender, end.clone());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let result = runtime.context(CANNOT_START)?.block_on(async {
        let stopped = stopped(stop).context(CANNOT_START)?;
        tokio::pin!(stopped);
        requests.start_engine().context(CANNOT_START)?;
        tokio::select! {
            () = &mut stopped => return Ok(()),
            Some(report) = reports.recv() => match report {
                RequestReport::Failed { reason, .. } => bail!("the engine: {reason}"),
                report => drop(requests.report(report)),
            },
        }
        let mut pause = FIRST_PAUSE;
        loop {
            let opened = tokio::select! {
                () = &mut stopped => return Ok(()),
                opened = Connection::open(&settings.server) => opened,
            };
            let ended = match opened {
                Err(error) => Err(error),
                Ok(mut connection) => {
                    say!("connected to {}", settings.server);
                    let mut session = Session {
                        settings,
                        token,
                        requests: &mut requests,
                        reports: &mut reports,
                        games: &mut games,
                        was_asked: false,
                        mode_request: None,
                        has_greeted: false,
                        was_pinged: false,
                        clock_share: 1,
                    };
                    let ended = session.run(&mut connection, &mut stopped).await;
                    if session.was_asked {
                        pause = FIRST_PAUSE;
                    }
                    connection.close().await;
                    ended
                }
            };
            requests.clear();
            games.end();
            let reason = match ended {
                Ok(SessionEnd::ByUs) => return Ok(()),
                Ok(SessionEnd::ByServer) if settings.once => return Ok(()),
                Ok(SessionEnd::ByServer) => "the server has closed the connection".to_owned(),
                Ok(SessionEnd::Version(version)) => {
                    bail!("the server speaks version {version} of the protocol, not {MAJOR}");
                }
                Err(error) => printable(&error.to_string()).into_owned(),
            };
            if settings.once {
                bail!("{}: {reason}", settings.server);
            }
            // Many clients that a server has lost at once do not come back at once.
            let jittered = pause.mul_f64(0.5 + 0.5 * fastrand::f64());
            let seconds = jittered.as_secs_f64();
            say!("{}: {reason}; trying again in {seconds:.1} s", settings.server);
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
