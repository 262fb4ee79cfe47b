//! Whatever people have of games as text.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Deserializer;

use super::cursor::GameTextError;
use super::game::{AnnotatedGame, GameOutcome};
use super::json::UncheckedGame;
use super::json::message_without_place;
use super::read::GamesText;
use kalah::board::{Board, House, RuleSet, Rules};
use kalah::text_file::{BYTE_ORDER_MARK, with_line_feeds};

/// Why a record of a match is no game.
#[derive(Debug)]
pub enum RecordTextError {
    /// It is not JSON of a record.
    Json(serde_json::Error),
    /// Its moves are not by the rules, or its result is not that of its moves.
    Contradiction(String),
}

/// Reads the record of a match, whose JSON has `conditions`. This crate knows none: `kalah-records` does.
pub type RecordReader = fn(&str) -> Result<AnnotatedGame, RecordTextError>;

/// Games from any text that holds some: games as text, JSON records of matches if there is a reader of them,
/// games as JSON, boards (one a line), or the letters of moves from the start of Kalah(6,4). `rule_set` are the
/// rules where the text does not say them. The last one is the first error that is not about the result of a game.
pub fn each_game(
    text: &str,
    rule_set: RuleSet,
    read_record: Option<RecordReader>,
) -> Vec<Result<AnnotatedGame, GameTextError>> {
    let text = &*with_line_feeds(text);
    let words = text.trim_ascii();
    if is_json(words) {
        let mut games = Vec::new();
        if let Err(error) = read_json_games(text, read_record, &mut games) {
            games.push(Err(error));
        }
        return games;
    }
    let is_content = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let mut lines = text.lines().map(str::trim_ascii);
    if lines.clone().find(is_content).is_some_and(|line| line.starts_with('<')) {
        let lines = lines.by_ref().enumerate().filter(|(_, line)| is_content(line));
        let board = |(number, line): (usize, &str)| {
            let board = Board::from_fen(line, rule_set);
            board
                .map(AnnotatedGame::new)
                .map_err(|error| error_at(number + 1, 1, error.to_string()))
        };
        let games: Result<Vec<_>, _> = lines.map(board).collect();
        return games
            .map_or_else(|error| vec![Err(error)], |all| all.into_iter().map(Ok).collect());
    }
    let is_letters = |c: char| c.is_ascii_alphabetic() || c.is_ascii_whitespace();
    if !words.is_empty() && words.chars().all(is_letters) {
        return vec![game_of_letters(text, rule_set)];
    }
    GamesText::new(text, rule_set).collect()
}

/// Whether a text that begins so is JSON. A game can begin with a comment, `{…}`, or a tag, `[…]`.
pub fn is_json(beginning: &str) -> bool {
    let text = beginning.trim_start_matches(BYTE_ORDER_MARK);
    let mut chars = text.chars().filter(|c| !c.is_ascii_whitespace());
    match (chars.next(), chars.next()) {
        // What begins and has nothing else is JSON that was not written to its end.
        (Some('['), Some('{' | ']') | None) | (Some('{'), None) => true,
        (Some('{'), Some('"')) => {
            // Names of members are letters here.
            let name: String = chars.take_while(|&c| c != '"').collect();
            name.bytes().all(|byte| byte.is_ascii_lowercase())
        }
        _ => false,
    }
}

/// A record of a match, which alone has conditions.
#[derive(Deserialize)]
struct Kind {
    conditions: Option<IgnoredAny>,
}

fn read_json_games(
    text: &str,
    read_record: Option<RecordReader>,
    games: &mut Vec<Result<AnnotatedGame, GameTextError>>,
) -> Result<(), GameTextError> {
    let mut values = Deserializer::from_str(text).into_iter::<IgnoredAny>();
    let (mut place, mut end) = ((1, 1), 0);
    loop {
        let start = values.byte_offset();
        let Some(value) = values.next() else { return Ok(()) };
        value.map_err(|error| json_error((1, 1), "not JSON", &error))?;
        let json = text[start..values.byte_offset()].trim_ascii_start();
        let begin = values.byte_offset() - json.len();
        place = place_after(place, &text[end..begin]);
        end = begin;
        let (line, column) = place;
        let wrong = |what| move |error| json_error(place, what, &error);
        let contradiction = |what| GameTextError { line, column, what, is_contradiction: true };
        let checked = |UncheckedGame(mut game), place: String| {
            let result = game.checked_result();
            game.result = result.map_err(|what| contradiction(format!("{place}{what}")))?;
            Ok(game)
        };
        if json.starts_with('[') {
            let several: Vec<UncheckedGame> =
                serde_json::from_str(json).map_err(wrong("not games"))?;
            let several = several.into_iter().zip(1..);
            games.extend(several.map(|(game, number)| checked(game, format!("game {number}: "))));
        } else if serde_json::from_str::<Kind>(json).is_ok_and(|kind| kind.conditions.is_some()) {
            let unknown = || error_at(line, column, "records of matches are not known here");
            games.push(match read_record.ok_or_else(unknown)?(json) {
                Ok(game) => Ok(game),
                Err(RecordTextError::Contradiction(what)) => Err(contradiction(what)),
                Err(RecordTextError::Json(error)) => {
                    return Err(wrong("not a record of a game")(error));
                }
            });
        } else {
            let game = serde_json::from_str(json).map_err(wrong("not a game"))?;
            games.push(checked(game, String::new()));
        }
    }
}

/// The line and column behind a text that begins at a line and column.
fn place_after((line, column): (usize, usize), text: &str) -> (usize, usize) {
    let (line_breaks, last) =
        (text.matches('\n').count(), text.rsplit('\n').next().unwrap_or(text));
    let column = if line_breaks == 0 { column } else { 1 };
    (line + line_breaks, column + last.chars().count())
}

/// An error of JSON that begins at a line and column.
fn json_error(
    (line, column): (usize, usize),
    what: &str,
    error: &serde_json::Error,
) -> GameTextError {
    // The place at its end is that in the JSON alone.
    let message = message_without_place(error);
    // What the rules do not allow has no place.
    let (row, place) = (error.line().max(1), error.column().max(1));
    let column = if row == 1 { column + place - 1 } else { place };
    error_at(line + row - 1, column, format!("{what}: {message}"))
}

fn game_of_letters(letters: &str, rule_set: RuleSet) -> Result<AnnotatedGame, GameTextError> {
    let start = Rules::new(6, rule_set).map_err(|error| error_at(1, 1, error.to_string()))?;
    let start = Board::start(start, 4).map_err(|error| error_at(1, 1, error.to_string()))?;
    let mut game = AnnotatedGame::new(start);
    let mut board = start;
    for (line, row) in (1..).zip(letters.lines()) {
        for (column, letter) in (1..).zip(row.chars()).filter(|(_, c)| !c.is_ascii_whitespace()) {
            let house = House::from_letter(letter).ok_or_else(|| {
                let what = format!("'{letter}' is not a move, expected a letter from A to F");
                error_at(line, column, what)
            })?;
            let mv = board.move_from(house);
            board.play(mv).map_err(|error| error_at(line, column, error.to_string()))?;
            game.moves.push(mv.into());
        }
    }
    game.result = GameOutcome::from_board(&board);
    Ok(game)
}

fn error_at(line: usize, column: usize, what: impl Into<String>) -> GameTextError {
    GameTextError { line, column, what: what.into(), is_contradiction: false }
}
