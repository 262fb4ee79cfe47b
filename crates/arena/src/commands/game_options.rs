//! Options of all commands that play games between players.

use std::num::NonZeroUsize;

use super::config_file::ConfigFile;
use crate::{MAX_PROVEN_SEEDS, Tournament};
use clap::Args;
use kalah::board::{Board, BoardError, Capture, RuleSet, Rules, Sowing};
use kalah_command::options::{capture_parser, houses, number, seeds, sowing_parser};
use kalah_records::{OpeningSettings, PartialPlayerSettings, PlayerSettings, ResignRule};

/// The conditions of games, and how many are played at a time.
#[derive(Args)]
pub(super) struct GameOptions {
    /// Words for all players; those of --engine take precedence
    #[arg(long, value_name = "WORDS", default_value = "", hide_default_value = true)]
    pub each: PartialPlayerSettings,

    /// Openings: plies=K, random=K, file=PATH or fair, with order=random|sequential and margin=SEEDS
    /// depth=PLIES
    ///
    /// plies=K takes all different positions K plies from the start, random=K draws random ones,
    /// a file has boards or moves on its lines, or games, of which plies=K takes the first moves,
    /// fair takes starts of which one or two seeds are moved, so that best play is a draw.
    /// With margin=M only positions are kept in which a search of depth=D plies (10) expects a margin
    /// of at most M seeds for either side. Each opening is played twice, with sides changed.
    #[arg(long, value_name = "WORDS", default_value_t)]
    pub openings: OpeningSettings,

    #[command(flatten)]
    pub series: SeriesOptions,

    /// Let players resign: movecount=3 score=400, in hundredths of a seed; with twosided=true only
    /// if the opponent's scores agree
    #[arg(long, value_name = "WORDS")]
    pub resign: Option<ResignRule>,

    /// End games at their proven margin once this few seeds are left in the houses
    #[arg(long, value_name = "SEEDS",
          value_parser = number::<u32>(1..=u64::from(MAX_PROVEN_SEEDS)))]
    pub adjudicate: Option<u32>,
}

/// The start of all games of a series, their random seed, and how many are played at a time.
#[derive(Args)]
pub struct SeriesOptions {
    /// Houses a side, 1 to 12 [default: 6]
    #[arg(long, value_name = "H", value_parser = houses())]
    houses: Option<usize>,

    /// Seeds in each house at the start [default: 4]
    #[arg(long, value_name = "N", value_parser = seeds())]
    seeds: Option<u16>,

    /// Capture rule: standard, or empty (also when the opposite house is empty) [default: standard]
    #[arg(long, value_name = "RULE", value_parser = capture_parser())]
    capture: Option<Capture>,

    /// Way of sowing: single, or relay (a sowing that ends in a house with seeds goes on with them; no
    /// captures) [default: single]
    #[arg(long, value_name = "WAY", value_parser = sowing_parser())]
    sowing: Option<Sowing>,

    /// Random seed of the openings and the players [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<u64>(..))]
    seed: Option<u64>,

    /// Games at a time [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<NonZeroUsize>(1..))]
    concurrency: Option<NonZeroUsize>,

    /// Give each game at a time processors of its own (Linux)
    #[arg(long)]
    affinity: bool,
}

impl SeriesOptions {
    /// Takes from a file what was not given on the command line.
    pub(super) fn complete(&mut self, file: &ConfigFile) {
        self.houses = self.houses.or(file.houses);
        self.seeds = self.seeds.or(file.seeds);
        self.capture = self.capture.or(file.capture);
        self.sowing = self.sowing.or(file.sowing);
        self.seed = self.seed.or(file.seed);
        self.concurrency = self.concurrency.or(file.concurrency);
        self.affinity |= file.affinity;
    }

    /// A round robin of these players; the error says why there is no such board.
    pub fn tournament(&self, players: Vec<PlayerSettings>) -> Result<Tournament, BoardError> {
        let (capture, sowing) = (self.capture.unwrap_or_default(), self.sowing.unwrap_or_default());
        let rules = Rules::new(self.houses.unwrap_or(6), RuleSet::new(capture, sowing))?;
        Ok(Tournament {
            seed: self.seed.unwrap_or(1),
            concurrency: self.concurrency.unwrap_or(NonZeroUsize::MIN),
            affinity: self.affinity,
            ..Tournament::new(players, Board::start(rules, self.seeds.unwrap_or(4))?)
        })
    }
}

impl GameOptions {
    /// A round robin of these players; the error says why there is no such board.
    pub(super) fn tournament(self, players: Vec<PlayerSettings>) -> Result<Tournament, BoardError> {
        let GameOptions { openings, series, resign, adjudicate, .. } = self;
        Ok(Tournament { openings, resign, adjudicate, ..series.tournament(players)? })
    }
}
