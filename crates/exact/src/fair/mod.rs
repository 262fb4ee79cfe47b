//! `kalah fair`.

pub(crate) mod fair_start;
mod picture;

use std::cmp::Ordering;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use kalah::board::{Board, Rules};
use kalah::solve::SolveProgress;
use kalah_command::exit::wrong_usage;
use kalah_command::new_file::{NewFile, require_different};
use kalah_command::options::{RuleOptions, SolverOptions, houses, number, seeds, svg_path};
use kalah_command::output::{OutputOption, RuleMembers};
use kalah_command::progress_bar::counting_bar;
use kalah_command::table::{grouped, table};
use kalah_fair::starts_with_moved;
use serde::Serialize;

use self::fair_start::FairStart;
use crate::solve::session::{SolveSession, stopped_or};

/// The most seeds that may be moved: three make 157,000 boards of the start of Kalah(6,4).
const MAX_MOVED: u16 = 3;

/// So many boards next to each other take about as long as one alone, since they share most positions.
const BOARDS_LIKE_ONE: usize = 32;

/// Find fair starts: draws next to the start of a game
///
/// Takes all boards that come from the start by moving at most K seeds, to other houses or to stores,
/// and prints those that are a draw when both sides play best, with the margin after each first move.
/// First are those that most first moves hold, and of these those that are easiest to go on with. Ctrl-C
/// stops; with --checkpoint the same command continues, also after a kill.
///
///   kalah fair --seeds 4 --moved 1
///   kalah fair --seeds 4 --capture empty --hash 4096 --csv fair.csv --plot fair.svg
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub struct FairCommand {
    /// Houses a side, 1 to 12
    #[arg(long, value_name = "H", default_value_t = 6, value_parser = houses())]
    houses: usize,

    /// Seeds in each house of the start
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = seeds())]
    seeds: u16,

    /// The most seeds that are moved
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = number::<u16>(0..=u64::from(MAX_MOVED)))]
    moved: u16,

    #[command(flatten)]
    rules: RuleOptions,

    #[command(flatten)]
    solver: SolverOptions,

    /// Load tablebases from this directory, where it has enough seeds, instead of building them
    #[arg(long, value_name = "DIR")]
    tablebase: Option<PathBuf>,

    /// Continue from what this file has, if it exists, and append to it what is found, every second
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Only count the boards, without the first moves of fair starts, which take most of the time
    #[arg(long, conflicts_with_all = ["csv", "plot"])]
    count: bool,

    /// Write the fair starts to this CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Draw a summary; the name must end in .svg
    #[arg(long, value_name = "FILE", value_parser = svg_path())]
    plot: Option<PathBuf>,

    #[command(flatten)]
    output: OutputOption,
}

/// How many boards were tested, and who wins them.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FairCounts {
    /// Houses a side.
    houses: usize,
    /// Seeds in each house of the start.
    seeds: u16,
    #[serde(flatten)]
    rules: RuleMembers,
    /// By the number of seeds moved, from 0 on.
    moved: Vec<CountsOfMoved>,
    /// Positions searched.
    nodes: u64,
    /// The time that it took, in seconds.
    seconds: f64,
}

/// Counts of the boards with the same number of seeds moved.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CountsOfMoved {
    /// Seeds moved.
    moved: u16,
    /// Boards tested.
    boards: usize,
    /// Boards that the first player wins.
    wins: usize,
    /// Fair starts.
    draws: usize,
    /// Boards that the first player loses.
    losses: usize,
}

impl FairCommand {
    pub fn run(self) -> anyhow::Result<()> {
        let rules = Rules::new(self.houses, self.rules.rule_set())?;
        let new_file = |path: &Option<PathBuf>| path.as_deref().map(NewFile::create).transpose();
        let (csv, plot) = (new_file(&self.csv)?, new_file(&self.plot)?);
        require_different(csv.iter().chain(&plot))?;
        for (name, file) in [("csv", &csv), ("plot", &plot)] {
            if let (Some(file), Some(checkpoint)) = (file, &self.checkpoint)
                && file.is(checkpoint)
            {
                let why = format!("--{name} and --checkpoint name the same file");
                return Err(wrong_usage(&["fair"], why).into());
            }
        }
        let mut session = SolveSession::new(self.solver.resources(), self.tablebase.clone())?;
        if let Some(checkpoint) = &self.checkpoint {
            session.open_checkpoint(checkpoint, rules, None)?;
        }
        let found = self.search(&mut session, rules);
        let ((starts, counts), saved) =
            session.with_saved_checkpoint(self.checkpoint.as_deref(), found)?;
        // If one of them cannot be written, the others are; whoever reads the output may close it early.
        let written = [
            csv.map(|file| {
                let game = (self.houses, self.seeds, rules.rule_set().name());
                fair_start::write_csv(file, game, &starts)
            }),
            plot.map(|file| file.write_bytes(picture::picture(rules, &counts, &starts))),
            Some(saved),
            Some(self.print(&starts, &counts)),
        ];
        written.into_iter().flatten().collect()
    }

    /// Tests all boards, and returns the fair starts in order.
    fn search(
        &self,
        session: &mut SolveSession,
        rules: Rules,
    ) -> anyhow::Result<(Vec<FairStart>, FairCounts)> {
        let boards = |moved| starts_with_moved(rules, self.seeds, moved);
        let boards = (0..=self.moved).map(boards).collect::<Result<Vec<_>, _>>()?;
        let all: usize = boards.iter().map(Vec::len).sum();
        let bar = counting_bar(all, "boards");
        let (time, progress) = (Instant::now(), SolveProgress::default());
        session.prepare_for(&Board::start(rules, self.seeds)?, all.div_ceil(BOARDS_LIKE_ONE))?;
        let (mut starts, mut moved) = (Vec::new(), Vec::new());
        for (boards, seeds) in boards.iter().zip(0..) {
            let mut counts =
                CountsOfMoved { moved: seeds, boards: boards.len(), ..CountsOfMoved::default() };
            for board in boards {
                let compared = session.solver.compare(board, 0, &session.stop, &progress);
                let count = match compared.map_err(stopped_or)? {
                    Ordering::Greater => &mut counts.wins,
                    Ordering::Equal => {
                        if !self.count {
                            let (solver, stop) = (&mut session.solver, &session.stop);
                            let start = FairStart::find(board, seeds, solver, stop, &progress);
                            starts.push(start.map_err(stopped_or)?);
                        }
                        &mut counts.draws
                    }
                    Ordering::Less => &mut counts.losses,
                };
                *count += 1;
                bar.inc(1);
            }
            moved.push(counts);
        }
        bar.finish_and_clear();
        starts.sort_by_cached_key(FairStart::order);
        let counts = FairCounts {
            houses: self.houses,
            seeds: self.seeds,
            rules: rules.into(),
            moved,
            nodes: progress.nodes(),
            seconds: time.elapsed().as_secs_f64(),
        };
        Ok((starts, counts))
    }

    fn print(&self, starts: &[FairStart], counts: &FairCounts) -> anyhow::Result<()> {
        let mut output = self.output.text();
        for start in starts {
            self.output.print("kalah-fair", start)?;
        }
        let header = ["fair start", "moves", "moved", "holding", "sharp"];
        let row = |start: &FairStart| {
            let &FairStart { ref fen, moved, holding, sharp, .. } = start;
            let numbers = (moved.to_string(), holding.to_string(), sharp.to_string());
            [fen.clone(), start.moves_text(), numbers.0, numbers.1, numbers.2]
        };
        if !starts.is_empty() {
            writeln!(output, "{}\n", table(header, 2, starts.iter().map(row)))?;
        }
        let header = ["seeds moved", "boards", "wins", "draws", "losses"];
        let row = |counts: &CountsOfMoved| {
            let CountsOfMoved { moved, boards, wins, draws, losses } = counts;
            [usize::from(*moved), *boards, *wins, *draws, *losses]
                .map(|count| grouped(count as u64))
        };
        writeln!(output, "{}", table(header, 0, counts.moved.iter().map(row)))?;
        writeln!(output, "nodes {} in {:.2} s", grouped(counts.nodes), counts.seconds)?;
        output.flush()?;
        self.output.print("kalah-fair-counts", counts)
    }
}
