//! Connections of clients: lines from them and to them, with limits on everything.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use futures_util::{SinkExt, StreamExt};
use log::debug;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use super::super::line::Line;
use super::super::line_reader::LineReader;
use super::agent::MAX_UNSENT;
use kalah::protocol::InputLine;

/// Clients at the same time; more are closed at once. Below the number of files that a process may usually
/// have open.
const MAX_CLIENTS: usize = 512;

/// Inputs that wait for the server. The connections take turns when there are more.
const MAX_INPUTS: usize = 256;

/// Lines of a connection that are not understood, until it is ended.
const MAX_GARBAGE: usize = 1000;

/// The time for a client to close its side, so that it reads the last line.
const LINGER_TIME: Duration = Duration::from_secs(1);

/// The time for a client to take a line, in multiples of [`LINGER_TIME`].
const WRITE_PERIODS: usize = 10;

/// What reaches the server.
pub(super) enum HostInput {
    Connected {
        connection: u64,
        outbox: Sender<String>,
    },
    Line {
        connection: u64,
        line: Line,
    },
    Ended {
        connection: u64,
    },
    /// The page is wanted.
    Page(oneshot::Sender<String>),
}

/// The way of connections to the server.
#[derive(Clone)]
pub(super) struct Gate {
    inputs: Sender<HostInput>,
    places: Arc<Semaphore>,
    next: Arc<AtomicU64>,
}

/// A client's place on the server.
pub(super) struct Place {
    connection: u64,
    inputs: Sender<HostInput>,
    unsent: Receiver<String>,
    _permit: OwnedSemaphorePermit,
}

impl Gate {
    pub(super) fn new() -> (Gate, Receiver<HostInput>) {
        let (inputs, receiver) = channel(MAX_INPUTS);
        let places = Arc::new(Semaphore::new(MAX_CLIENTS));
        (Gate { inputs, places, next: Arc::new(AtomicU64::new(1)) }, receiver)
    }

    /// A place for a client; `None` if all are taken.
    pub(super) async fn enter(&self) -> Option<Place> {
        let permit = Arc::clone(&self.places).try_acquire_owned().ok()?;
        let connection = self.next.fetch_add(1, Relaxed);
        let (outbox, unsent) = channel(MAX_UNSENT);
        self.inputs.send(HostInput::Connected { connection, outbox }).await.ok()?;
        Some(Place { connection, inputs: self.inputs.clone(), unsent, _permit: permit })
    }

    /// The page.
    pub(super) async fn page(&self) -> Option<String> {
        let (reply, page) = oneshot::channel();
        self.inputs.send(HostInput::Page(reply)).await.ok()?;
        page.await.ok()
    }

    /// Waits until all clients have left, for a short time.
    pub(super) async fn all_left(&self) {
        let _ = timeout(LINGER_TIME, self.places.acquire_many(MAX_CLIENTS as u32)).await;
    }

    /// Accepts clients over TCP.
    pub(super) async fn accept(self, listener: TcpListener) {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    let gate = self.clone();
                    tokio::spawn(async move {
                        if let Some(place) = gate.enter().await {
                            place.serve_stream(stream).await;
                        }
                    });
                }
                Err(error) => {
                    // Too many open files, or a client that is gone already.
                    debug!("no connection: {error}");
                    sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }
}

impl Place {
    async fn serve_stream(self, stream: TcpStream) {
        let Place { connection, inputs, mut unsent, _permit } = self;
        // Lines are short and waited for.
        let _ = stream.set_nodelay(true);
        let (read, mut write) = stream.into_split();
        let mut lines = LineReader::new(read);
        let reader = async {
            let mut listener = Listener::new(connection, &inputs);
            while let Ok(Some(line)) = lines.next().await {
                let is_wanted = match line {
                    InputLine::Text(text) => listener.hear(&text).await,
                    InputLine::TooLong | InputLine::NotUtf8 => listener.garbage(),
                };
                if !is_wanted {
                    break;
                }
            }
        };
        let writer = async {
            while let Some(line) = unsent.recv().await {
                let line = format!("{line}\r\n");
                if !is_sent(write.write_all(line.as_bytes()), &unsent).await {
                    break;
                }
            }
        };
        tokio::select! {
            () = reader => {}
            () = writer => {}
        }
        let _ = inputs.send(HostInput::Ended { connection }).await;
        drop((inputs, unsent));
        // A close with unread input would take the last lines from the client.
        let _ = write.shutdown().await;
        let mut rest = lines.into_inner();
        let mut buffer = [0; 4096];
        let drained = async { while matches!(rest.read(&mut buffer).await, Ok(1..)) {} };
        let _ = timeout(LINGER_TIME, drained).await;
    }

    /// Serves a WebSocket, whose messages are lines.
    pub(super) async fn serve_socket(self, socket: WebSocket) {
        let Place { connection, inputs, mut unsent, _permit } = self;
        let (mut to_client, mut from_client) = socket.split();
        let reader = async {
            let mut listener = Listener::new(connection, &inputs);
            while let Some(Ok(message)) = from_client.next().await {
                let is_wanted = match message {
                    Message::Text(text) => {
                        let mut is_wanted = true;
                        for line in text.lines() {
                            is_wanted = is_wanted && listener.hear(line).await;
                        }
                        is_wanted
                    }
                    Message::Binary(_) => listener.garbage(),
                    Message::Close(_) => false,
                    Message::Ping(_) | Message::Pong(_) => true,
                };
                if !is_wanted {
                    break;
                }
            }
        };
        let writer = async {
            while let Some(line) = unsent.recv().await {
                let sent = to_client.send(Message::Text(line.into()));
                if !is_sent(sent, &unsent).await {
                    break;
                }
            }
        };
        tokio::select! {
            () = reader => {}
            () = writer => {}
        }
        let _ = inputs.send(HostInput::Ended { connection }).await;
        drop((inputs, unsent));
        let _ = timeout(LINGER_TIME, to_client.close()).await;
    }
}

/// Whether a client takes a line in time: less of it once the server has ended the connection, which drops
/// the sender of `unsent`.
async fn is_sent<E>(line: impl Future<Output = Result<(), E>>, unsent: &Receiver<String>) -> bool {
    let mut line = pin!(line);
    for _ in 0..WRITE_PERIODS {
        match timeout(LINGER_TIME, line.as_mut()).await {
            Ok(sent) => return sent.is_ok(),
            Err(_) if unsent.is_closed() => return false,
            Err(_) => {}
        }
    }
    false
}

/// Passes on the lines of a client that can be understood.
struct Listener<'a> {
    connection: u64,
    inputs: &'a Sender<HostInput>,
    garbage: usize,
}

impl Listener<'_> {
    fn new(connection: u64, inputs: &Sender<HostInput>) -> Listener<'_> {
        Listener { connection, inputs, garbage: 0 }
    }

    /// Whether more lines are wanted.
    async fn hear(&mut self, text: &str) -> bool {
        if text.trim().is_empty() {
            return self.garbage();
        }
        match text.parse() {
            Ok(line) => {
                let connection = self.connection;
                self.inputs.send(HostInput::Line { connection, line }).await.is_ok()
            }
            Err(_) => self.garbage(),
        }
    }

    fn garbage(&mut self) -> bool {
        self.garbage += 1;
        self.garbage <= MAX_GARBAGE
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
            let mut places = Vec::new();
            for _ in 0..MAX_CLIENTS {
                places.push(gate.enter().await);
                assert!(matches!(inputs.recv().await, Some(HostInput::Connected { .. })));
            }
            assert!(places.iter().all(Option::is_some));
            assert!(gate.enter().await.is_none());
            places.pop();
            assert!(gate.enter().await.is_some());
        });
        Ok(())
    }
}
