//! Pictures of reviewed games in SVG: a board, and the graph of the values.

use std::fmt::Write as _;

use crate::{Review, ReviewedMove};
use kalah::board::{Board, Capture, House, Move, Side};
use maud::{Markup, PreEscaped, html};

/// The distance between two houses.
const STEP: usize = 44;

/// The board before a move, with the move and the best ones marked.
pub(super) fn board(judged: &ReviewedMove, capture: Capture) -> Option<Markup> {
    let board = Board::from_fen(&judged.board, capture).ok()?;
    let houses = board.rules().houses();
    let width = STEP * (houses + 2);
    let store = |x: usize, side: Side| {
        html! {
            rect.pit x=(x + 4) y="12" width="36" height="84" rx="18" {}
            text x=(x + STEP / 2) y="55" { (board.store(side)) }
        }
    };
    let pit = |side: Side, house: House| {
        let (place, y, letter_y) = match side {
            Side::South => (house.index(), 76, 105),
            Side::North => (houses - 1 - house.index(), 32, 3),
        };
        let x = STEP * (place + 1) + STEP / 2;
        let letter = Move { side, house }.to_string();
        let class = if letter == judged.letter {
            "pit played"
        } else if judged.best.contains(&letter) {
            "pit best"
        } else {
            "pit"
        };
        html! {
            circle class=(class) cx=(x) cy=(y) r="18" {}
            text x=(x) y=(y) { (board.houses(side)[house.index()]) }
            text.letter x=(x) y=(letter_y) { (letter) }
        }
    };
    let label = format!(
        "The board {}; {} was played, {} is best",
        judged.board,
        judged.letter,
        judged.best.join(" or ")
    );
    Some(html! {
        svg.board viewBox=(format!("0 -6 {width} 120")) role="img" aria-label=(label) {
            (store(0, Side::North))
            (store(STEP * (houses + 1), Side::South))
            @for side in Side::ALL {
                @for house in (0..houses).filter_map(House::new) { (pit(side, house)) }
            }
        }
    })
}

/// The values of a game; above the middle South leads, below it North.
pub(super) fn graph(review: &Review) -> Markup {
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 200.0;
    let values: Vec<i32> = review.values().collect();
    let most = f64::from(values.iter().map(|value| value.abs()).max().unwrap_or(0).max(6)) * 1.1;
    let x = |ply: usize| WIDTH * ply as f64 / values.len().saturating_sub(1).max(1) as f64;
    let y = |value: i32| HEIGHT / 2.0 * (1.0 - f64::from(value) / most);
    let mut path = String::new();
    for (ply, value) in values.iter().enumerate() {
        if ply == 0 {
            let _ = write!(path, "M0 {:.1}", y(*value));
        } else {
            let _ = write!(path, "L{:.1} {:.1}", x(ply), y(*value));
        }
    }
    let middle = HEIGHT / 2.0;
    let area = format!("{path}L{WIDTH} {middle}L0 {middle}Z");
    let last = values.last().copied().unwrap_or(0);
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
