//! The chart of a rating list: a row for each player, with a marker and the interval.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::super::super::chart_svg::{Area, COLOURS, DrawingError, svg};
use super::list::{RatedPlayer, elo};
use super::players::Group;

/// Sizes in pixels. The chart is narrow, so that a telephone shows it without making it smaller.
const WIDTH: i32 = 420;
const ROW: i32 = 21;
const LEGEND: i32 = 68;
const TOP: i32 = 86;
const BOTTOM: i32 = 48;
const RIGHT: i32 = 22;
const GAP: i32 = 10;
const MARKER: i32 = 5;

/// Sizes of text; letters are smaller by a quarter.
const TITLE: i32 = 20;
const TEXT: i32 = 16;
const NOTE: i32 = 15;
/// More than the mean width of a letter of `TEXT` in any usual font.
const LETTER: f64 = 7.4;

/// The most intervals between the labels of the axis.
const MAX_STEPS: f64 = 6.0;
/// Steps that are tried: 1, 2, 5, 10 … to far beyond any rating.
const MAX_SCALES: usize = 60;

const FAINT: RGBColor = RGBColor(225, 225, 225);
const GREY: RGBColor = RGBColor(90, 90, 90);

/// The chart as the text of an SVG file, under a title and a note.
pub(super) fn rating_chart(texts: [&str; 2], players: &[RatedPlayer]) -> anyhow::Result<String> {
    svg(|text| draw(texts, players, text))
}

fn draw<'a>(
    [title, note]: [&str; 2],
    players: &[RatedPlayer],
    text: &'a mut String,
) -> Result<(), DrawingError<'a>> {
    let height = TOP + ROW * players.len() as i32 + BOTTOM;
    let area = SVGBackend::with_string(text, (WIDTH as u32, height as u32)).into_drawing_area();
    area.fill(&WHITE)?;
    let label = |text: &str, place: (i32, i32), size: i32, align: HPos, colour: &RGBColor| {
        let style = ("sans-serif", size).into_font().color(colour);
        area.draw_text(text, &style.pos(Pos::new(align, VPos::Center)), place)
    };
    label(title, (WIDTH / 2, 18), TITLE, HPos::Center, &BLACK)?;
    label(note, (WIDTH / 2, 41), NOTE, HPos::Center, &GREY)?;

    // The legend, spread evenly.
    let widths = Group::ALL.map(|(_, name)| 2 * MARKER + GAP / 2 + name_width(name));
    let space = (WIDTH - widths.iter().sum::<i32>()) / (widths.len() as i32 + 1);
    let mut x = space;
    for ((group, name), width) in Group::ALL.into_iter().zip(widths) {
        draw_marker(&area, group, (x + MARKER, LEGEND))?;
        label(name, (x + 2 * MARKER + GAP / 2, LEGEND), TEXT, HPos::Left, &BLACK)?;
        x += width + space;
    }

    // The axis.
    let names = players.iter().map(|player| name_width(&player.player));
    let (left, right) = (names.max().unwrap_or(0) + 2 * GAP, WIDTH - RIGHT);
    let bottom = height - BOTTOM;
    let (start, end, step) = axis(players);
    let x_of = |elo: f64| {
        // An interval may be infinite.
        let share = ((elo - start) / (end - start)).clamp(0.0, 1.0);
        left + (share * f64::from(right - left)).round() as i32
    };
    let steps = ((end - start) / step).round() as u32;
    for tick in (0..=steps).map(|number| start + f64::from(number) * step) {
        let x = x_of(tick);
        area.draw(&PathElement::new([(x, TOP), (x, bottom)], FAINT))?;
        label(&elo(tick), (x, bottom + 12), NOTE, HPos::Center, &BLACK)?;
    }
    area.draw(&PathElement::new([(left, bottom), (right, bottom)], BLACK))?;
    label("Elo", (i32::midpoint(left, right), bottom + 33), TEXT, HPos::Center, &BLACK)?;

    for (player, row) in players.iter().zip(0..) {
        let y = TOP + ROW * row + ROW / 2;
        label(&player.player, (left - GAP, y), TEXT, HPos::Right, &BLACK)?;
        area.draw(&PathElement::new([(left, y), (right, y)], FAINT))?;
        let interval = [(x_of(player.low), y), (x_of(player.high), y)];
        area.draw(&PathElement::new(interval, colour(player.group).stroke_width(2)))?;
        draw_marker(&area, player.group, (x_of(player.elo), y))?;
    }
    area.present()
}

/// The start, the end and the step of the axis.
fn axis(players: &[RatedPlayer]) -> (f64, f64, f64) {
    let values = players.iter().flat_map(|player| [player.low, player.elo, player.high]);
    let values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    let low = values.iter().copied().fold(0.0, f64::min);
    let high = values.iter().copied().fold(low + 1.0, f64::max);
    let steps = (0..).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
    let ends = steps.map(|step: f64| ((low / step).floor(), (high / step).ceil(), step));
    let fits = |&(start, end, _): &(f64, f64, f64)| end - start <= MAX_STEPS;
    let (start, end, step) = ends.take(MAX_SCALES).find(fits).unwrap_or((0.0, 1.0, high));
    (start * step, end * step, step)
}

/// The colour of a group. Groups differ in shape as well, for print and colour-blind readers.
fn colour(group: Group) -> RGBColor {
    COLOURS[group as usize]
}

fn draw_marker<'a>(
    area: &Area<'a>,
    group: Group,
    (x, y): (i32, i32),
) -> Result<(), DrawingError<'a>> {
    let filled = colour(group).filled();
    let outline: &[(i32, i32)] = match group {
        Group::Engine => return area.draw(&Circle::new((x, y), MARKER, filled)),
        Group::Levels => &[(-4, -4), (4, -4), (4, 4), (-4, 4)],
        Group::Literature => &[(-6, 4), (0, -6), (6, 4)],
        Group::MonteCarlo => &[(-6, 0), (0, -6), (6, 0), (0, 6)],
    };
    let points: Vec<(i32, i32)> = outline.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
    area.draw(&Polygon::new(points, filled))
}

fn name_width(name: &str) -> i32 {
    (name.chars().count() as f64 * LETTER).ceil() as i32
}
