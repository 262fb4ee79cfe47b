//! `kalah match` and `kalah tournament`.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, value_parser};
use kalah::arena::statistics::Sprt;
use kalah::arena::{
    MAX_PROVEN_SEEDS, OpeningSettings, PartialPlayerSettings, PlayerSettings, ResignRule, Shard,
    Tournament, TournamentFormat, TournamentOutcome,
};
use kalah::board::{Board, Capture, Rules};

use super::super::exit::{stop_on_ctrl_c, wrong_usage};
use super::play::{play, print_standings};
#[cfg(feature = "reports")]
use super::report::{Report, prepare};

/// Play a match between two players
///
/// Each opening is played twice, with sides changed. At the end, or after Ctrl-C, the standing is
/// printed: results, Elo difference with its 95 % interval, mean margin. With --record FILE the
/// same command continues an interrupted match.
///
///   kalah match --engine builtin=negascout --engine builtin=mtdf --each depth=6 --games 200
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct MatchCommand {
    #[command(flatten)]
    options: TournamentOptions,

    /// End the match as soon as it is decided: elo0=0 elo1=5 alpha=0.05 beta=0.05
    /// model=normalized|logistic
    #[arg(long, value_name = "WORDS")]
    sprt: Option<Sprt>,
}

/// Play a tournament of several players
///
/// Like `kalah match`, with a table of all players: scores, ratings with 95 % intervals, and a
/// cross table.
///
///   kalah tournament --engine builtin=minimax --engine builtin=mcts --engine builtin=pvs \
///                    --each nodes=2000 --games 20
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct TournamentCommand {
    /// round-robin (each player plays every other) or gauntlet (the first player plays every other)
    #[arg(long, default_value_t)]
    format: TournamentFormat,

    #[command(flatten)]
    options: TournamentOptions,
}

/// The options of a match or a tournament.
#[derive(Args)]
struct TournamentOptions {
    /// A player, in words of key=value, quoted as in a shell
    ///
    /// The keys are those of fastchess. Engine: cmd=PROGRAM with args="…" and dir=FOLDER, or
    /// builtin=SEARCH for a search of this engine without a process. Name: name=TEXT.
    /// Limits of a move: tc=40/60+0.5 (a clock; moves/seconds+increment), st=SECONDS a move,
    /// depth=PLIES, nodes=N, iterations=N. Tolerance: timemargin=MILLISECONDS that a move may be
    /// late (50), deadline=SECONDS after which a player without a clock counts as stalled (60).
    /// Options of the protocol: option.Hash=64, "option.Move Overhead=5".
    #[arg(long = "engine", value_name = "WORDS", required = true, verbatim_doc_comment)]
    players: Vec<PartialPlayerSettings>,

    /// Words for all players; those of --engine take precedence
    #[arg(long, value_name = "WORDS", default_value = "", hide_default_value = true)]
    each: PartialPlayerSettings,

    /// Games of every two opponents, an even number
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,

    /// Openings: plies=K, random=K or file=PATH, with order=random|sequential and margin=SEEDS
    /// depth=PLIES
    ///
    /// plies=K takes all different positions K plies from the start, random=K draws random ones,
    /// a file has a board on each line. With margin=M only positions are kept in which a search of
    /// depth=D plies (10) expects a margin of at most M seeds for either side. Each opening is
    /// played twice, with sides changed.
    #[arg(long, value_name = "WORDS", default_value_t)]
    openings: OpeningSettings,

    #[command(flatten)]
    series: SeriesOptions,

    /// Write an HTML report to this file: figures, charts, conditions, players
    #[cfg(feature = "reports")]
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Play one part of several, for example 3/16; `kalah merge` joins the records
    #[arg(long, value_name = "PART/OF", default_value_t = Shard::WHOLE, hide_default_value = true)]
    shard: Shard,

    /// Let players resign: movecount=3 score=400, in hundredths of a seed; with twosided=true only
    /// if the opponent's scores agree
    #[arg(long, value_name = "WORDS")]
    resign: Option<ResignRule>,

    /// End games at their proven margin once this few seeds are left in the houses
    #[arg(long, value_name = "SEEDS",
          value_parser = value_parser!(u32).range(1..=i64::from(MAX_PROVEN_SEEDS)))]
    adjudicate: Option<u32>,
}

/// Options of all games of a series: the board, the random seed, and how they are played here.
#[derive(Args)]
pub(in crate::cli) struct SeriesOptions {
    /// Houses a side, 1 to 12
    #[arg(long, value_name = "H", default_value_t = 6)]
    houses: usize,

    /// Seeds in each house at the start
    #[arg(long, value_name = "N", default_value_t = 4)]
    seeds: u16,

    /// Capture rule: standard, or empty (also when the opposite house is empty)
    #[arg(long, value_name = "RULE", default_value_t = Capture::Standard)]
    capture: Capture,

    /// Random seed of the openings and the players
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Games at a time
    #[arg(long, value_name = "N", default_value = "1")]
    concurrency: NonZeroUsize,

    /// Record each game in this file, a line of JSON each; games that it contains are not played
    /// again
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

impl SeriesOptions {
    /// Games of every two players.
    ///
    /// # Errors
    /// When there is no such board.
    pub(in crate::cli) fn round_robin(
        self,
        players: Vec<PlayerSettings>,
        openings: OpeningSettings,
        games: u64,
    ) -> anyhow::Result<Tournament> {
        let rules = Rules::new(self.houses, self.capture)?;
        Ok(Tournament {
            format: TournamentFormat::RoundRobin,
            players,
            start: Board::start(rules, self.seeds)?,
            openings,
            seed: self.seed,
            games,
            shard: Shard::WHOLE,
            concurrency: self.concurrency,
            resign: None,
            adjudicate: None,
            sprt: None,
            record: self.record,
        })
    }
}

impl MatchCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let players = self.options.players.len();
        if players != 2 {
            let error = format!("a match has two players, not {players}: see 'kalah tournament'");
            return Err(wrong_usage(&["match"], error).into());
        }
        self.options.run("match", TournamentFormat::RoundRobin, self.sprt)
    }
}

impl TournamentCommand {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        self.options.run("tournament", self.format, None)
    }
}

impl TournamentOptions {
    fn run(
        self,
        subcommand: &str,
        format: TournamentFormat,
        sprt: Option<Sprt>,
    ) -> anyhow::Result<()> {
        let usage = |error: &dyn Display| wrong_usage(&[subcommand], error);
        let players = self.players.into_iter();
        let players = players.map(|player| PlayerSettings::new(player, &self.each));
        let players = players.collect::<Result<Vec<_>, _>>().map_err(|error| usage(&error))?;
        let tournament = self.series.round_robin(players, self.openings, self.games);
        let tournament = Tournament {
            format,
            shard: self.shard,
            resign: self.resign,
            adjudicate: self.adjudicate,
            sprt,
            ..tournament.map_err(|error| usage(&error))?
        };
        crate::cli::logging::init();
        #[cfg(feature = "reports")]
        let write_report = {
            let record = tournament.record.as_slice();
            let file = self.report.map(|report| prepare(&report, record)).transpose()?;
            |outcome: &TournamentOutcome| {
                let TournamentOutcome { conditions, entrants, standings, test, .. } = outcome;
                let report = Report { conditions, entrants, standings, test: test.as_ref() };
                file.map_or(Ok(()), |file| report.write(file))
            }
        };
        #[cfg(not(feature = "reports"))]
        let write_report = |_: &TournamentOutcome| Ok(());
        play(&stop_on_ctrl_c()?, &[subcommand], &tournament, |outcome| {
            // If one of the two cannot be written, the other is.
            let reported = write_report(outcome);
            print_standings(outcome)?;
            reported
        })
    }
}
