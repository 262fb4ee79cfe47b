//! Text to games.

use std::fmt::Display;
use std::str::FromStr;

use super::cursor::{Cursor, GameTextError, found};
use super::game::{
    AnnotatedGame, GameOutcome, MAX_GAMES_TEXT, MAX_PLIES, MAX_VARIATION_DEPTH, Ply, join,
    result_of_moves,
};
use kalah::board::{Board, Move, RuleSet, Rules};

/// Tags of a game, at most.
const MAX_TAGS: usize = 1000;

const MOVETEXT: &str = "a move, a comment, a variation or a result (1-0, 0-1, 1/2-1/2 or *)";

impl AnnotatedGame {
    /// Reads all games of a text. Without tags the rules are those of `RuleSet::default`.
    ///
    /// # Errors
    /// Returns the place of what is not a game, and what was expected there.
    pub fn parse(text: &str) -> Result<Vec<AnnotatedGame>, GameTextError> {
        GamesText::new(text, RuleSet::default()).collect()
    }
}

/// Reads games from a text, one after the other. Ends after the first error that is not about the result
/// of a game.
pub struct GamesText<'a> {
    cursor: Cursor<'a>,
    rule_set: RuleSet,
    /// Moves of the game so far.
    plies: usize,
    is_done: bool,
}

impl<'a> GamesText<'a> {
    /// The games of a text. `rule_set` has the rules of games without the tags `Capture` and `Sowing`.
    pub fn new(text: &'a str, rule_set: impl Into<RuleSet>) -> GamesText<'a> {
        // The byte order mark that some editors write.
        let text = text.trim_start_matches('\u{feff}');
        GamesText { cursor: Cursor::new(text), rule_set: rule_set.into(), plies: 0, is_done: false }
    }

    /// `None` at the end of the text.
    fn game(&mut self) -> Result<Option<AnnotatedGame>, GameTextError> {
        if self.cursor.bytes_left() > MAX_GAMES_TEXT {
            return Err(self.cursor.error(format!("more than {MAX_GAMES_TEXT} bytes of games")));
        }
        self.cursor.skip_spaces();
        if self.cursor.peek().is_none() {
            return Ok(None);
        }
        let begin = self.cursor;
        let (mut tags, mut comment) = self.header()?;
        let has_tags = !tags.0.is_empty();
        let (start, tagged) = (tags.start(self.rule_set)?, tags.take("Result", parsed)?);
        self.plies = 0;
        let line = self.line(start, 0)?;
        if line.moves.is_empty() && line.result.is_none() && !has_tags {
            return Err(self.cursor.error("expected tags, a move or a result"));
        }
        let contradiction =
            |place: Cursor, what| GameTextError { is_contradiction: true, ..place.error(what) };
        let (claim, claimed) = match (line.result, tagged) {
            (Some((_, result)), Some((place, tag))) if tag != result => {
                let what = format!("the tag Result says {tag}, but the moves end with {result}");
                return Err(contradiction(place, what));
            }
            (claim, tag) => claim.or(tag).unwrap_or((begin, GameOutcome::Unknown)),
        };
        let margin = tags.0.iter().find(|(_, name, _)| name == "Margin");
        let margin = margin.and_then(|(place, _, margin)| Some((*place, margin.parse().ok()?)));
        let result =
            result_of_moves(&line.end, claimed, None).map_err(|what| contradiction(claim, what))?;
        if let Some((place, margin)) = margin {
            result_of_moves(&line.end, result, Some(margin))
                .map_err(|what| contradiction(place, what))?;
        }
        join(&mut comment, line.comment.unwrap_or_default());
        let tags = tags.0.into_iter().map(|(_, name, value)| (name, value)).collect();
        Ok(Some(AnnotatedGame { tags, start, comment, moves: line.moves, result }))
    }

    /// Tags, and comments before and between them.
    fn header(&mut self) -> Result<(Tags<'a>, Option<String>), GameTextError> {
        let (mut tags, mut comment) = (Tags::default(), None);
        loop {
            self.cursor.skip_spaces();
            match self.cursor.peek() {
                Some('[') => {
                    let place = self.cursor;
                    let (name, value) = self.cursor.tag()?;
                    tags.add(place, name, value)?;
                }
                Some('{' | ';') => join(&mut comment, self.cursor.comment()?),
                _ => return Ok((tags, comment)),
            }
        }
    }
}

impl Iterator for GamesText<'_> {
    type Item = Result<AnnotatedGame, GameTextError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let game = self.game().transpose();
        self.is_done = match &game {
            Some(Ok(_)) => false,
            Some(Err(error)) => !error.is_contradiction,
            None => true,
        };
        game
    }
}

/// The tags of a game: places, names and values.
#[derive(Default)]
struct Tags<'a>(Vec<(Cursor<'a>, String, String)>);

impl<'a> Tags<'a> {
    fn add(&mut self, place: Cursor<'a>, name: &str, value: String) -> Result<(), GameTextError> {
        if self.0.iter().any(|(_, other, _)| other == name) {
            return Err(place.error(format!("the tag {name} is given twice")));
        }
        self.0.push((place, name.to_owned(), value));
        if self.0.len() > MAX_TAGS {
            return Err(place.error(format!("more than {MAX_TAGS} tags")));
        }
        Ok(())
    }

    /// Takes a tag out, and reads its value.
    fn take<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<Option<(Cursor<'a>, T)>, GameTextError> {
        let Some(index) = self.0.iter().position(|(_, other, _)| other == name) else {
            return Ok(None);
        };
        let (place, _, value) = self.0.remove(index);
        let value = read(&value).map_err(|error| place.error(error))?;
        Ok(Some((place, value)))
    }

    /// The board before the first move.
    fn start(&mut self, rule_set: RuleSet) -> Result<Board, GameTextError> {
        let capture = self.take("Capture", parsed)?.map(|(_, capture)| capture);
        let sowing = self.take("Sowing", parsed)?.map(|(_, sowing)| sowing);
        let rule_set = match (capture, sowing) {
            (None, None) => rule_set,
            // Games of single sowing are written without the tag `Sowing`.
            (Some(capture), sowing) => RuleSet::new(capture, sowing.unwrap_or_default()),
            (None, Some(sowing)) => RuleSet::new(rule_set.capture(), sowing),
        };
        let board = self.take("Board", houses_and_seeds)?;
        let from_fen =
            |fen: &str| Board::from_fen(fen, rule_set).map_err(|error| error.to_string());
        if let Some((place, start)) = self.take("Start", from_fen)? {
            let houses = start.rules().houses();
            return match board {
                Some((_, (expected, _))) if expected != houses => {
                    let what = "houses on one side, but the tag Board says";
                    Err(place.error(format!("{houses} {what} {expected}")))
                }
                _ => Ok(start),
            };
        }
        let (place, (houses, seeds)) = board.unwrap_or((Cursor::new(""), (6, 4)));
        let rules = Rules::new(houses, rule_set).map_err(|error| place.error(error.to_string()))?;
        Board::start(rules, seeds).map_err(|error| place.error(error.to_string()))
    }
}

fn parsed<T: FromStr<Err: Display>>(value: &str) -> Result<T, String> {
    value.parse().map_err(|error: T::Err| error.to_string())
}

/// The numbers of `6x4`.
fn houses_and_seeds(text: &str) -> Result<(usize, u16), String> {
    // Without a sign.
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'x');
    let numbers = text.split_once('x').filter(|_| is_plain);
    let numbers =
        numbers.and_then(|(houses, seeds)| Some((houses.parse().ok()?, seeds.parse().ok()?)));
    numbers.ok_or_else(|| "expected houses and seeds, such as [Board \"6x4\"]".to_owned())
}

/// The game, or a variation.
struct Line<'a> {
    moves: Vec<Ply>,
    /// A comment before the first move of the game.
    comment: Option<String>,
    /// The board after the last move.
    end: Board,
    /// Where the result is written, if it is.
    result: Option<(Cursor<'a>, GameOutcome)>,
}

impl<'a> GamesText<'a> {
    /// Reads the game to its result or to the end of the text, or a variation within `depth - 1` others to its
    /// bracket. Recursion is at most [`MAX_VARIATION_DEPTH`] deep.
    fn line(&mut self, start: Board, depth: usize) -> Result<Line<'a>, GameTextError> {
        let mut line = Line { moves: Vec::new(), comment: None, end: start, result: None };
        // The board before the last move.
        let mut before = start;
        let is_variation = depth > 0;
        loop {
            self.cursor.skip_spaces();
            let place = self.cursor;
            match self.cursor.peek() {
                None if is_variation => {
                    return Err(place.error("the text ends within a variation, expected ')'"));
                }
                None => return Ok(line),
                Some('{' | ';') => {
                    let comment = self.cursor.comment()?;
                    let ply = line.moves.last_mut();
                    join(ply.map_or(&mut line.comment, |ply| &mut ply.comment), comment);
                }
                Some('(') => {
                    let Some(ply) = line.moves.last_mut() else {
                        let what = "a variation without a move before it, which it could replace";
                        return Err(place.error(what));
                    };
                    if depth == MAX_VARIATION_DEPTH {
                        let what = format!("variations are nested more than {depth} deep");
                        return Err(place.error(what));
                    }
                    self.cursor.next();
                    ply.variations.push(self.line(before, depth + 1)?.moves);
                }
                Some(')') if is_variation => {
                    if line.moves.is_empty() {
                        return Err(place.error("an empty variation, expected a move"));
                    }
                    self.cursor.next();
                    return Ok(line);
                }
                Some('0'..='9' | '*') => {
                    line.result = self.cursor.number_or_result()?.map(|result| (place, result));
                    if line.result.is_some() && is_variation {
                        return Err(place.error("a result within a variation, expected ')'"));
                    }
                    if line.result.is_some() {
                        return Ok(line);
                    }
                }
                Some(letter) if letter.is_ascii_alphabetic() => {
                    before = line.end;
                    let mv = self.play(&mut line.end, place, letter)?;
                    let comment = if is_variation { line.comment.take() } else { None };
                    line.moves.push(Ply { comment, ..mv.into() });
                }
                Some(other) => {
                    let close = if is_variation { " or ')'" } else { "" };
                    let what = format!("{}, expected {MOVETEXT}{close}", found(other));
                    return Err(place.error(what));
                }
            }
        }
    }

    /// Plays the move with this letter.
    fn play(
        &mut self,
        board: &mut Board,
        place: Cursor<'a>,
        letter: char,
    ) -> Result<Move, GameTextError> {
        let not_a_move = |_| format!("'{letter}' is not a move");
        let played = letter.to_string().parse::<Move>().map_err(not_a_move);
        let played =
            played.and_then(|mv| board.play(mv).map(|_| mv).map_err(|error| error.to_string()));
        let mv = played.map_err(|error| place.error(expected_moves(board, &error)))?;
        self.plies += 1;
        if self.plies > MAX_PLIES {
            return Err(place.error(format!("more than {MAX_PLIES} moves in one game")));
        }
        self.cursor.next();
        Ok(mv)
    }
}

/// Why a move is illegal, and which are not.
fn expected_moves(board: &Board, error: &str) -> String {
    let moves: Vec<String> = board.moves().map(|mv| mv.to_string()).collect();
    if moves.is_empty() {
        return format!("{error}, expected a result (1-0, 0-1, 1/2-1/2 or *)");
    }
    let side = board.side().name();
    format!("{error}, expected a move of {side}: {}", moves.join(" "))
}
