//! Lines from a connection, however long they are.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

use super::line::MAX_LINE;
use kalah::protocol::InputLine;

/// Bytes read at once.
const CHUNK: usize = 4096;

/// Splits a stream into lines. What is longer than [`MAX_LINE`] bytes is dropped while it comes, so that
/// memory is bounded.
pub(super) struct LineReader<R> {
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
    pub(super) fn new(input: R) -> LineReader<R> {
        let buffer = Vec::with_capacity(CHUNK);
        LineReader { input, buffer, searched: 0, is_too_long: false, has_ended: false }
    }

    /// The next line without its end; `None` at the end of the stream. When the call is cancelled nothing
    /// is lost.
    pub(super) async fn next(&mut self) -> io::Result<Option<InputLine>> {
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

    /// The stream; what was read of it and not returned is lost.
    pub(super) fn into_inner(self) -> R {
        self.input
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
