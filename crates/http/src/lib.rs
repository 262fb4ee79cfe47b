//! What the servers of Kalah share: HTTP for few clients who are not trusted, with limits on connections
//! and on time, and stop tokens in tasks.

mod client_slots;

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::thread::Builder;
use std::time::Duration;

use anyhow::Context;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use kalah::StopToken;
use log::debug;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot};
use tokio::time::sleep;

/// Time for a client to send the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(4);

/// The pause after a connection that could not be accepted, for example with too many open files.
const PAUSE: Duration = Duration::from_millis(50);

pub use client_slots::{ClientSlot, ClientSlots, client_of};

/// Connections at the same time; more are closed at once.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Of all clients.
    pub all: usize,
    /// Of each client.
    pub each: usize,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        ConnectionLimits { all: 256, each: 256 }
    }
}

/// The address of a client, an extension of its requests.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// Serves until it is dropped; connections that were made go on.
pub async fn serve_http(listener: TcpListener, router: Router, limits: ConnectionLimits) {
    let connections = Arc::new(Semaphore::new(limits.all));
    let of_clients = ClientSlots::new(limits.each);
    loop {
        let stream = accept(&listener).await;
        let Ok(permit) = Arc::clone(&connections).try_acquire_owned() else { continue };
        // A client that is gone by now has no address.
        let Ok(peer) = stream.peer_addr() else { continue };
        let Some(slot) = of_clients.enter(client_of(peer.ip())) else { continue };
        let service = TowerToHyperService::new(router.clone().layer(Extension(Peer(peer))));
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIME)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            if let Err(error) = connection.await {
                debug!("connection: {error}");
            }
            drop((permit, slot));
        });
    }
}

/// A listener of a server, which tasks can wait for.
///
/// # Errors
/// Returns an error that names the address if the system refuses it.
pub fn listen(address: SocketAddr) -> anyhow::Result<std::net::TcpListener> {
    let bound = std::net::TcpListener::bind(address);
    let listener = bound.and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
    listener.with_context(|| format!("cannot listen on {address}"))
}

/// The address at which this machine reaches a server: one for all interfaces is none to connect to.
pub fn own_address(server: SocketAddr) -> SocketAddr {
    let ip = match server.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, server.port())
}

/// The next connection.
pub async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            Err(error) => debug!("no connection: {error}"),
        }
        sleep(PAUSE).await;
    }
}

/// A random token: 32 hexadecimal digits from the system's random numbers.
///
/// # Errors
/// Returns an error if the system has none.
pub fn random_token() -> Result<String, getrandom::Error> {
    Ok(format!("{:016x}{:016x}", getrandom::u64()?, getrandom::u64()?))
}

/// Whether two tokens are the same; the time it takes tells nothing of them.
pub fn same_token(given: &str, token: &str) -> bool {
    let bytes = given.bytes().zip(token.bytes());
    let difference = bytes.fold(0, |difference, (a, b)| difference | (a ^ b));
    given.len() == token.len() && difference == 0
}

/// Resolves once the token stops. A thread waits for that, so a task calls this once.
///
/// # Errors
/// Returns an error if the system refuses the thread.
pub fn stopped(stop: &StopToken) -> io::Result<impl Future<Output = ()> + use<>> {
    let (sender, receiver) = oneshot::channel::<()>();
    let stop = stop.child();
    Builder::new().name("stop".to_owned()).spawn(move || {
        stop.wait();
        drop(sender);
    })?;
    Ok(async move {
        let _ = receiver.await;
    })
}
