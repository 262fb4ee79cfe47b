//! `kalah bench`.

use std::io::Write;
use std::num::NonZeroUsize;

use clap::Args;
use kalah::StopToken;
use kalah::board::{Board, Capture, RuleSet, Sowing};
use kalah::search::{Limits, MAX_DEPTH, SearchOptions, SearchStats, Searcher};
use serde::Serialize;

use kalah_command::options::{number, sowing_parser};
use kalah_command::output::{OutputOption, RuleMembers};

/// Search fixed positions and print node counts and speed
///
/// Prints the nodes of each position and their sum. With one thread the sum is a signature of the
/// search: it is the same on every machine and changes only when the search changes.
///
///   kalah bench
///   kalah bench --depth 20 --threads 2
///   kalah bench --sowing relay
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Bench {
    /// Depth in plies; the signature is that of the default depth
    #[arg(long, default_value_t = 40, value_parser = number::<u32>(1..=u64::from(MAX_DEPTH)))]
    depth: u32,

    /// Threads; with more than one the node counts vary
    #[arg(long, default_value = "1", value_parser = number::<NonZeroUsize>(1..))]
    threads: NonZeroUsize,

    /// Size of the table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = number::<usize>(1..))]
    hash: usize,

    /// Way of sowing; each has positions and a signature of its own
    #[arg(long, value_name = "WAY", default_value_t = Sowing::Single, value_parser = sowing_parser())]
    sowing: Sowing,

    #[command(flatten)]
    output: OutputOption,
}

/// Searches of fixed positions.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct BenchJson {
    /// Depth in plies.
    depth: u32,
    /// Threads.
    threads: usize,
    /// The size of the table.
    hash_mebibytes: usize,
    /// The positions in order.
    positions: Vec<BenchPosition>,
    /// Positions searched in all: the signature of the search.
    nodes: u64,
    /// The time that it took, in seconds.
    seconds: f64,
    /// Nodes a second.
    nodes_per_second: u64,
}

/// A position that was searched.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct BenchPosition {
    /// The board as FEN, with the side to move.
    fen: &'static str,
    #[serde(flatten)]
    rules: RuleMembers,
    /// Positions searched; their sum is the signature of the search.
    nodes: u64,
    /// The time that it took, in seconds.
    seconds: f64,
}

/// Openings, middle games and endgames on boards of all sizes, under both capture rules.
const POSITIONS: [(&str, Capture); 12] = [
    ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S", Capture::Standard),
    ("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S", Capture::Empty),
    ("<6,0,0,5,5,5,5,5,5,5,5,5,5,5,5> S", Capture::Standard),
    ("<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> S", Capture::Standard),
    ("<6,2,1,0,5,5,1,6,5,1,5,0,5,6,6> N", Capture::Standard),
    ("<6,3,9,7,0,8,8,0,8,1,7,0,7,7,7> S", Capture::Standard),
    ("<6,10,8,0,2,1,9,2,0,1,0,6,5,0,4> N", Capture::Empty),
    ("<6,20,14,1,0,2,1,3,2,0,1,2,0,1,1> S", Capture::Standard),
    ("<4,0,0,3,3,3,3,3,3,3,3> S", Capture::Standard),
    ("<8,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4> S", Capture::Standard),
    ("<8,5,3,18,0,1,6,0,7,2,3,1,0,9,4,4,1,0,0> N", Capture::Standard),
    ("<12,0,0,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3> S", Capture::Standard),
];

/// Starts and positions of play that neither side has decided, under relay sowing.
const RELAY_POSITIONS: [&str; 8] = [
    "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S",
    "<6,0,0,6,6,6,6,6,6,6,6,6,6,6,6> S",
    "<6,7,3,4,0,5,1,15,15,1,15,0,4,2,0> N",
    "<6,8,11,2,4,1,6,9,5,0,11,0,11,1,3> S",
    "<6,11,15,11,1,2,4,2,3,2,5,6,4,0,6> S",
    "<4,0,0,3,3,3,3,3,3,3,3> S",
    "<8,0,0,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4,4> S",
    "<12,0,0,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3> S",
];

/// The positions of a way of sowing.
fn positions_of(sowing: Sowing) -> Vec<(&'static str, RuleSet)> {
    match sowing {
        Sowing::Single => POSITIONS.map(|(fen, capture)| (fen, capture.into())).to_vec(),
        Sowing::Relay => RELAY_POSITIONS.map(|fen| (fen, sowing.into())).to_vec(),
    }
}

impl Bench {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut output = self.output.text();
        let mut searcher = Searcher::new(self.hash)?;
        let options = SearchOptions { threads: self.threads, ..SearchOptions::default() };
        let limits = Limits { depth: Some(self.depth), ..Limits::default() };
        let (mut total, mut positions) = (SearchStats::default(), Vec::new());
        for (fen, rule_set) in positions_of(self.sowing) {
            let board = Board::from_fen(fen, rule_set)?;
            searcher.clear();
            let stop = StopToken::new();
            let stats = searcher.search(&board, &limits, &options, &stop, &mut |_| {}).stats;
            writeln!(output, "{:>10} nodes  {:<8}  {fen}", stats.nodes, rule_set.name())?;
            positions.push(BenchPosition {
                fen,
                rules: rule_set.into(),
                nodes: stats.nodes,
                seconds: stats.time.as_secs_f64(),
            });
            total.nodes += stats.nodes;
            total.time += stats.time;
        }
        let SearchStats { nodes, time, .. } = total;
        writeln!(output, "nodes {nodes} time {} nps {}", time.as_millis(), total.nps())?;
        let json = BenchJson {
            depth: self.depth,
            threads: self.threads.get(),
            hash_mebibytes: self.hash,
            positions,
            nodes,
            seconds: time.as_secs_f64(),
            nodes_per_second: total.nps(),
        };
        self.output.print("kalah-bench", &json)
    }
}
