//! The positions of Kalah that experiments are made on.

use clap::{Args, value_parser};
use kalah::board::Capture;
use kalah::lab::Midgame;

/// Which middle-game positions to draw, and with how much memory to search them.
#[derive(Args)]
pub(super) struct MiddleGames {
    /// Houses a side, 1 to 12
    #[arg(long, value_name = "H", default_value_t = 6)]
    pub houses: usize,

    /// What a last seed captures: standard, or empty (also when the opposite house is empty)
    #[arg(long, value_name = "RULE", default_value_t = Capture::Standard)]
    pub capture: Capture,

    /// Positions of each game
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = value_parser!(u16).range(1..=10_000))]
    pub positions: u16,

    /// Size of the memory of each search in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = value_parser!(u64).range(1..))]
    pub hash: u64,

    /// What everything random is drawn from
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl MiddleGames {
    /// Middle games of the game that starts with so many seeds in each house.
    pub(super) fn of_game(&self, seeds: u16) -> Midgame {
        Midgame {
            houses: self.houses,
            seeds,
            capture: self.capture,
            positions: usize::from(self.positions),
            random_seed: self.seed,
        }
    }

    /// Mebibytes of memory for each search.
    pub(super) fn hash(&self) -> usize {
        self.hash as usize
    }
}
