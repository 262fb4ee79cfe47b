//! The file to which reviews are appended as soon as they are finished: lines of JSON.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::{Review, ReviewLimit};
use anyhow::{Context, anyhow, bail};
use kalah::file_lock::FileLock;
use kalah::printable::printable_json;
use kalah::regular_file;
use kalah_arena::not_json_of;
use kalah_command::say;
use kalah_games::AnnotatedGame;
use serde::{Deserialize, Serialize};

/// Most bytes of a line.
const MAX_LINE: u64 = 1 << 26;

/// The start of every line. A partial last line that starts otherwise is not a torn review.
const BEGINNING: &str = r#"{"limit":"#;

/// A line of the file: a review and the limit that it was made with.
#[derive(Serialize, Deserialize)]
struct Line {
    limit: String,
    #[serde(flatten)]
    review: Review,
}

/// The reviews of earlier runs, and the file that further ones are appended to.
pub(super) struct ReviewRecord {
    path: PathBuf,
    file: FileLock,
    limit: String,
    reviews: Vec<Review>,
}

impl ReviewRecord {
    /// Opens or creates a record, and cuts off a last line that is incomplete.
    pub(super) fn open(path: &Path, limit: ReviewLimit) -> anyhow::Result<ReviewRecord> {
        let limit = match limit {
            ReviewLimit::Auto => "auto".to_owned(),
            ReviewLimit::Exact => "exact".to_owned(),
            ReviewLimit::MoveTime(time) => format!("movetime {}", time.as_millis()),
            ReviewLimit::Depth(depth) => format!("depth {depth}"),
        };
        let cannot = |action: &str| format!("cannot {action} '{}'", path.display());
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = regular_file::open_with(path, &mut options).with_context(|| cannot("open"))?;
        let Some(file) = FileLock::new(file) else {
            bail!("'{}' is being written to by another review", path.display());
        };
        let mut reviews = Vec::new();
        let mut reader = BufReader::new(&*file);
        let mut end = 0;
        for number in 1.. {
            let mut text = Vec::new();
            let bytes = (&mut reader).take(MAX_LINE).read_until(b'\n', &mut text);
            let bytes = bytes.with_context(|| cannot("read"))?;
            if bytes == 0 {
                break;
            }
            if !text.ends_with(b"\n") && is_torn(&text) {
                say!("'{}' ends with an incomplete review, which is made again", path.display());
                file.set_len(end).with_context(|| cannot("write"))?;
                break;
            }
            let line: Line = serde_json::from_slice(&text).map_err(|error| {
                let reason = not_json_of("a review", &error);
                anyhow!("'{}', line {number}: {reason}", path.display())
            })?;
            if line.limit == limit {
                reviews.push(line.review);
            }
            end += bytes as u64;
        }
        Ok(ReviewRecord { path: path.to_owned(), file, limit, reviews })
    }

    /// The review of a game, if the record has it.
    pub(super) fn review_of(&self, game: &AnnotatedGame) -> Option<&Review> {
        self.reviews.iter().find(|review| review.is_of(game))
    }

    /// Appends a review and waits until it is on the disk.
    pub(super) fn append(&mut self, review: &Review) -> anyhow::Result<()> {
        let cannot = || format!("cannot write '{}'", self.path.display());
        let line = Line { limit: self.limit.clone(), review: review.clone() };
        let text = printable_json(&serde_json::to_string(&line)?).into_owned() + "\n";
        let mut file: &File = &self.file;
        let end = file.seek(SeekFrom::End(0)).with_context(cannot)?;
        let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
        if written.is_err() {
            // Removes the part that was written.
            let _ = file.set_len(end);
        }
        written.with_context(cannot)
    }
}

/// Whether a line without a line break can be the rest of a review.
fn is_torn(line: &[u8]) -> bool {
    let length = line.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let common = length.min(BEGINNING.len());
    line[..common] == BEGINNING.as_bytes()[..common]
}
