//! `kalah lab values`.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use kalah::board::Capture;
use plotters::prelude::*;
use plotters::style::text_anchor::{Pos, VPos};

use kalah_charts::canvas::{Area, DrawingError, HPos, draw_text, svg};
use kalah_charts::svg_path;
use kalah_command::new_file::NewFile;
use kalah_exact::survey::{self, SurveyRow};

/// Draw the values of starts that `kalah solve --table M N --csv FILE` has found.
///
/// A square for each start, with the margin of the first player: blue where that player wins, orange
/// where the other one does, the darker the larger the share of all seeds that the margin is. Empty
/// squares are not solved.
///
///   kalah lab values values.csv values.svg
///   kalah lab values docs/notebook/values.csv docs/pictures/values.svg
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ValuesCommand {
    /// The survey to read
    csv: PathBuf,

    /// The SVG file to write
    #[arg(value_parser = svg_path)]
    svg: PathBuf,
}

const TITLE: &str = "Values of the starts of all boards";

/// Sizes in pixels.
const CELL: i32 = 44;
const LEFT: i32 = 64;
const TOP: i32 = 74;
const GAP: i32 = 40;
const BOTTOM: i32 = 16;

const WIN: RGBColor = RGBColor(0, 114, 178);
const LOSS: RGBColor = RGBColor(213, 94, 0);
const DRAW: RGBColor = RGBColor(225, 225, 225);
const UNKNOWN: RGBColor = RGBColor(250, 250, 250);
const LINES: RGBColor = RGBColor(200, 200, 200);

/// A margin of this share of all seeds has the full colour.
const FULL_SHARE: f64 = 0.5;

/// The lightest colour of a win, as a part of the full one.
const LIGHTEST: f64 = 0.25;

impl ValuesCommand {
    /// Runs the command.
    pub(super) fn run(self) -> anyhow::Result<()> {
        let rows = survey::read(&self.csv)?;
        let file = NewFile::create(&self.svg)?;
        if file.is(&self.csv) {
            bail!("'{}' cannot be both survey and picture", self.csv.display());
        }
        let (houses, seeds) = largest(&rows);
        let size = (LEFT + seeds * CELL + LEFT / 4, 2 * (TOP + houses * CELL) + GAP + BOTTOM);
        let text = svg(TITLE, size, |area| draw(&rows, area))?;
        file.write(|file| Ok(file.write_all(text.as_bytes())?))
    }
}

/// The largest numbers of houses and of seeds.
fn largest(rows: &[SurveyRow]) -> (i32, i32) {
    let largest = |of: fn(&SurveyRow) -> u16| i32::from(rows.iter().map(of).max().unwrap_or(1));
    (largest(|row| row.houses), largest(|row| row.seeds))
}

fn draw(rows: &[SurveyRow], area: &Area<'_>) -> Result<(), DrawingError> {
    let (houses, seeds) = largest(rows);
    for (capture, panel) in Capture::ALL.into_iter().zip(0..) {
        let (left, above) = (LEFT, panel * (TOP + houses * CELL + GAP));
        let label = |text: String, place: (i32, i32), size: i32, colour: &RGBColor| {
            draw_text(area, &text, place, (size, HPos::Center, *colour))
        };
        let middle = left + seeds * CELL / 2;
        label(format!("{capture} capture"), (middle, above + 22), 18, &BLACK)?;
        label("seeds in each house".to_owned(), (middle, above + 44), 14, &BLACK)?;
        for seeds in 1..=seeds {
            label(
                seeds.to_string(),
                (left + seeds * CELL - CELL / 2, above + TOP - 12),
                14,
                &BLACK,
            )?;
        }
        for houses in 1..=houses {
            let top = above + TOP + (houses - 1) * CELL;
            label(houses.to_string(), (left - 16, top + CELL / 2), 14, &BLACK)?;
            for seeds in 1..=seeds {
                let left = left + (seeds - 1) * CELL;
                let of_cell = |row: &&SurveyRow| {
                    let place = (i32::from(row.houses), i32::from(row.seeds));
                    row.capture == capture && place == (houses, seeds)
                };
                let row = rows.iter().find(of_cell);
                let share =
                    |row: &SurveyRow| f64::from(row.margin) / f64::from(2 * row.houses * row.seeds);
                let square = [(left, top), (left + CELL, top + CELL)];
                let colour = row.map_or(UNKNOWN, |row| colour_of(share(row)));
                area.draw(&Rectangle::new(square, colour.filled()))?;
                area.draw(&Rectangle::new(square, LINES.stroke_width(1)))?;
                if let Some(row) = row {
                    let is_dark = share(row).abs() > FULL_SHARE / 2.0;
                    let colour = if is_dark { &WHITE } else { &BLACK };
                    let place = (left + CELL / 2, top + CELL / 2);
                    let margin = format!("{:+}", row.margin);
                    let margin = if row.margin == 0 { "0".to_owned() } else { margin };
                    label(margin, place, 16, colour)?;
                }
            }
        }
        let style =
            ("sans-serif", 17).into_font().transform(FontTransform::Rotate270).color(&BLACK);
        let style = style.pos(Pos::new(HPos::Center, VPos::Center));
        area.draw_text("houses a side", &style, (18, above + TOP + houses * CELL / 2))?;
    }
    Ok(())
}

/// The colour of a margin that is this share of all seeds.
fn colour_of(share: f64) -> RGBColor {
    if share == 0.0 {
        return DRAW;
    }
    let full = if share > 0.0 { WIN } else { LOSS };
    let strength = LIGHTEST + (1.0 - LIGHTEST) * (share.abs() / FULL_SHARE).min(1.0);
    let mix = |part: u8| (255.0 - (255.0 - f64::from(part)) * strength) as u8;
    RGBColor(mix(full.0), mix(full.1), mix(full.2))
}
