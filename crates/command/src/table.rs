//! Tables, numbers and lines of text.

use comfy_table::{CellAlignment, Table, presets};
use indicatif::HumanCount;
use kalah::printable::{plural, printable};

/// The placeholder for a missing value.
pub const MISSING: &str = "-";

/// A Markdown table. All columns after the first `names` are right-aligned, numbers by their decimal points.
pub fn table<const N: usize>(
    header: [&str; N],
    names: usize,
    rows: impl IntoIterator<Item = [String; N]>,
) -> Table {
    flexible_table(header.map(str::to_owned).to_vec(), names, rows)
}

/// The same with a variable number of columns.
pub fn flexible_table(
    header: Vec<String>,
    names: usize,
    rows: impl IntoIterator<Item = impl IntoIterator<Item = String>>,
) -> Table {
    let printable = |cell: String| printable(&cell).into_owned();
    let rows = rows.into_iter().map(|row| row.into_iter().map(printable).collect());
    let mut rows: Vec<Vec<String>> = rows.collect();
    for column in names..header.len() {
        align_points(rows.iter_mut().filter_map(|row| row.get_mut(column)).collect());
    }
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    table.add_rows(rows);
    for column in table.column_iter_mut().skip(names) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Adds spaces to the cells of a right-aligned column, so that decimal points are below each other.
fn align_points(mut cells: Vec<&mut String>) {
    let longest = cells.iter().filter_map(|cell| after_units(cell)).max().unwrap_or(0);
    for cell in &mut cells {
        if let Some(after) = after_units(cell) {
            cell.push_str(&" ".repeat(longest - after));
        }
    }
}

/// The number of characters after the units of a number; 0 for text such as "-", `None` for several numbers.
fn after_units(cell: &str) -> Option<usize> {
    let Some(start) = cell.find(|c: char| c.is_ascii_digit()) else { return Some(0) };
    let number = &cell[start..];
    let units = number.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(number.len());
    let after = &number[units..];
    let fraction = after.strip_prefix('.').unwrap_or(after);
    let unit = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_single = !unit.contains(|c: char| c.is_ascii_digit());
    is_single.then(|| after.chars().count())
}

/// Breaks a text at spaces into lines of at most `width` characters; a longer word is one.
pub fn wrapped(text: &str, width: usize) -> String {
    let options = textwrap::Options::new(width).break_words(false);
    textwrap::fill(text, options.word_splitter(textwrap::WordSplitter::NoHyphenation))
}

/// A text, cut to a number of characters; an ellipsis tells that it was cut.
pub fn cut_text(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some(_) => text.chars().take(characters.saturating_sub(1)).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

/// A number with commas between its thousands.
pub fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// A number with commas, and what it counts: `1 game`, `1,200 games`.
pub fn grouped_count(number: u64, noun: &str) -> String {
    format!("{} {}", grouped(number), plural(number, noun))
}

/// A number with its sign, which 0 has not.
pub fn signed(number: i32) -> String {
    if number == 0 { "0".to_owned() } else { format!("{number:+}") }
}

/// The change from one number to another in per cent, as in `-12.3 %`.
pub fn change(from: f64, to: f64) -> String {
    signed_percent(100.0 * (to / from - 1.0))
}

/// A percentage with its sign.
pub fn signed_percent(percentage: f64) -> String {
    format!("{:+.1} %", plain_zero(percentage, 1))
}

/// The value, or 0 if that is what it is with so many decimals, so that nobody reads `-0.0`.
pub fn plain_zero(value: f64, decimals: usize) -> f64 {
    if format!("{value:.decimals$}").parse() == Ok(0.0) { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[&str]) -> Vec<String> {
        let rows = cells.iter().map(|&cell| ["name".to_owned(), cell.to_owned()]);
        let text = table(["", "number"], 1, rows).to_string();
        let cells = text.lines().skip(2).filter_map(|line| line.split('|').nth(2));
        cells.map(str::to_owned).collect()
    }

    #[test]
    fn numbers_are_aligned_by_their_decimal_points() {
        let cells = column(&["-12.3 %", "1,234", "-", "", "+0.25 %", "x 7"]);
        let aligned = [
            "   -12.3 %  ",
            " 1,234      ",
            "     -      ",
            "            ",
            "    +0.25 % ",
            "   x 7      ",
        ];
        assert_eq!(cells, aligned);
    }

    #[test]
    fn other_cells_stay_right_aligned() {
        assert_eq!(
            column(&["[-3, 12]", "4 to 24", "7"]),
            [" [-3, 12] ", "  4 to 24 ", "        7 "]
        );
        assert_eq!(column(&["5", "1000"]), ["      5 ", "   1000 "]);
    }

    #[test]
    fn nothing_is_a_negative_zero() {
        assert_eq!([change(1000.0, 999.9), change(4.0, 3.0)], ["+0.0 %", "-25.0 %"]);
    }
}
