//! Lines of input, also bad ones.

use std::io::{self, BufRead, ErrorKind};

/// Bytes of the longest line that is read: far more than the moves of any game.
pub const MAX_LINE: usize = 1 << 20;

/// A line without its end.
#[derive(Debug, PartialEq, Eq)]
pub enum InputLine {
    /// Text.
    Text(String),
    /// Longer than a line may be; its text is dropped.
    TooLong,
    /// Bytes that are not UTF-8.
    NotUtf8,
}

/// Reads a line; `None` at the end of input.
///
/// # Errors
/// Returns an error if reading fails.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut line = Vec::new();
    let mut too_long = false;
    let mut any = false;
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        any |= !buffer.is_empty();
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        too_long |= line.len() + part.len() > MAX_LINE;
        if too_long {
            line = Vec::new();
        } else {
            line.extend_from_slice(part);
        }
        let done = end.is_some() || buffer.is_empty();
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if done {
            break;
        }
    }
    Ok(any.then(|| match String::from_utf8(line) {
        _ if too_long => InputLine::TooLong,
        Ok(text) => InputLine::Text(text),
        Err(_) => InputLine::NotUtf8,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(input: &[u8]) -> Vec<InputLine> {
        // A tiny buffer, so that lines are put together from parts.
        let mut input = BufReader::with_capacity(7, input);
        std::iter::from_fn(|| read_line(&mut input).ok().flatten()).collect()
    }

    fn text(text: &str) -> InputLine {
        InputLine::Text(text.to_owned())
    }

    #[test]
    fn lines_come_whole_and_in_order() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"uci\n\nisready\r\n"), [text("uci"), text(""), text("isready\r")]);
        assert_eq!(lines(b"a line with no end"), [text("a line with no end")]);
        assert_eq!(lines(b"nul \0\nok"), [text("nul \0"), text("ok")]);
    }

    #[test]
    fn bad_lines_are_reported_and_the_next_is_read() {
        let mut input = vec![b'x'; 2 * MAX_LINE];
        input.extend_from_slice(b"\n\xff\xfe\nok\n");
        assert_eq!(lines(&input), [InputLine::TooLong, InputLine::NotUtf8, text("ok")]);
        let longest = "y".repeat(MAX_LINE);
        assert_eq!(lines(longest.as_bytes()), [text(&longest)]);
    }
}
