//! `kalah merge`.

use std::fs;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use kalah::arena::lock_record;

use super::super::new_file::NewFile;

/// Join the records of a tournament's parts into one
///
/// The games are then in the order of their numbers, as if one machine had played them all. A game
/// that is in several records is taken once. The records have to be of the same tournament.
///
///   kalah merge part-*.jsonl --output all.jsonl
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct MergeCommand {
    /// Records, as `kalah match --record` keeps them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Where the games go; this may be one of the records
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Overwrite the output if it is there and is none of the records
    #[arg(long)]
    force: bool,
}

/// Ranges of missing games that are told, and no more.
const MOST_RANGES: usize = 10;

impl MergeCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let output = NewFile::create(&self.output)?;
        let is_there = output.path().exists();
        let same = |file| fs::canonicalize(file).is_ok_and(|path| path == output.path());
        if is_there && !self.force && !self.files.iter().any(same) {
            bail!("'{}' is there already: --force overwrites it", self.output.display());
        }
        // A tournament would go on with a file that nobody finds any more.
        let _lock = is_there.then(|| lock_record(output.path())).transpose()?;
        let merge = kalah::arena::MergedRecords::read(&self.files)?;
        for path in merge.torn() {
            say!("{}", super::torn(path));
        }
        output.write(|file| Ok(merge.write(file)?))?;
        say!("{} games from {} files", merge.games(), self.files.len());
        let missing = merge.missing();
        if !missing.is_empty() {
            say!("{}", missing_text(&missing));
        }
        Ok(())
    }
}

/// Which games are missing, in one line.
fn missing_text(missing: &[RangeInclusive<u64>]) -> String {
    let total: u64 = missing.iter().map(|range| range.end() - range.start() + 1).sum();
    let mut ranges: Vec<String> = missing
        .iter()
        .take(MOST_RANGES)
        .map(|range| match (range.start(), range.end()) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        })
        .collect();
    if missing.len() > MOST_RANGES {
        ranges.push("…".to_owned());
    }
    format!("{total} games up to the last are missing: {}", ranges.join(", "))
}
