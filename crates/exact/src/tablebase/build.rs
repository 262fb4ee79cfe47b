//! `kalah tablebase build`.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use kalah::board::Rules;
use kalah::tablebase::{
    BuildNeeds, MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, TablebaseError, TablebaseFiles,
};

use super::{progress_bar, show_progress, with_usage};
use kalah_command::exit::{interrupted, stop_on_ctrl_c};
use kalah_command::options::{RuleOptions, number, thread_count};
use kalah_command::table::{grouped, grouped_count};

/// Build the files of a tablebase
///
/// Prints first how much memory and disk space the build needs, and refuses a build that does not
/// fit. There is one file for each number of seeds. Existing files are checked and never changed: a
/// build that was interrupted continues where it stopped, and a build with more seeds adds to the
/// files. Ctrl-C stops a build.
///
///   kalah tablebase build tables --seeds 16
///   kalah tablebase build --seeds 24 --dry-run
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct BuildCommand {
    /// Directory of the files; created if it does not exist
    #[arg(value_name = "DIR", required_unless_present = "dry_run")]
    directory: Option<PathBuf>,

    /// Houses a side, 1 to 8
    #[arg(long, value_name = "H", default_value_t = 6,
          value_parser = number::<u64>(1..=MAX_TABLE_HOUSES as u64))]
    houses: u64,

    #[command(flatten)]
    rules: RuleOptions,

    /// Maximum number of seeds in the houses of both sides, 0 to 100
    #[arg(long, value_name = "K",
          value_parser = number::<u32>(0..=u64::from(MAX_TABLE_SEEDS)))]
    seeds: u32,

    /// Threads [default: all processors]
    #[arg(long, value_name = "N", value_parser = number::<NonZeroUsize>(1..))]
    threads: Option<NonZeroUsize>,

    /// Only print what the build needs
    #[arg(long)]
    dry_run: bool,
}

impl BuildCommand {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let rules = Rules::new(self.houses as usize, self.rules.rule_set())?;
        let with_usage = |error| with_usage("build", error);
        let needs = BuildNeeds::new(rules, self.seeds, self.directory.as_deref());
        let needs = needs.map_err(with_usage)?;
        // A closed output does not prevent the build.
        let printed = writeln!(io::stdout(), "{}", needs_text(&needs));
        needs.check().map_err(with_usage)?;
        let Some(directory) = self.directory.filter(|_| !self.dry_run) else { return Ok(printed?) };

        let stop = stop_on_ctrl_c()?;
        let missing = needs.positions - needs.present;
        let bar = progress_bar(missing);
        let start = Instant::now();
        let threads = thread_count(self.threads);
        let built =
            TablebaseFiles::build(&directory, rules, self.seeds, threads, &stop, &|progress| {
                show_progress(&bar, progress.built, progress.layer);
            });
        bar.finish_and_clear();
        built.map_err(|error| match error {
            TablebaseError::Stopped => interrupted(&format!(
                ": complete layers are in '{}', the same command continues from there",
                directory.display()
            )),
            error => with_usage(error),
        })?;
        let seconds = start.elapsed().as_secs_f64();
        let positions = grouped_count(missing, "position");
        let rate = missing as f64 / seconds / 1e6;
        let result = match missing {
            0 => "nothing is missing, and all checksums are right".to_owned(),
            _ => format!("built     {positions} in {seconds:.1} s, {rate:.1} million a second"),
        };
        writeln!(io::stdout(), "{result}")?;
        Ok(printed?)
    }
}

/// What a build needs and what is available, a line each.
fn needs_text(needs: &BuildNeeds) -> String {
    let available = |bytes: Option<u64>| match bytes {
        Some(bytes) => format!(", {} available", bytes_text(bytes)),
        None => String::new(),
    };
    let present = match needs.present {
        0 => String::new(),
        present => format!(", {} of them in files already", grouped(present)),
    };
    format!(
        "positions {}{present}\nmemory    {} to build{}\ndisk      {}, {} still to be written{}",
        grouped(needs.positions),
        bytes_text(needs.memory),
        available(needs.memory_available),
        bytes_text(needs.disk),
        bytes_text(needs.disk_missing),
        available(needs.disk_available),
    )
}

/// A number of bytes in the largest unit of which there is at least one.
fn bytes_text(bytes: u64) -> String {
    let mut amount = bytes as f64;
    let mut unit = "bytes";
    for larger in ["KiB", "MiB", "GiB", "TiB"] {
        if amount < 1024.0 {
            break;
        }
        amount /= 1024.0;
        unit = larger;
    }
    if unit == "bytes" { format!("{bytes} bytes") } else { format!("{amount:.1} {unit}") }
}
