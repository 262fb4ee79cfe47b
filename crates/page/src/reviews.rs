//! Reviews of games.

use std::num::NonZeroUsize;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::answers::{in_all_languages, reply};
use kalah::StopToken;
use kalah::printable::with_causes;
use kalah::search::MAX_DEPTH;
use kalah::solve::SolverResources;
use kalah_games::AnnotatedGame;
use kalah_review::{Review, ReviewLimit, Reviewer};

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
            Limit { depth: Some(depth), .. } => ReviewLimit::Depth(depth.clamp(1, MAX_DEPTH)),
            _ => ReviewLimit::Auto,
        };
        let resources = SolverResources { threads: NonZeroUsize::MIN, mebibytes };
        let mut reviewer = Reviewer::new(limit, resources);
        let review = reviewer.review(&self.game, stop, progress);
        reply(id, review.map(|review| as_json(&review)).map_err(|error| with_causes(&error)))
    }
}

fn as_json(review: &Review) -> Value {
    let mut json = json!(review);
    for (i, mv) in review.moves.iter().enumerate() {
        if let Some(why) = &mv.why {
            json["moves"][i]["why"] = in_all_languages(why);
        }
    }
    json
}
