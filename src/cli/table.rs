//! Tables, numbers and lines of text.

use comfy_table::{CellAlignment, Table, presets};
use indicatif::HumanCount;
use kalah::printable::printable;

/// A Markdown table. All columns after the first `names` are right-aligned.
pub(super) fn table<const N: usize>(
    header: [&str; N],
    names: usize,
    rows: impl IntoIterator<Item = [String; N]>,
) -> Table {
    flexible_table(header.map(str::to_owned).to_vec(), names, rows)
}

/// The same with a variable number of columns.
pub(super) fn flexible_table(
    header: Vec<String>,
    names: usize,
    rows: impl IntoIterator<Item = impl IntoIterator<Item = String>>,
) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    for row in rows {
        table.add_row(row.into_iter().map(|cell| printable(&cell).into_owned()));
    }
    for column in table.column_iter_mut().skip(names) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Breaks a text at spaces into lines of at most `width` characters. A longer word gets a line of
/// its own.
pub(super) fn wrapped(text: &str, width: usize) -> String {
    let options = textwrap::Options::new(width).break_words(false);
    textwrap::fill(text, options.word_splitter(textwrap::WordSplitter::NoHyphenation))
}

/// A number with commas between its thousands.
pub(super) fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// The change from one number to another in per cent, as in `-12.3 %`.
pub(super) fn change(from: f64, to: f64) -> String {
    format!("{:+.1} %", 100.0 * (to / from - 1.0))
}
