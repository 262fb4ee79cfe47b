//! What all pictures share: the SVG file and its text.

use std::io;

use kalah::printable::printable_lines;
use maud::html;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{Pos, VPos};

use kalah_command::table::cut_text;

pub use plotters::style::text_anchor::HPos;

/// Why a picture cannot be drawn.
pub type DrawingError = DrawingAreaErrorKind<io::Error>;

/// A part of a picture, in pixels from its upper left corner.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Plotters draws letters smaller than it is told by this factor.
const FONT_SCALE: f64 = 1.24;

/// More than the mean width of a letter in any usual font, as a part of its size.
const LETTER: f64 = 0.58;

/// The text of an SVG file with this drawing on white. Screen readers read the title. The size gives the
/// proportions alone: the page that shows the picture decides how large it is.
pub fn svg(
    title: &str,
    (width, height): (i32, i32),
    draw: impl FnOnce(&Area<'_>) -> Result<(), DrawingError>,
) -> anyhow::Result<String> {
    let mut text = String::new();
    {
        let size = (width as u32, height as u32);
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        area.fill(&WHITE)?;
        draw(&area)?;
        area.present()?;
    }
    // Plotters' own element fixes the size.
    let contents = text.split_once('>').map_or("", |(_, contents)| contents);
    let title = html! { title { (title) } }.into_string();
    let svg = format!(
        "<svg viewBox=\"0 0 {width} {height}\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\">\n\
         {title}{contents}"
    );
    Ok(printable_lines(&svg).into_owned())
}

/// Writes text with letters of this size at a place, which is its left end, middle or right end at half the
/// height of the letters.
pub fn draw_text(
    area: &Area<'_>,
    text: &str,
    place: (i32, i32),
    (size, align, colour): (i32, HPos, RGBColor),
) -> Result<(), DrawingError> {
    if text.is_empty() {
        return Ok(());
    }
    let style = ("sans-serif", FONT_SCALE * f64::from(size)).into_font().color(&colour);
    area.draw_text(text, &style.pos(Pos::new(align, VPos::Center)), place)
}

/// The width of text with letters of this size, rather too large than too small.
pub fn text_width(text: &str, size: i32) -> i32 {
    (text.chars().count() as f64 * LETTER * f64::from(size)).ceil() as i32
}

/// Text with letters of this size, cut if it would be wider than `width`.
pub fn cut(text: &str, size: i32, width: i32) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let fitting = (f64::from(width) / (LETTER * f64::from(size))) as usize;
    cut_text(text, fitting)
}
