//! Pages in HTML: a file each, which loads nothing from elsewhere.

use kalah::board::{Board, House, Move, Side};
use kalah::printable::printable_lines;
use maud::{DOCTYPE, Markup, PreEscaped, Render, html};

/// The text of a page. `style` is its style sheet beside that of all pages, `page.css`, which has their
/// colours and tables.
pub fn page(title: &str, style: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(include_str!("page.css"))) (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    printable_lines(&page.into_string()).into_owned()
}

/// A table of a class, which may be empty. All columns after the first `names` are numbers. Without a header the first
/// column names the rows.
pub fn table<C: Render>(
    class: &str,
    header: &[impl Render],
    names: usize,
    rows: impl IntoIterator<Item = Vec<C>>,
) -> Markup {
    let number = |column: usize| (column >= names).then_some("number");
    html! {
        div.wide {
            table class=[Some(class).filter(|class| !class.is_empty())] {
                @if !header.is_empty() {
                    thead {
                        tr { @for (column, cell) in header.iter().enumerate() { th class=[number(column)] { (cell) } } }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            @for (column, cell) in row.into_iter().enumerate() {
                                @if column == 0 && header.is_empty() {
                                    th { (cell) }
                                } @else {
                                    td class=[number(column)] { (cell) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The distance between two houses of a board, in pixels.
const STEP: usize = 44;

/// A board with the move that was played and the best ones marked, by their letters. The style sheet of all pages
/// draws the pits; that of the page colours the classes `played` and `best`.
pub fn board_picture(board: &Board, played: &str, best: &[String]) -> Markup {
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
        let class = if letter == played {
            "pit played"
        } else if best.contains(&letter) {
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
    let was_played =
        if played.is_empty() { String::new() } else { format!("{played} was played, ") };
    let label = format!("The board {}; {was_played}{} is best", board.fen(), best.join(" or "));
    html! {
        svg.board viewBox=(format!("0 -6 {width} 120")) role="img" aria-label=(label) {
            (store(0, Side::North))
            (store(STEP * (houses + 1), Side::South))
            @for side in Side::ALL {
                @for house in (0..houses).filter_map(House::new) { (pit(side, house)) }
            }
        }
    }
}
