//! A file of rows, in Parquet.

use std::fs::File;
use std::io::Write;
use std::panic;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail, ensure};
use kalah::board::{Board, Rules};
use kalah::regular_file;
use parquet::basic::{Compression, GzipLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::file::writer::SerializedFileWriter;
use parquet::record::{self, Field};
use parquet::schema::parser::parse_message_type;

use crate::draw::DrawnBoard;
use crate::row::{Column, Row};

/// The schema in the language of Parquet.
fn schema(columns: &[Column]) -> String {
    let field = |&column: &Column| match column {
        Column::Board | Column::Side | Column::Best | Column::Source | Column::Split => {
            format!("required binary {column} (STRING);")
        }
        Column::Move(_) => format!("optional int32 {column} (INTEGER(16,true));"),
        Column::Game => format!("required int64 {column};"),
        _ => format!("required int32 {column} (INTEGER(16,true));"),
    };
    format!("message positions {{ {} }}", columns.iter().map(field).collect::<String>())
}

/// Writes rows of a board with `houses` houses a side. The same rows make the same bytes. `settings` is kept in the file.
pub(crate) fn write(
    file: &mut (impl Write + Send),
    houses: usize,
    rows: &[Row],
    settings: &str,
) -> Result<(), ParquetError> {
    let columns = Column::all(houses);
    let schema = Arc::new(parse_message_type(&schema(&columns))?);
    let settings = KeyValue::new("kalah".to_owned(), settings.to_owned());
    let properties = WriterProperties::builder()
        .set_created_by(concat!("kalah ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::GZIP(GzipLevel::default()))
        .set_key_value_metadata(Some(vec![settings]));
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build()))?;
    let mut group = writer.next_row_group()?;
    for &column in &columns {
        let mut to = group.next_column()?.ok_or_else(|| ParquetError::EOF("columns".to_owned()))?;
        let (mut texts, mut numbers, mut games) = (Vec::new(), Vec::new(), Vec::new());
        let mut levels = Vec::new();
        for row in rows {
            let value = column.value(row);
            levels.push(i16::from(value != Field::Null));
            match value {
                Field::Str(text) => texts.push(ByteArray::from(text.as_str())),
                Field::Short(number) => numbers.push(i32::from(number)),
                Field::Long(game) => games.push(game),
                _ => {}
            }
        }
        // Only a column whose values are optional looks at the levels.
        let levels = Some(&levels[..]);
        match to.untyped() {
            ColumnWriter::ByteArrayColumnWriter(to) => to.write_batch(&texts, levels, None)?,
            ColumnWriter::Int32ColumnWriter(to) => to.write_batch(&numbers, levels, None)?,
            ColumnWriter::Int64ColumnWriter(to) => to.write_batch(&games, levels, None)?,
            _ => 0,
        };
        to.close()?;
    }
    group.close()?;
    writer.close()?;
    Ok(())
}

/// Reads the rows of a file. All of its columns have to agree with each other.
pub(crate) fn read(path: &Path, rules: Rules, tablebase_seeds: u32) -> anyhow::Result<Vec<Row>> {
    let name = || format!("'{}'", path.display());
    let file = regular_file::open(path).with_context(name)?;
    // The library panics at some damaged files.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let rows = panic::catch_unwind(|| rows_of_file(file, rules, tablebase_seeds));
    panic::set_hook(hook);
    rows.unwrap_or_else(|_| Err(anyhow!("is damaged"))).with_context(name)
}

fn rows_of_file(file: File, rules: Rules, tablebase_seeds: u32) -> anyhow::Result<Vec<Row>> {
    let reader = SerializedFileReader::new(file).context("is not a file of Parquet")?;
    let columns = Column::all(rules.houses());
    let expected = parse_message_type(&schema(&columns))?;
    ensure!(
        *reader.metadata().file_metadata().schema() == expected,
        "its columns are not those of a dataset of this board"
    );
    ensure!(reader.num_row_groups() == 1, "has other parts than a dataset");
    let read = |(fields, number): (parquet::errors::Result<record::Row>, usize)| {
        let fields = fields.context("is damaged")?.into_columns();
        let fields: Vec<Field> = fields.into_iter().map(|(_, field)| field).collect();
        row(&columns, &fields, rules, tablebase_seeds).with_context(|| format!("row {number}"))
    };
    reader.get_row_iter(None)?.zip(1..).map(read).collect()
}

/// The row with these values, which have to agree with each other.
fn row(
    columns: &[Column],
    fields: &[Field],
    rules: Rules,
    tablebase_seeds: u32,
) -> anyhow::Result<Row> {
    let values = || columns.iter().zip(fields);
    let value = |of: Column| values().find(|(column, _)| **column == of).map(|(_, field)| field);
    let (Some(Field::Str(board)), Some(&Field::Short(margin)), Some(&Field::Long(game))) =
        (value(Column::Board), value(Column::Margin), value(Column::Game))
    else {
        bail!("is damaged");
    };
    let board = Board::from_fen(board, rules.rule_set())?;
    ensure!(board.rules() == rules, "a board of {} houses a side", board.rules().houses());
    let moves = (1..=rules.houses()).map(|house| match value(Column::Move(house)) {
        Some(&Field::Short(margin)) => Some(i32::from(margin)),
        _ => None,
    });
    let drawn = DrawnBoard { board, game: game as u64 };
    let row = Row::from_columns(drawn, margin.into(), moves, tablebase_seeds)?;
    for (column, field) in values() {
        ensure!(column.value(&row) == *field, "the column '{column}' contradicts the others");
    }
    Ok(row)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
pub(crate) mod tests {
    use std::fs;
    use std::num::NonZeroUsize;

    use kalah::StopToken;
    use kalah::solve::{SolveProgress, Solver, SolverResources};
    use tempfile::{NamedTempFile, tempfile};

    use super::*;
    use crate::draw::Draw;

    pub(crate) const TABLE_SEEDS: u32 = 9;

    /// Of games with 3 houses, 3 seeds in each, and empty capture.
    pub(crate) fn some_rows() -> Vec<Row> {
        let start = Board::start(Rules::new(3, kalah::Capture::Empty).unwrap(), 3).unwrap();
        let stop = StopToken::new();
        let drawn = Draw::new(start, 7).take(60, NonZeroUsize::MIN, &stop).unwrap();
        let boards: Vec<Board> = drawn.iter().map(|drawn| drawn.board).collect();
        let resources = SolverResources { mebibytes: 16, ..SolverResources::default() };
        let progress = SolveProgress::default();
        let solved = Solver::new(resources).solve_all(&boards, &stop, &progress).unwrap();
        drawn.iter().zip(solved).map(|(drawn, it)| Row::new(*drawn, &it, TABLE_SEEDS)).collect()
    }

    fn written(rows: &[Row]) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, 3, rows, "{}").unwrap();
        bytes
    }

    fn read_bytes(bytes: &[u8]) -> anyhow::Result<Vec<Row>> {
        let mut file = tempfile()?;
        file.write_all(bytes)?;
        rows_of_file(file, Rules::new(3, kalah::Capture::Empty)?, TABLE_SEEDS)
    }

    #[test]
    fn damaged_files_are_refused_or_have_the_same_rows() {
        let rows = some_rows();
        let (bytes, file) = (written(&rows), NamedTempFile::new().unwrap());
        let rules = Rules::new(3, kalah::Capture::Empty).unwrap();
        let step = if std::env::var_os("KALAH_DEEP").is_some() { 7 } else { 29 };
        for place in (0..bytes.len()).step_by(step) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << (place % 8);
            fs::write(file.path(), damaged).unwrap();
            if let Ok(found) = read(file.path(), rules, TABLE_SEEDS) {
                assert_eq!(found, rows, "byte {place}");
            }
        }
    }

    #[test]
    fn rows_come_back_and_contradictions_are_found() {
        let rows = some_rows();
        assert!(rows.iter().any(|row| row.source == crate::row::Source::Solver));
        assert_eq!(read_bytes(&written(&rows)).unwrap(), rows);
        let mut other = rows.clone();
        other[5].margin += 2;
        let error = format!("{:#}", read_bytes(&written(&other)).unwrap_err());
        assert!(error.contains("row 6: "), "{error}");
        let mut other = rows.clone();
        other[3].source = crate::row::Source::Solver;
        other[4].source = crate::row::Source::Tablebase;
        let error = format!("{:#}", read_bytes(&written(&other)).unwrap_err());
        assert!(error.contains("the column 'source' contradicts the others"), "{error}");
        let mut other = rows;
        let illegal = other[0].moves.iter().position(Option::is_some).unwrap();
        other[0].moves[illegal] = None;
        let error = format!("{:#}", read_bytes(&written(&other)).unwrap_err());
        assert!(error.contains("are not the legal ones"), "{error}");
    }
}
