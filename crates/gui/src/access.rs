//! Access control: tokens, host names and limits.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, header};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use kalah::StopToken;
use kalah::sys::processors;
use kalah_client::EngineCommand;
use kalah_games::AnnotatedGame;
use kalah_http::{own_address, same_token};

use super::rooms::{Rooms, SharedRoom};

/// Pages that are open at the same time.
const MAX_SESSIONS: usize = 16;

/// Pages of guests that are open at the same time.
const MAX_GUESTS: usize = 96;

/// Engines of all pages together.
const MAX_ENGINES: usize = 16;

/// The longest wait for engines at the end of the server.
const END_TIME: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct Shared {
    pub address: SocketAddr,
    token: String,
    pub engines: Vec<EngineCommand>,
    /// The game of the command line.
    pub game: Option<AnnotatedGame>,
    /// Told when the page asks for the end.
    pub quit: Notify,
    /// Stopped at the end.
    pub stop: StopToken,
    /// Games that several pages share.
    pub rooms: Rooms,
    /// Places for pages, those of guests, engines and reviews.
    pub sessions: Arc<Semaphore>,
    pub guests: Arc<Semaphore>,
    pub processes: Arc<Semaphore>,
    pub reviews: Arc<Semaphore>,
}

/// A place for as long as the permit is held; `None` if all are taken.
pub(super) fn enter(places: &Arc<Semaphore>) -> Option<OwnedSemaphorePermit> {
    Arc::clone(places).try_acquire_owned().ok()
}

impl Shared {
    pub(super) fn new(
        address: SocketAddr,
        token: String,
        engines: Vec<EngineCommand>,
        game: Option<AnnotatedGame>,
        stop: StopToken,
    ) -> Shared {
        let places = |count| Arc::new(Semaphore::new(count));
        Shared {
            address,
            token,
            engines,
            game,
            quit: Notify::new(),
            stop,
            rooms: Rooms::default(),
            sessions: places(MAX_SESSIONS),
            guests: places(MAX_GUESTS),
            processes: places(MAX_ENGINES),
            reviews: places(processors().get()),
        }
    }

    /// The address of the page for somebody at this machine.
    pub(super) fn url(&self) -> String {
        format!("http://{}/?token={}", own_address(self.address), self.token)
    }

    /// Whether a client is on the machine of the server.
    pub(super) fn is_own(&self, peer: SocketAddr) -> bool {
        let ip = peer.ip().to_canonical();
        ip.is_loopback() || ip == self.address.ip()
    }

    pub(super) async fn engines_ended(&self) {
        let all = self.processes.acquire_many(MAX_ENGINES as u32);
        let _ = tokio::time::timeout(END_TIME, all).await;
    }

    /// Whether the request was sent to this server by its address: a foreign name that leads here is
    /// how a page from elsewhere would get around the rules of browsers (DNS rebinding).
    pub(super) fn is_own_host(&self, headers: &HeaderMap) -> bool {
        let Some((name, port)) = host(headers) else { return false };
        if port != self.address.port().to_string() {
            return false;
        }
        if ["127.0.0.1", "localhost", "::1"].contains(&name) {
            return true;
        }
        // Addresses need no names to be looked up, so they cannot be rebound.
        let ip: Option<IpAddr> = name.parse().ok();
        ip.is_some_and(|ip| self.address.ip().is_unspecified() || ip == self.address.ip())
    }

    /// Whom the token in the query of a request admits.
    pub(super) fn visitor(&self, query: Option<&str>) -> Option<Visitor> {
        let mut pairs = query.into_iter().flat_map(|query| query.split('&'));
        let given = pairs.find_map(|pair| pair.strip_prefix("token="))?;
        if same_token(given, &self.token) {
            return Some(Visitor::Owner);
        }
        self.rooms.of_token(given).map(Visitor::Guest)
    }
}

/// Who opens a page.
pub(super) enum Visitor {
    /// Somebody with the token of the server.
    Owner,
    /// Somebody with the token of a room, for whom there is nothing else.
    Guest(SharedRoom),
}

/// The address that a request was sent to.
pub(super) fn host_address(headers: &HeaderMap) -> Option<IpAddr> {
    host(headers)?.0.parse().ok()
}

/// The name that a request was sent to, and the port.
fn host(headers: &HeaderMap) -> Option<(&str, &str)> {
    let host = text(headers, header::HOST)?;
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port),
        // A browser leaves out the port of HTTP.
        _ => (host, "80"),
    };
    Some((name.trim_start_matches('[').trim_end_matches(']'), port))
}

/// Whether the request comes from the page of the server that it is sent to.
pub(super) fn is_same_origin(headers: &HeaderMap) -> bool {
    let host = text(headers, header::HOST);
    let origin = text(headers, header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
    host.is_some() && origin == host
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

pub(super) fn is_token(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    (8..=128).contains(&text.len()) && text.bytes().all(is_plain)
}
