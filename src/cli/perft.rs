//! `kalah perft`.

use std::cell::RefCell;
use std::io::{self, Write};
use std::time::Instant;

use clap::Args;
use kalah::search::{MAX_DEPTH, SearchStats};

use super::exit::wrong_usage;
use super::options::BoardOptions;

/// Count the leaves of the game tree
///
/// Prints the leaves below each first move, then their sum. A ply is one sowing; a finished game
/// is one leaf at any remaining depth. The counts test a move generator, and time it.
#[derive(Args)]
pub(super) struct Perft {
    /// Depth in plies, 0 to 255
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_DEPTH)))]
    depth: u32,

    #[command(flatten)]
    board: BoardOptions,
}

impl Perft {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let board = self.board.board();
        let board = board.map_err(|error| wrong_usage(&["perft"], format!("{error:#}")))?;
        let mut output = io::stdout();
        let written = RefCell::new(Ok(()));
        let start = Instant::now();
        // Stops when the output is closed.
        let is_stopped = || written.borrow().is_err();
        let nodes = board.divide(self.depth, &is_stopped, &mut |played, leaves| {
            let result = writeln!(output, "{played} {leaves}");
            *written.borrow_mut() = result;
        });
        written.into_inner()?;
        let time = start.elapsed();
        let stats = SearchStats { nodes: nodes.unwrap_or(0), tbhits: 0, time, hashfull: 0 };
        let (nodes, nps) = (stats.nodes, stats.nps());
        writeln!(output, "nodes {nodes} time {} nps {nps}", time.as_millis())?;
        Ok(())
    }
}
