//! What all pictures share: the SVG file, text and lines.

use kalah::printable::printable_lines;
use kalah_command::table::cut_text;
use maud::{Markup, html};

/// A place in pixels from the upper left corner of a picture.
pub type Place = (i32, i32);

/// The colour of text and axes: black, unless the page that shows the picture sets the CSS property `color`.
pub const INK: &str = "currentColor";

/// More than the mean width of a letter in any usual font, as a part of its size.
const LETTER: f64 = 0.58;

/// The text of an SVG file with these elements on white. Screen readers read the title. The size gives the
/// proportions alone: the page that shows the picture decides how large it is.
pub fn svg_file(title: &str, (width, height): (i32, i32), elements: &Markup) -> String {
    let view_box = format!("0 0 {width} {height}");
    let svg = html! {
        svg viewBox=(view_box) xmlns="http://www.w3.org/2000/svg" role="img" color="black" font-family="sans-serif" {
            title { (title) }
            rect.paper width=(width) height=(height) fill="white" {}
            (elements)
        }
    };
    printable_lines(&svg.into_string()).into_owned()
}

/// Text with letters of this size and colour. The place is at half the height of the letters, at the
/// `text-anchor`: `start`, `middle` or `end`.
pub fn text(text: &str, (x, y): Place, (size, anchor, colour): (i32, &str, &str)) -> Markup {
    html! {
        @if !text.is_empty() {
            text x=(x) y=(y) dy=".35em" font-size=(size) text-anchor=(anchor) fill=(colour) { (text) }
        }
    }
}

/// The width of text with letters of this size, rather too large than too small.
pub fn text_width(text: &str, size: i32) -> i32 {
    (text.chars().count() as f64 * LETTER * f64::from(size)).ceil() as i32
}

/// Text with letters of this size, cut if it would be wider than `width`.
pub(crate) fn fitting_text(text: &str, size: i32, width: i32) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    cut_text(text, (f64::from(width) / (LETTER * f64::from(size))) as usize)
}
