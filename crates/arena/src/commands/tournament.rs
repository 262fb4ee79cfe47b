//! `kalah match` and `kalah tournament`.

use std::cell::RefCell;
use std::fmt::Display;
use std::mem;
use std::path::{self, PathBuf};

use super::config_file::ConfigFile;
use super::dry_run::print_dry_run;
use super::game_options::GameOptions;
use super::play::play;
use crate::{Shard, Tournament, TournamentOutcome, UNLIMITED_GAMES};
use anyhow::Context;
use clap::Args;
use kalah_records::commands::{GamesLog, Report, new_file, print_standings};
use kalah_records::statistics::{RatingModel, Sprt};
use kalah_records::{GameRecord, PartialPlayerSettings, PlayerSettings, TournamentFormat};

use kalah_command::exit::{stop_on_ctrl_c, wrong_usage};
use kalah_command::options::number;
use kalah_command::output::OutputOption;

/// Play a match between two players
///
/// Each opening is played twice, with sides changed. At the end, or after Ctrl-C, the standings are
/// printed: results, Elo difference with its 95 % interval, mean margin. With --record FILE the
/// same command continues an interrupted match.
///
///   kalah match --engine builtin=negascout --engine builtin=mtdf --each depth=6 --games 200
///   kalah match --engine cmd=./new --engine cmd=./old --each st=0.05 --sprt 'elo0=0 elo1=5'
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct MatchCommand {
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
///   kalah tournament --engine builtin=pvs --engine builtin=mtdf --engine builtin=sss --report all.html
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct TournamentCommand {
    /// round-robin (each player plays every other) or gauntlet (the first player plays every other)
    /// [default: round-robin]
    #[arg(long)]
    format: Option<TournamentFormat>,

    /// Ratings: ml (maximum likelihood) or davidson (Bayesian, with draws) [default: ml]
    #[arg(long, value_name = "MODEL")]
    ratings: Option<RatingModel>,

    #[command(flatten)]
    options: TournamentOptions,
}

#[derive(Args)]
struct TournamentOptions {
    /// A player, in words of key=value, quoted as in a shell
    ///
    /// The keys are those of fastchess. Engine: cmd=PROGRAM with args="…" and dir=FOLDER, or
    /// builtin=SEARCH for a search of this engine without a process. Name: name=TEXT.
    /// Limits of a move: tc=40/60+0.5 (a clock; moves/seconds+increment), st=SECONDS a move,
    /// depth=PLIES, nodes=N, iterations=N. Tolerance: timemargin=MILLISECONDS that a move may be
    /// late (50), deadline=SECONDS after which a player without a clock counts as stalled (60).
    /// ponder=on to think while the opponent does, restart=on to start the program for each game.
    /// Options of the protocol: option.Hash=64, "option.Move Overhead=5".
    #[arg(
        long = "engine",
        value_name = "WORDS",
        required_unless_present = "config",
        verbatim_doc_comment
    )]
    players: Vec<PartialPlayerSettings>,

    /// Games of every two opponents, an even number [default: 100; in a match with --sprt as many as the
    /// test needs]
    #[arg(long, value_name = "N", value_parser = number::<u64>(..))]
    games: Option<u64>,

    #[command(flatten)]
    conditions: GameOptions,

    /// Record each game in this file, a line of JSON each; games that it contains are not played
    /// again
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Write an HTML report to this file: figures, charts, games on a board, conditions, players
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Play one part of several, for example 3/16; `kalah merge` joins the records
    #[arg(long, value_name = "PART/OF")]
    shard: Option<Shard>,

    /// Take players, conditions and files from this TOML file, which docs/manual/arena.md describes, in
    /// place of --engine, --each and --openings; other options take precedence
    #[arg(long, value_name = "FILE", conflicts_with_all = ["players", "each", "openings"])]
    config: Option<PathBuf>,

    /// Print the games, and how long they will take, and play none
    #[arg(long, conflicts_with = "json")]
    dry_run: bool,

    /// With --dry-run, print all games and not only those that fit on a screen
    #[arg(long, requires = "dry_run")]
    all: bool,

    #[command(flatten)]
    output: OutputOption,
}

impl MatchCommand {
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        let file = self.options.take_config()?;
        if file.format.is_some() || file.ratings.is_some() {
            let error = "'format' and 'ratings' are for 'kalah tournament', not for a match";
            return Err(wrong_usage(&["match"], error).into());
        }
        let players = self.options.players.len();
        if players != 2 {
            let error = format!("a match has two players, not {players}: see 'kalah tournament'");
            return Err(wrong_usage(&["match"], error).into());
        }
        let (format, ratings) = (TournamentFormat::RoundRobin, RatingModel::default());
        self.options.run("match", format, self.sprt.or(file.sprt), ratings)
    }
}

impl TournamentCommand {
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        let file = self.options.take_config()?;
        if file.sprt.is_some() {
            let error = "'sprt' is for 'kalah match', not for a tournament";
            return Err(wrong_usage(&["tournament"], error).into());
        }
        let format = self.format.or(file.format).unwrap_or_default();
        let ratings = self.ratings.or(file.ratings).unwrap_or_default();
        self.options.run("tournament", format, None, ratings)
    }
}

impl TournamentOptions {
    /// Completes the options by those of the file of `--config`, and returns the rest of it.
    fn take_config(&mut self) -> anyhow::Result<ConfigFile> {
        let Some(path) = &self.config else { return Ok(ConfigFile::default()) };
        // The file has its own folder; what was given on the command line stays where it is.
        let outputs = [&mut self.record, &mut self.report];
        for output in outputs.into_iter().flatten() {
            *output = path::absolute(&*output)
                .with_context(|| format!("cannot write '{}'", output.display()))?;
        }
        let mut file = ConfigFile::read(path)?;
        let conditions = &mut self.conditions;
        self.players = mem::take(&mut file.engine);
        conditions.each = file.each.take().unwrap_or_default();
        conditions.openings = file.openings.take().unwrap_or_default();
        conditions.series.complete(&file);
        conditions.resign = conditions.resign.or(file.resign);
        conditions.adjudicate = conditions.adjudicate.or(file.adjudicate);
        self.games = self.games.or(file.games);
        self.shard = self.shard.or(file.shard);
        self.record = self.record.take().or(file.record.take());
        self.report = self.report.take().or(file.report.take());
        Ok(file)
    }

    fn run(
        self,
        subcommand: &str,
        format: TournamentFormat,
        sprt: Option<Sprt>,
        ratings: RatingModel,
    ) -> anyhow::Result<()> {
        let usage = |error: &dyn Display| wrong_usage(&[subcommand], error);
        let players = self.players.into_iter();
        let players = players.map(|player| PlayerSettings::new(player, &self.conditions.each));
        let players = players.collect::<Result<Vec<_>, _>>().map_err(|error| usage(&error))?;
        let tournament = Tournament {
            format,
            games: self.games.unwrap_or(if sprt.is_some() { UNLIMITED_GAMES } else { 100 }),
            shard: self.shard.unwrap_or(Shard::WHOLE),
            sprt,
            record: self.record,
            ..self.conditions.tournament(players).map_err(|error| usage(&error))?
        };
        if self.dry_run {
            return print_dry_run(subcommand, &tournament, self.all);
        }
        let record = tournament.record.as_slice();
        let report = self.report.map(|path| new_file(&path, "report", record)).transpose()?;
        let is_reported = report.is_some();
        let log = RefCell::new(GamesLog::default());
        let on_game = |game: &GameRecord| {
            if is_reported {
                log.borrow_mut().add(game);
            }
        };
        play(&stop_on_ctrl_c()?, &[subcommand], &tournament, on_game, |outcome| {
            let TournamentOutcome { conditions, entrants, standings, .. } = outcome;
            // If one of the two cannot be written, the other is; whoever reads the output may close it early.
            let reported = report.map_or(Ok(()), |file| {
                let log = &mut log.borrow_mut();
                Report { conditions, entrants, standings, log }.write(file)
            });
            reported.and(print_standings(self.output, standings, ratings, None))
        })
    }
}
