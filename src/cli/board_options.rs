//! The board to begin with, as options.

use anyhow::Context;
use clap::Args;
use kalah::board::{Board, Capture, Rules};

/// The start of a game, or any board.
#[derive(Args)]
pub(super) struct BoardOptions {
    /// Houses a side, 1 to 12
    #[arg(long, value_name = "H", default_value_t = 6)]
    houses: usize,

    /// Seeds in each house
    #[arg(long, value_name = "N", default_value_t = 4)]
    seeds: u16,

    /// Begin with this board, such as '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S', not with the start
    #[arg(long, value_name = "BOARD", conflicts_with_all = ["houses", "seeds"])]
    pub(super) fen: Option<String>,

    /// What a last seed captures: standard, or empty (also when the opposite house is empty)
    #[arg(long, value_name = "RULE", default_value_t = Capture::Standard)]
    pub(super) capture: Capture,
}

impl BoardOptions {
    pub(super) fn board(&self) -> anyhow::Result<Board> {
        Ok(match &self.fen {
            Some(fen) => {
                Board::from_fen(fen, self.capture).with_context(|| format!("--fen '{fen}'"))?
            }
            None => Board::start(Rules::new(self.houses, self.capture)?, self.seeds)?,
        })
    }
}
