//! Text for people: counts with their nouns, and text from outside, such as the name or a message of an
//! engine, without characters that would control a terminal, a reader of JSON or HTML, or a spreadsheet.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{Display, Write};
use std::iter::successors;

/// Whether a character is shown where it stands and changes nothing else. Control characters (C0, DEL
/// and C1) are not, nor are those that turn the direction of the text around or are invisible.
pub fn is_printable(c: char) -> bool {
    let is_invisible = matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    !c.is_control() && !is_invisible
}

fn escaped(
    text: &str,
    is_kept: impl Fn(char) -> bool,
    escape: impl Fn(&mut String, char),
) -> Cow<'_, str> {
    if text.chars().all(&is_kept) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_kept(c) {
            escaped.push(c);
        } else {
            escape(&mut escaped, c);
        }
    }
    Cow::Owned(escaped)
}

fn escape(text: &mut String, c: char) {
    text.extend(c.escape_default());
}

/// Text for a terminal, on one line: `\n`, `\u{1b}` and the like in place of what is not printable.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, is_printable, escape)
}

/// A noun, such as `seed` or `ply`, in its form after a number.
pub fn plural<N: Copy + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if number == N::from(1) => noun.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None => format!("{noun}s"),
    }
}

/// A number with what it counts: `1 seed`, `2 seeds`, `3 plies`.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    format!("{number} {}", plural(number, noun))
}

/// An error and its causes on one line.
pub fn with_causes(error: &dyn Error) -> String {
    let chain = successors(Some(error), |&error| error.source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Text of several lines for a terminal, HTML or SVG.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c == '\n' || is_printable(c), escape)
}

/// The same JSON, in which characters that are not printable are escaped.
pub fn printable_json(json: &str) -> Cow<'_, str> {
    let escape = |text: &mut String, c: char| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(text, "\\u{unit:04x}");
        }
    };
    escaped(json, |c| matches!(c, '\n' | '\r' | '\t') || is_printable(c), escape)
}

/// Text for a cell of CSV: an apostrophe keeps a spreadsheet from taking it for a formula.
pub fn spreadsheet_text(text: &str) -> Cow<'_, str> {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        Cow::Owned(format!("'{}", printable(text)))
    } else {
        printable(text)
    }
}
