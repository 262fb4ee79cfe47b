//! The file to which reviews are appended as soon as they are finished: lines of JSON.

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
    reviews: Vec<Review>,
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
        let mut reviews = Vec::new();
        let (file, is_torn) = LinesFile::open(path, |line: RecordedReview, _| {
            reviews.extend(Some(line.review).filter(|_| line.limit == limit));
            Ok(())
        })?;
        if is_torn {
            say!("'{}' ends with an incomplete review, which is made again", path.display());
        }
        Ok(ReviewRecord { file, limit, reviews })
    }

    /// The review of a game, if the record has it.
    pub(super) fn review_of(&self, game: &AnnotatedGame) -> Option<&Review> {
        self.reviews.iter().find(|review| review.is_of(game))
    }

    /// Appends a review and waits until it is on the disk.
    pub(super) fn append(&mut self, review: &Review) -> Result<(), RecordError> {
        let line = RecordedReview { limit: self.limit.clone(), review: review.clone() };
        self.file.append(&[line])
    }
}
