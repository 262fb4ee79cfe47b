//! A server of the Kalah Game Protocol, for the tournament of a class or a club.
//!
//! [`host`] is the state of a server, a machine without sockets: lines and times go in, lines come out.
//! [`connection`] and [`web`] bring the lines. All runs in one thread.

mod agent;
mod connection;
mod host;
mod live_game;
mod matchmaker;
mod page;
mod pairing;
mod problems;
mod referee;
mod results;
mod settings;
mod web;

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use tokio::sync::mpsc::Receiver;
use tokio::time::sleep_until;

use kalah::StopToken;
use kalah_arena::{RecordError, Standings};
use kalah_http::stopped;

use connection::{Gate, HostInput};
use host::Host;

pub use settings::{HostError, HostEvent, HostSettings, HostedFormat};

/// How long a page is served before it is made again.
const PAGE_AGE: Duration = Duration::from_secs(1);

/// Inputs that are taken before the clocks are looked at again.
const INPUTS_AT_ONCE: usize = 64;

/// A server of the Kalah Game Protocol that listens.
pub struct KgpHost {
    runtime: Runtime,
    listener: TcpListener,
    web: Option<TcpListener>,
    host: Host,
}

/// The end of a server.
#[derive(Clone, Debug)]
pub struct HostOutcome {
    /// The standings after all games.
    pub standings: Standings,
    /// The page with the results, as HTML.
    pub page: String,
    /// Whether all games that were wanted have been played.
    pub is_complete: bool,
}

impl KgpHost {
    /// Reads the record, if there is one, and begins to listen. Connections wait until
    /// [`KgpHost::run`] is called.
    ///
    /// # Errors
    /// Returns an error if the system refuses an address, or if the record is of other games.
    pub fn bind(settings: HostSettings) -> Result<KgpHost, HostError> {
        let listener = listen(settings.address, settings.port)?;
        let web = settings.web_port.map(|port| listen(settings.address, port)).transpose()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(KgpHost { runtime, listener, web, host: Host::new(settings)? })
    }

    /// The address for lines over TCP.
    ///
    /// # Errors
    /// Returns an error if the system does not know it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The address of the page.
    ///
    /// # Errors
    /// Returns an error if the system does not know it.
    pub fn web_address(&self) -> io::Result<Option<SocketAddr>> {
        self.web.as_ref().map(TcpListener::local_addr).transpose()
    }

    /// Serves until all games are over or the token stops.
    ///
    /// # Errors
    /// Returns an error if a game cannot be recorded, or if the system refuses what a server needs.
    pub fn run(
        self,
        stop: &StopToken,
        on_event: &mut dyn FnMut(HostEvent),
    ) -> Result<HostOutcome, HostError> {
        let KgpHost { runtime, listener, web, mut host } = self;
        runtime.block_on(async {
            let (gate, mut inputs) = Gate::new();
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let mut accepting = vec![tokio::spawn(gate.clone().accept(listener))];
            if let Some(web) = web {
                let web = tokio::net::TcpListener::from_std(web)?;
                accepting.push(tokio::spawn(web::serve(web, gate.clone())));
            }
            let played = play(&mut host, &mut inputs, stop, on_event).await;
            accepting.iter().for_each(tokio::task::JoinHandle::abort);
            drop(inputs);
            let is_complete = host.is_complete();
            let page = host.page().render(false);
            host.end();
            gate.all_left().await;
            played?;
            Ok(HostOutcome { standings: host.standings(), page, is_complete })
        })
    }
}

fn listen(address: IpAddr, port: u16) -> Result<TcpListener, HostError> {
    let address = SocketAddr::new(address, port);
    let listening = TcpListener::bind(address).and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok(listener)
    });
    listening.map_err(|source| HostError::Listen { address, source })
}

async fn play(
    host: &mut Host,
    inputs: &mut Receiver<HostInput>,
    stop: &StopToken,
    on_event: &mut dyn FnMut(HostEvent),
) -> Result<(), HostError> {
    let stopped = stopped(stop)?;
    tokio::pin!(stopped);
    let mut page = CachedPage::default();
    let mut several = Vec::with_capacity(INPUTS_AT_ONCE);
    loop {
        host.take_events().into_iter().for_each(&mut *on_event);
        if host.is_complete() {
            return Ok(());
        }
        let deadline = host.next_deadline();
        let late = async {
            match deadline {
                Some(deadline) => sleep_until(deadline.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = inputs.recv_many(&mut several, INPUTS_AT_ONCE) => {}
            () = late => {}
            () = &mut stopped => return Ok(()),
        }
        for input in several.drain(..) {
            take(host, input, &mut page)?;
        }
        host.tick(Instant::now())?;
    }
}

fn take(host: &mut Host, input: HostInput, page: &mut CachedPage) -> Result<(), RecordError> {
    let now = Instant::now();
    match input {
        HostInput::Connected { connection, outbox } => host.connected(connection, outbox, now),
        HostInput::Line { connection, line } => host.line(connection, &line, now)?,
        HostInput::Ended { connection } => {
            host.disconnect(connection, "its connection has ended", now)?;
        }
        HostInput::Page(reply) => {
            let _ = reply.send(page.get(host, now).to_owned());
        }
    }
    Ok(())
}

/// The page, made at most once a second.
#[derive(Default)]
struct CachedPage {
    text: String,
    made: Option<Instant>,
}

impl CachedPage {
    fn get(&mut self, host: &Host, now: Instant) -> &str {
        if self.made.is_none_or(|made| now.saturating_duration_since(made) >= PAGE_AGE) {
            self.text = host.page().render(true);
            self.made = Some(now);
        }
        &self.text
    }
}
