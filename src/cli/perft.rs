//! `kalah perft`.

use std::cell::RefCell;
use std::io::{self, Write};
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use kalah::board::{Board, Capture, Rules};
use kalah::search::{Effort, MAX_DEPTH};

use super::wrong_usage;

/// Count the leaves of the game tree.
///
/// Prints the leaves below each first move, then their sum. A ply is one sowing; a finished game
/// is one leaf at any remaining depth. The figures check a move generator, and time it.
#[derive(Args)]
pub(super) struct Perft {
    /// Depth in plies, 0 to 255
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DEPTH)))]
    depth: u32,

    /// Houses a side, 1 to 12
    #[arg(long, value_name = "H", default_value_t = 6)]
    houses: usize,

    /// Seeds in each house
    #[arg(long, value_name = "N", default_value_t = 4)]
    seeds: u16,

    /// Count from this board, such as '<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S', not from the start
    #[arg(long, value_name = "BOARD", conflicts_with_all = ["houses", "seeds"])]
    fen: Option<String>,

    /// What a last seed captures: standard, or empty (also when the opposite house is empty)
    #[arg(long, value_name = "RULE", default_value_t = Capture::Standard)]
    capture: Capture,
}

impl Perft {
    fn board(&self) -> anyhow::Result<Board> {
        Ok(match &self.fen {
            Some(fen) => {
                Board::from_fen(fen, self.capture).with_context(|| format!("--fen '{fen}'"))?
            }
            None => Board::start(Rules::new(self.houses, self.capture)?, self.seeds)?,
        })
    }

    pub(super) fn run(&self) -> anyhow::Result<()> {
        let board = self.board().map_err(|error| wrong_usage(&["perft"], format!("{error:#}")))?;
        let mut output = io::stdout();
        let written = RefCell::new(Ok(()));
        let start = Instant::now();
        // Nobody reads on: no need to count on.
        let stopped = || written.borrow().is_err();
        let nodes = board.divide(self.depth, &stopped, &mut |ply, leaves| {
            let result = writeln!(output, "{ply} {leaves}");
            *written.borrow_mut() = result;
        });
        written.into_inner()?;
        let effort =
            Effort { nodes: nodes.unwrap_or(0), tbhits: 0, time: start.elapsed(), hashfull: 0 };
        let Effort { nodes, time, .. } = effort;
        writeln!(output, "nodes {nodes} time {} nps {}", time.as_millis(), effort.nps())?;
        Ok(())
    }
}
