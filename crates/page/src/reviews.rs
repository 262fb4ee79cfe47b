//! Reviews of games, and why one line of play is worse than another.

use std::num::NonZeroUsize;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::answers::reply;
use super::text;
use kalah::StopToken;
use kalah::board::{Board, Move};
use kalah::printable::with_causes;
use kalah::solve::SolverResources;
use kalah_games::{AnnotatedGame, MAX_PLIES};
use kalah_review::{Explanation, Review, ReviewLimit, Reviewer};

/// How a page limits a review; without any, what can be proven soon is proven.
#[derive(Deserialize)]
struct Limit {
    #[serde(default)]
    exact: bool,
    movetime: Option<u64>,
    depth: Option<u32>,
}

/// A request for a review of a game.
#[derive(Deserialize)]
pub struct ReviewRequest {
    game: AnnotatedGame,
    limit: Limit,
}

impl ReviewRequest {
    /// Reviews the game with tables of at most so many MiB. `tell` gets the events for the page; the result is the
    /// reply to the request `id`.
    pub fn reply(
        self,
        id: &Value,
        mebibytes: usize,
        stop: &StopToken,
        tell: impl Fn(Value),
    ) -> Value {
        let progress = |done: usize, of: usize| {
            tell(json!({"event": "review", "id": id, "done": done, "of": of}));
        };
        let limit = match self.limit {
            Limit { exact: true, .. } => ReviewLimit::Exact,
            Limit { movetime: Some(time), .. } => {
                ReviewLimit::MoveTime(Duration::from_millis(time.max(1)))
            }
            Limit { depth: Some(depth), .. } => ReviewLimit::Depth(depth.clamp(1, 255)),
            _ => ReviewLimit::Auto,
        };
        let resources = SolverResources { threads: NonZeroUsize::MIN, mebibytes };
        let mut reviewer = Reviewer::new(limit, resources);
        let review = reviewer.review(&self.game, stop, progress);
        reply(id, review.map(|review| with_german(&review)).map_err(|error| with_causes(&error)))
    }
}

/// Why the second of two lines of play from a board is worse by `loss` seeds, as JSON; lines are the letters of
/// moves.
pub(super) fn explain(board: &Board, best: &str, played: &str, loss: i32) -> Result<Value, String> {
    let moves = |letters: &str| -> Result<Vec<Move>, String> {
        let played = board.replay(letters.chars().take(MAX_PLIES));
        played.map(|played| Ok(played.map_err(text)?.0)).collect()
    };
    let why = Explanation::new(board, &moves(best)?, &moves(played)?, loss);
    Ok(json!({"why": why.map(|why| {
        let mut json = json!(why);
        json["de"] = json!(why.german);
        json
    })}))
}

/// A review as JSON, whose explanations are in the languages of the page.
fn with_german(review: &Review) -> Value {
    let mut json = json!(review);
    for (i, mv) in review.moves.iter().enumerate() {
        if let Some(why) = &mv.why {
            json["moves"][i]["why"]["de"] = json!(why.german);
        }
    }
    json
}

#[cfg(test)]
mod tests {
    use kalah::board::Capture;

    use super::*;

    #[test]
    fn two_lines_are_compared_and_bad_ones_refused() -> Result<(), Box<dyn std::error::Error>> {
        let board = Board::from_fen("<4,10,9,2,1,2,0,5,1,4,3> S", Capture::Standard)?;
        let told = explain(&board, "C", "A", 8)?;
        assert!(told["why"]["text"].is_string() && told["why"]["de"].is_string(), "{told}");
        assert_eq!(explain(&board, "", "A", 8)?, json!({"why": null}));
        for bad in ["D", "CC", "?", "\u{e9}"] {
            assert!(explain(&board, "C", bad, 8).is_err(), "{bad}");
        }
        Ok(())
    }
}
