//! Lines over TCP and over WebSockets, however long they are.

use std::future::{pending, ready};
use std::io;
use std::pin::Pin;
use std::time::Instant;

use futures_util::stream::{self, BoxStream};
use futures_util::{Sink, SinkExt, Stream, StreamExt};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
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
    let input = stream::try_unfold(BufReader::new(input), async |mut input| {
        Ok(next_line(&mut input).await?.map(|line| (line, input)))
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

/// The next line without its end; `None` at the end of the input. More than [`MAX_LINE`] bytes are dropped while
/// they come.
async fn next_line(input: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<InputLine>> {
    let (mut line, mut is_too_long) = (Vec::new(), false);
    loop {
        let room = MAX_LINE + 1 - line.len();
        let has_ended = input.take(room as u64).read_until(b'\n', &mut line).await? == 0;
        let is_whole = line.pop_if(|byte| *byte == b'\n').is_some();
        if line.len() > MAX_LINE {
            is_too_long = true;
            line.clear();
        } else if is_whole || has_ended {
            if has_ended && line.is_empty() && !is_too_long {
                return Ok(None);
            }
            line.pop_if(|byte| *byte == b'\r');
            return Ok(Some(match String::from_utf8(line) {
                _ if is_too_long => InputLine::TooLong,
                Ok(text) => InputLine::Text(text),
                Err(_) => InputLine::NotUtf8,
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut input: &[u8]) -> Vec<InputLine> {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.map_or(Vec::new(), |runtime| {
            runtime.block_on(async {
                let mut lines = Vec::new();
                while let Ok(Some(line)) = next_line(&mut input).await {
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
