//! Connections of clients: lines from them and to them, with limits on everything.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::agent::MAX_UNSENT;
use crate::line::Line;
use crate::line_stream::{LineSink, LineStream, over_tcp};
use kalah::protocol::InputLine;
use kalah_http::{ClientSlot, ClientSlots, accept, client_of};

/// Clients at the same time, fewer than a process may have files; more are closed at once.
const MAX_CLIENTS: usize = 512;

/// Those of one address, which leave room for others.
const MAX_OF_ADDRESS: usize = MAX_CLIENTS / 2;

/// Inputs that wait for the server. The connections take turns when there are more.
const MAX_INPUTS: usize = 256;

/// Lines of a connection that are not understood, until it is ended.
const MAX_GARBAGE: usize = 1000;

/// The time for a client to close its side, so that it reads the last line.
const LINGER_TIME: Duration = Duration::from_secs(1);

/// The time for a client to take a line.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// What reaches the server.
pub(super) enum HostInput {
    /// A client has connected, and waits for lines.
    Connected(u64, Sender<String>),
    Line(u64, Line),
    Ended(u64),
    Page(oneshot::Sender<String>),
}

/// The way of connections to the server.
#[derive(Clone)]
pub(super) struct Gate {
    inputs: Sender<HostInput>,
    places: Arc<Semaphore>,
    of_address: Arc<ClientSlots>,
    next: Arc<AtomicU64>,
}

impl Gate {
    pub(super) fn new() -> (Gate, Receiver<HostInput>) {
        let (inputs, receiver) = channel(MAX_INPUTS);
        let places = Arc::new(Semaphore::new(MAX_CLIENTS));
        let of_address = ClientSlots::new(MAX_OF_ADDRESS);
        (Gate { inputs, places, of_address, next: Arc::new(AtomicU64::new(1)) }, receiver)
    }

    /// A place for a client, with its number and the lines for it; `None` if all are taken.
    async fn enter(
        &self,
        address: IpAddr,
    ) -> Option<(u64, Receiver<String>, (OwnedSemaphorePermit, ClientSlot))> {
        let slot = self.of_address.enter(client_of(address))?;
        let permit = Arc::clone(&self.places).try_acquire_owned().ok()?;
        let connection = self.next.fetch_add(1, Relaxed);
        let (outbox, unsent) = channel(MAX_UNSENT);
        self.inputs.send(HostInput::Connected(connection, outbox)).await.ok()?;
        Some((connection, unsent, (permit, slot)))
    }

    pub(super) async fn page(&self) -> Option<String> {
        let (reply, page) = oneshot::channel();
        self.inputs.send(HostInput::Page(reply)).await.ok()?;
        page.await.ok()
    }

    /// Waits until all clients have left, for a short time.
    pub(super) async fn all_left(&self) {
        let _ = timeout(LINGER_TIME, self.places.acquire_many(MAX_CLIENTS as u32)).await;
    }

    pub(super) async fn accept(self, listener: TcpListener) {
        loop {
            let stream = accept(&listener).await;
            let gate = self.clone();
            tokio::spawn(async move {
                if let Ok(peer) = stream.peer_addr()
                    && let Ok(lines) = over_tcp(stream)
                {
                    gate.serve(peer.ip(), lines).await;
                }
            });
        }
    }

    /// Serves a client, if there is a place for it.
    pub(super) async fn serve(
        self,
        address: IpAddr,
        (mut input, mut output): (LineStream, LineSink),
    ) {
        let Some((connection, mut unsent, _permits)) = self.enter(address).await else { return };
        let reader = async {
            let mut garbage = 0;
            while let Some(Ok(line)) = input.next().await {
                let line = if let InputLine::Text(text) = line { text.parse().ok() } else { None };
                let is_wanted = if let Some(line) = line {
                    self.inputs.send(HostInput::Line(connection, line)).await.is_ok()
                } else {
                    garbage += 1;
                    garbage <= MAX_GARBAGE
                };
                if !is_wanted {
                    return;
                }
            }
        };
        let writer = async {
            while let Some(line) = unsent.recv().await
                && let Ok(Ok(())) = timeout(WRITE_TIME, output.send(vec![line])).await
            {}
        };
        {
            tokio::pin!(writer);
            let has_left = tokio::select! {
                () = reader => true,
                () = &mut writer => false,
            };
            let _ = self.inputs.send(HostInput::Ended(connection)).await;
            if has_left {
                // It may have closed its side alone, and read the replies to its last lines.
                writer.await;
            }
        }
        drop((self, unsent));
        let closed = async {
            let _ = output.close().await;
            drop(output);
            // A close with unread input would take the last lines from the client.
            while let Some(Ok(_)) = input.next().await {}
        };
        let _ = timeout(LINGER_TIME, closed).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_too_many_finds_no_place_until_another_leaves() -> std::io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        runtime.block_on(async {
            let (gate, mut inputs) = Gate::new();
            let [one, other, third] = [1, 2, 3].map(|last| IpAddr::from([192, 0, 2, last]));
            let mut places = Vec::new();
            for address in [one, other] {
                for _ in 0..MAX_OF_ADDRESS {
                    places.push(gate.enter(address).await);
                    assert!(matches!(inputs.recv().await, Some(HostInput::Connected(..))));
                }
                assert!(gate.enter(address).await.is_none());
            }
            assert!(places.iter().all(Option::is_some));
            assert!(gate.enter(third).await.is_none());
            places.pop();
            assert!(gate.enter(third).await.is_some());
        });
        Ok(())
    }
}
