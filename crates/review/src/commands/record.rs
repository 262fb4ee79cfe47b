//! The file to which reviews are appended as soon as they are finished: lines of JSON.

use std::collections::HashMap;
use std::path::Path;

use crate::{Review, ReviewLimit};
use kalah_command::say;
use kalah_games::AnnotatedGame;
use kalah_records::{JsonLine, LinesFile, RecordError};
use serde::{Deserialize, Serialize};

/// A review and the limit that it was made with.
#[derive(Serialize, Deserialize)]
struct RecordedReview {
    limit: String,
    #[serde(flatten)]
    review: Review,
}

impl JsonLine for RecordedReview {
    const NAME: &'static str = "a review";
    const BEGINNINGS: &'static [&'static [u8]] = &[br#"{"limit":"#];
}

/// The reviews of earlier runs, and the file that further ones are appended to.
pub(super) struct ReviewRecord {
    file: LinesFile,
    limit: String,
    /// By the letters of their moves.
    reviews: HashMap<String, Vec<Review>>,
}

impl ReviewRecord {
    /// Opens or creates a record, and cuts off a last line that is incomplete.
    pub(super) fn open(path: &Path, limit: ReviewLimit) -> Result<ReviewRecord, RecordError> {
        let limit = match limit {
            ReviewLimit::Auto => "auto".to_owned(),
            ReviewLimit::Exact => "exact".to_owned(),
            ReviewLimit::MoveTime(time) => format!("movetime {}", time.as_millis()),
            ReviewLimit::Depth(depth) => format!("depth {depth}"),
        };
        let mut reviews: HashMap<String, Vec<Review>> = HashMap::new();
        let (file, is_torn) = LinesFile::open(path, |line: RecordedReview, _| {
            if line.limit == limit {
                let letters = line.review.moves.iter().map(|reviewed| &*reviewed.letter).collect();
                reviews.entry(letters).or_default().push(line.review);
            }
            Ok(())
        })?;
        if is_torn {
            say!("'{}' ends with an incomplete review, which is made again", path.display());
        }
        Ok(ReviewRecord { file, limit, reviews })
    }

    /// The review of a game, if the record has it.
    pub(super) fn review_of(&self, game: &AnnotatedGame) -> Option<&Review> {
        let letters: String = game.moves.iter().map(|ply| ply.mv.to_string()).collect();
        self.reviews.get(&letters)?.iter().find(|review| review.is_of(game))
    }

    /// Appends a review and waits until it is on the disk.
    pub(super) fn append(&mut self, review: &Review) -> Result<(), RecordError> {
        let line = RecordedReview { limit: self.limit.clone(), review: review.clone() };
        self.file.append(&[line])
    }
}
