//! Text to games.

use super::cursor::{Cursor, GameTextError, found};
use super::game::{
    AnnotatedGame, GameOutcome, MAX_GAMES_TEXT, MAX_PLIES, MAX_VARIATION_DEPTH, Ply, join,
    usual_start,
};
use kalah::board::{Board, Capture, Move, Rules, Side};

/// Tags of a game, at most.
const MAX_TAGS: usize = 1000;

const MOVETEXT: &str = "a move, a comment, a variation or a result (1-0, 0-1, 1/2-1/2 or *)";

impl AnnotatedGame {
    /// Reads all games of a text. Without the tag `Capture`, the rule is `standard`.
    ///
    /// # Errors
    /// Returns the place of what is not a game, and what was expected there.
    pub fn parse(text: &str) -> Result<Vec<AnnotatedGame>, GameTextError> {
        GamesText::new(text, Capture::default()).collect()
    }
}

/// Reads games from a text, one after the other. Ends after the first error.
pub struct GamesText<'a> {
    cursor: Cursor<'a>,
    capture: Capture,
    is_done: bool,
}

impl<'a> GamesText<'a> {
    /// The games of a text. `capture` is the rule of games without the tag `Capture`.
    pub fn new(text: &'a str, capture: Capture) -> GamesText<'a> {
        // The byte order mark that some editors write.
        let text = text.trim_start_matches('\u{feff}');
        GamesText { cursor: Cursor::new(text), capture, is_done: false }
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
        let (tags, comment) = self.header()?;
        let mut reader = Movetext::new(tags.start(self.capture)?, self.cursor);
        let result = reader.read()?;
        self.cursor = reader.cursor;
        let root = reader.lines.swap_remove(0).moves;
        if root.is_empty() && result.is_none() && tags.is_empty() {
            return Err(self.cursor.error("expected tags, a move or a result"));
        }
        let end = reader.end;
        let by_tag = tags.result.as_ref().map(|(_, outcome)| *outcome);
        let result = match (result, tags.result) {
            (Some(result), Some((place, tag))) if tag != result => {
                let what = format!("the tag Result says {tag}, but the moves end with {result}");
                return Err(place.error(what));
            }
            (result, _) => result.or(by_tag).unwrap_or_else(|| GameOutcome::from_board(&end)),
        };
        let (mut comment, late) = (comment, reader.comment);
        if let Some(late) = late {
            join(&mut comment, late);
        }
        Ok(Some(AnnotatedGame {
            tags: tags.others,
            start: reader.start,
            comment,
            moves: root,
            result,
        }))
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
        self.is_done = !matches!(game, Some(Ok(_)));
        game
    }
}

/// The tags of a game, with the places of those that may contradict something.
#[derive(Default)]
struct Tags<'a> {
    board: Option<(Cursor<'a>, usize, u16)>,
    capture: Option<Capture>,
    start: Option<(Cursor<'a>, String)>,
    result: Option<(Cursor<'a>, GameOutcome)>,
    others: Vec<(String, String)>,
}

impl<'a> Tags<'a> {
    fn is_empty(&self) -> bool {
        self.others.is_empty()
            && self.board.is_none()
            && self.capture.is_none()
            && self.start.is_none()
            && self.result.is_none()
    }

    fn add(&mut self, place: Cursor<'a>, name: &str, value: String) -> Result<(), GameTextError> {
        let is_repeated = match name {
            "Board" => {
                let Some((houses, seeds)) = houses_and_seeds(&value) else {
                    let what = "expected houses and seeds, such as [Board \"6x4\"]";
                    return Err(place.error(what));
                };
                self.board.replace((place, houses, seeds)).is_some()
            }
            "Capture" => {
                let capture =
                    value.parse::<Capture>().map_err(|error| place.error(error.to_string()))?;
                self.capture.replace(capture).is_some()
            }
            "Start" => self.start.replace((place, value)).is_some(),
            "Result" => {
                let result =
                    value.parse::<GameOutcome>().map_err(|error| place.error(error.to_string()))?;
                self.result.replace((place, result)).is_some()
            }
            name => {
                let is_repeated = self.others.iter().any(|(other, _)| other == name);
                self.others.push((name.to_owned(), value));
                is_repeated
            }
        };
        if is_repeated {
            return Err(place.error(format!("the tag {name} is given twice")));
        }
        if self.others.len() > MAX_TAGS {
            return Err(place.error(format!("more than {MAX_TAGS} tags")));
        }
        Ok(())
    }

    /// The board before the first move.
    fn start(&self, capture: Capture) -> Result<Board, GameTextError> {
        let capture = self.capture.unwrap_or(capture);
        if let Some((place, fen)) = &self.start {
            let board =
                Board::from_fen(fen, capture).map_err(|error| place.error(error.to_string()))?;
            let houses = board.rules().houses();
            return match self.board {
                Some((_, expected, _)) if expected != houses => {
                    let what = "houses on one side, but the tag Board says";
                    Err(place.error(format!("{houses} {what} {expected}")))
                }
                _ => Ok(board),
            };
        }
        let Some((place, houses, seeds)) = &self.board else {
            let rules = Rules::new(6, capture);
            let board = rules.ok().and_then(|rules| usual_start(rules, 4));
            return board.ok_or_else(|| Cursor::new("").error("no board"));
        };
        let rules = Rules::new(*houses, capture).map_err(|error| place.error(error.to_string()))?;
        Board::start(rules, *seeds).map_err(|error| place.error(error.to_string()))
    }
}

/// The numbers of `6x4`.
fn houses_and_seeds(text: &str) -> Option<(usize, u16)> {
    let (houses, seeds) = text.split_once('x')?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(houses) && is_number(seeds))
        .then(|| Some((houses.parse().ok()?, seeds.parse().ok()?)))?
}

/// A line that is being read: the game, or a variation.
struct Line {
    moves: Vec<Ply>,
    /// The board before the last move.
    before: Board,
    /// A comment before the first move of a variation.
    comment: Option<String>,
    /// The board after the last move.
    board: Board,
}

impl Line {
    fn new(board: Board) -> Line {
        Line { moves: Vec::new(), before: board, comment: None, board }
    }
}

/// Reads the moves of a game.
struct Movetext<'a> {
    cursor: Cursor<'a>,
    start: Board,
    /// The game, and the variations that are open.
    lines: Vec<Line>,
    /// A comment before the first move.
    comment: Option<String>,
    plies: usize,
    /// The board after the last move of the game.
    end: Board,
}

impl<'a> Movetext<'a> {
    fn new(start: Board, cursor: Cursor<'a>) -> Movetext<'a> {
        let lines = vec![Line::new(start)];
        Movetext { cursor, start, lines, comment: None, plies: 0, end: start }
    }

    /// Reads to the result, or to the end of the text.
    fn read(&mut self) -> Result<Option<GameOutcome>, GameTextError> {
        loop {
            self.cursor.skip_spaces();
            let place = self.cursor;
            let is_variation = self.lines.len() > 1;
            match self.cursor.peek() {
                None if is_variation => {
                    return Err(place.error("the text ends within a variation, expected ')'"));
                }
                None => return Ok(None),
                Some('{' | ';') => {
                    let comment = self.cursor.comment()?;
                    self.add_comment(comment);
                }
                Some('(') => self.open(place)?,
                Some(')') if is_variation => self.close(place)?,
                Some('0'..='9' | '*') => {
                    if let Some(result) = self.cursor.number_or_result()? {
                        if is_variation {
                            return Err(place.error("a result within a variation, expected ')'"));
                        }
                        return Ok(Some(result));
                    }
                }
                Some(letter) if letter.is_ascii_alphabetic() => self.play(place, letter)?,
                Some(other) => {
                    let close = if is_variation { " or ')'" } else { "" };
                    let what = format!("{}, expected {MOVETEXT}{close}", found(other));
                    return Err(place.error(what));
                }
            }
        }
    }

    fn add_comment(&mut self, comment: String) {
        let is_root = self.lines.len() == 1;
        let Some(line) = self.lines.last_mut() else { return };
        match line.moves.last_mut() {
            Some(ply) => join(&mut ply.comment, comment),
            None if is_root => join(&mut self.comment, comment),
            None => join(&mut line.comment, comment),
        }
    }

    fn play(&mut self, place: Cursor<'a>, letter: char) -> Result<(), GameTextError> {
        let is_root = self.lines.len() == 1;
        let Some(line) = self.lines.last_mut() else { return Ok(()) };
        let mut after = line.board;
        let not_a_move = |_| format!("'{letter}' is not a move");
        let played = letter.to_string().parse::<Move>().map_err(not_a_move);
        let played = played.and_then(|mv| match after.play(mv) {
            Ok(_) => Ok(mv),
            Err(error) => Err(error.to_string()),
        });
        let mv = played.map_err(|error| place.error(expected_moves(&line.board, &error)))?;
        self.plies += 1;
        if self.plies > MAX_PLIES {
            return Err(place.error(format!("more than {MAX_PLIES} moves in one game")));
        }
        let comment = line.comment.take();
        line.moves.push(Ply { mv, comment, variations: Vec::new() });
        line.before = std::mem::replace(&mut line.board, after);
        if is_root {
            self.end = after;
        }
        self.cursor.next();
        Ok(())
    }

    fn open(&mut self, place: Cursor<'a>) -> Result<(), GameTextError> {
        let line = self.lines.last().filter(|line| !line.moves.is_empty());
        let Some(before) = line.map(|line| line.before) else {
            return Err(place.error("a variation without a move before it, which it could replace"));
        };
        if self.lines.len() > MAX_VARIATION_DEPTH {
            let what = format!("variations are nested more than {MAX_VARIATION_DEPTH} deep");
            return Err(place.error(what));
        }
        self.lines.push(Line::new(before));
        self.cursor.next();
        Ok(())
    }

    fn close(&mut self, place: Cursor<'a>) -> Result<(), GameTextError> {
        let moves = self.lines.pop().map(|line| line.moves).unwrap_or_default();
        if moves.is_empty() {
            return Err(place.error("an empty variation, expected a move"));
        }
        let parent = self.lines.last_mut().and_then(|line| line.moves.last_mut());
        if let Some(ply) = parent {
            ply.variations.push(moves);
        }
        self.cursor.next();
        Ok(())
    }
}

/// Why a move is illegal, and which are not.
fn expected_moves(board: &Board, error: &str) -> String {
    let moves: Vec<String> = board.moves().map(|mv| mv.to_string()).collect();
    if moves.is_empty() {
        return format!("{error}, expected a result (1-0, 0-1, 1/2-1/2 or *)");
    }
    let side = match board.side() {
        Side::South => "South",
        Side::North => "North",
    };
    format!("{error}, expected a move of {side}: {}", moves.join(" "))
}
