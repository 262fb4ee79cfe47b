//! `kalah tablebase verify`.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use kalah::board::Rules;
use kalah::tablebase::{Amount, TablebaseError, Verified, survey, verify};

use super::super::interrupt::{Interrupted, stop_on_ctrl_c};
use super::super::table::grouped;
use super::super::usage::processors;
use super::progress::{progress_bar, shown};
use super::{explained, refuse};

/// Check the tables of a directory
///
/// Reads all files of all rules and checks their checksums. Then gains are worked out again by the
/// moves of their positions and the gains of where these lead: samples, or with --all each of them,
/// which proves the tables. The status is 1 when something is wrong, and each bad file is named.
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Verify {
    /// Where the files are
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Gains of each file that are worked out again
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    samples: u64,

    /// Work all gains out again
    #[arg(long, conflicts_with_all = ["samples", "seed"])]
    all: bool,

    /// Seed of the choice of samples; another one each time if it is not given
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// Threads; all processors if it is not given
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl Verify {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = survey(&self.directory).map_err(|error| explained("verify", error))?;
        if files.is_empty() {
            bail!("there are no tables in '{}'", self.directory.display());
        }
        let mut all_rules: Vec<Rules> =
            files.iter().filter_map(|file| file.layer.map(|(rules, _)| rules)).collect();
        all_rules.dedup();
        // A seed that people can type.
        let seed = self.seed.unwrap_or_else(|| fastrand::u64(..1_000_000_000));
        let amount =
            if self.all { Amount::All } else { Amount::Samples { of_layer: self.samples, seed } };
        let stop = stop_on_ctrl_c()?;
        let threads = processors(self.threads);
        let mut out = io::stdout();
        if !self.all {
            writeln!(out, "seed {seed}")?;
        }
        let mut faults: Vec<TablebaseError> = files
            .into_iter()
            .filter(|file| file.layer.is_none())
            .filter_map(|file| file.contents.err())
            .collect();
        for rules in all_rules {
            let bar = progress_bar(0);
            let start = Instant::now();
            let verified = verify(&self.directory, rules, amount, threads, &|progress| {
                bar.set_length(progress.total);
                shown(&bar, progress.done, progress.layer, &stop)
            });
            bar.finish_and_clear();
            match verified {
                Ok(verified) => {
                    let seconds = start.elapsed().as_secs_f64();
                    writeln!(out, "{}", verified_text(rules, &verified, seconds))?;
                    faults.extend(verified.faults);
                }
                Err(TablebaseError::Interrupted) => {
                    say!("interrupted");
                    return Err(Interrupted.into());
                }
                Err(error) => return Err(explained("verify", error)),
            }
        }
        refuse(&self.directory, faults)
    }
}

/// What was checked of the tables for some rules.
fn verified_text(rules: Rules, verified: &Verified, seconds: f64) -> String {
    let mut text = format!(
        "{} houses, {} capture: {} files, {} gains worked out in {seconds:.1} s, {}",
        rules.houses(),
        rules.capture(),
        verified.layers.len(),
        grouped(verified.gains),
        if verified.faults.is_empty() { "all right" } else { "not all right" },
    );
    if !verified.beyond.is_empty() {
        let layers: Vec<String> = verified.beyond.iter().map(u32::to_string).collect();
        text += "\nof these layers only the checksums, for want of smaller ones: ";
        text += &layers.join(", ");
    }
    text
}
