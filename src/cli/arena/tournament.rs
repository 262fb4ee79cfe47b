//! `kalah tournament`.

use clap::Args;
use kalah::arena::TournamentFormat;

use super::contest::Contest;
use super::play::play;

/// Let several players play against each other
///
/// As `kalah match`, with a table of all players: scores, ratings with 95 % intervals, and the
/// results of every two.
///
///   kalah tournament --engine builtin=minimax --engine builtin=mcts --engine builtin=pvs \
///                    --each nodes=2000 --games 20
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct TournamentCommand {
    /// Who meets whom: round-robin (everybody everybody) or gauntlet (the first player all others)
    #[arg(long, default_value_t)]
    format: TournamentFormat,

    #[command(flatten)]
    contest: Contest,
}

impl TournamentCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let report = self.contest.report.clone();
        let tournament = self.contest.tournament("tournament", self.format, None)?;
        play("tournament", &tournament, report)
    }
}
