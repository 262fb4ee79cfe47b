//! Lines over TCP and over WebSockets, however long they are.

use std::future::ready;
use std::io;
use std::pin::Pin;

use futures_util::stream::{self, BoxStream};
use futures_util::{Sink, SinkExt, Stream, StreamExt};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::line::MAX_LINE;
use kalah::protocol::InputLine;

/// Lines that are received. When a call of `next` is cancelled nothing is lost.
pub(crate) type LineStream = BoxStream<'static, io::Result<InputLine>>;

/// Lines that are sent.
pub(crate) type LineSink = Pin<Box<dyn Sink<Vec<String>, Error = io::Error> + Send>>;

/// The lines of a stream, in both directions. Dropping the sink ends the sending direction.
pub(crate) fn over_tcp(stream: TcpStream) -> io::Result<(LineStream, LineSink)> {
    // Lines are short and waited for.
    stream.set_nodelay(true)?;
    let (input, output) = stream.into_split();
    let input = stream::try_unfold(LineReader::new(input), async |mut reader| {
        Ok(reader.next().await?.map(|line| (line, reader)))
    });
    let output = futures_util::sink::unfold(output, async |mut output, lines: Vec<String>| {
        let text: String = lines.iter().flat_map(|line| [line, "\r\n"]).collect();
        output.write_all(text.as_bytes()).await?;
        Ok(output)
    });
    Ok((input.boxed(), Box::pin(output)))
}

/// The lines of a WebSocket, of which a message may have several. `text_of` reads a message: `None` ends the
/// connection.
pub(crate) fn over_web_socket<M: From<String> + Send + 'static, E: 'static>(
    messages: impl Stream<Item = io::Result<M>> + Send + 'static,
    output: impl Sink<M, Error = E> + Send + 'static,
    text_of: fn(M) -> Option<String>,
) -> (LineStream, LineSink) {
    let texts = messages.scan((), move |(), message| ready(message.map(text_of).transpose()));
    let input = texts.flat_map(|text| {
        let lines = match text {
            Ok(text) => text.lines().map(|line| Ok(InputLine::Text(line.to_owned()))).collect(),
            Err(error) => vec![Err(error)],
        };
        stream::iter(lines)
    });
    let output = output
        .with_flat_map(|lines: Vec<String>| stream::iter(lines).map(|line| Ok(M::from(line))))
        .sink_map_err(|_| io::ErrorKind::BrokenPipe.into());
    (input.boxed(), Box::pin(output))
}

/// Bytes read at once.
const CHUNK: usize = 4096;

/// Splits a stream into lines. What is longer than [`MAX_LINE`] bytes is dropped while it comes, so that
/// memory is bounded.
struct LineReader<R> {
    input: R,
    /// What was read and not yet returned.
    buffer: Vec<u8>,
    /// Bytes of the buffer that have no end of line.
    searched: usize,
    /// Whether the line in the buffer is the rest of one that is too long.
    is_too_long: bool,
    has_ended: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    fn new(input: R) -> LineReader<R> {
        let buffer = Vec::with_capacity(CHUNK);
        LineReader { input, buffer, searched: 0, is_too_long: false, has_ended: false }
    }

    /// The next line without its end; `None` at the end of the stream. When the call is cancelled nothing
    /// is lost.
    async fn next(&mut self) -> io::Result<Option<InputLine>> {
        loop {
            if let Some(line) = self.buffered() {
                return Ok(Some(line));
            }
            if self.has_ended {
                return Ok(None);
            }
            self.buffer.reserve(CHUNK);
            self.has_ended = self.input.read_buf(&mut self.buffer).await? == 0;
        }
    }

    /// A line that is in the buffer, or what is left at the end of the stream.
    fn buffered(&mut self) -> Option<InputLine> {
        let new = &self.buffer[self.searched..];
        let end = new.iter().position(|&byte| byte == b'\n').map(|at| self.searched + at);
        if end.is_none() && self.buffer.len() > MAX_LINE {
            self.is_too_long = true;
            self.buffer.clear();
        }
        self.searched = self.buffer.len();
        let is_left_over = self.has_ended && (self.is_too_long || !self.buffer.is_empty());
        let length = end.or_else(|| is_left_over.then_some(self.buffer.len()))?;
        let rest = self.buffer.split_off((length + 1).min(self.buffer.len()));
        let mut line = std::mem::replace(&mut self.buffer, rest);
        line.truncate(length);
        self.searched = 0;
        if std::mem::take(&mut self.is_too_long) || line.len() > MAX_LINE {
            return Some(InputLine::TooLong);
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        Some(String::from_utf8(line).map_or(InputLine::NotUtf8, InputLine::Text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<InputLine> {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.map_or(Vec::new(), |runtime| {
            runtime.block_on(async {
                let mut reader = LineReader::new(input);
                let mut lines = Vec::new();
                while let Ok(Some(line)) = reader.next().await {
                    lines.push(line);
                }
                lines
            })
        })
    }

    fn text(text: &str) -> InputLine {
        InputLine::Text(text.to_owned())
    }

    #[test]
    fn lines_come_whole_and_in_order() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"2 kgp 1 0 1\r\n\nping"), [text("2 kgp 1 0 1"), text(""), text("ping")]);
        assert_eq!(lines(b"\xff\nok\n"), [InputLine::NotUtf8, text("ok")]);
    }

    #[test]
    fn a_line_without_end_takes_no_memory() {
        for excess in [1, 2, CHUNK, 10 * MAX_LINE] {
            let mut input = vec![b'x'; MAX_LINE + excess];
            assert_eq!(lines(&input), [InputLine::TooLong], "{excess}");
            input.extend_from_slice(b"\nok");
            assert_eq!(lines(&input), [InputLine::TooLong, text("ok")], "{excess}");
        }
        let longest = "y".repeat(MAX_LINE);
        assert_eq!(lines(format!("{longest}\nok\n").as_bytes()), [text(&longest), text("ok")]);
    }
}
