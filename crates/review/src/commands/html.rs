//! Reviews as a page in HTML: one file, without scripts.

use std::fmt::Write as _;

use crate::{Review, ReviewedMove};
use kalah::board::{Board, Rules};
use kalah_charts::page::{board_picture, table};
use kalah_command::table::signed;
use maud::{Markup, PreEscaped, html};

use super::text::{
    ReviewedGame, beginning, estimated, for_side, loss_text, rows, side_name, source, title, why,
};

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
    let mistakes: Vec<&ReviewedMove> =
        review.moves.iter().filter(|judged| judged.loss > 0).collect();
    let rules = game.start.rules();
    let facts = [
        Some(rules.to_string()),
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
                div.cards { @for judged in mistakes { (card(judged, rules)) } }
            }
        }
    }
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

fn card(judged: &ReviewedMove, rules: Rules) -> Markup {
    let [value, after] = [judged.value, judged.after].map(|value| for_side(&judged.side, value));
    html! {
        article class=(class(judged, "card")) {
            h4 { "Ply " (judged.ply) ": " (side_name(judged)) " plays " (judged.letter) }
            p.words { (loss_text(judged, ":")) (estimated(judged)) }
            @if let Ok(before) = Board::from_fen(&judged.board, rules) {
                (board_picture(&before, &judged.letter, &judged.best))
            }
            p {
                b { (judged.best.join(" or ")) } " keeps " (signed(value)) ", "
                (judged.letter) " leads to " (signed(after)) "."
            }
            p { (why(judged)) }
            p.line { (beginning(&judged.line, MAX_LINE)) }
        }
    }
}

/// The values of a game; above the middle South leads, below it North.
fn graph(review: &Review) -> Markup {
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 200.0;
    let values: Vec<i32> = review.values().collect();
    let most = f64::from(values.iter().map(|value| value.abs()).max().unwrap_or(0).max(6)) * 1.1;
    let x = |ply: usize| WIDTH * ply as f64 / (values.len() - 1).max(1) as f64;
    let y = |value: i32| HEIGHT / 2.0 * (1.0 - f64::from(value) / most);
    let mut path = format!("M0 {:.1}", y(values[0]));
    for (ply, value) in values.iter().enumerate().skip(1) {
        let _ = write!(path, "L{:.1} {:.1}", x(ply), y(*value));
    }
    let middle = HEIGHT / 2.0;
    let area = format!("{path}L{WIDTH} {middle}L0 {middle}Z");
    let last = review.last;
    let label = format!("The value of the game move by move; at its end {last:+} for South");
    let faults = review.moves.iter().filter(|judged| judged.loss > 0);
    html! {
        svg.graph viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(label) {
            (PreEscaped("<clipPath id=\"above\"><rect width=\"640\" height=\"100\"/></clipPath>"))
            (PreEscaped("<clipPath id=\"below\"><rect y=\"100\" width=\"640\" height=\"100\"/></clipPath>"))
            path.south d=(area) clip-path="url(#above)" {}
            path.north d=(area) clip-path="url(#below)" {}
            line x1="0" x2=(WIDTH) y1=(middle) y2=(middle) {}
            path.curve d=(path) {}
            @for judged in faults {
                circle.fault cx=(format!("{:.1}", x(judged.ply))) cy=(format!("{:.1}", y(judged.after))) r="4" {
                    title { (judged.ply) ". " (judged.letter) ": " (judged.mark) }
                }
            }
            text x="6" y="18" { (format!("South +{most:.0}")) }
            text x="6" y=(HEIGHT - 7.0) { (format!("North +{most:.0}")) }
        }
    }
}
