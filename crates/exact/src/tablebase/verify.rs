//! `kalah tablebase verify`.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use kalah::board::{RuleSet, Rules};
use kalah::printable::counted;
use kalah::tablebase::{Coverage, TablebaseError, verify};
use serde::Serialize;

use super::{fault, progress_bar, report_bad_files, show_progress, survey_tables, with_usage};
use kalah_command::exit::{interrupted, stop_on_ctrl_c};
use kalah_command::options::{number, thread_count};
use kalah_command::output::{OutputOption, RuleMembers};
use kalah_command::table::grouped_count;

/// Verify the tables of a directory
///
/// Verifies the checksums of all files of all rules. Then verifies gains against the gains of the
/// positions after the moves: samples, or all of them with --all, which proves the tables correct.
/// Prints each bad file, and each one that is missing below another; the exit status is 1 if there is
/// one.
///
///   kalah tablebase verify tables
///   kalah tablebase verify tables --all
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct VerifyCommand {
    /// Directory of the files
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Gains of each file to verify
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = number::<u64>(..))]
    samples: u64,

    /// Verify all gains
    #[arg(long, conflicts_with_all = ["samples", "seed"])]
    all: bool,

    /// Random seed of the samples [default: a new one each time]
    #[arg(long, value_name = "SEED", value_parser = number::<u64>(..))]
    seed: Option<u64>,

    /// Threads [default: all processors]
    #[arg(long, value_name = "N", value_parser = number::<NonZeroUsize>(1..))]
    threads: Option<NonZeroUsize>,

    #[command(flatten)]
    output: OutputOption,
}

/// The verification of the files of a directory.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct VerifiedTablesJson {
    /// Gains of each file that were verified; null with --all.
    samples: Option<u64>,
    /// The random seed of the samples; null with --all.
    seed: Option<u64>,
    /// The result for each board and set of rules.
    rules: Vec<VerifiedRulesJson>,
    /// What is wrong, for each bad file that belongs to no rules.
    faults: Vec<String>,
}

/// The tables of one board and set of rules.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct VerifiedRulesJson {
    /// Houses a side.
    houses: usize,
    #[serde(flatten)]
    rules: RuleMembers,
    /// The seeds in the houses of the layers whose checksums were verified.
    layers: Vec<u32>,
    /// Gains verified.
    gains: u64,
    /// Layers above a bad or missing one, whose gains were not verified.
    unverified: Vec<u32>,
    /// What is wrong, for each bad or missing file.
    faults: Vec<String>,
    /// The time that it took, in seconds.
    seconds: f64,
}

impl VerifyCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let files = survey_tables("verify", &self.directory)?;
        let mut all_rules: Vec<Rules> =
            files.iter().filter_map(|file| file.layer.map(|(rules, _)| rules)).collect();
        all_rules.dedup();
        // Small enough to be typed.
        let seed = || self.seed.unwrap_or_else(|| fastrand::u64(..1_000_000_000));
        let sample = (!self.all).then(|| (self.samples, seed()));
        let coverage =
            sample.map_or(Coverage::All, |(per_layer, seed)| Coverage::Samples { per_layer, seed });
        let stop = stop_on_ctrl_c()?;
        let threads = thread_count(self.threads);
        let mut out = self.output.text();
        if let Some((_, seed)) = sample {
            writeln!(out, "seed {seed}")?;
        }
        let mut errors: Vec<TablebaseError> = files
            .into_iter()
            .filter(|file| file.layer.is_none())
            .filter_map(|file| file.contents.err())
            .collect();
        let mut json = VerifiedTablesJson {
            samples: sample.map(|(samples, _)| samples),
            seed: sample.map(|(_, seed)| seed),
            rules: Vec::new(),
            faults: errors.iter().map(fault).collect(),
        };
        for rules in all_rules {
            let bar = progress_bar(0);
            let start = Instant::now();
            let report = verify(&self.directory, rules, coverage, threads, &stop, &|progress| {
                bar.set_length(progress.total);
                show_progress(&bar, progress.done, progress.layer);
            });
            bar.finish_and_clear();
            match report {
                Ok(report) => {
                    let verified = VerifiedRulesJson {
                        houses: rules.houses(),
                        rules: rules.into(),
                        faults: report.errors.iter().map(fault).collect(),
                        layers: report.layers,
                        gains: report.gains,
                        unverified: report.unverified,
                        seconds: start.elapsed().as_secs_f64(),
                    };
                    writeln!(out, "{}", verified.text(rules.rule_set()))?;
                    json.rules.push(verified);
                    errors.extend(report.errors);
                }
                Err(TablebaseError::Stopped) => return Err(interrupted("")),
                Err(error) => return Err(with_usage("verify", error)),
            }
        }
        self.output.print("kalah-tablebase-verify", &json)?;
        report_bad_files(&self.directory, errors)
    }
}

impl VerifiedRulesJson {
    fn text(&self, rule_set: RuleSet) -> String {
        let VerifiedRulesJson { houses, layers, unverified, seconds, .. } = self;
        let mut text = format!(
            "{}, {rule_set}: {}, {} verified in {seconds:.1} s, {}",
            counted(*houses, "house"),
            counted(layers.len(), "file"),
            grouped_count(self.gains, "gain"),
            if self.faults.is_empty() { "no errors" } else { "errors found" },
        );
        if !unverified.is_empty() {
            let layers: Vec<String> = unverified.iter().map(u32::to_string).collect();
            text += "\nonly checksums were verified of the layers above a bad or missing one: ";
            text += &layers.join(", ");
        }
        text
    }
}
