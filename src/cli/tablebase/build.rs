//! `kalah tablebase build`.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, value_parser};
use kalah::tablebase::{BuildNeeds, MAX_TABLE_SEEDS, TablebaseError, TablebaseFiles};

use super::super::interrupt::{Interrupted, stop_on_ctrl_c};
use super::super::table::grouped;
use super::super::usage::processors;
use super::progress::{progress_bar, shown};
use super::rules::RulesOptions;
use super::{bytes_text, explained};

/// Build the files of a tablebase
///
/// Says first how much memory and room on the disk that takes, and refuses what cannot fit. There
/// is a file for each number of seeds. Files that are there are checked and stay as they are, so a
/// build that was broken off goes on where it stopped, and one with more seeds adds to what there
/// is. Ctrl-C breaks a build off.
///
///   kalah tablebase build tables --seeds 16
///   kalah tablebase build --seeds 24 --dry-run
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Build {
    /// Where the files go; the directory is made if it is not there
    #[arg(value_name = "DIR", required_unless_present = "dry_run")]
    directory: Option<PathBuf>,

    #[command(flatten)]
    rules: RulesOptions,

    /// Most seeds in the houses of both sides, 0 to 100
    #[arg(long, value_name = "K",
          value_parser = value_parser!(u32).range(0..=i64::from(MAX_TABLE_SEEDS)))]
    seeds: u32,

    /// Threads; all processors if it is not given
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Only say what it takes
    #[arg(long)]
    dry_run: bool,
}

impl Build {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let rules = self.rules.rules()?;
        let explained = |error| explained("build", error);
        let needs = BuildNeeds::new(rules, self.seeds, self.directory.as_deref());
        let needs = needs.map_err(explained)?;
        // Whoever has closed the output may want the files all the same.
        let told = writeln!(io::stdout(), "{}", needs_text(&needs));
        needs.check().map_err(explained)?;
        let Some(directory) = self.directory.filter(|_| !self.dry_run) else { return Ok(told?) };

        let stop = stop_on_ctrl_c()?;
        let bar = progress_bar(needs.positions - needs.present);
        let start = Instant::now();
        let threads = processors(self.threads);
        let built = TablebaseFiles::build(&directory, rules, self.seeds, threads, &|progress| {
            shown(&bar, progress.built, progress.layer, &stop)
        });
        bar.finish_and_clear();
        match built {
            Ok(_) if needs.present == needs.positions => {
                writeln!(io::stdout(), "nothing is missing, and all checksums are right")?;
                Ok(told?)
            }
            Ok(_) => {
                let built = needs.positions - needs.present;
                let seconds = start.elapsed().as_secs_f64();
                writeln!(
                    io::stdout(),
                    "built     {} positions in {seconds:.1} s, {:.1} million a second",
                    grouped(built),
                    built as f64 / seconds / 1e6
                )?;
                Ok(told?)
            }
            Err(TablebaseError::Interrupted) => {
                say!(
                    "interrupted: layers that are whole are in '{}', the same command goes on from \
                     there",
                    directory.display()
                );
                Err(Interrupted.into())
            }
            Err(error) => Err(explained(error)),
        }
    }
}

/// What a build takes and what there is, a line each.
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
