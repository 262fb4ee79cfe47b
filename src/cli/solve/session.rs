//! A solver with Ctrl-C, a progress line, tablebase files and a checkpoint.

use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use kalah::StopToken;
use kalah::board::{Board, Rules};
use kalah::regular_file;
use kalah::solve::{SolveError, SolveProgress, SolveRequest, Solver, SolverResources};
use kalah::tablebase::{MAX_TABLE_HOUSES, TablebaseFiles};

use super::super::exit::{Interrupted, stop_on_ctrl_c, wait_for_input};
use super::super::new_file::NewFile;
use super::super::table::grouped;
use super::super::ticker;
use super::solved_board::SolvedBoard;

/// The time between two checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_mins(10);

pub(super) struct SolveSession {
    solver: Solver,
    stop: StopToken,
    /// The directory of the tablebase files.
    directory: Option<PathBuf>,
    /// The rules that the directory was searched for.
    rules: Option<Rules>,
}

impl SolveSession {
    /// `directory` is that of the tablebase files.
    pub(super) fn new(
        resources: SolverResources,
        directory: Option<PathBuf>,
    ) -> anyhow::Result<SolveSession> {
        let (solver, stop) = (Solver::new(resources), stop_on_ctrl_c()?);
        Ok(SolveSession { solver, stop, directory, rules: None })
    }

    /// Waits for a line of input; Ctrl-C ends the wait.
    pub(super) fn wait_for_input<T>(&self, wait: impl FnOnce() -> T) -> Result<T, Interrupted> {
        wait_for_input(&self.stop, wait)
    }

    pub(super) fn solve(
        &mut self,
        board: &Board,
        request: SolveRequest,
    ) -> anyhow::Result<SolvedBoard> {
        self.solve_for(board, request, None)?.ok_or_else(|| Interrupted.into())
    }

    /// Continues from the checkpoint in a file, if there is one, and saves to it every ten minutes
    /// and at the end. If only the last save fails, the result of that is returned beside the board.
    pub(super) fn solve_with_checkpoint(
        &mut self,
        board: &Board,
        request: SolveRequest,
        path: &Path,
    ) -> anyhow::Result<(SolvedBoard, anyhow::Result<()>)> {
        let context = || format!("checkpoint '{}'", path.display());
        match regular_file::open(path) {
            Ok(file) => {
                let mut input = BufReader::new(file);
                self.solver.load_checkpoint(board.rules(), &mut input).with_context(context)?;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(context),
        }
        // Fails now, not after the search, if the file cannot be written.
        NewFile::create(path)?;
        let (mut nodes, start) = (0, Instant::now());
        loop {
            let solved = self.solve_for(board, request, Some(CHECKPOINT_INTERVAL))?;
            let saved = self.save(path);
            if let Some(solved) = solved {
                nodes += solved.nodes;
                return Ok((SolvedBoard { nodes, time: start.elapsed(), ..solved }, saved));
            }
            if self.stop.is_stopped() {
                saved?;
                if self.solver.has_results() {
                    say!("interrupted: the search can be continued from '{}'", path.display());
                } else {
                    say!("interrupted: there was nothing to save yet");
                }
                return Err(Interrupted.into());
            }
            if let Err(error) = saved {
                say!("{error:#}; the search continues");
            }
        }
    }

    /// Saves a checkpoint, if there is anything to save.
    fn save(&self, path: &Path) -> anyhow::Result<()> {
        if !self.solver.has_results() {
            return Ok(());
        }
        let file = NewFile::create(path)?;
        file.write(|mut output| Ok(self.solver.save_checkpoint(&mut output)?))
    }

    /// `None` if the time is over or Ctrl-C was pressed first.
    fn solve_for(
        &mut self,
        board: &Board,
        request: SolveRequest,
        time: Option<Duration>,
    ) -> anyhow::Result<Option<SolvedBoard>> {
        self.open_files(board.rules())?;
        let progress = Arc::new(SolveProgress::default());
        let stop = time.map_or(self.stop.clone(), |time| self.stop.child_with_timeout(time));
        let start = Instant::now();
        let bar = progress_bar(&progress);
        let solution = self.solver.solve_with(board, request, &stop, &progress);
        bar.finish_and_clear();
        match solution {
            Ok(solution) => Ok(Some(SolvedBoard {
                board: *board,
                solution,
                nodes: progress.nodes(),
                time: start.elapsed(),
                has_moves: request.moves,
            })),
            Err(SolveError::Stopped) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens the tablebase files for these rules. Large boards have none.
    fn open_files(&mut self, rules: Rules) -> anyhow::Result<()> {
        if self.rules.replace(rules) != Some(rules)
            && let Some(directory) = &self.directory
            && rules.houses() <= MAX_TABLE_HOUSES
            && let Some(files) = TablebaseFiles::open(directory, rules)?
        {
            self.solver.set_tablebase_files(files);
        }
        Ok(())
    }
}

/// Shows nodes and bounds while the solver works, on a terminal.
fn progress_bar(progress: &Arc<SolveProgress>) -> ProgressBar {
    let progress = Arc::clone(progress);
    let state = move |state: &ProgressState, output: &mut dyn std::fmt::Write| {
        let nodes = progress.nodes();
        let rate = nodes as f64 / state.elapsed().as_secs_f64().max(1e-3) / 1e6;
        let _ = match progress.bounds() {
            None => write!(output, "building tables"),
            Some((lower, upper)) => write!(
                output,
                "margin {lower} to {upper}, {} nodes, {rate:.1} million a second, some {} left to the \
                 next bound",
                grouped(nodes),
                grouped(progress.nodes_left())
            ),
        };
    };
    let style = ProgressStyle::with_template("{spinner} {elapsed_precise} {state}");
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = style {
        bar.set_style(style.with_key("state", state));
    }
    ticker::start(&bar);
    bar
}
