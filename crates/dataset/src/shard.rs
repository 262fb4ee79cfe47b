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
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, RowGroupReader};
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;

use crate::draw::DrawnBoard;
use crate::row::{Column, Kind, Row};

/// The values of a column.
#[derive(Debug, PartialEq)]
enum Values {
    Texts(Vec<String>),
    Numbers(Vec<Option<i64>>),
}

impl Values {
    fn of_rows(column: Column, rows: &[Row]) -> Values {
        match column.kind() {
            Kind::Text => Values::Texts(rows.iter().map(|row| column.text(row)).collect()),
            Kind::Small | Kind::Game => {
                Values::Numbers(rows.iter().map(|row| column.number(row)).collect())
            }
        }
    }
}

/// The schema in the language of Parquet.
fn schema(columns: &[Column]) -> String {
    let field = |&column: &Column| {
        let repetition = if column.is_optional() { "optional" } else { "required" };
        match column.kind() {
            Kind::Text => format!("{repetition} binary {column} (STRING);"),
            Kind::Small => format!("{repetition} int32 {column} (INTEGER(16,true));"),
            Kind::Game => format!("{repetition} int64 {column};"),
        }
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
        match Values::of_rows(column, rows) {
            Values::Texts(texts) => {
                let texts: Vec<_> =
                    texts.iter().map(|text| ByteArray::from(text.as_str())).collect();
                to.typed::<ByteArrayType>().write_batch(&texts, None, None)?;
            }
            Values::Numbers(numbers) if column.kind() == Kind::Game => {
                write_numbers::<Int64Type>(&mut to, &numbers, false, |number| number)?;
            }
            Values::Numbers(numbers) => {
                let is_optional = column.is_optional();
                write_numbers::<Int32Type>(&mut to, &numbers, is_optional, |number| number as i32)?;
            }
        }
        to.close()?;
    }
    group.close()?;
    writer.close()?;
    Ok(())
}

fn write_numbers<T: DataType>(
    to: &mut SerializedColumnWriter<'_>,
    numbers: &[Option<i64>],
    is_optional: bool,
    narrow: impl Fn(i64) -> T::T,
) -> Result<(), ParquetError> {
    let levels: Vec<i16> = numbers.iter().map(|number| number.is_some().into()).collect();
    let numbers: Vec<T::T> = numbers.iter().flatten().map(|&number| narrow(number)).collect();
    to.typed::<T>().write_batch(&numbers, is_optional.then_some(&levels), None)?;
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
    let group = reader.get_row_group(0)?;
    let found: Vec<Values> = columns
        .iter()
        .enumerate()
        .map(|(index, &column)| read_column(&*group, index, column))
        .collect::<Result<_, _>>()
        .context("is damaged")?;
    let values = |column| columns.iter().zip(&found).find(|(other, _)| **other == column);
    let boards = match values(Column::Board) {
        Some((_, Values::Texts(boards))) => boards.as_slice(),
        _ => &[],
    };
    let numbers = |column| match values(column) {
        Some((_, Values::Numbers(numbers))) => numbers.as_slice(),
        _ => &[],
    };
    let (games, margins) = (numbers(Column::Game), numbers(Column::Margin));
    let moves: Vec<_> = (0..rules.houses()).map(|house| numbers(Column::Move(house))).collect();
    let row = |index: usize| {
        let board = Board::from_fen(&boards[index], rules.rule_set())?;
        ensure!(board.rules() == rules, "a board of {} houses a side", board.rules().houses());
        let number = |of: &[Option<i64>]| of[index].unwrap_or(0);
        let drawn = DrawnBoard { board, game: number(games) as u64 };
        let moves = moves.iter().map(|of_house| of_house[index]);
        Row::from_columns(drawn, number(margins), moves, tablebase_seeds)
    };
    let row = |index| row(index).with_context(|| format!("row {}", index + 1));
    let rows: Vec<Row> = (0..boards.len()).map(row).collect::<anyhow::Result<_>>()?;
    for (&column, found) in columns.iter().zip(&found) {
        if *found != Values::of_rows(column, &rows) {
            bail!("the column '{column}' contradicts the others");
        }
    }
    Ok(rows)
}

/// All values of a column, of which there have to be as many as there are rows.
fn read_column(
    group: &dyn RowGroupReader,
    index: usize,
    column: Column,
) -> Result<Values, ParquetError> {
    Ok(match column.kind() {
        Kind::Text => {
            let texts = read_values::<ByteArrayType>(group, index, false)?.into_iter().flatten();
            let text = |bytes: ByteArray| Ok(bytes.as_utf8()?.to_owned());
            Values::Texts(texts.map(text).collect::<Result<_, ParquetError>>()?)
        }
        Kind::Game => Values::Numbers(read_values::<Int64Type>(group, index, false)?),
        Kind::Small => {
            let numbers = read_values::<Int32Type>(group, index, column.is_optional())?.into_iter();
            Values::Numbers(numbers.map(|number| number.map(i64::from)).collect())
        }
    })
}

fn read_values<T: DataType>(
    group: &dyn RowGroupReader,
    index: usize,
    is_optional: bool,
) -> Result<Vec<Option<T::T>>, ParquetError> {
    let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
    let mut reader = get_typed_column_reader::<T>(group.get_column_reader(index)?);
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let read = reader.read_records(rows, is_optional.then_some(&mut levels), None, &mut values)?;
    if !is_optional {
        levels.resize(values.len(), 1);
    }
    let mut values = values.into_iter();
    let values: Vec<_> =
        levels.iter().map(|&level| if level == 1 { values.next() } else { None }).collect();
    if read.0 == rows && values.len() == rows {
        Ok(values)
    } else {
        Err(ParquetError::EOF(format!("{} of {rows} values", values.len())))
    }
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
        for place in (0..bytes.len()).step_by(7) {
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
