//! Reviews as a page in HTML: one file, without scripts.

use crate::{Review, ReviewedMove};
use kalah::board::Capture;
use kalah_charts::page::table;
use maud::{Markup, html};

use super::board_svg::{board, graph};
use super::text::{ReviewedGame, for_side, rows, seeds, signed, source, title};

/// Moves of a best line that are shown.
const MAX_LINE: usize = 24;

pub(super) fn page(games: &[ReviewedGame]) -> String {
    let heading = match games {
        [one] => title(None, one),
        several => format!("{} reviewed games", several.len()),
    };
    let body = html! {
        h1 { (heading) }
        @if games.len() > 1 { (contents(games)) }
        @for (number, reviewed) in games.iter().enumerate() {
            (game((games.len() > 1).then_some(number + 1), reviewed))
        }
    };
    kalah_charts::page::page(&heading, include_str!("review.css"), &body)
}

/// A line for each game.
fn contents(games: &[ReviewedGame]) -> Markup {
    let header = ["game", "South", "North", "result", "South gave", "North gave"];
    let rows = games.iter().zip(1_usize..).map(|(ReviewedGame { game, review }, number)| {
        let tag = |name| html! { (game.tag(name).unwrap_or("–")) };
        let link = html! { a href=(format!("#game-{number}")) { (number) } };
        let lost = [&review.south, &review.north].map(|side| html! { (side.lost) });
        [link, tag("South"), tag("North"), html! { (game.result) }]
            .into_iter()
            .chain(lost)
            .collect()
    });
    table("contents", &header, 4, rows)
}

fn game(number: Option<usize>, reviewed: &ReviewedGame) -> Markup {
    let ReviewedGame { game, review } = reviewed;
    let capture = review.capture.parse::<Capture>().unwrap_or_default();
    let mistakes: Vec<&ReviewedMove> =
        review.moves.iter().filter(|judged| judged.loss > 0).collect();
    let rules = game.start.rules();
    let facts = [
        Some(format!("{} houses a side, capture {}", rules.houses(), rules.capture())),
        game.tag("Date").map(str::to_owned),
        game.tag("Margin").map(|margin| format!("margin {margin}")),
        game.tag("Reason").or(game.tag("Termination")).map(str::to_owned),
    ];
    let sides = rows(review).map(|(name, south, north)| vec![name.to_owned(), south, north]);
    html! {
        section.game id=[number.map(|number| format!("game-{number}"))] {
            @if number.is_some() { h2 { (title(number, reviewed)) } }
            p.facts { (facts.into_iter().flatten().collect::<Vec<_>>().join(" · ")) }
            div.summary {
                figure { (graph(review)) }
                (table("", &["", "South", "North"], 1, sides))
            }
            p { (sharpest(review)) " " (source(review)) }
            (moves(review))
            @if !mistakes.is_empty() {
                h3 { "Where seeds were given away" }
                div.cards { @for judged in mistakes { (card(judged, capture)) } }
            }
        }
    }
}

fn side_name(judged: &ReviewedMove) -> &'static str {
    if judged.side == "S" { "South" } else { "North" }
}

fn sharpest(review: &Review) -> String {
    let judged = review.sharpest.and_then(|ply| review.moves.get(ply.checked_sub(1)?));
    judged.map_or_else(
        || "Nobody gave a seed away.".to_owned(),
        |judged| {
            let (ply, name) = (judged.ply, side_name(judged));
            format!("The sharpest moment: ply {ply}, {name}'s {}, {}.", judged.letter, judged.mark)
        },
    )
}

/// The moves in turns, those marked that gave seeds away.
fn moves(review: &Review) -> Markup {
    html! {
        ol.turns {
            @for turn in review.moves.chunk_by(|a, b| a.side == b.side) {
                li class=(side_name(&turn[0]).to_lowercase()) {
                    @for judged in turn {
                        @let class = class(judged, "move");
                        @if judged.loss > 0 {
                            span class=(class) title=(judged.mark) { (judged.letter) sub { "−" (judged.loss) } }
                        } @else {
                            span class=(class) { (judged.letter) }
                        }
                    }
                }
            }
        }
    }
}

/// The classes of something by the mark of its move.
fn class(judged: &ReviewedMove, kind: &str) -> String {
    let mark = match judged.mark.as_str() {
        "best" => "",
        "good" => " good",
        mark if mark.starts_with("throws") => " throws",
        _ => " gives",
    };
    format!("{kind}{mark}")
}

fn card(judged: &ReviewedMove, capture: Capture) -> Markup {
    let (before, after) =
        (for_side(&judged.side, judged.value), for_side(&judged.side, judged.after));
    let letters: Vec<&str> = judged.line.split(' ').collect();
    let line = letters[..letters.len().min(MAX_LINE)].join(" ");
    let more = if letters.len() > MAX_LINE { " …" } else { "" };
    let words = match judged.mark.as_str() {
        "good" => format!("gives away {}", seeds(judged.loss)),
        mark if mark.starts_with("throws") => format!("{mark}: {}", seeds(judged.loss)),
        _ => format!("gives away {}", seeds(judged.loss)),
    };
    html! {
        article class=(class(judged, "card")) {
            h4 { "Ply " (judged.ply) ": " (side_name(judged)) " plays " (judged.letter) }
            p.words { (words) @if !judged.proven { " (estimated)" } }
            @if let Some(board) = board(judged, capture) { (board) }
            p {
                b { (judged.best.join(" or ")) } " keeps " (signed(before)) ", "
                (judged.letter) " leads to " (signed(after)) "."
            }
            p.line { (line) (more) }
        }
    }
}
