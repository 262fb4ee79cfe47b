//! Games of text files, shown as those of records are.

use std::fmt::Write as _;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, anyhow};
use csv::WriterBuilder;
use kalah::arena::{Termination, games_from_text};
use kalah::board::Capture;
use kalah::games::{AnnotatedGame, MAX_GAMES_TEXT};
use kalah::printable::{printable, printable_json, spreadsheet_text};
use kalah::regular_file;

use super::game_formats::GameList;

/// Bytes that tell a text from a record.
const BEGINNING: u64 = 4096;

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
pub(in super::super) fn read_games_file(path: &Path) -> anyhow::Result<Vec<AnnotatedGame>> {
    let (name, text) = if path == Path::new("-") {
        ("standard input".to_owned(), read_standard_input())
    } else {
        (format!("'{}'", path.display()), regular_file::read(path, MAX_GAMES_TEXT as u64))
    };
    let text = text.with_context(|| format!("cannot read {name}"))?;
    let text = String::from_utf8(text).map_err(|_| anyhow!("{name} is not text in UTF-8"))?;
    games_from_text(&text, Capture::default()).map_err(|error| anyhow!("{name}, {error}"))
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

fn tag<'a>(game: &'a AnnotatedGame, name: &str) -> &'a str {
    game.tag(name).unwrap_or("-")
}

fn margin(game: &AnnotatedGame) -> String {
    match (game.tag("Margin"), game.end().result()) {
        (Some(margin), _) => margin.to_owned(),
        (None, Some(margin)) => format!("{margin:+}"),
        (None, None) => "-".to_owned(),
    }
}

fn reason(game: &AnnotatedGame) -> String {
    let reason = game.tag("Reason").or(game.tag("Termination"));
    let is_over = game.end().is_over();
    let played_out = is_over.then(|| Termination::PlayedOut.to_string());
    reason.map(str::to_owned).or(played_out).unwrap_or_else(|| "-".to_owned())
}

/// The line of a game in a list.
pub(super) fn list_line(list: &GameList, number: u64, game: &AnnotatedGame) -> String {
    let shown = |text: &str| printable(text).into_owned();
    list.columns([
        number.to_string(),
        shown(tag(game, "Round")),
        shown(tag(game, "South")),
        shown(tag(game, "North")),
        game.result.to_string(),
        shown(&margin(game)),
        shown(&reason(game)),
        game.moves.len().to_string(),
        game.start.fen(),
    ])
}

/// The line of a game in CSV. Depth, nodes and time are empty.
pub(super) fn csv_row(number: u64, game: &AnnotatedGame) -> anyhow::Result<Vec<u8>> {
    let text = |text: &str| spreadsheet_text(text).into_owned();
    let number_or_text =
        |value: String| if value.parse::<i32>().is_ok() { value } else { text(&value) };
    let none = [""; 6];
    let row = (
        (number, text(tag(game, "Round")), text(tag(game, "South")), text(tag(game, "North"))),
        (
            game.result.to_string(),
            number_or_text(margin(game)),
            text(&reason(game)),
            game.moves.len(),
        ),
        none,
        game.start.fen(),
    );
    let mut csv = WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    csv.serialize(row).context("cannot write a game as CSV")?;
    csv.into_inner().context("cannot write a game as CSV")
}

/// All boards of a game with the moves between them.
pub(super) fn boards(number: u64, game: &AnnotatedGame) -> String {
    let (south, north) = (printable(tag(game, "South")), printable(tag(game, "North")));
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
    let (margin, reason) = (margin(game), reason(game));
    let _ =
        writeln!(text, "\n{}, margin {}, {}", game.result, printable(&margin), printable(&reason));
    text
}

/// The line of a game in JSON.
pub(super) fn json_line(game: &AnnotatedGame) -> anyhow::Result<String> {
    Ok(printable_json(&serde_json::to_string(game)?).into_owned() + "\n")
}
