//! Lines over TCP and over WebSockets, however long they are.

use std::future::{pending, ready};
use std::io;
use std::pin::Pin;
use std::time::Instant;

use futures_util::stream::{self, BoxStream};
use futures_util::{Sink, SinkExt, Stream, StreamExt};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time;

use super::line::MAX_LINE;
use kalah::protocol::InputLine;

/// Lines that are received. When a call of `next` is cancelled nothing is lost.
pub(crate) type LineStream = BoxStream<'static, io::Result<InputLine>>;

pub(crate) type LineSink = Pin<Box<dyn Sink<Vec<String>, Error = io::Error> + Send>>;

/// Waits for a moment, or for ever.
pub(crate) async fn sleep_until(moment: Option<Instant>) {
    match moment {
        Some(moment) => time::sleep_until(moment.into()).await,
        None => pending().await,
    }
}

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

/// The lines of a WebSocket, several in a message. `text_of` reads one: `None` ends the connection.
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

/// Splits a stream into lines. More than [`MAX_LINE`] bytes are dropped while they come.
struct LineReader<R> {
    input: BufReader<R>,
    /// The beginning of a line, or the rest of one that is too long.
    line: Vec<u8>,
    is_too_long: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    fn new(input: R) -> LineReader<R> {
        LineReader { input: BufReader::new(input), line: Vec::new(), is_too_long: false }
    }

    /// The next line without its end; `None` at the end of the stream.
    async fn next(&mut self) -> io::Result<Option<InputLine>> {
        loop {
            let room = MAX_LINE + 1 - self.line.len();
            let mut input = (&mut self.input).take(room as u64);
            let has_ended = input.read_until(b'\n', &mut self.line).await? == 0;
            let is_whole = self.line.pop_if(|byte| *byte == b'\n').is_some();
            if self.line.len() > MAX_LINE {
                self.is_too_long = true;
                self.line.clear();
            } else if is_whole || has_ended {
                let mut line = std::mem::take(&mut self.line);
                if std::mem::take(&mut self.is_too_long) {
                    return Ok(Some(InputLine::TooLong));
                }
                if has_ended && line.is_empty() {
                    return Ok(None);
                }
                line.pop_if(|byte| *byte == b'\r');
                return Ok(Some(
                    String::from_utf8(line).map_or(InputLine::NotUtf8, InputLine::Text),
                ));
            }
        }
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
        for excess in [1, 2, 4096, 10 * MAX_LINE] {
            let mut input = vec![b'x'; MAX_LINE + excess];
            assert_eq!(lines(&input), [InputLine::TooLong], "{excess}");
            input.extend_from_slice(b"\nok");
            assert_eq!(lines(&input), [InputLine::TooLong, text("ok")], "{excess}");
        }
        let longest = "y".repeat(MAX_LINE);
        assert_eq!(lines(format!("{longest}\nok\n").as_bytes()), [text(&longest), text("ok")]);
    }
}
