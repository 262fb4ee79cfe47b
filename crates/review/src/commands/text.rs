//! A review as text for the terminal, and as comments and variations of the game.

use std::fmt::Write as _;

use crate::sentences::seeds;
use crate::{Review, ReviewedMove, ReviewedSide};
use kalah::board::Board;
use kalah::printable::{counted, printable};
use kalah_command::table::{signed, wrapped};
use kalah_games::{AnnotatedGame, Ply};

const WIDTH: usize = 79;

/// The place of explanations below their moves.
const INDENT: &str = "      ";

/// Moves that a line shows.
const MAX_LINE: usize = 12;

/// Characters of the graph: a line has 79.
const MAX_GRAPH: usize = 62;

/// Moves of a variation, at most.
const MAX_VARIATION: usize = 16;

/// A game with its review.
pub(super) struct ReviewedGame {
    pub game: AnnotatedGame,
    pub review: Review,
}

/// A value of South as the side sees it.
pub(super) fn for_side(side: &str, value: i32) -> i32 {
    if side == "S" { value } else { -value }
}

/// What a move gave away, with a separator after the mark of a throw.
pub(super) fn loss_text(judged: &ReviewedMove, separator: &str) -> String {
    let seeds = seeds(judged.loss);
    if judged.mark.starts_with("throws") {
        format!("{}{separator} {seeds}", judged.mark)
    } else {
        format!("gives away {seeds}")
    }
}

/// The beginning of a line, with at most this number of moves.
pub(super) fn beginning(line: &str, moves: usize) -> String {
    match line.match_indices(' ').nth(moves - 1) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line.to_owned(),
    }
}

pub(super) fn title(number: Option<usize>, reviewed: &ReviewedGame) -> String {
    let tag = |name| printable(reviewed.game.tag(name).unwrap_or(name)).into_owned();
    let game = number.map_or_else(String::new, |number| format!("Game {number}: "));
    format!(
        "{game}{} (South) against {} (North), {}",
        tag("South"),
        tag("North"),
        reviewed.game.result
    )
}

/// What the values are.
pub(super) fn source(review: &Review) -> String {
    let estimates = review.moves.iter().filter(|judged| !judged.proven).count();
    match estimates {
        0 => "All values are proven.".to_owned(),
        _ => format!(
            "Estimates, not proven values: {estimates} of {}.",
            counted(review.moves.len(), "move")
        ),
    }
}

pub(super) fn rows(review: &Review) -> [(&'static str, String, String); 5] {
    let row = |name, value: fn(&ReviewedSide) -> String| {
        (name, value(&review.south), value(&review.north))
    };
    [
        row("accuracy", |side| format!("{:.1} %", side.accuracy)),
        row("seeds given away", |side| side.lost.to_string()),
        row("in the opening", |side| side.opening.to_string()),
        row("in the middle", |side| side.middle.to_string()),
        row("in the ending", |side| side.ending.to_string()),
    ]
}

pub(super) fn text(number: Option<usize>, reviewed: &ReviewedGame) -> String {
    let review = &reviewed.review;
    let mut text =
        format!("{}\n\n{:<18}{:>8}{:>8}\n", title(number, reviewed), "", "South", "North");
    for (name, south, north) in rows(review) {
        let _ = writeln!(text, "{name:<18}{south:>8}{north:>8}");
    }
    let _ = writeln!(text, "\nvalue for South  {}\n", graph(review));
    let _ = writeln!(text, " ply  move  value  loss  mark                  best");
    for judged in &review.moves {
        let value = format!("{}{}", signed(judged.after), if judged.proven { "" } else { "?" });
        let loss = if judged.loss > 0 { judged.loss.to_string() } else { String::new() };
        let sharpest = if review.sharpest == Some(judged.ply) { "!" } else { " " };
        let best = if judged.loss > 0 { beginning(&judged.line, MAX_LINE) } else { String::new() };
        let line = format!(
            "{:>4}{sharpest} {:>4}  {value:>5}  {loss:>4}  {:<20}  {best}",
            judged.ply, judged.letter, judged.mark
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    if !review.moments.is_empty() {
        let _ = writeln!(text, "\nKey moments\n");
    }
    let moments = review.moments.iter().filter_map(|ply| review.moves.get(ply.checked_sub(1)?));
    for judged in moments {
        let name = side_name(judged);
        let words = format!("{}{}", loss_text(judged, ","), estimated(judged));
        let _ = writeln!(text, "{:>4}  {name}'s {}: {words}.", judged.ply, judged.letter);
        for line in wrapped(why(judged), WIDTH - INDENT.len()).lines() {
            let _ = writeln!(text, "{INDENT}{line}");
        }
    }
    let _ = writeln!(text, "\n{}\n", source(review));
    text
}

pub(super) fn side_name(judged: &ReviewedMove) -> &'static str {
    if judged.side == "S" { "South" } else { "North" }
}

pub(super) fn estimated(judged: &ReviewedMove) -> &'static str {
    if judged.proven { "" } else { " (estimated)" }
}

/// Why seeds were given away; empty if it is not known.
pub(super) fn why(judged: &ReviewedMove) -> &str {
    judged.why.as_ref().map_or("", |why| &why.text)
}

/// The values of the game, a character each: from the best for North to the best for South. Of a long game
/// not all fit on a line.
fn graph(review: &Review) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = review.values().map(i32::abs).max().unwrap_or(0).max(1);
    let level = |value: i32| {
        let place = f64::from(value + most) / f64::from(2 * most) * (LEVELS.len() - 1) as f64;
        LEVELS[(place.round() as usize).min(LEVELS.len() - 1)]
    };
    let values: Vec<i32> = review.values().collect();
    let columns = values.len().min(MAX_GRAPH);
    let place = |column| column * (values.len() - 1) / (columns - 1).max(1);
    (0..columns).map(|column| level(values[place(column)])).collect()
}

/// The game with a comment on each mistake, and the best line as a variation.
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
        let (words, best) = (loss_text(judged, ","), judged.best.join(" or "));
        let judgement = format!("{words}{source}; {best} keeps {}", signed(before));
        // A game that was annotated before has a best line, if not this one, and its reason.
        if ply.comment.as_ref().is_some_and(|comment| comment.contains(&judgement)) {
            continue;
        }
        let comment = match why(judged) {
            "" => judgement,
            why => format!("{judgement}. {why}"),
        };
        ply.comment = Some(match ply.comment.take() {
            Some(before) => format!("{before}; {comment}"),
            None => comment,
        });
        if let Ok(board) = Board::from_fen(&judged.board, game.start.rules()) {
            let line = line(&board, &judged.line);
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
fn line(board: &Board, letters: &str) -> Vec<Ply> {
    let played = board.replay(letters.chars().filter(|letter| *letter != ' '));
    played.map_while(Result::ok).map(|(mv, _)| Ply::from(mv)).take(MAX_VARIATION).collect()
}
