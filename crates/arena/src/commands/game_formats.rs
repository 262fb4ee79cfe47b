//! Games as a list, as CSV, and board by board.

use std::fmt::Write as _;

use crate::{GameRecord, MoveRecord, MoveStats, ReplayError, ScoreBound};
use anyhow::Context;
use csv::WriterBuilder;
use kalah::board::Side;
use kalah::printable::{printable, spreadsheet_text};
use serde::Serialize;

use kalah_command::table::grouped;

/// A table with one line per game, written line by line: a record may be larger than memory.
pub(super) struct GameList {
    /// The width of the columns of players.
    name_width: usize,
}

impl GameList {
    /// A table for games of these players.
    pub(super) fn new<'a>(names: impl Iterator<Item = &'a str>) -> GameList {
        GameList {
            name_width: names.map(|name| printable(name).chars().count()).max().unwrap_or(0).max(5),
        }
    }

    pub(super) fn header(&self) -> String {
        self.columns(
            ["game", "round", "South", "North", "result", "margin", "reason", "plies", "opening"]
                .map(str::to_owned),
        )
    }

    pub(super) fn line(&self, game: &GameRecord) -> String {
        self.columns([
            game.game.to_string(),
            game.round.to_string(),
            printable(&game.south.player.name).into_owned(),
            printable(&game.north.player.name).into_owned(),
            game.result.to_string(),
            margin(game),
            game.reason.to_string(),
            game.moves.len().to_string(),
            printable(&game.opening).into_owned(),
        ])
    }

    pub(super) fn columns(&self, columns: [String; 9]) -> String {
        let [game, round, south, north, result, margin, reason, plies, opening] = columns;
        let width = self.name_width;
        format!(
            "{game:>7} {round:>7}  {south:<width$}  {north:<width$}  {result:<7}  {margin:>6}  \
             {reason:<12}  {plies:>5}  {opening}"
        )
    }
}

/// The margin from the view of South, `-` if there is none.
fn margin(game: &GameRecord) -> String {
    game.margin.map_or("-".to_owned(), |margin| format!("{margin:+}"))
}

/// The first line of CSV, which is written even without games.
pub(super) const CSV_HEADER: &str = "number,round,south,north,result,margin,reason,plies,\
    south_depth,south_nodes,south_time,north_depth,north_nodes,north_time,opening";

/// The line of a game in CSV, with the means of [`MoveStats`].
pub(super) fn csv_row(game: &GameRecord) -> anyhow::Result<Vec<u8>> {
    let means = Side::ALL.map(|side| {
        let MoveStats { depth, nodes, time } = game.move_stats(side);
        [depth, nodes, time]
    });
    let text = spreadsheet_text;
    let row = (
        (game.game, game.round, text(&game.south.player.name), text(&game.north.player.name)),
        (game.result, game.margin, game.reason, game.moves.len()),
        means,
        text(&game.opening),
    );
    csv_line(row)
}

/// A line of CSV.
pub(super) fn csv_line(row: impl Serialize) -> anyhow::Result<Vec<u8>> {
    let mut csv = WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    csv.serialize(row).context("cannot write a game as CSV")?;
    csv.into_inner().context("cannot write a game as CSV")
}

/// All boards of a game with the moves between them.
pub(super) fn game_boards(game: &GameRecord) -> Result<String, ReplayError> {
    let boards = game.boards()?;
    let mut text = format!(
        "Game {}, round {}: {} (South) against {} (North)\n\n{}\n",
        game.game,
        game.round,
        printable(&game.south.player.name),
        printable(&game.north.player.name),
        boards[0]
    );
    for (number, ply) in game.moves.iter().enumerate() {
        let _ = write!(text, "\n{}. {} {}\n", number + 1, ply.letter, move_info(ply));
        if let Some(board) = boards.get(number + 1) {
            let _ = write!(text, "\n{board}\n");
        }
    }
    let _ = write!(text, "\n{}, margin {}, {}", game.result, margin(game), game.reason);
    if let Some(detail) = &game.detail {
        let _ = write!(text, ": {}", printable(detail));
    }
    text.push('\n');
    Ok(text)
}

/// The search information of a move, and its time.
fn move_info(ply: &MoveRecord) -> String {
    let mut parts = Vec::new();
    if let Some(score) = ply.score {
        let bound = match ply.bound {
            Some(ScoreBound::Lower) => "at least ",
            Some(ScoreBound::Upper) => "at most ",
            None => "",
        };
        let proven = if ply.proven { " proven" } else { "" };
        parts.push(format!("{bound}{:+.2}{proven}", f64::from(score) / 100.0));
    }
    parts.extend(ply.depth.map(|depth| format!("depth {depth}")));
    parts.extend(ply.nodes.map(|nodes| format!("{} nodes", grouped(nodes))));
    parts.push(format!("{:.3} s", ply.time / 1e3));
    parts.join(", ")
}
