//! `kalah dataset build`.

use std::cmp::Reverse;
use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use clap::Args;
use indicatif::ProgressBar;
use kalah::board::{Board, Rules};
use kalah::solve::{SolveError, SolveProgress, Solver, SolverResources};
use kalah::tablebase::{MAX_TABLE_HOUSES, MAX_TABLE_SEEDS, memory_to_build};
use kalah::{StopToken, Tablebase, atomic_file};
use kalah_command::exit::{interrupted, stop_on_ctrl_c};
use kalah_command::new_file::NewFile;
use kalah_command::options::{RuleOptions, SolverOptions, houses, number, seeds};
use kalah_command::output::OutputOption;
use kalah_command::progress_bar::counting_bar;
use kalah_command::table::{grouped, grouped_count};
use serde_json::{Map, Value};

use crate::counts::{BuiltJson, Counts};
use crate::draw::{Draw, DrawnBoard};
use crate::row::Row;
use crate::settings::{DATA, Dataset, Settings, settings_path, shard_path};
use crate::shard;
use crate::sums::Sums;

const BYTES_PER_MIB: u64 = 1 << 20;

/// Boards that are solved between two steps of the progress bar.
const BATCH: usize = 250;

/// Make a dataset of positions
///
/// Plays games between players of all strengths, takes some positions of each, solves all of their moves, and writes
/// them to DIR as files of Parquet, with a card (README.md) and checksums. Ctrl-C stops; the same command continues,
/// also after a kill, and more --positions add to what there is. The same options give the same files, whatever the
/// threads.
///
///   kalah dataset build positions --positions 10000
///   kalah dataset build positions --positions 2000000 --hash 8192
///   kalah dataset build small --houses 4 --seeds 3 --capture empty --positions 5000 --json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct BuildCommand {
    /// Directory of the files; created if it does not exist
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Positions, of which there are fewer if games have no more
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..=1_000_000_000))]
    positions: usize,

    /// Houses a side, 1 to 12
    #[arg(long, value_name = "H", default_value_t = 6, value_parser = houses())]
    houses: usize,

    /// Seeds in each house at the start of a game
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = seeds())]
    seeds: u16,

    #[command(flatten)]
    rules: RuleOptions,

    /// Random seed of the games
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,

    /// Positions of each file
    #[arg(long, value_name = "ROWS", default_value_t = 10_000, value_parser = number::<usize>(1..=1_000_000))]
    shard: usize,

    /// Read positions with at most so many seeds in a tablebase [default: the largest in half of --hash]
    #[arg(long, value_name = "K", value_parser = number::<u32>(0..=u64::from(MAX_TABLE_SEEDS)))]
    table_seeds: Option<u32>,

    #[command(flatten)]
    solver: SolverOptions,

    #[command(flatten)]
    output: OutputOption,
}

impl BuildCommand {
    pub fn run(self) -> anyhow::Result<()> {
        let start = Board::start(Rules::new(self.houses, self.rules.rule_set())?, self.seeds)?;
        let found = Dataset::open(&self.directory)?;
        let settings = self.settings(&start, found.as_ref())?;
        let time = Instant::now();
        let mut work = Work {
            directory: &self.directory,
            settings: &settings,
            threads: self.solver.resources().threads,
            stop: stop_on_ctrl_c()?,
            progress: SolveProgress::default(),
            bar: counting_bar(self.positions, "positions"),
            solved: 0,
        };
        // A board that cannot be solved leaves nothing behind.
        let mut solver = work
            .solver(&start, self.solver.resources().mebibytes)
            .map_err(|error| work.stopped_or(error))?;
        let data = self.directory.join(DATA);
        fs::create_dir_all(&data).with_context(|| format!("cannot make '{}'", data.display()))?;
        let _lock = NewFile::create(&settings_path(&self.directory))?.lock()?;
        // Tables take minutes, in which another process may have made or extended the dataset.
        let directory = self.directory.display();
        ensure!(
            Dataset::read(&self.directory)? == found,
            "another process has changed '{directory}'"
        );
        let (dataset, mut sums) =
            (Dataset::new(self.positions, settings.clone()), Sums::read(&self.directory)?);
        if found.as_ref() != Some(&dataset) {
            sums.remove(&[&settings_path(&self.directory)])?;
            dataset.write(&self.directory)?;
        }
        let counts = work.run(&start, self.positions, &mut solver, sums)?;
        work.bar.finish_and_clear();
        let built = BuiltJson {
            houses: self.houses,
            seeds: self.seeds,
            rules: start.rules().into(),
            seed: self.seed,
            positions: counts.positions,
            splits: counts.splits,
            sources: counts.sources,
            shards: counts.shards,
            solved: work.solved,
            nodes: work.progress.nodes(),
            seconds: time.elapsed().as_secs_f64(),
        };
        let mut output = self.output.text();
        for (name, count) in &built.splits {
            writeln!(output, "{name:<12}{}", grouped(*count))?;
        }
        let (positions, new) = (grouped_count(built.positions, "position"), grouped(built.solved));
        let BuiltJson { seconds, shards, .. } = built;
        writeln!(
            output,
            "{positions}, {new} of them solved now in {seconds:.2} s; files: {shards}"
        )?;
        output.flush()?;
        self.output.print("kalah-dataset-build", &built)
    }

    /// The settings of these options, which have to be those of the dataset that there is.
    fn settings(&self, start: &Board, found: Option<&Dataset>) -> anyhow::Result<Settings> {
        let rules = start.rules();
        let of_found = found.map(|found| found.settings.table_seeds);
        let table_seeds = self.table_seeds.or(of_found);
        let settings = Settings {
            kalah: env!("CARGO_PKG_VERSION").to_owned(),
            houses: self.houses,
            seeds: self.seeds,
            capture: rules.capture().to_string(),
            sowing: rules.sowing().to_string(),
            seed: self.seed,
            shard: self.shard,
            table_seeds: table_seeds
                .unwrap_or_else(|| table_seeds_within(start, self.solver.resources().mebibytes)),
        };
        let Some(found) = found else { return Ok(settings) };
        let name = self.directory.display();
        let members = |settings: &Settings| -> anyhow::Result<Map<String, Value>> {
            Ok(serde_json::from_value(serde_json::to_value(settings)?)?)
        };
        let (of_found, wanted) = (members(&found.settings)?, members(&settings)?);
        if let Some((member, value)) =
            of_found.iter().find(|(member, value)| wanted[*member] != **value)
        {
            bail!("'{name}' was begun with {member} {value}, not {}", wanted[member]);
        }
        let positions = grouped_count(found.positions as u64, "position");
        ensure!(found.positions <= self.positions, "'{name}' is for {positions}, not fewer");
        Ok(settings)
    }
}

/// The seeds of the largest tablebase that can be built in half of the memory.
fn table_seeds_within(start: &Board, mebibytes: usize) -> u32 {
    let houses = start.rules().houses();
    let bytes = mebibytes as u64 * BYTES_PER_MIB / 2;
    let fits = |&seeds: &u32| memory_to_build(houses, seeds).is_some_and(|needed| needed <= bytes);
    if houses > MAX_TABLE_HOUSES {
        return 0;
    }
    (0..=start.seeds_in_play().min(MAX_TABLE_SEEDS)).take_while(fits).last().unwrap_or(0)
}

struct Work<'a> {
    directory: &'a Path,
    settings: &'a Settings,
    threads: NonZeroUsize,
    stop: StopToken,
    progress: SolveProgress,
    bar: ProgressBar,
    /// Positions solved.
    solved: u64,
}

impl Work<'_> {
    /// A solver with its tables.
    fn solver(&self, start: &Board, mut mebibytes: usize) -> Result<Solver, SolveError> {
        let mut tablebase = None;
        if start.rules().houses() <= MAX_TABLE_HOUSES {
            let (rules, seeds) = (start.rules(), self.settings.table_seeds);
            let table = Tablebase::build_until(rules, seeds, self.threads, &self.stop)?;
            mebibytes = mebibytes.saturating_sub(table.positions() / BYTES_PER_MIB as usize).max(1);
            tablebase = Some(Arc::new(table));
        }
        let mut solver = Solver::new(SolverResources { threads: self.threads, mebibytes });
        if let Some(tablebase) = tablebase {
            solver.set_tablebase(tablebase);
        }
        solver.prepare_for(start, self.settings.shard, &self.stop)?;
        Ok(solver)
    }

    /// Makes the shards that are missing, and then the card.
    fn run(
        &mut self,
        start: &Board,
        positions: usize,
        solver: &mut Solver,
        mut sums: Sums<'_>,
    ) -> anyhow::Result<Counts> {
        let mut draw = Draw::new(*start, self.settings.seed);
        let mut counts = Counts::new();
        let settings_path = settings_path(self.directory);
        loop {
            let path = shard_path(self.directory, counts.shards);
            let wanted = (positions - counts.positions as usize).min(self.settings.shard);
            if wanted == 0 {
                break;
            }
            let present = self.present(&path, wanted, start.rules(), &sums, &mut draw)?;
            let rows = if let Some(rows) = present {
                rows
            } else {
                let drawn = draw.take(wanted, self.threads, &self.stop)?;
                if self.stop.is_stopped() {
                    return Err(self.stopped_or(SolveError::Stopped));
                }
                if drawn.is_empty() {
                    break;
                }
                sums.remove(&[&path, &settings_path])?;
                let rows = self.make(&path, &drawn, solver)?;
                sums.add(&path)?;
                sums.write()?;
                rows
            };
            counts.add(&rows);
            if rows.len() < wanted {
                break;
            }
        }
        ensure!(counts.positions > 0, "there are no positions: the game is over at its start");
        let card = self.directory.join("README.md");
        sums.remove(&[&card])?;
        let text = counts.card(self.settings, start.rules().rule_set());
        NewFile::create(&card)?.write_bytes(text)?;
        sums.add(&settings_path)?;
        sums.write()?;
        Ok(counts)
    }

    /// The rows of a shard that has been made before; `None` if it is missing, without a checksum, or the short end of
    /// a smaller dataset.
    fn present(
        &self,
        path: &Path,
        wanted: usize,
        rules: Rules,
        sums: &Sums<'_>,
        draw: &mut Draw,
    ) -> anyhow::Result<Option<Vec<Row>>> {
        // The checksum is written after the file.
        if !path.exists() || !sums.has(path) {
            return Ok(None);
        }
        sums.verify(path)?;
        let rows = shard::read(path, rules, self.settings.table_seeds)?;
        if rows.len() < wanted {
            return Ok(None);
        }
        ensure!(rows.len() == wanted, "'{}' has {} rows, not {wanted}", path.display(), rows.len());
        let drawn: Vec<DrawnBoard> = rows.iter().map(|row| row.drawn).collect();
        if let Some(twice) = draw.skip(&drawn) {
            bail!("'{}' has a position twice: {}", path.display(), twice.board.fen());
        }
        self.bar.inc(wanted as u64);
        self.bar.reset_eta();
        Ok(Some(rows))
    }

    /// Solves positions and writes them to a shard.
    fn make(
        &mut self,
        path: &Path,
        drawn: &[DrawnBoard],
        solver: &mut Solver,
    ) -> anyhow::Result<Vec<Row>> {
        // Those with many seeds first: on their way they solve others, and the last ones take about the same time.
        let mut order: Vec<usize> = (0..drawn.len()).collect();
        order.sort_by_key(|&index| Reverse(drawn[index].board.seeds_in_play()));
        let mut rows = vec![None; drawn.len()];
        for batch in order.chunks(BATCH) {
            let boards: Vec<Board> = batch.iter().map(|&index| drawn[index].board).collect();
            let solutions = solver.solve_all(&boards, &self.stop, &self.progress);
            for (&index, solution) in
                batch.iter().zip(solutions.map_err(|error| self.stopped_or(error))?)
            {
                rows[index] = Some(Row::new(drawn[index], &solution, self.settings.table_seeds));
            }
            self.bar.inc(batch.len() as u64);
        }
        let rows: Vec<Row> = rows.into_iter().flatten().collect();
        let settings = serde_json::to_string(self.settings)?;
        // The library wraps the errors of files, so it gets none.
        let mut bytes = Vec::new();
        shard::write(&mut bytes, self.settings.houses, &rows, &settings)?;
        atomic_file::replace_file(path, |file| file.write_all(&bytes))
            .with_context(|| format!("cannot write '{}'", path.display()))?;
        self.solved += rows.len() as u64;
        Ok(rows)
    }

    /// A stop is by Ctrl-C.
    fn stopped_or(&self, error: SolveError) -> anyhow::Error {
        self.bar.finish_and_clear();
        match error {
            SolveError::Stopped => {
                let directory = self.directory.display();
                interrupted(&format!(": the same command continues from '{directory}'"))
            }
            error => error.into(),
        }
    }
}
