//! A connection to a server: lines in both directions, over TCP or as text of a WebSocket.

use std::io::{self, ErrorKind};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt, TryStreamExt};
use log::debug;
use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error as WebSocketError, Message};
use tokio_tungstenite::{MaybeTlsStream, connect_async_with_config};

use super::address::ServerAddress;
use crate::line::{Line, MAX_LINE};
use crate::line_stream::{LineSink, LineStream, over_tcp, over_web_socket};
use kalah::engine::TRAFFIC_TARGET;
use kalah::protocol::InputLine;

const CONNECT_TIME: Duration = Duration::from_secs(20);

/// Time without a sign of life after which the system asks the server's for one.
const KEEPALIVE_TIME: Duration = Duration::from_secs(30);

/// Lines that the server has not taken yet: enough for any burst of a server that reads.
const MAX_UNSENT: usize = 4096;

const MAX_BATCH: usize = 256;

/// Time to send what is left at the end.
const CLOSE_TIME: Duration = Duration::from_secs(1);

pub(super) struct Connection {
    input: LineStream,
    output: mpsc::Sender<String>,
    writer: JoinHandle<()>,
}

impl Connection {
    pub(super) async fn open(address: &ServerAddress) -> io::Result<Connection> {
        let opened = timeout(CONNECT_TIME, connect(address)).await;
        let (input, output) = opened.map_err(|_| io::Error::from(ErrorKind::TimedOut))??;
        let (sender, lines) = mpsc::channel(MAX_UNSENT);
        let writer = tokio::spawn(write(output, lines));
        Ok(Connection { input, output: sender, writer })
    }

    /// The next line; `None` when the server has closed the connection. It can be cancelled without loss.
    pub(super) async fn next(&mut self) -> io::Result<Option<InputLine>> {
        let line = self.input.next().await.transpose()?;
        if let Some(InputLine::Text(text)) = &line {
            debug!(target: TRAFFIC_TARGET, "server > {}", text.escape_debug());
        }
        Ok(line)
    }

    /// Queues a line for the server.
    pub(super) fn send(&self, line: &Line) -> io::Result<()> {
        if line.text(0) == Some("auth:token") {
            debug!(target: TRAFFIC_TARGET, "server < set auth:token \"…\"");
        } else {
            debug!(target: TRAFFIC_TARGET, "server < {line}");
        }
        self.output.try_send(line.to_string()).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => {
                io::Error::new(ErrorKind::WouldBlock, "the server does not read what is sent to it")
            }
            mpsc::error::TrySendError::Closed(_) => ErrorKind::BrokenPipe.into(),
        })
    }

    /// Sends what is queued, if the server takes it, and closes the connection.
    pub(super) async fn close(self) {
        let Connection { input: _input, output, mut writer } = self;
        drop(output);
        if timeout(CLOSE_TIME, &mut writer).await.is_err() {
            writer.abort();
        }
    }
}

async fn connect(address: &ServerAddress) -> io::Result<(LineStream, LineSink)> {
    let url = match address {
        ServerAddress::Tcp { host, port } => {
            let stream = TcpStream::connect((host.as_str(), *port)).await?;
            keep_alive(&stream)?;
            return over_tcp(stream);
        }
        ServerAddress::WebSocket(url) => url,
    };
    // Another part of the program may have chosen one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let config = WebSocketConfig::default()
        .max_message_size(Some(4 * MAX_LINE))
        .max_frame_size(Some(4 * MAX_LINE));
    let (socket, _) = connect_async_with_config(url, Some(config), true).await.map_err(io_error)?;
    match socket.get_ref() {
        MaybeTlsStream::Plain(stream) => keep_alive(stream)?,
        MaybeTlsStream::Rustls(stream) => keep_alive(stream.get_ref().0)?,
        _ => {}
    }
    let (output, input) = socket.split();
    Ok(over_web_socket(input.map_err(io_error), output, |message| match message {
        Message::Text(text) => Some(text.to_string()),
        Message::Close(_) => None,
        _ => Some(String::new()),
    }))
}

fn keep_alive(stream: &TcpStream) -> io::Result<()> {
    SockRef::from(stream).set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEPALIVE_TIME))
}

/// The reason alone: the text of some errors repeats it.
fn io_error(error: WebSocketError) -> io::Error {
    match error {
        WebSocketError::Io(error) => error,
        error => io::Error::other(error),
    }
}

async fn write(mut output: LineSink, mut lines: mpsc::Receiver<String>) {
    let mut batch = Vec::new();
    while lines.recv_many(&mut batch, MAX_BATCH).await > 0 {
        if output.send(std::mem::take(&mut batch)).await.is_err() {
            return;
        }
    }
    let _ = output.close().await;
}
