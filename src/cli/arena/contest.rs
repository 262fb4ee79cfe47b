//! What is said of a match or a tournament.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, value_parser};
use kalah::arena::statistics::Sprt;
use kalah::arena::{
    MAX_PROVEN_SEEDS, OpeningSettings, PartialPlayerSettings, PlayerSettings, ResignRule, Shard,
    Tournament, TournamentFormat,
};
use kalah::board::{Board, Capture, Rules};

use super::super::usage::wrong_usage;

/// Players, games, and what is kept of them.
#[derive(Args)]
pub(super) struct Contest {
    /// A player, in words of key=value, quoted as in a shell
    ///
    /// Keys are named as in fastchess. Who plays: cmd=PROGRAM with args="…" and dir=FOLDER, or
    /// builtin=SEARCH for a search of this engine without a process. What it is called: name=TEXT.
    /// What ends its moves: tc=40/60+0.5 (a clock; moves/seconds+increment), st=SECONDS a move,
    /// depth=PLIES, nodes=N, iterations=N. How strictly: timemargin=MILLISECONDS that an answer
    /// may be late (50), deadline=SECONDS until a player without a clock counts as stalled (60).
    /// Options of the protocol: option.Hash=64, "option.Move Overhead=5".
    #[arg(long = "engine", value_name = "WORDS", required = true, verbatim_doc_comment)]
    players: Vec<PartialPlayerSettings>,

    /// Words for all players, where they say nothing else themselves
    #[arg(long, value_name = "WORDS", default_value = "", hide_default_value = true)]
    each: PartialPlayerSettings,

    /// Games of every two players that meet, an even number
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,

    /// Where games begin: plies=K, random=K or file=PATH, with order=random|sequential and
    /// margin=SEEDS depth=PLIES
    ///
    /// plies=K takes all different positions K plies from the start, random=K draws plies by
    /// chance, a file has a board on each line. With margin=M only positions are kept whose margin
    /// a search of depth=D plies (10) expects to be M seeds at most, either way. Each opening is
    /// played twice, with sides changed.
    #[arg(long, value_name = "WORDS", default_value_t)]
    openings: OpeningSettings,

    /// Houses a side, 1 to 12
    #[arg(long, value_name = "H", default_value_t = 6)]
    houses: usize,

    /// Seeds in each house at the start
    #[arg(long, value_name = "N", default_value_t = 4)]
    seeds: u16,

    /// What a last seed captures: standard, or empty (also when the opposite house is empty)
    #[arg(long, value_name = "RULE", default_value_t = Capture::Standard)]
    capture: Capture,

    /// What openings and the players' chance are drawn from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Games at a time
    #[arg(long, value_name = "N", default_value = "1")]
    concurrency: NonZeroUsize,

    /// Keep each game in this file, a line of JSON each, and play none that is there already
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Write a page about it to this file: figures, charts, conditions, players (HTML)
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,

    /// Play one part of several, as 3/16, and join the records by `kalah merge`
    #[arg(long, value_name = "PART/OF", default_value_t = Shard::WHOLE, hide_default_value = true)]
    shard: Shard,

    /// Let players resign: movecount=3 score=400, in hundredths of a seed; twosided=true asks the
    /// opponent, too
    #[arg(long, value_name = "WORDS")]
    resign: Option<ResignRule>,

    /// End games at their proven margin when so few seeds are left in the houses
    #[arg(long, value_name = "SEEDS",
          value_parser = value_parser!(u32).range(1..=i64::from(MAX_PROVEN_SEEDS)))]
    adjudicate: Option<u32>,
}

impl Contest {
    /// The tournament that is asked for.
    pub(super) fn tournament(
        self,
        subcommand: &str,
        format: TournamentFormat,
        sprt: Option<Sprt>,
    ) -> anyhow::Result<Tournament> {
        let usage = |error: &dyn std::fmt::Display| wrong_usage(&[subcommand], error);
        let mut players = Vec::new();
        for words in self.players {
            players.push(PlayerSettings::new(words, &self.each).map_err(|error| usage(&error))?);
        }
        let rules = Rules::new(self.houses, self.capture).map_err(|error| usage(&error))?;
        Ok(Tournament {
            format,
            players,
            start: Board::start(rules, self.seeds).map_err(|error| usage(&error))?,
            openings: self.openings,
            seed: self.seed,
            games: self.games,
            shard: self.shard,
            concurrency: self.concurrency,
            resign: self.resign,
            adjudicate: self.adjudicate,
            sprt,
            record: self.record,
        })
    }
}
