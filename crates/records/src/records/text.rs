//! Recorded games as games with tags and comments.

use std::fmt::Write as _;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{GameRecord, MoveRecord, ReplayError, bound_mark};
use kalah::board::{House, RuleSet};
use kalah_games::{AnnotatedGame, GameTextError, Ply, RecordTextError, each_game};

impl GameRecord {
    /// The game with its tags. Each move has a comment with score, depth and time. An illegal last move,
    /// by which the game was lost, is left out.
    ///
    /// # Errors
    /// If the opening or a move is invalid.
    pub fn to_game(&self) -> Result<AnnotatedGame, ReplayError> {
        let boards = self.boards()?;
        let mut game = AnnotatedGame::new(boards[0]);
        for (name, value) in self.tags() {
            game.set_tag(name, value);
        }
        let moves = self.moves.iter().zip(&boards).take(boards.len() - 1);
        game.moves = moves
            .filter_map(|(ply, board)| {
                let mv = board.move_from(House::from_letter(ply.letter)?);
                Some(Ply { mv, comment: Some(comment(ply)), variations: Vec::new() })
            })
            .collect();
        game.result = self.result.into();
        Ok(game)
    }

    fn tags(&self) -> Vec<(&'static str, String)> {
        let conditions = &self.conditions;
        let mut tags = vec![
            ("South", self.south.player.name.clone()),
            ("North", self.north.player.name.clone()),
            ("Event", format!("{}, seed {}", conditions.format, conditions.seed)),
        ];
        let begun = self.time.as_ref().and_then(|time| time.begun.parse().ok());
        tags.extend(begun.into_iter().flat_map(date_tags));
        tags.extend([("Game", self.game.to_string()), ("Round", self.round.to_string())]);
        tags.extend(self.margin.map(|margin| ("Margin", format!("{margin:+}"))));
        tags.push(("Reason", self.reason.to_string()));
        tags.extend(self.detail.clone().map(|detail| ("Detail", detail)));
        tags.extend([
            ("SouthEngine", self.south.id.clone()),
            ("NorthEngine", self.north.id.clone()),
            ("SouthSettings", self.south.player.to_string()),
            ("NorthSettings", self.north.player.to_string()),
        ]);
        tags
    }
}

/// The tags for the time when a game began: as the clock on the wall showed it, and in UTC.
pub fn date_tags(begun: Timestamp) -> [(&'static str, String); 4] {
    let local = begun.to_zoned(TimeZone::system());
    [
        ("Date", local.strftime("%Y.%m.%d").to_string()),
        ("Time", local.strftime("%H:%M:%S").to_string()),
        ("UTCDate", begun.strftime("%Y.%m.%d").to_string()),
        ("UTCTime", begun.strftime("%H:%M:%S").to_string()),
    ]
}

/// Score, depth and time of a move, as in `+1.50/12 0.250s`.
fn comment(ply: &MoveRecord) -> String {
    let mut text = String::new();
    if let Some(score) = ply.score {
        let proven = if ply.proven && ply.bound.is_none() { "=" } else { "" };
        let bound = bound_mark(ply.bound);
        let _ = write!(text, "{bound}{proven}{:+.2}", f64::from(score) / 100.0);
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

/// All games of a text by [`each_game`], records of matches among them.
///
/// ```
/// use kalah_records::games_from_text;
/// use kalah::board::Capture;
///
/// for text in ["CFb", "1. CF b *", "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S"] {
///     assert_eq!(games_from_text(text, Capture::Standard)?.len(), 1);
/// }
/// # Ok::<(), kalah_games::GameTextError>(())
/// ```
///
/// # Errors
/// Returns the place of what cannot be read, and what was expected there.
pub fn games_from_text(
    text: &str,
    rule_set: impl Into<RuleSet>,
) -> Result<Vec<AnnotatedGame>, GameTextError> {
    each_game(text, rule_set.into(), Some(game_of_record)).into_iter().collect()
}

/// The game of a record as JSON.
///
/// # Errors
/// If it is no record, or a move or the result is not by the rules.
pub fn game_of_record(json: &str) -> Result<AnnotatedGame, RecordTextError> {
    let record: GameRecord = serde_json::from_str(json).map_err(RecordTextError::Json)?;
    record.check_result().map_err(RecordTextError::Contradiction)?;
    record.to_game().map_err(|error| RecordTextError::Contradiction(error.to_string()))
}
