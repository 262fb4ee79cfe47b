//! A connection to a server: lines in both directions, over TCP or as text of a WebSocket.

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::time::Duration;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use log::debug;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error as WebSocketError, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use super::super::line::{Line, MAX_LINE};
use super::super::line_reader::LineReader;
use super::address::ServerAddress;
use kalah::engine::TRAFFIC_TARGET;
use kalah::protocol::InputLine;

/// Time for a connection to be made.
const CONNECT_TIME: Duration = Duration::from_secs(20);

/// Time without a sign of life after which the system asks the server's for one.
const KEEPALIVE_TIME: Duration = Duration::from_secs(30);

/// Lines that the server has not taken yet: enough for any burst of a server that reads.
const MAX_UNSENT: usize = 4096;

/// Time to send what is left at the end.
const CLOSE_TIME: Duration = Duration::from_secs(1);

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Lines from and to a server.
pub(super) struct Connection {
    input: Input,
    output: mpsc::Sender<String>,
    writer: JoinHandle<()>,
}

enum Input {
    Tcp(LineReader<OwnedReadHalf>),
    /// The lines of the last message, and the messages to come.
    WebSocket(VecDeque<String>, Box<SplitStream<Socket>>),
}

enum Output {
    Tcp(OwnedWriteHalf),
    WebSocket(Box<SplitSink<Socket, Message>>),
}

impl Connection {
    /// Connects to a server.
    pub(super) async fn open(address: &ServerAddress) -> io::Result<Connection> {
        let opened = timeout(CONNECT_TIME, connect(address)).await;
        let (input, output) = opened.map_err(|_| io::Error::from(ErrorKind::TimedOut))??;
        let (sender, lines) = mpsc::channel(MAX_UNSENT);
        let writer = tokio::spawn(write(output, lines));
        Ok(Connection { input, output: sender, writer })
    }

    /// The next line; `None` when the server has closed the connection. When the call is cancelled
    /// nothing is lost.
    pub(super) async fn next(&mut self) -> io::Result<Option<InputLine>> {
        let line = match &mut self.input {
            Input::Tcp(lines) => lines.next().await?,
            Input::WebSocket(lines, socket) => next_of_socket(lines, socket).await?,
        };
        if let Some(InputLine::Text(text)) = &line {
            debug!(target: TRAFFIC_TARGET, "server > {}", text.escape_debug());
        }
        Ok(line)
    }

    /// Queues a line for the server.
    ///
    /// # Errors
    /// If the server takes none.
    pub(super) fn send(&self, line: &Line) -> io::Result<()> {
        let is_secret = line.text(0).is_some_and(|option| option == "auth:token");
        if is_secret {
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
        let Connection { input, output, mut writer } = self;
        drop(output);
        if timeout(CLOSE_TIME, &mut writer).await.is_err() {
            writer.abort();
        }
        drop(input);
    }
}

async fn connect(address: &ServerAddress) -> io::Result<(Input, Output)> {
    match address {
        ServerAddress::Tcp { host, port } => {
            let stream = TcpStream::connect((host.as_str(), *port)).await?;
            prepare(&stream)?;
            let (input, output) = stream.into_split();
            Ok((Input::Tcp(LineReader::new(input)), Output::Tcp(output)))
        }
        ServerAddress::WebSocket(url) => {
            // Another part of the program may have chosen one.
            let _ = rustls::crypto::ring::default_provider().install_default();
            let config = WebSocketConfig::default()
                .max_message_size(Some(4 * MAX_LINE))
                .max_frame_size(Some(4 * MAX_LINE));
            let connected = connect_async_with_config(url, Some(config), true).await;
            let (socket, _) = connected.map_err(io_error)?;
            match socket.get_ref() {
                MaybeTlsStream::Plain(stream) => prepare(stream)?,
                MaybeTlsStream::Rustls(stream) => prepare(stream.get_ref().0)?,
                _ => {}
            }
            let (output, input) = socket.split();
            let input = Input::WebSocket(VecDeque::new(), Box::new(input));
            Ok((input, Output::WebSocket(Box::new(output))))
        }
    }
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let keepalive = TcpKeepalive::new().with_time(KEEPALIVE_TIME);
    SockRef::from(stream).set_tcp_keepalive(&keepalive)
}

/// The reason alone: the text of some errors repeats it.
fn io_error(error: WebSocketError) -> io::Error {
    match error {
        WebSocketError::Io(error) => error,
        error => io::Error::other(error),
    }
}

async fn next_of_socket(
    lines: &mut VecDeque<String>,
    socket: &mut SplitStream<Socket>,
) -> io::Result<Option<InputLine>> {
    loop {
        if let Some(line) = lines.pop_front() {
            return Ok(Some(InputLine::Text(line)));
        }
        match socket.next().await {
            Some(Ok(Message::Text(text))) => lines.extend(text.lines().map(str::to_owned)),
            Some(Ok(Message::Close(_)) | Err(WebSocketError::ConnectionClosed)) | None => {
                return Ok(None);
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(io_error(error)),
        }
    }
}

/// Writes lines until there are no more. An error shows as the end of the connection.
async fn write(mut output: Output, mut lines: mpsc::Receiver<String>) {
    while let Some(line) = lines.recv().await {
        let sent = match &mut output {
            Output::Tcp(stream) => {
                let mut text = line + "\r\n";
                while let Ok(more) = lines.try_recv() {
                    text.push_str(&more);
                    text.push_str("\r\n");
                }
                stream.write_all(text.as_bytes()).await
            }
            Output::WebSocket(socket) => {
                socket.send(Message::text(line)).await.map_err(io::Error::other)
            }
        };
        if sent.is_err() {
            return;
        }
    }
    if let Output::WebSocket(socket) = &mut output {
        let _ = socket.close().await;
    }
}
