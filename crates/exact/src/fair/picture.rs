//! The summary of fair starts as a picture: who wins the boards, how many first moves hold the draws, what other first
//! moves lose, and the fair start that is easiest to hold.

use std::collections::BTreeMap;

use kalah::board::{Board, House, Move, Rules, Side};
use kalah::printable::counted;
use kalah_charts::COLOURS;
use kalah_charts::drawing::{INK, Place, svg_file, text, text_width};
use kalah_command::table::grouped;
use maud::{Markup, html};

use super::FairCounts;
use super::fair_start::FairStart;

/// Sizes in pixels: narrow, so that telephones show letters that can be read.
const WIDTH: i32 = 560;
const MARGIN: i32 = 14;
const INNER: i32 = WIDTH - 2 * MARGIN;
const TEXT: i32 = 14;
const SMALL: i32 = 12;
const ROW: i32 = 24;
const COLUMN: i32 = 100;
/// Between two parts, with the heading of the second.
const HEADING: i32 = 52;
/// The places of the parts below the title, and the greatest distance of two houses.
const TOP: i32 = 92;
const STEP: i32 = 46;

const WIN: &str = COLOURS[0];
const DRAW: &str = COLOURS[2];
const LOSS: &str = COLOURS[1];

/// The picture as the text of an SVG file.
pub(super) fn picture(rules: Rules, counts: &FairCounts, starts: &[FairStart]) -> String {
    let sum = |of: fn(&super::CountsOfMoved) -> usize| counts.moved.iter().map(of).sum::<usize>();
    let boards = sum(|counts| counts.boards);
    let results = [
        ("first player wins", WIN, sum(|counts| counts.wins)),
        ("draw: fair starts", DRAW, sum(|counts| counts.draws)),
        ("first player loses", LOSS, sum(|counts| counts.losses)),
    ];
    let title = format!("Fair starts of Kalah({},{})", counts.houses, counts.seeds);
    let most = counts.moved.len().saturating_sub(1);
    let seeds = counted(most, "seed");
    let note =
        format!("{} boards: at most {seeds} moved; {}", grouped(boards as u64), rules.rule_set());
    let mut parts = vec![results_bar(results, boards)];
    if let Some(easiest) = starts.first() {
        parts.extend([holding_rows(starts), losses_columns(starts)]);
        parts.extend(
            Board::from_fen(&easiest.fen, rules.rule_set())
                .map(|board| board_with_moves(&board, counts.seeds, easiest)),
        );
    }
    let mut top = TOP;
    let mut drawn = Vec::new();
    for (heading, part, height) in parts {
        drawn.push(html! {
            g transform=(format!("translate({MARGIN} {top})")) {
                (text(&heading, (0, -18), (TEXT + 1, "start", INK)))
                (part)
            }
        });
        top += height + HEADING;
    }
    let elements = html! {
        (text(&title, (WIDTH / 2, 22), (18, "middle", INK)))
        (text(&note, (WIDTH / 2, 44), (TEXT - 1, "middle", INK)))
        @for part in drawn { (part) }
    };
    svg_file(&title, (WIDTH, top - HEADING + MARGIN), &elements)
}

/// A heading, what stands below it from 0, 0 on, and the height of that.
type Part = (String, Markup, i32);

fn bar((x, y): Place, (width, height): Place, colour: &str) -> Markup {
    html! { rect x=(x) y=(y) width=(width.max(1)) height=(height) fill=(colour) {} }
}

/// A part of a width or height, in pixels.
fn share(count: usize, of: usize, length: i32) -> i32 {
    (count as f64 / of.max(1) as f64 * f64::from(length)).round() as i32
}

/// All boards as a bar that is divided by who wins them.
fn results_bar(results: [(&str, &str, usize); 3], boards: usize) -> Part {
    let mut before = 0;
    let segments = results.iter().zip(0..).map(|(&(name, colour, count), index)| {
        let (left, x) = (index * INNER / 3, share(before, boards, INNER));
        before += count;
        let percent = 100.0 * count as f64 / boards.max(1) as f64;
        let number = format!("{} ({percent:.1} %)", grouped(count as u64));
        html! {
            (bar((left, 0), (12, 12), colour))
            (text(name, (left + 18, 6), (TEXT, "start", INK)))
            (text(&number, (left + 18, 26), (TEXT, "start", INK)))
            @if count > 0 { (bar((x, 42), (share(before, boards, INNER) - x - 1, 30), colour)) }
        }
    });
    (
        "Who wins when both play best".to_owned(),
        html! { @for segment in segments { (segment) } },
        72,
    )
}

/// A row for each number of first moves that hold the draw.
fn holding_rows(starts: &[FairStart]) -> Part {
    let mut counts = BTreeMap::<usize, usize>::new();
    for start in starts {
        *counts.entry(start.holding).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or_default();
    let rows = counts.iter().zip(0..).map(|((holding, &count), row)| {
        let (left, width) = (72, share(count, most, INNER - 120));
        html! {
            (text(&counted(*holding, "move"), (left - 8, row * ROW + 9), (TEXT, "end", INK)))
            (bar((left, row * ROW), (width, 18), DRAW))
            (text(&grouped(count as u64), (left + width + 6, row * ROW + 9), (TEXT, "start", INK)))
        }
    });
    let heading =
        format!("First moves that hold the draw, of {} fair starts", grouped(starts.len() as u64));
    (heading, html! { @for row in rows { (row) } }, counts.len() as i32 * ROW)
}

/// A column for each number of seeds that first moves lose; all margins are even, as the number of seeds is.
fn losses_columns(starts: &[FairStart]) -> Part {
    let mut counts = BTreeMap::<i32, usize>::new();
    for margin in starts.iter().flat_map(|start| start.moves.values()) {
        *counts.entry(-margin).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or_default();
    let columns = counts.keys().max().unwrap_or(&0) / 2 + 1;
    let width = (INNER / columns).min(INNER / 8);
    // Every second, fifth … column has a label, if there is no room for all.
    let fits = |step: &i32| text_width("00", SMALL) < step * width;
    let step = [1, 2, 5, 10].into_iter().find(fits).unwrap_or(20);
    let drawn = (0..columns).map(|column| {
        let (lost, x) = (2 * column, column * width);
        let count = counts.get(&lost).copied().unwrap_or_default();
        let height = share(count, most, COLUMN);
        let (middle, top) = (x + width / 2, COLUMN + 18 - height);
        let number = grouped(count as u64);
        html! {
            @if count > 0 { (bar((x + 1, top), (width - 2, height), if lost == 0 { DRAW } else { LOSS })) }
            @if count > 0 && text_width(&number, SMALL) <= width {
                (text(&number, (middle, top - 9), (SMALL, "middle", INK)))
            }
            @if column % step == 0 {
                (text(&lost.to_string(), (middle, COLUMN + 28), (SMALL, "middle", INK)))
            }
        }
    });
    let columns = html! { @for column in drawn { (column) } };
    ("Seeds that each of their first moves loses".to_owned(), columns, COLUMN + 36)
}

/// A board with the seeds that were moved and the first moves that hold the draw.
fn board_with_moves(board: &Board, seeds: u16, start: &FairStart) -> Part {
    let houses = board.rules().houses();
    let step = STEP.min(INNER / (houses as i32 + 2));
    let (radius, left) = (step * 9 / 20, (INNER - step * (houses as i32 + 2)) / 2);
    let pit = |(x, y): Place, seeds: u16, usual: u16, half_height: i32, fill: Option<&str>| {
        let (ring, width) = if seeds == usual { (INK, 1) } else { (LOSS, 4) };
        let ink = if fill.is_some() { "white" } else { INK };
        html! {
            rect x=(x - radius) y=(y - half_height) width=(2 * radius) height=(2 * half_height) rx=(radius)
                fill=(fill.unwrap_or("none")) stroke=(ring) stroke-width=(width) {}
            (text(&seeds.to_string(), (x, y), (TEXT + 1, "middle", ink)))
        }
    };
    let holds = |side: Side, house: House| {
        let letter = board.move_from(house).letter();
        side == board.side() && start.moves.get(&letter) == Some(&0)
    };
    let house = |side: Side, house: House| {
        let (place, y) = match side {
            Side::South => (house.index(), radius + step),
            Side::North => (houses - 1 - house.index(), radius),
        };
        let place = (left + step * (place as i32 + 1) + step / 2, y + 2);
        let fill = holds(side, house).then_some(DRAW);
        let letter = Move { side, house }.to_string();
        html! {
            (pit(place, board.houses(side)[house.index()], seeds, radius, fill))
            @if side == board.side() {
                (text(&letter, (place.0, y + radius + 14), (SMALL, "middle", INK)))
            }
        }
    };
    let stores = [(Side::North, 0), (Side::South, houses as i32 + 1)].map(|(side, place)| {
        let place = (left + step * place + step / 2, radius + step / 2 + 2);
        pit(place, board.store(side), 0, radius + step / 2, None)
    });
    let drawn = html! {
        @for store in stores { (store) }
        @for side in Side::ALL {
            @for lane in (0..houses).filter_map(House::new) { (house(side, lane)) }
        }
    };
    let heading = "The easiest: green houses draw, ringed pits have moved seeds";
    (heading.to_owned(), drawn, 2 * radius + step + 22)
}
