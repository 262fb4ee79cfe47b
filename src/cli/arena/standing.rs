//! `kalah standing`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use kalah::arena::statistics::Sprt;
use kalah::arena::{RecordedTournament, SequentialTest};

use super::super::exit::wrong_usage;
use super::report::{Report, prepare};
use super::standing_text::standing_text;

/// Tell how a match or a tournament stands by its records
///
/// Prints what `kalah match` and `kalah tournament` print at their end. Several files are read as
/// the records of one tournament that was played in several places.
///
///   kalah standing games.jsonl --report games.html
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct StandingCommand {
    /// Files that --record has written
    #[arg(required = true, value_name = "FILE")]
    records: Vec<PathBuf>,

    /// Tell how a sequential test of a match stands: elo0=0 elo1=5 alpha=0.05 beta=0.05
    /// model=normalized|logistic; it looks at pairs as far as they are complete from the first
    #[arg(long, value_name = "WORDS")]
    sprt: Option<Sprt>,

    /// Write a page about it to this file: figures, charts, conditions, players (HTML)
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

impl StandingCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let StandingCommand { records, sprt, report } = self;
        let report = report.map(|report| prepare(&report, &records)).transpose()?;
        let RecordedTournament { conditions, entrants, standing } =
            RecordedTournament::read(&records)?;
        if sprt.is_some() && standing.players.len() > 2 {
            let error = "a sequential test takes a match of two players";
            return Err(wrong_usage(&["standing"], error).into());
        }
        let mut test = sprt.map(SequentialTest::new);
        if let Some(test) = &mut test {
            for game in standing.games() {
                test.add(game);
            }
        }
        let test = test.as_ref();
        if let Some(file) = report {
            Report { conditions: &conditions, entrants: &entrants, standing: &standing, test }
                .write(file)?;
        }
        Ok(writeln!(io::stdout(), "{}", standing_text(&standing, test))?)
    }
}
