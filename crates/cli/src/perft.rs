//! `kalah perft`.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Instant;

use clap::Args;
use kalah::StopToken;
use kalah::search::{MAX_DEPTH, SearchStats, divide};
use serde::Serialize;

use kalah_command::exit::wrong_usage;
use kalah_command::options::{BoardOptions, number};
use kalah_command::output::{OutputOption, RuleMembers};

/// Count the leaves of the game tree
///
/// Prints the leaves below each first move, then their sum. A ply is one sowing; a finished game
/// is one leaf at any remaining depth. The counts test a move generator, and time it.
///
///   kalah perft 9
///   kalah perft 7 --houses 8 --seeds 6 --capture empty
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Perft {
    /// Depth in plies, 0 to 255
    #[arg(value_parser = number::<u32>(0..=u64::from(MAX_DEPTH)))]
    depth: u32,

    #[command(flatten)]
    board: BoardOptions,

    #[command(flatten)]
    output: OutputOption,
}

/// The number of leaves of the game tree.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct PerftJson {
    /// The board as FEN, with the side to move.
    fen: String,
    #[serde(flatten)]
    rules: RuleMembers,
    /// Depth in plies.
    depth: u32,
    /// Leaves by the letter of the first move; empty at depth 0 and when the game is over.
    #[cfg_attr(test, schemars(with = "kalah_command::schemas::MovesByLetter<u64>"))]
    moves: BTreeMap<char, u64>,
    /// All leaves.
    nodes: u64,
    /// The time that it took, in seconds.
    seconds: f64,
    /// Nodes a second.
    nodes_per_second: u64,
}

impl Perft {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let board = self.board.board();
        let board = board.map_err(|error| wrong_usage(&["perft"], format!("{error:#}")))?;
        let mut output = self.output.text();
        let (stop, mut written) = (StopToken::new(), Ok(()));
        let mut moves = BTreeMap::new();
        let start = Instant::now();
        let nodes = divide(&board, self.depth, &stop, |mv, leaves| {
            moves.insert(mv.letter(), leaves);
            written = writeln!(output, "{mv} {leaves}").inspect_err(|_| stop.stop());
        });
        written?;
        let time = start.elapsed();
        let stats = SearchStats { nodes: nodes.unwrap_or(0), time, ..SearchStats::default() };
        let (nodes, nps) = (stats.nodes, stats.nps());
        writeln!(output, "nodes {nodes} time {} nps {nps}", time.as_millis())?;
        let json = PerftJson {
            fen: board.fen(),
            rules: board.rules().into(),
            depth: self.depth,
            moves,
            nodes,
            seconds: time.as_secs_f64(),
            nodes_per_second: nps,
        };
        self.output.print("kalah-perft", &json)
    }
}
