//! `kalah match`.

use clap::Args;
use kalah::arena::TournamentFormat;
use kalah::arena::statistics::Sprt;

use super::contest::Contest;
use super::play::play;

/// Let two players play against each other
///
/// Each opening is played twice with sides changed. At the end, or when Ctrl-C ends it, the standing
/// is printed: results, Elo difference with its 95 % interval, mean margin. With --record FILE the
/// same command goes on where it was broken off.
///
///   kalah match --engine builtin=negascout --engine builtin=mtdf --each depth=6 --games 200
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct MatchCommand {
    #[command(flatten)]
    contest: Contest,

    /// End the match as soon as it is decided: elo0=0 elo1=5 alpha=0.05 beta=0.05
    /// model=normalized|logistic
    #[arg(long, value_name = "WORDS")]
    sprt: Option<Sprt>,
}

impl MatchCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let report = self.contest.report.clone();
        let tournament =
            self.contest.tournament("match", TournamentFormat::RoundRobin, self.sprt)?;
        if tournament.players.len() != 2 {
            let players = tournament.players.len();
            let error = format!("a match has two players, not {players}: see 'kalah tournament'");
            return Err(super::super::usage::wrong_usage(&["match"], error).into());
        }
        play("match", &tournament, report)
    }
}
