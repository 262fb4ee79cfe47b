//! At most a screen of text, unless all of it is asked for.

use std::fmt;

use kalah_command::table::flexible_table;

/// Lines of a usual terminal, without that of the next prompt.
const LINES: usize = 23;

/// Lines of a table above its rows.
const HEADER: usize = 2;

/// Text and tables. If they are longer than a screen, rows are left out, and a last line says so.
pub struct ScreenText {
    all: bool,
    parts: Vec<Part>,
}

/// Text, and perhaps a table below it.
type Part = (String, Option<ScreenTable>);

/// A table whose rows may be left out.
pub struct ScreenTable {
    /// The names of the columns.
    pub header: Vec<String>,
    /// All columns after this number of them are numbers.
    pub names: usize,
    /// The cells.
    pub rows: Vec<Vec<String>>,
    /// Rows that belong together: if there is space for one such group, only whole ones are kept.
    pub group: usize,
    /// Whether the last rows are more important than the first.
    pub keeps_last: bool,
}

/// The name of a column, and the text of an item in it.
pub(crate) type Column<T> = (&'static str, fn(&T) -> String);

impl ScreenTable {
    /// A table with a row for each item, which keeps its first rows.
    pub(crate) fn of_items<T, const N: usize>(
        items: &[T],
        columns: [Column<T>; N],
        names: usize,
        group: usize,
    ) -> ScreenTable {
        let rows = items.iter().map(|item| columns.map(|(_, text)| text(item)));
        ScreenTable::new(columns.map(|(name, _)| name), names, rows, group)
    }

    /// A table that keeps its first rows.
    pub fn new(
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

impl ScreenText {
    /// Nothing yet. With `all`, no rows are left out.
    pub fn new(all: bool) -> ScreenText {
        ScreenText { all, parts: Vec::new() }
    }

    /// Adds text, which is never left out.
    pub fn add_text(&mut self, text: impl Into<String>) {
        self.parts.push((text.into(), None));
    }

    /// Adds a table with the text above it, which is left out together with it.
    pub fn add_table(&mut self, text: impl Into<String>, table: ScreenTable) {
        self.parts.push((text.into(), Some(table)));
    }

    /// The number of rows of each table that is printed, and `None` for tables that are not.
    fn kept_rows(&self) -> Vec<Option<usize>> {
        let lines =
            |(text, table): &Part| text.lines().count() + if table.is_some() { HEADER } else { 0 };
        let rows = |(_, table): &Part| table.as_ref().map(|table| table.rows.len());
        let all = || self.parts.iter().map(rows);
        let needed = self.parts.iter().map(lines).chain(all().flatten()).sum::<usize>();
        if self.all || needed <= LINES {
            return all().collect();
        }
        let texts = self.parts.iter().filter(|(_, table)| table.is_none());
        // One line says what is left out.
        let mut left = LINES.saturating_sub(1 + texts.map(lines).sum::<usize>());
        let mut is_first = true;
        let kept = |part: &Part| {
            let table = part.1.as_ref()?;
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
        for ((text, table), kept) in self.parts.iter().zip(self.kept_rows()) {
            let Some(table) = table else {
                writeln!(f, "{text}")?;
                continue;
            };
            let rows = table.rows.len();
            all += rows;
            left_out += rows - kept.unwrap_or(0);
            let Some(kept) = kept else { continue };
            let kept = if table.keeps_last { rows - kept..rows } else { 0..kept };
            writeln!(f, "{text}")?;
            let rows = table.rows[kept].to_vec();
            writeln!(f, "{}", flexible_table(table.header.clone(), table.names, rows))?;
        }
        if left_out > 0 {
            writeln!(f, "{left_out} of {all} rows are left out; --all prints them.")?;
        }
        Ok(())
    }
}
