//! The games in progress as lines above the progress bar.

use std::fmt::Write;
use std::time::Duration;

use crate::{GameInProgress, MoveEvaluation};
use kalah::board::Side;
use kalah::printable::printable;

use kalah_command::table::cut_text;

/// Games that have lasted less are not shown: nobody could read them.
const SHOWN_AFTER: Duration = Duration::from_secs(1);

/// Lines of games; the rest is counted.
const MAX_LINES: usize = 8;

/// Characters of a name.
const NAME_WIDTH: usize = 16;

/// A line for each game in progress that a person could read, each with a line end.
pub(super) fn live_lines(games: &[GameInProgress]) -> String {
    let mut shown: Vec<&GameInProgress> =
        games.iter().filter(|game| game.begun.elapsed() >= SHOWN_AFTER).collect();
    shown.sort_by_key(|game| game.game);
    let mut text = String::new();
    for game in shown.iter().take(MAX_LINES) {
        let _ = writeln!(text, "{}", line(game));
    }
    if shown.len() > MAX_LINES {
        let _ = writeln!(text, "and {} games more", shown.len() - MAX_LINES);
    }
    text
}

/// A game in at most 79 columns: number, ply, players with their evaluations, and stores.
fn line(game: &GameInProgress) -> String {
    let [south, north] = Side::ALL.map(|side| {
        let name = cut_text(&printable(&game.players[side.index()]), NAME_WIDTH);
        format!("{name:NAME_WIDTH$} {:>10}", evaluation(game.evaluations[side.index()]))
    });
    let [south_store, north_store] = Side::ALL.map(|side| game.board.store(side));
    let (number, ply) = (game.game, game.plies);
    format!("{number:>6} {south} {south_store:>3}:{north_store:<3} {north} ply {ply}")
}

/// The score in seeds and the depth, as in `+1.50/14`; an exclamation mark tells that it is proven.
fn evaluation(evaluation: MoveEvaluation) -> String {
    let Some(score) = evaluation.score else { return "-".to_owned() };
    let seeds = format!("{:+.2}", f64::from(score.centiseeds) / 100.0);
    match evaluation.depth {
        _ if score.proven => format!("{seeds}!"),
        Some(depth) => format!("{seeds}/{depth}"),
        None => seeds,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use kalah::board::{Board, Capture, Rules};
    use kalah::protocol::EngineScore;
    use kalah::search::Bound;

    use super::*;

    #[test]
    fn a_line_has_the_players_and_fits_a_terminal() -> Result<(), Box<dyn std::error::Error>> {
        let evaluation = |centiseeds, depth| MoveEvaluation {
            score: Some(EngineScore { centiseeds, bound: Bound::Exact, proven: depth == 0 }),
            depth: Some(depth),
            nodes: None,
        };
        let mut game = GameInProgress {
            game: 12,
            players: ["favourite".to_owned(), "\u{1b}[2J and a long name".to_owned()],
            begun: Instant::now(),
            board: Board::from_fen("<6,9,5,0,1,6,0,6,6,0,6,5,5,5,0> S", Capture::default())?,
            plies: 21,
            evaluations: [evaluation(150, 14), evaluation(-1200, 0)],
        };
        let text = line(&game);
        let expected =
            "    12 favourite          +1.50/14   9:5   \\u{1b}[2J and a…    -12.00! ply 21";
        assert_eq!(text, expected);
        assert_eq!(live_lines(&[game.clone()]), "", "a game that has just begun");
        game.evaluations = [evaluation(-14400, 160), MoveEvaluation::default()];
        game.board = Board::start(Rules::default(), 4)?;
        assert!(line(&game).chars().count() < 80);
        Ok(())
    }
}
