//! Games of records and of texts, as they are filtered, listed and shown.

use std::fmt::Write as _;

use super::games_log::Usage;
use crate::statistics::Mean;
use crate::{GameRecord, MoveRecord, ReplayError, ScoreBound, Termination};
use anyhow::Context;
use csv::WriterBuilder;
use kalah::board::{Board, Side};
use kalah::printable::{printable, printable_json, spreadsheet_text};
use kalah_command::table::{MISSING, grouped};
use kalah_games::{AnnotatedGame, GameOutcome, Ply};

/// A game with its form in its file.
pub(super) enum Game<'a> {
    /// Of a record, with its line.
    Record(&'a GameRecord, &'a [u8]),
    /// Of a text, with its place there, which is its number unless a tag says another.
    Text(u64, &'a AnnotatedGame),
}

/// What filters and lists tell of a game.
pub(super) struct GameView {
    pub number: u64,
    round: Option<String>,
    /// South first.
    pub names: [Option<String>; 2],
    pub result: GameOutcome,
    /// In seeds from the view of South, with its sign.
    margin: Option<String>,
    pub reason: Option<String>,
    plies: usize,
    pub opening: String,
}

/// The first line of CSV, which is written even without games.
pub(super) const CSV_HEADER: &str = "number,round,south,north,result,margin,reason,plies,\
    south_depth,south_nodes,south_time,north_depth,north_nodes,north_time,opening,rules";

pub(super) fn list_header(name_width: usize) -> String {
    let names =
        ["game", "round", "South", "North", "result", "margin", "reason", "plies", "opening"];
    columns(name_width, names.map(str::to_owned))
}

fn columns(width: usize, columns: [String; 9]) -> String {
    let [game, round, south, north, result, margin, reason, plies, opening] = columns;
    format!(
        "{game:>7} {round:>7}  {south:<width$}  {north:<width$}  {result:<7}  {margin:>6}  \
         {reason:<12}  {plies:>5}  {opening}"
    )
}

fn shown(value: Option<&String>) -> String {
    value.map_or(MISSING.to_owned(), |value| printable(value).into_owned())
}

impl GameView {
    pub(super) fn line(&self, name_width: usize) -> String {
        let [south, north] = self.names.each_ref().map(|name| shown(name.as_ref()));
        let line = [
            self.number.to_string(),
            shown(self.round.as_ref()),
            south,
            north,
            self.result.to_string(),
            shown(self.margin.as_ref()),
            shown(self.reason.as_ref()),
            self.plies.to_string(),
            printable(&self.opening).into_owned(),
        ];
        columns(name_width, line)
    }
}

impl Game<'_> {
    pub(super) fn view(&self) -> GameView {
        match self {
            Game::Record(game, _) => GameView {
                number: game.game,
                round: Some(game.round.to_string()),
                names: Side::ALL.map(|side| Some(game.seat(side).player.name.clone())),
                result: game.result.into(),
                margin: game.margin.map(|margin| format!("{margin:+}")),
                reason: Some(game.reason.to_string()),
                plies: game.moves.len(),
                opening: game.opening.clone(),
            },
            Game::Text(number, game) => {
                let (end, tag) = (game.end(), |name| game.tag(name).map(str::to_owned));
                let own_number = game.tag("Game").and_then(|number| number.parse().ok());
                let margin = || end.result().map(|margin| format!("{margin:+}"));
                let played_out = || end.is_over().then(|| Termination::PlayedOut.to_string());
                GameView {
                    number: own_number.unwrap_or(*number),
                    round: tag("Round"),
                    names: ["South", "North"].map(tag),
                    result: game.result,
                    margin: margin().or_else(|| tag("Margin")),
                    reason: tag("Reason").or_else(|| tag("Termination")).or_else(played_out),
                    plies: game.moves.len(),
                    opening: game.start.fen(),
                }
            }
        }
    }

    /// The line of a game in CSV, with the mean depth, nodes and milliseconds of each side's moves, if known.
    pub(super) fn csv_row(&self) -> anyhow::Result<Vec<u8>> {
        let view = self.view();
        let text = |value: &Option<String>| {
            spreadsheet_text(value.as_deref().unwrap_or_default()).into_owned()
        };
        let (rules, margin, means) = match self {
            Game::Record(game, _) => {
                let margin = game.margin.map(|margin| margin.to_string());
                let means = Usage::of_game(game)
                    .map(|Usage { depth, nodes, time, .. }| [depth, nodes, time].map(Mean::value));
                (game.conditions.rule_set(), margin.unwrap_or_default(), means)
            }
            Game::Text(_, game) => {
                let number = view.margin.clone().filter(|margin| margin.parse::<i32>().is_ok());
                let margin = number.unwrap_or_else(|| text(&view.margin));
                (game.start.rules().rule_set(), margin, [[None; 3]; 2])
            }
        };
        let names = view.names.each_ref().map(text);
        let opening = spreadsheet_text(&view.opening);
        let row = (
            (view.number, text(&view.round), names, view.result.to_string()),
            (margin, text(&view.reason), view.plies, means, opening, rules.name()),
        );
        let mut csv = WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        csv.serialize(row).context("cannot write a game as CSV")?;
        csv.into_inner().context("cannot write a game as CSV")
    }

    /// All boards of a game with the moves between them.
    pub(super) fn boards(&self) -> Result<String, ReplayError> {
        let view = self.view();
        let (mut round, mut detail) = (String::new(), String::new());
        let boards: Vec<Board>;
        let moves: Vec<(char, String)>;
        match self {
            Game::Record(game, _) => {
                boards = game.boards()?;
                moves = game.moves.iter().map(|ply| (ply.letter, move_info(ply))).collect();
                round = format!(", round {}", game.round);
                if let Some(text) = &game.detail {
                    detail = format!(": {}", printable(text));
                }
            }
            Game::Text(_, game) => {
                boards = game.boards().collect();
                let comment =
                    |ply: &Ply| printable(ply.comment.as_deref().unwrap_or("")).into_owned();
                moves = game.moves.iter().map(|ply| (ply.mv.letter(), comment(ply))).collect();
            }
        }
        let [south, north] = view.names.each_ref().map(|name| shown(name.as_ref()));
        let mut text = format!("Game {}{round}: {south} (South) against ", view.number);
        let _ = write!(text, "{north} (North)\n\n{}\n", boards[0]);
        for (number, (letter, info)) in (1..).zip(moves) {
            let line = format!("{number}. {letter} {info}");
            let _ = writeln!(text, "\n{}", line.trim_end());
            if let Some(board) = boards.get(number) {
                let _ = writeln!(text, "\n{board}");
            }
        }
        let (margin, reason) = (shown(view.margin.as_ref()), shown(view.reason.as_ref()));
        let _ = writeln!(text, "\n{}, margin {margin}, {reason}{detail}", view.result);
        Ok(text)
    }

    pub(super) fn annotated(&self) -> Result<AnnotatedGame, ReplayError> {
        match self {
            Game::Record(game, _) => game.to_game(),
            Game::Text(_, game) => Ok((*game).clone()),
        }
    }

    /// The line of the game in JSON: that of its record.
    pub(super) fn json_line(&self) -> anyhow::Result<String> {
        Ok(match self {
            Game::Record(_, line) => printable_json(&String::from_utf8_lossy(line)).into_owned(),
            Game::Text(_, game) => {
                printable_json(&serde_json::to_string(game)?).into_owned() + "\n"
            }
        })
    }
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
