//! Games to text.

use std::fmt::{self, Write as _};

use super::game::{AnnotatedGame, OWN_TAGS, Ply, is_tag_name, seeds_per_house};
use kalah::board::{Board, Side, Sowing};
use kalah::printable::is_printable;

/// The longest line, as in PGN's export format, unless a word is longer.
const MAX_COLUMNS: usize = 79;

impl fmt::Display for AnnotatedGame {
    /// Tags, an empty line, and the moves with the result.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let players = ["South", "North"];
        for name in players {
            if let Some(value) = self.tag(name) {
                write_tag(f, name, value)?;
            }
        }
        let rules = self.start.rules();
        let seeds = seeds_per_house(&self.start);
        if let Some(seeds) = seeds {
            write_tag(f, "Board", &format!("{}x{seeds}", rules.houses()))?;
        }
        match rules.sowing() {
            Sowing::Single => write_tag(f, "Capture", rules.capture().name())?,
            Sowing::Relay => write_tag(f, "Sowing", Sowing::Relay.name())?,
        }
        if seeds.and_then(|seeds| Board::start(rules, seeds).ok()) != Some(self.start) {
            write_tag(f, "Start", &self.start.fen())?;
        }
        for (number, (name, value)) in self.tags.iter().enumerate() {
            let is_known = players.contains(&&**name) || OWN_TAGS.contains(&&**name);
            let is_repeated = self.tags[..number].iter().any(|(other, _)| other == name);
            if is_tag_name(name) && !is_known && !is_repeated {
                write_tag(f, name, value)?;
            }
        }
        let result = self.result_to_write().to_string();
        write_tag(f, "Result", &result)?;
        writeln!(f)?;
        let mut movetext = Movetext::default();
        movetext.comment(self.comment.as_deref());
        movetext.line(&self.moves, 1);
        movetext.word(&result);
        write_wrapped(f, &movetext.text)
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    writeln!(f, "[{name} \"{}\"]", escaped(value, '"'))
}

/// A text in which nothing ends it but `end`, and nothing is obeyed by a terminal.
fn escaped(text: &str, end: char) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c == end || c == '\\' {
            escaped.push('\\');
            escaped.push(c);
        } else if is_printable(c) {
            escaped.push(c);
        } else {
            escaped.extend(c.escape_default());
        }
    }
    escaped
}

/// A comment with its braces. Spaces are trimmed when it is read, so those at its ends are escaped; so are
/// all that are not the plain one.
fn comment(text: &str) -> String {
    let start = text.len() - text.trim_start().len();
    let inner = start..start + text.trim().len();
    let mut written = String::from("{");
    for (place, c) in text.char_indices() {
        if !c.is_whitespace() || (c == ' ' && inner.contains(&place)) {
            written.push_str(&escaped(c.encode_utf8(&mut [0; 4]), '}'));
        } else {
            written.extend(c.escape_unicode());
        }
    }
    written.push('}');
    written
}

/// Moves, comments, variations and the result, with single spaces between them.
#[derive(Default)]
struct Movetext {
    text: String,
    /// Whether the text ends with a move, to which others of the turn can be added.
    is_word: bool,
}

impl Movetext {
    fn word(&mut self, word: &str) {
        if !self.text.is_empty() && !self.text.ends_with('(') {
            self.text.push(' ');
        }
        self.text.push_str(word);
        self.is_word = false;
    }

    fn comment(&mut self, text: Option<&str>) {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            self.word(&comment(text));
        }
    }

    /// A line that begins in the turn of this number. Recursion is as deep as variations are nested.
    fn line(&mut self, line: &[Ply], mut number: usize) {
        let mut previous = None;
        for ply in line {
            let side = ply.mv.side;
            if previous == Some(Side::North) && side == Side::South {
                number += 1;
            }
            let is_turn = previous == Some(side);
            if !is_turn && side == Side::South {
                self.word(&format!("{number}."));
            } else if !is_turn && !self.is_word {
                self.word(&format!("{number}..."));
            }
            if is_turn && self.is_word {
                self.text.push(ply.mv.letter());
            } else {
                self.word(ply.mv.letter().encode_utf8(&mut [0; 4]));
            }
            self.is_word = true;
            self.comment(ply.comment.as_deref());
            for variation in &ply.variations {
                self.word("(");
                self.line(variation, number);
                self.text.push(')');
                self.is_word = false;
            }
            previous = Some(side);
        }
    }
}

/// Breaks a text at single spaces, each of which is read back from the line break.
fn write_wrapped(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let mut columns = 0;
    for (number, word) in text.split(' ').enumerate() {
        let width = word.chars().count();
        if number > 0 {
            let fits = columns + 1 + width <= MAX_COLUMNS;
            f.write_char(if fits { ' ' } else { '\n' })?;
            columns = if fits { columns + 1 } else { 0 };
        }
        f.write_str(word)?;
        columns += width;
    }
    f.write_char('\n')
}
