//! Subcommands for games between players: playing them, tuning by them, and asking engines for compliance.

#![allow(clippy::missing_errors_doc, reason = "the errors of commands are sentences for people")]
#![allow(missing_docs, reason = "what a command does is the text of its help")]

mod compliance;
mod config_file;
mod dry_run;
mod game_options;
mod play;
mod progress;
mod tournament;
mod tune;

use clap::Subcommand;

use kalah_records::commands::RecordsCommand;

use compliance::ComplianceCommand;
pub use dry_run::{ExpectedTime, game_text};
pub use game_options::SeriesOptions;
pub use play::play;
pub use progress::live_lines;
use tournament::{MatchCommand, TournamentCommand};
use tune::TuneCommand;

/// The commands of the arena.
#[derive(Subcommand)]
pub enum ArenaCommand {
    Match(MatchCommand),
    Tournament(TournamentCommand),
    Tune(Box<TuneCommand>),
    #[command(flatten)]
    Records(RecordsCommand),
    Compliance(ComplianceCommand),
}

kalah_command::run_subcommands!(ArenaCommand { Match, Tournament, Tune, Records, Compliance });

#[cfg(test)]
mod tests {
    use kalah_command::schemas::check;

    #[test]
    fn the_schemas_are_those_of_the_types() -> anyhow::Result<()> {
        check::<super::tune::TunedJson>("tune", "kalah tune --json")?;
        check::<super::compliance::ComplianceResults>("compliance", "kalah compliance --json")
    }
}
