//! Games as CSV.

use anyhow::Context;
use csv::WriterBuilder;
use kalah::arena::{GameRecord, GameResult, Termination};
use kalah::board::Side;
use serde::Serialize;

/// Stands there when no game does, too; so it is not left to the first row.
const COLUMNS: [&str; 15] = [
    "number",
    "round",
    "south",
    "north",
    "result",
    "margin",
    "reason",
    "plies",
    "south_depth",
    "south_nodes",
    "south_time",
    "north_depth",
    "north_nodes",
    "north_time",
    "opening",
];

/// A game; means are over the moves of which something is known.
#[derive(Serialize)]
struct Row<'a> {
    number: u64,
    round: u64,
    south: &'a str,
    north: &'a str,
    result: GameResult,
    margin: Option<i32>,
    reason: Termination,
    plies: usize,
    south_depth: Option<f64>,
    south_nodes: Option<f64>,
    south_time: Option<f64>,
    north_depth: Option<f64>,
    north_nodes: Option<f64>,
    north_time: Option<f64>,
    opening: &'a str,
}

/// The line above all games.
pub(super) fn header() -> String {
    COLUMNS.join(",")
}

/// The line of a game.
pub(super) fn row(game: &GameRecord) -> anyhow::Result<Vec<u8>> {
    let [south, north] = Side::ALL.map(|side| game.move_stats(side));
    let row = Row {
        number: game.game,
        round: game.round,
        south: &game.south.player.name,
        north: &game.north.player.name,
        result: game.result,
        margin: game.margin,
        reason: game.reason,
        plies: game.moves.len(),
        south_depth: south.depth,
        south_nodes: south.nodes,
        south_time: south.time,
        north_depth: north.depth,
        north_nodes: north.nodes,
        north_time: north.time,
        opening: &game.opening,
    };
    let mut csv = WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    csv.serialize(row).context("cannot write a game as CSV")?;
    csv.into_inner().context("cannot write a game as CSV")
}
