//! A game board by board, for people.

use std::fmt::Write as _;

use kalah::arena::{GameRecord, MoveRecord, ScoreBound};

use super::super::table::grouped;
use super::game_list::margin;

/// All positions of a game with the moves between them.
pub(super) fn game_boards(game: &GameRecord) -> Result<String, String> {
    let boards = game.boards()?;
    let mut text = format!(
        "Game {}, round {}: {} (South) against {} (North)\n\n{}\n",
        game.game, game.round, game.south.player.name, game.north.player.name, boards[0]
    );
    for (number, ply) in game.moves.iter().enumerate() {
        let _ = write!(text, "\n{}. {} {}\n", number + 1, ply.letter, thought(ply));
        if let Some(board) = boards.get(number + 1) {
            let _ = write!(text, "\n{board}\n");
        }
    }
    let _ = write!(text, "\n{}, margin {}, {}", game.result, margin(game), game.reason);
    if let Some(detail) = &game.detail {
        let _ = write!(text, ": {detail}");
    }
    text.push('\n');
    Ok(text)
}

/// What a player said of a move, and how long it took.
fn thought(ply: &MoveRecord) -> String {
    let mut said = Vec::new();
    if let Some(score) = ply.score {
        let bound = match ply.bound {
            Some(ScoreBound::Lower) => "at least ",
            Some(ScoreBound::Upper) => "at most ",
            None => "",
        };
        let proven = if ply.proven { " proven" } else { "" };
        said.push(format!("{bound}{:+.2}{proven}", f64::from(score) / 100.0));
    }
    said.extend(ply.depth.map(|depth| format!("depth {depth}")));
    said.extend(ply.nodes.map(|nodes| format!("{} nodes", grouped(nodes))));
    said.push(format!("{:.3} s", ply.time / 1e3));
    said.join(", ")
}
