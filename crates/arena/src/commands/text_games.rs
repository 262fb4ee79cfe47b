//! Games of text files, shown as those of records are.

use std::fmt::Write as _;
use std::io::{self, Read};
use std::path::Path;

use crate::{Termination, games_from_text};
use anyhow::{Context, anyhow};
use kalah::board::Capture;
use kalah::printable::{printable, printable_json, spreadsheet_text};
use kalah::regular_file;
use kalah_command::say;
use kalah_games::{AnnotatedGame, MAX_GAMES_TEXT};
use serde::de::IgnoredAny;

use super::game_formats::{GameList, csv_line};

/// Bytes that tell a text from a record.
const BEGINNING: u64 = 4096;

/// What a list shows where a game has no value.
const MISSING: &str = "-";

/// The games of a text file; `None` if it is a record of the arena, or cannot be looked into.
pub(super) fn text_games(path: &Path) -> anyhow::Result<Option<Vec<AnnotatedGame>>> {
    let mut beginning = Vec::new();
    let is_read = regular_file::open(path)
        .and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning))
        .is_ok();
    if !is_read || !is_text(&String::from_utf8_lossy(&beginning)) {
        return Ok(None);
    }
    read_games_file(path).map(Some)
}

/// All games of a file, in whatever form; `-` is standard input.
pub fn read_games_file(path: &Path) -> anyhow::Result<Vec<AnnotatedGame>> {
    let (name, text) = if path == Path::new("-") {
        ("standard input".to_owned(), read_standard_input())
    } else {
        (format!("'{}'", path.display()), regular_file::read(path, MAX_GAMES_TEXT as u64))
    };
    let text = text.with_context(|| format!("cannot read {name}"))?;
    let text = String::from_utf8(text).map_err(|_| anyhow!("{name} is not text in UTF-8"))?;
    let whole = without_torn_record(&text);
    if whole.len() < text.len() {
        say!("{}", super::torn_warning(path));
    }
    games_from_text(whole, Capture::default()).map_err(|error| anyhow!("{name}, {error}"))
}

/// A text without its last line, if that is a record of a game that was not written to its end.
fn without_torn_record(text: &str) -> &str {
    let last = text.rfind('\n').map_or(0, |line_break| line_break + 1);
    let is_torn = |line: &str| {
        let value: Result<IgnoredAny, _> = serde_json::from_str(line);
        line.starts_with("{\"game\":") && value.is_err_and(|error| error.is_eof())
    };
    if last > 0 && is_torn(&text[last..]) { &text[..last] } else { text }
}

fn read_standard_input() -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    io::stdin().lock().take(MAX_GAMES_TEXT as u64 + 1).read_to_end(&mut text)?;
    if text.len() > MAX_GAMES_TEXT {
        return Err(io::Error::other(format!("more than {MAX_GAMES_TEXT} bytes of games")));
    }
    Ok(text)
}

/// Whether a file that begins so is no record of the arena.
fn is_text(beginning: &str) -> bool {
    let mut chars = beginning.trim_start_matches('\u{feff}').trim_ascii_start().chars();
    match (chars.next(), chars.next()) {
        (Some('{'), Some('"')) => !beginning.trim_ascii_start().starts_with("{\"gam"),
        (Some('{'), Some(_)) => true,
        // A record that a power failure has cut off can be a brace alone, or zeros.
        (first, _) => first.is_some_and(|c| !matches!(c, '{' | '\0')),
    }
}

fn margin(game: &AnnotatedGame) -> Option<String> {
    let own = game.tag("Margin").map(str::to_owned);
    own.or_else(|| game.end().result().map(|margin| format!("{margin:+}")))
}

fn reason(game: &AnnotatedGame) -> Option<String> {
    let reason = game.tag("Reason").or(game.tag("Termination"));
    let is_over = game.end().is_over();
    let played_out = is_over.then(|| Termination::PlayedOut.to_string());
    reason.map(str::to_owned).or(played_out)
}

/// A value in a line of text.
fn shown(value: Option<&str>) -> String {
    printable(value.unwrap_or(MISSING)).into_owned()
}

/// The line of a game in a list.
pub(super) fn list_line(list: &GameList, number: u64, game: &AnnotatedGame) -> String {
    list.columns([
        number.to_string(),
        shown(game.tag("Round")),
        shown(game.tag("South")),
        shown(game.tag("North")),
        game.result.to_string(),
        shown(margin(game).as_deref()),
        shown(reason(game).as_deref()),
        game.moves.len().to_string(),
        game.start.fen(),
    ])
}

/// The line of a game in CSV. Depth, nodes and time are empty, as is what the game does not say.
pub(super) fn csv_row(number: u64, game: &AnnotatedGame) -> anyhow::Result<Vec<u8>> {
    let text = |value: Option<&str>| spreadsheet_text(value.unwrap_or_default()).into_owned();
    let number_or_text =
        |value: String| if value.parse::<i32>().is_ok() { value } else { text(Some(&value)) };
    csv_line((
        (number, text(game.tag("Round")), text(game.tag("South")), text(game.tag("North"))),
        (
            game.result.to_string(),
            number_or_text(margin(game).unwrap_or_default()),
            text(reason(game).as_deref()),
            game.moves.len(),
        ),
        [""; 6],
        game.start.fen(),
    ))
}

/// All boards of a game with the moves between them.
pub(super) fn boards(number: u64, game: &AnnotatedGame) -> String {
    let (south, north) = (shown(game.tag("South")), shown(game.tag("North")));
    let mut text = format!("Game {number}: {south} (South) against {north} (North)\n");
    let mut boards = game.boards();
    if let Some(start) = boards.next() {
        let _ = write!(text, "\n{start}\n");
    }
    for (number, (ply, board)) in game.moves.iter().zip(boards).enumerate() {
        let comment = ply.comment.as_deref().unwrap_or_default();
        let line = format!("{}. {} {}", number + 1, ply.mv, printable(comment));
        let _ = write!(text, "\n{}\n\n{board}\n", line.trim_end());
    }
    let (margin, reason) = (shown(margin(game).as_deref()), shown(reason(game).as_deref()));
    let _ = writeln!(text, "\n{}, margin {margin}, {reason}", game.result);
    text
}

/// The line of a game in JSON.
pub(super) fn json_line(game: &AnnotatedGame) -> anyhow::Result<String> {
    Ok(printable_json(&serde_json::to_string(game)?).into_owned() + "\n")
}
