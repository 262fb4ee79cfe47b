//! A reviewed game as text, with comments and the best lines as variations.

use kalah::board::{Board, Capture, House};
use kalah::games::{AnnotatedGame, Ply};

use super::ReviewedGame;
use super::text::{for_side, seeds, signed};

/// Moves of a variation, at most.
const MAX_LINE: usize = 16;

pub(super) fn annotated(reviewed: &ReviewedGame) -> AnnotatedGame {
    let ReviewedGame { game, review } = reviewed;
    let mut game = game.clone();
    game.set_tag("Annotator", concat!("kalah ", env!("CARGO_PKG_VERSION")));
    for (name, side) in [("South", &review.south), ("North", &review.north)] {
        game.set_tag(&format!("{name}Accuracy"), format!("{:.1}", side.accuracy));
        game.set_tag(&format!("{name}Lost"), side.lost.to_string());
    }
    for (ply, judged) in game.moves.iter_mut().zip(&review.moves) {
        if judged.loss == 0 {
            continue;
        }
        let source = if judged.proven { "" } else { ", estimated" };
        let before = for_side(&judged.side, judged.value);
        let words = if judged.mark.starts_with("throws") {
            format!("{}, {}{source}", judged.mark, seeds(judged.loss))
        } else {
            format!("gives away {}{source}", seeds(judged.loss))
        };
        let best = judged.best.join(" or ");
        let before = signed(before);
        let comment = format!("{words}; {best} keeps {before}");
        ply.comment = Some(match ply.comment.take() {
            Some(before) => format!("{before}; {comment}"),
            None => comment,
        });
        let capture = review.capture.parse::<Capture>().unwrap_or_default();
        if let Ok(board) = Board::from_fen(&judged.board, capture) {
            let line = line(board, &judged.line);
            let is_new = ply.variations.iter().all(|variation| {
                !variation.iter().map(|ply| ply.mv).eq(line.iter().map(|ply| ply.mv))
            });
            if !line.is_empty() && is_new {
                ply.variations.push(line);
            }
        }
    }
    game
}

/// The moves of a line, up to the first that is none.
fn line(mut board: Board, letters: &str) -> Vec<Ply> {
    let play = |letter| {
        let mv = board.move_from(House::from_letter(letter)?);
        board.play(mv).ok()?;
        Some(Ply::from(mv))
    };
    letters.chars().filter(|letter| *letter != ' ').map_while(play).take(MAX_LINE).collect()
}
