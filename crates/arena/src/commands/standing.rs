//! `kalah standing`.

use std::io::Write;
use std::path::PathBuf;

use super::games_log::GamesLog;
use super::report::Report;
use super::standings_json::StandingsJson;
use super::standings_text::standings_text;
use super::{end_without, new_file};
use crate::RecordedTournament;
use crate::statistics::{RatingModel, Sprt};
use clap::Args;

use kalah_command::exit::wrong_usage;
use kalah_command::output::OutputOption;
use kalah_command::say;

/// Print the standings of a recorded match or tournament
///
/// Prints what `kalah match` and `kalah tournament` print at their end. Several files are read as
/// the shards of one tournament.
///
///   kalah standing games.jsonl --report games.html
///   kalah standing part-*.jsonl --sprt 'elo0=0 elo1=5'
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct StandingCommand {
    /// Records written by --record
    #[arg(required = true, value_name = "FILE")]
    records: Vec<PathBuf>,

    /// Also print the state of a sequential test of a match: elo0=0 elo1=5 alpha=0.05 beta=0.05
    /// model=normalized|logistic; it counts the pairs before the first incomplete one
    #[arg(long, value_name = "WORDS")]
    sprt: Option<Sprt>,

    /// Ratings: ml (maximum likelihood) or davidson (Bayesian, with draws)
    #[arg(long, value_name = "MODEL", default_value_t)]
    ratings: RatingModel,

    /// Write an HTML report to this file: figures, charts, games on a board, conditions, players
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    #[command(flatten)]
    output: OutputOption,
}

impl StandingCommand {
    pub fn run(self) -> anyhow::Result<()> {
        let StandingCommand { records, sprt, ratings, output, .. } = self;
        let report = self.report.map(|path| new_file(&path, "report", &records)).transpose()?;
        let mut log = GamesLog::default();
        let mut tournament = RecordedTournament::read(&records, |game| {
            if report.is_some() {
                log.add(game);
            }
        })?;
        for path in &tournament.torn {
            say!("{}", super::torn_warning(path));
        }
        if let Some(sprt) = sprt {
            if tournament.standings.players.len() > 2 {
                let error = "a sequential test needs a match of two players";
                return Err(wrong_usage(&["standing"], error).into());
            }
            tournament.standings.start_test(sprt);
        }
        let RecordedTournament { conditions, entrants, standings, .. } = &tournament;
        if let Some(file) = report {
            Report { conditions, entrants, standings, log: &mut log }.write(file)?;
        }
        if output.is_json() {
            output.print(&StandingsJson::new(standings, ratings))?;
        } else {
            writeln!(output.text(), "{}", standings_text(standings, ratings))?;
        }
        end_without(tournament.contradictions)
    }
}
