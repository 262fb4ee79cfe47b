//! At most a screen of text, unless all of it is asked for.

use std::fmt;

use clap::Args;

use kalah_command::table::flexible_table;

/// Options of experiments with more rows than a screen has.
#[derive(Args)]
pub(super) struct ScreenOptions {
    /// Print all rows, also more than a screen of them; CSV and JSON always have all
    #[arg(long)]
    pub all: bool,
}

/// Lines of a usual terminal, without that of the next prompt.
const LINES: usize = 23;

/// Lines of a table above its rows.
const HEADER: usize = 2;

/// Text and tables. If they are longer than a screen, rows are left out, and a last line says so.
pub(super) struct ScreenText {
    all: bool,
    parts: Vec<Part>,
}

/// A table and the text above it, or text alone.
struct Part {
    text: String,
    table: Option<ScreenTable>,
}

/// A table whose rows may be left out.
pub(super) struct ScreenTable {
    pub header: Vec<String>,
    /// All columns after this number of them are numbers.
    pub names: usize,
    pub rows: Vec<Vec<String>>,
    /// Rows that belong together: if there is space for one such group, only whole ones are kept.
    pub group: usize,
    /// Whether the last rows are more important than the first.
    pub keeps_last: bool,
}

impl ScreenTable {
    /// A table that keeps its first rows.
    pub(super) fn new(
        header: impl IntoIterator<Item: Into<String>>,
        names: usize,
        rows: impl IntoIterator<Item: Into<Vec<String>>>,
        group: usize,
    ) -> ScreenTable {
        let header = header.into_iter().map(Into::into).collect();
        let rows = rows.into_iter().map(Into::into).collect();
        ScreenTable { header, names, rows, group, keeps_last: false }
    }
}

impl ScreenOptions {
    pub(super) fn screen(&self) -> ScreenText {
        ScreenText { all: self.all, parts: Vec::new() }
    }
}

impl ScreenText {
    /// Adds text, which is never left out.
    pub(super) fn add_text(&mut self, text: impl Into<String>) {
        self.parts.push(Part { text: text.into(), table: None });
    }

    /// Adds a table with the text above it, which is left out together with it.
    pub(super) fn add_table(&mut self, text: impl Into<String>, table: ScreenTable) {
        self.parts.push(Part { text: text.into(), table: Some(table) });
    }

    /// The number of rows of each table that is printed, and `None` for tables that are not.
    fn kept_rows(&self) -> Vec<Option<usize>> {
        let rows = |part: &Part| part.table.as_ref().map(|table| table.rows.len());
        let lines = |part: &Part| {
            let header = part.table.as_ref().map_or(0, |_| HEADER);
            part.text.lines().count() + header
        };
        let all = || self.parts.iter().map(rows);
        let needed: usize =
            self.parts.iter().map(lines).sum::<usize>() + all().flatten().sum::<usize>();
        if self.all || needed <= LINES {
            return all().collect();
        }
        let texts = self.parts.iter().filter(|part| part.table.is_none());
        // One line says what is left out.
        let mut left = LINES.saturating_sub(1 + texts.map(lines).sum::<usize>());
        let mut is_first = true;
        let kept = |part: &Part| {
            let table = part.table.as_ref()?;
            let fitting =
                left.checked_sub(lines(part)).filter(|&rows| rows > 0)?.min(table.rows.len());
            let group = table.group.max(1);
            let whole = fitting - fitting % group;
            // A part of a group is better than nothing at all.
            let kept = if whole == 0 && is_first { fitting } else { whole };
            is_first = false;
            if kept == 0 {
                return None;
            }
            left -= lines(part) + kept;
            Some(kept)
        };
        self.parts.iter().map(kept).collect()
    }
}

impl fmt::Display for ScreenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut left_out, mut all) = (0, 0);
        for (part, kept) in self.parts.iter().zip(self.kept_rows()) {
            let Some(table) = &part.table else {
                writeln!(f, "{}", part.text)?;
                continue;
            };
            let rows = table.rows.len();
            all += rows;
            left_out += rows - kept.unwrap_or(0);
            let Some(kept) = kept else { continue };
            let kept = if table.keeps_last { rows - kept..rows } else { 0..kept };
            if !part.text.is_empty() {
                writeln!(f, "{}", part.text)?;
            }
            let rows = table.rows[kept].to_vec();
            writeln!(f, "{}", flexible_table(table.header.clone(), table.names, rows))?;
        }
        if left_out > 0 {
            writeln!(f, "{left_out} of {all} rows are left out; --all prints them.")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: usize, group: usize, keeps_last: bool) -> ScreenTable {
        let rows = (1..=rows).map(|row| [format!("row {row}")]);
        ScreenTable { keeps_last, ..ScreenTable::new(["name"], 1, rows, group) }
    }

    fn printed(all: bool, tables: Vec<ScreenTable>) -> String {
        let mut screen = ScreenOptions { all }.screen();
        for table in tables {
            screen.add_table("caption", table);
        }
        screen.add_text("the end");
        screen.to_string()
    }

    #[test]
    fn a_screen_is_not_exceeded_and_all_is_all() {
        for (first, second) in [(1, 1), (15, 0), (16, 1), (30, 30), (300, 1), (1, 300)] {
            let tables = || vec![table(first, 1, false), table(second, 4, true)];
            let (some, all) = (printed(false, tables()), printed(true, tables()));
            assert!(some.lines().count() <= LINES, "{some}");
            assert_eq!(all.matches("row ").count(), first + second);
            assert_eq!(some == all, all.lines().count() <= LINES);
            let kept = some.matches("| row ").count();
            let note = format!("{} of {} rows are left out", first + second - kept, first + second);
            assert_eq!(some.contains(&note), some != all, "{some}");
            assert!(some.contains("the end\n"));
        }
    }

    #[test]
    fn groups_stay_whole_and_the_last_rows_can_be_kept() {
        let first = printed(false, vec![table(50, 7, false)]);
        assert!(first.contains("row 14 ") && !first.contains("row 15"), "{first}");
        let last = printed(false, vec![table(50, 7, true)]);
        assert!(last.contains("row 37 ") && !last.contains("row 36 "), "{last}");
    }
}
