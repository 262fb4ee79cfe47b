//! A game, its moves and its result.

use strum::{Display, EnumString};
use thiserror::Error;

use kalah::board::{Board, IllegalMove, Move, Side};

/// Variations within variations, at most.
pub const MAX_VARIATION_DEPTH: usize = 32;

/// Moves of a game with all its variations, at most.
pub const MAX_PLIES: usize = 1 << 17;

/// Bytes of a text with games, at most.
pub const MAX_GAMES_TEXT: usize = 1 << 26;

/// Tags that say what the other members of an [`AnnotatedGame`] hold.
pub(super) const OWN_TAGS: [&str; 5] = ["Board", "Capture", "Sowing", "Start", "Result"];

/// A game: who played, where it began, its moves with comments and variations, and its result.
///
/// ```
/// use kalah_games::AnnotatedGame;
///
/// let text = "[South \"Ann\"] 1. CF a {a quiet move} (1... e) 2. A *";
/// let game = &AnnotatedGame::parse(text)?[0];
/// assert_eq!(game.tag("South"), Some("Ann"));
/// assert_eq!(game.moves.len(), 4);
/// assert_eq!(AnnotatedGame::parse(&game.to_string())?, [game.clone()]);
/// # Ok::<(), kalah_games::GameTextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotatedGame {
    /// Names and values, without those that the other members determine: `Board`, `Capture`,
    /// `Sowing`, `Start` and `Result`. Names are unique and made of letters, digits and `_`; others are not written.
    pub tags: Vec<(String, String)>,
    /// The board before the first move.
    pub start: Board,
    /// A comment before the first move.
    pub comment: Option<String>,
    /// The moves that were played.
    pub moves: Vec<Ply>,
    /// The result.
    pub result: GameOutcome,
}

/// A move with what was written about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// A comment on it.
    pub comment: Option<String>,
    /// Lines that begin in place of this move.
    pub variations: Vec<Vec<Ply>>,
}

impl From<Move> for Ply {
    fn from(mv: Move) -> Ply {
        Ply { mv, comment: None, variations: Vec::new() }
    }
}

/// The result of a game as it is written down, as in PGN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString)]
#[strum(parse_err_ty = UnknownOutcome, parse_err_fn = unknown_outcome)]
pub enum GameOutcome {
    /// South won.
    #[strum(serialize = "1-0")]
    South,
    /// North won.
    #[strum(serialize = "0-1")]
    North,
    /// A draw.
    #[strum(serialize = "1/2-1/2")]
    Draw,
    /// Not finished, or not known.
    #[default]
    #[strum(serialize = "*")]
    Unknown,
}

/// A text that is not the result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a result, expected 1-0, 0-1, 1/2-1/2 or *")]
pub struct UnknownOutcome;

fn unknown_outcome(_: &str) -> UnknownOutcome {
    UnknownOutcome
}

impl GameOutcome {
    /// The result of a finished board; unknown if it is not finished.
    pub fn from_board(board: &Board) -> GameOutcome {
        board.result().map_or(GameOutcome::Unknown, GameOutcome::from_margin)
    }

    /// The result of a final margin for South.
    pub fn from_margin(margin: i32) -> GameOutcome {
        match margin.signum() {
            1 => GameOutcome::South,
            -1 => GameOutcome::North,
            _ => GameOutcome::Draw,
        }
    }
}

/// The result of a game whose moves lead to `end`: that of the board if the game is over there, else the one
/// claimed, since a player may have resigned or lost by a fault, or the rest was adjudicated.
///
/// # Errors
/// Says how the board contradicts the result that is claimed, or the margin for South.
pub fn result_of_moves(
    end: &Board,
    claimed: GameOutcome,
    margin: Option<i32>,
) -> Result<GameOutcome, String> {
    let Some(played) = end.result() else {
        let possible = end.possible_margins(Side::South);
        return match margin {
            Some(margin) if !possible.contains(&margin) => Err(format!(
                "the margin is {margin:+}, but after the moves it is from {:+} to {:+}",
                possible.start(),
                possible.end()
            )),
            Some(margin)
                if claimed != GameOutcome::Unknown
                    && claimed != GameOutcome::from_margin(margin) =>
            {
                Err(format!("the result is {claimed}, but the margin {margin:+}"))
            }
            _ => Ok(claimed),
        };
    };
    let result = GameOutcome::from_margin(played);
    if claimed != GameOutcome::Unknown && claimed != result {
        return Err(format!(
            "the result is {claimed}, but the moves end with {result}, {played:+}"
        ));
    }
    match margin {
        Some(margin) if margin != played => {
            Err(format!("the margin is {margin:+}, but the moves end with {played:+}"))
        }
        _ => Ok(result),
    }
}

impl AnnotatedGame {
    /// A game without moves.
    pub fn new(start: Board) -> AnnotatedGame {
        let result = GameOutcome::from_board(&start);
        AnnotatedGame { tags: Vec::new(), start, comment: None, moves: Vec::new(), result }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|(own, _)| own == name);
        tag.map(|(_, value)| value.as_str())
    }

    /// Whether there can be a tag of this name that the other members do not determine.
    pub fn can_set_tag(name: &str) -> bool {
        is_tag_name(name) && !OWN_TAGS.contains(&name)
    }

    /// Sets a tag, or adds it as the last.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(own, _)| own == name) {
            Some(tag) => tag.1 = value.into(),
            None => self.tags.push((name.to_owned(), value.into())),
        }
    }

    /// Appends a move that was played, and changes the result if it ends the game.
    ///
    /// # Errors
    /// Returns an error if the move is illegal.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let mut board = self.end();
        board.play(mv)?;
        self.moves.push(mv.into());
        if board.is_over() {
            self.result = GameOutcome::from_board(&board);
        }
        Ok(())
    }

    /// The start, and the board after each move up to the first illegal one; a game that was read has none.
    pub fn boards(&self) -> impl Iterator<Item = Board> {
        let mut board = self.start;
        let after = self.moves.iter().map_while(move |ply| {
            board.play(ply.mv).ok()?;
            Some(board)
        });
        std::iter::once(self.start).chain(after)
    }

    /// The result by [`result_of_moves`], with the tag `Margin`.
    ///
    /// # Errors
    /// Says how the moves contradict the result or the margin.
    pub fn checked_result(&self) -> Result<GameOutcome, String> {
        let margin = self.tag("Margin").and_then(|margin| margin.parse().ok());
        result_of_moves(&self.end(), self.result, margin)
    }

    /// The result to write: that of the moves, if they end the game.
    pub(super) fn result_to_write(&self) -> GameOutcome {
        match GameOutcome::from_board(&self.end()) {
            GameOutcome::Unknown => self.result,
            result => result,
        }
    }

    /// The board after the last move.
    pub fn end(&self) -> Board {
        self.boards().last().unwrap_or(self.start)
    }
}

/// Whether a tag can have this name: a letter, then letters, digits and `_`.
pub(super) fn is_tag_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Seeds in each house if the seeds on the board are those of such a start.
pub(super) fn seeds_per_house(board: &Board) -> Option<u16> {
    let seeds = board.seeds();
    let houses = 2 * board.rules().houses() as u32;
    seeds.is_multiple_of(houses).then_some((seeds / houses) as u16)
}

/// One comment in place of two.
pub(super) fn join(comment: &mut Option<String>, more: String) {
    if more.is_empty() {
        return;
    }
    match comment {
        None => *comment = Some(more),
        Some(comment) => {
            comment.push(' ');
            comment.push_str(&more);
        }
    }
}
