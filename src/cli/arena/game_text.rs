//! Games in the manner of PGN, the text that chess games are kept in.

use std::fmt::Write as _;

use kalah::arena::{GameRecord, MoveRecord, ScoreBound};
use kalah::board::Side;

use super::game_list::margin;

/// Lines are shorter than this, as in PGN's export format.
const COLUMNS: usize = 80;

/// A game, with an empty line after the tags.
pub(super) fn game_text(game: &GameRecord) -> Result<String, String> {
    let mut text = String::new();
    for (name, value) in tags(game) {
        let _ = writeln!(text, "[{name} \"{}\"]", escaped(&value));
    }
    let legal = game.boards()?.len() - 1;
    let _ = write!(text, "\n{}", wrapped(&movetext(game, &game.moves[..legal])));
    Ok(text)
}

fn tags(game: &GameRecord) -> Vec<(&'static str, String)> {
    let conditions = &game.conditions;
    let mut tags = vec![("Event", format!("{}, seed {}", conditions.format, conditions.seed))];
    let begun = game.time.as_ref().and_then(|time| time.begun.split_once('T'));
    if let Some((date, time)) = begun {
        // In UTC, as all times of records are.
        tags.push(("Date", date.replace('-', ".")));
        tags.push(("Time", time.trim_end_matches('Z').to_owned()));
    }
    tags.extend([
        ("Game", game.game.to_string()),
        ("Round", game.round.to_string()),
        ("South", game.south.player.name.clone()),
        ("North", game.north.player.name.clone()),
        ("Result", game.result.to_string()),
        ("Margin", margin(game)),
        ("Reason", game.reason.to_string()),
    ]);
    tags.extend(game.detail.clone().map(|detail| ("Detail", detail)));
    tags.extend([
        ("Capture", conditions.capture.to_string()),
        ("Houses", conditions.houses.to_string()),
        ("FEN", game.opening.clone()),
        ("SouthEngine", game.south.id.clone()),
        ("NorthEngine", game.north.id.clone()),
        ("SouthSettings", game.south.player.to_string()),
        ("NorthSettings", game.north.player.to_string()),
    ]);
    tags
}

/// The value of a tag between its quotation marks, on one line.
fn escaped(value: &str) -> String {
    let line = value.replace(char::is_control, " ");
    line.replace('\\', r"\\").replace('"', "\\\"")
}

/// Turns and comments, a space between words.
fn movetext(game: &GameRecord, moves: &[MoveRecord]) -> String {
    let mut words = Vec::new();
    let mut number = 1;
    for (place, turn) in moves.chunk_by(|a, b| a.side() == b.side()).enumerate() {
        match turn[0].side() {
            Side::South => words.push(format!("{number}.")),
            Side::North if place == 0 => words.push(format!("{number}...")),
            Side::North => {}
        }
        if turn[0].side() == Side::North {
            number += 1;
        }
        words.push(turn.iter().map(|ply| ply.letter).collect());
        let thoughts: Vec<String> = turn.iter().map(thought).collect();
        words.push(format!("{{{}}}", thoughts.join("; ")));
    }
    words.push(game.result.to_string());
    words.join(" ")
}

/// What a player said of a move, and how long it took.
fn thought(ply: &MoveRecord) -> String {
    let mut text = String::new();
    if let Some(score) = ply.score {
        text.push_str(match ply.bound {
            Some(ScoreBound::Lower) => ">",
            Some(ScoreBound::Upper) => "<",
            None if ply.proven => "=",
            None => "",
        });
        let _ = write!(text, "{:+.2}", f64::from(score) / 100.0);
    }
    if let Some(depth) = ply.depth {
        let _ = write!(text, "/{depth}");
    }
    if !text.is_empty() {
        text.push(' ');
    }
    let _ = write!(text, "{:.3}s", ply.time / 1e3);
    text
}

/// Breaks a text at its spaces; a word that is longer than a line has a line of its own.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        if column > 0 && column + 1 + word.len() >= COLUMNS {
            lines.push('\n');
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += word.len();
    }
    lines.push('\n');
    lines
}
