//! Games in a format modelled on PGN, the portable game notation of chess.

use std::fmt::Write as _;

use kalah::arena::{GameRecord, MoveRecord, ReplayError, ScoreBound};
use kalah::board::Side;
use kalah::printable::is_printable;

use super::super::table::wrapped;
use super::game_formats::margin;

/// The longest line, as in PGN's export format.
const MAX_COLUMNS: usize = 79;

/// The tags, an empty line and the movetext of a game.
pub(super) fn pgn(game: &GameRecord) -> Result<String, ReplayError> {
    let mut text = String::new();
    for (name, value) in tags(game) {
        let _ = writeln!(text, "[{name} \"{}\"]", escaped(&value));
    }
    let legal = game.boards()?.len() - 1;
    let _ = writeln!(text, "\n{}", wrapped(&movetext(game, &game.moves[..legal]), MAX_COLUMNS));
    Ok(text)
}

fn tags(game: &GameRecord) -> Vec<(&'static str, String)> {
    let conditions = &game.conditions;
    let mut tags = vec![("Event", format!("{}, seed {}", conditions.format, conditions.seed))];
    let begun = game.time.as_ref().and_then(|time| time.begun.split_once('T'));
    if let Some((date, time)) = begun {
        // Times of records are in UTC.
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

/// The value of a tag as it stands between quotation marks, on one line.
fn escaped(value: &str) -> String {
    let line = value.replace(|c| !is_printable(c), " ");
    line.replace('\\', r"\\").replace('"', "\\\"")
}

/// Turns, each a word of one or more moves, with comments; all words separated by spaces.
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
        let comments: Vec<String> = turn.iter().map(comment).collect();
        words.push(format!("{{{}}}", comments.join("; ")));
    }
    words.push(game.result.to_string());
    words.join(" ")
}

/// Score, depth and time of a move, as in `+1.50/12 0.250s`.
fn comment(ply: &MoveRecord) -> String {
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
