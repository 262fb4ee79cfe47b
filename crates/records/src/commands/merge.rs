//! `kalah merge`.

use kalah::printable::counted;
use std::fs;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use super::merged_records::MergedRecords;
use crate::lock_record;
use anyhow::bail;
use clap::Args;
use serde::Serialize;

use kalah_command::new_file::{GAME_RECORD, NewFile};
use kalah_command::output::OutputOption;
use kalah_command::say;

/// Merge the records of a tournament's shards into one
///
/// The games are sorted by number, as if one machine had played them all. A game that is in several
/// records is taken once. All records must be of the same tournament.
///
///   kalah merge part-*.jsonl --output all.jsonl
///   kalah merge --force --output all.jsonl part-1.jsonl part-2.jsonl
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct MergeCommand {
    /// Records written by `kalah match --record`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The merged record; it may replace one of the records
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Overwrite an existing output that is not one of the records
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    output_option: OutputOption,
}

/// What was merged.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct MergedJson {
    /// The path of the merged record.
    output: String,
    /// The number of records that were merged.
    files: usize,
    /// The number of games.
    games: usize,
    /// The first and the last number of each range of missing games before the last game.
    missing: Vec<[u64; 2]>,
}

/// The maximum number of ranges of missing games that are listed.
const MAX_RANGES: usize = 10;

impl MergeCommand {
    pub fn run(self) -> anyhow::Result<()> {
        let output = NewFile::create_or_replace(&self.output, GAME_RECORD)?;
        let exists = output.path().exists();
        let same = |file| fs::canonicalize(file).is_ok_and(|path| path == output.path());
        if exists && !self.force && !self.files.iter().any(same) {
            bail!("'{}' already exists: --force overwrites it", self.output.display());
        }
        // A tournament that writes to the output would continue with the replaced, nameless file.
        let _lock = exists.then(|| lock_record(output.path())).transpose()?;
        let merged = MergedRecords::read(&self.files)?;
        for path in merged.torn() {
            say!("{}", super::torn_warning(path));
        }
        output.write(|file| merged.write(file))?;
        let missing = merged.missing();
        if self.output_option.is_json() {
            let json = MergedJson {
                output: self.output.display().to_string(),
                files: self.files.len(),
                games: merged.games(),
                missing: missing.iter().map(|range| [*range.start(), *range.end()]).collect(),
            };
            return self.output_option.print("kalah-merge", &json);
        }
        say!("{} from {}", counted(merged.games(), "game"), counted(self.files.len(), "file"));
        if !missing.is_empty() {
            say!("{}", missing_text(&missing));
        }
        Ok(())
    }
}

/// The number of missing games, and their ranges.
fn missing_text(missing: &[RangeInclusive<u64>]) -> String {
    let total: u64 = missing.iter().map(|range| range.end() - range.start() + 1).sum();
    let mut ranges: Vec<String> = missing
        .iter()
        .take(MAX_RANGES)
        .map(|range| match (range.start(), range.end()) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        })
        .collect();
    if missing.len() > MAX_RANGES {
        ranges.push("…".to_owned());
    }
    format!("missing before the last game: {} ({})", counted(total, "game"), ranges.join(", "))
}
