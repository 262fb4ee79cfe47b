//! `kalah dataset verify`.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use fastrand::Rng;
use kalah::solve::{SolveError, SolveProgress, SolveRequest, Solver};
use kalah_command::exit::{interrupted, stop_on_ctrl_c};
use kalah_command::options::{SolverOptions, number};
use kalah_command::output::OutputOption;
use kalah_command::progress_bar::counting_bar;
use kalah_command::say;
use kalah_command::table::{grouped, grouped_count};
use serde::Serialize;

use crate::row::Row;
use crate::settings::{Dataset, Settings, settings_path, shard_path};
use crate::shard;
use crate::sums::Sums;

/// Verify a dataset
///
/// Verifies the checksums, that the columns of all rows agree and that no position is there twice. Then it solves rows
/// drawn at random again, as kalah solve does, each with empty tables. Prints each wrong row; the exit status is 1 if
/// there is one.
///
///   kalah dataset verify positions
///   kalah dataset verify positions --rows 10000 --hash 4096
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct VerifyCommand {
    /// Directory of the files
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Rows to solve again
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = number::<usize>(..=1_000_000_000))]
    rows: usize,

    /// Random seed of the choice of rows [default: a new one each time]
    #[arg(long, value_name = "SEED", value_parser = number::<u64>(..))]
    seed: Option<u64>,

    #[command(flatten)]
    solver: SolverOptions,

    #[command(flatten)]
    output: OutputOption,
}

/// The verification of a dataset.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct VerifiedJson {
    /// Positions of the dataset.
    positions: u64,
    /// Rows that were solved again.
    rows: usize,
    /// The random seed of their choice.
    seed: u64,
    /// Rows whose values are wrong.
    wrong: Vec<WrongRow>,
    /// The time that it took, in seconds.
    seconds: f64,
}

/// A row whose values are wrong.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct WrongRow {
    /// The position as FEN, with the side to move.
    fen: String,
    /// The margin in the file, from the view of the side to move.
    written: i32,
    /// The margin found now: if it is the same, that of a move differs.
    found: i32,
}

impl VerifyCommand {
    pub fn run(self) -> anyhow::Result<()> {
        let directory = self.directory.display();
        let Some(Dataset { settings, .. }) = Dataset::open(&self.directory)? else {
            bail!("'{directory}' has no dataset");
        };
        // Small enough to be typed.
        let seed = self.seed.unwrap_or_else(|| fastrand::u64(..1_000_000_000));
        let (time, mut output) = (Instant::now(), self.output.text());
        let (positions, rows) = self.read(&settings, seed)?;
        writeln!(output, "seed {seed}")?;
        let wrong = self.wrong_rows(&rows, &settings)?;
        for WrongRow { fen, written, found } in &wrong {
            say!(
                "{fen}: margin {written}, found {found}{}",
                if written == found { ", a move differs" } else { "" }
            );
        }
        let seconds = time.elapsed().as_secs_f64();
        let verified = VerifiedJson { positions, rows: rows.len(), seed, wrong, seconds };
        let (wrong, positions) = (verified.wrong.len(), grouped_count(positions, "position"));
        let checked = grouped(rows.len() as u64);
        writeln!(output, "{positions}, {checked} solved again in {seconds:.2} s, {wrong} wrong")?;
        output.flush()?;
        self.output.print("kalah-dataset-verify", &verified)?;
        if wrong > 0 {
            let rows = grouped_count(rows.len() as u64, "row");
            bail!("'{directory}': {wrong} of {rows} wrong");
        }
        Ok(())
    }

    /// Reads all rows, and chooses some of them, each as likely as any other (algorithm R: J. S. Vitter, *Random sampling
    /// with a reservoir*, 1985). Returns also how many there are.
    fn read(&self, settings: &Settings, seed: u64) -> anyhow::Result<(u64, Vec<Row>)> {
        let sums = Sums::read(&self.directory)?;
        let settings_path = settings_path(&self.directory);
        if !sums.has(&settings_path) {
            bail!("'{}': the dataset is not complete", self.directory.display());
        }
        sums.verify(&settings_path)?;
        let rules = settings.start()?.rules();
        let (mut random, mut chosen) = (Rng::with_seed(seed), Vec::new());
        let (mut drawn, mut count) = (HashSet::new(), 0);
        for number in 0..sums.count(".parquet") {
            let path = shard_path(&self.directory, number);
            sums.verify(&path)?;
            for row in shard::read(&path, rules, settings.table_seeds)? {
                if !drawn.insert(row.drawn.board.key()) {
                    bail!("'{}' has a position twice: {}", path.display(), row.drawn.board.fen());
                }
                count += 1;
                if chosen.len() < self.rows {
                    chosen.push(row);
                } else if let Some(place) = chosen.get_mut(random.u64(..count) as usize) {
                    *place = row;
                }
            }
        }
        Ok((count, chosen))
    }

    fn wrong_rows(&self, rows: &[Row], settings: &Settings) -> anyhow::Result<Vec<WrongRow>> {
        let bar = counting_bar(rows.len(), "rows");
        let (mut solver, stop) = (Solver::new(self.solver.resources()), stop_on_ctrl_c()?);
        let (request, progress) =
            (SolveRequest { moves: true, ..SolveRequest::default() }, SolveProgress::default());
        let mut wrong = Vec::new();
        for row in rows {
            let board = &row.drawn.board;
            // What the rows before have found does not count.
            solver.clear();
            let solution = match solver.solve_with(board, request, &stop, &progress) {
                Err(SolveError::Stopped) => return Err(interrupted("")),
                solution => solution?,
            };
            if Row::new(row.drawn, &solution, settings.table_seeds) != *row {
                wrong.push(WrongRow {
                    fen: board.fen(),
                    written: row.margin,
                    found: solution.margin,
                });
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(wrong)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use std::fs::{self, File};

    use clap::Parser;
    use tempfile::TempDir;

    use super::*;
    use crate::settings::DATA;
    use crate::shard::tests::{TABLE_SEEDS, some_rows};

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        verify: VerifyCommand,
    }

    /// The margin of a move that is not the best is in no other column.
    #[test]
    fn an_altered_margin_is_found() {
        let folder = TempDir::new().unwrap();
        let directory = folder.path();
        let settings = Settings {
            kalah: String::new(),
            houses: 3,
            seeds: 3,
            capture: "empty".to_owned(),
            sowing: "single".to_owned(),
            seed: 7,
            shard: 60,
            table_seeds: TABLE_SEEDS,
        };
        Dataset::new(60, settings.clone()).write(directory).unwrap();
        fs::create_dir(directory.join(DATA)).unwrap();
        let mut rows = some_rows();
        let mut places = rows.iter().enumerate().filter_map(|(index, row)| {
            let least = *row.drawn.board.possible_margins(row.drawn.board.side()).start();
            let is_other =
                |it: &Option<i32>| it.is_some_and(|it| it < row.margin && it > least + 2);
            Some((index, row.moves.iter().position(is_other)?))
        });
        let (index, house) = places.next().unwrap();
        drop(places);
        rows[index].moves[house] = rows[index].moves[house].map(|margin| margin - 2);
        let path = shard_path(directory, 0);
        shard::write(&mut File::create(&path).unwrap(), 3, &rows, "{}").unwrap();
        let mut sums = Sums::new(directory);
        sums.add(&path).unwrap();
        sums.add(&settings_path(directory)).unwrap();
        sums.write().unwrap();
        let words = ["verify", directory.to_str().unwrap(), "--threads", "1", "--hash", "16"];
        let Words { verify } = Words::parse_from(words);
        let (count, chosen) = verify.read(&settings, 1).unwrap();
        assert_eq!((count, chosen.len()), (60, 60));
        let wrong = verify.wrong_rows(&chosen, &settings).unwrap();
        let [WrongRow { fen, written, found }] = &wrong[..] else {
            unreachable!("{}", wrong.len())
        };
        assert_eq!((fen, written), (&rows[index].drawn.board.fen(), found));
    }
}
