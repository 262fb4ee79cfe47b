//! A solver with Ctrl-C, a progress line, tablebase files and a checkpoint.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::{HumanDuration, ProgressBar};
use kalah::StopToken;
use kalah::board::{Board, Rules};
use kalah::solve::{
    Checkpoint, ProvenMargin, SolveError, SolveProgress, SolveRequest, Solver, SolverResources,
};
use kalah::tablebase::{MAX_TABLE_HOUSES, TablebaseFiles, no_tables};
use kalah_command::say;

use super::solved_board::SolvedBoard;
use kalah_command::exit::{Interrupted, interrupted, stop_on_ctrl_c};
use kalah_command::progress_bar::progress_line;
use kalah_command::table::grouped;

pub(crate) struct SolveSession {
    pub resources: SolverResources,
    pub solver: Solver,
    /// Stopped by Ctrl-C.
    pub stop: StopToken,
    /// The directory of the tablebase files.
    directory: Option<PathBuf>,
    /// The rules that the directory was searched for.
    rules: Option<Rules>,
}

impl SolveSession {
    /// `directory` is that of the tablebase files.
    pub(crate) fn new(
        resources: SolverResources,
        directory: Option<PathBuf>,
    ) -> anyhow::Result<SolveSession> {
        let (solver, stop) = (Solver::new(resources), stop_on_ctrl_c()?);
        Ok(SolveSession { resources, solver, stop, directory, rules: None })
    }

    /// Continues from the checkpoint in a file, if there is one, and keeps there what is found. Says what it has
    /// of a board.
    pub(crate) fn open_checkpoint(
        &mut self,
        path: &Path,
        rules: Rules,
        board: Option<&Board>,
    ) -> anyhow::Result<()> {
        let checkpoint = Checkpoint::open(path, rules).with_context(|| checkpoint_name(path))?;
        let known = board.and_then(|board| checkpoint.probe(board));
        if let Some(ProvenMargin { lower, upper, .. }) = known {
            say!("'{}' has: {}", path.display(), margin_text((lower, upper)));
        }
        self.solver.set_checkpoint(checkpoint);
        Ok(())
    }

    /// Writes the last part of a checkpoint, if there is one, whether the work was done or not. If only that fails,
    /// the error is returned beside the result of the work.
    pub(crate) fn with_saved_checkpoint<T>(
        &self,
        path: Option<&Path>,
        found: anyhow::Result<T>,
    ) -> anyhow::Result<(T, anyhow::Result<()>)> {
        let Some(path) = path else { return Ok((found?, Ok(()))) };
        let saved = self.solver.flush_checkpoint().with_context(|| checkpoint_name(path));
        match found {
            Ok(found) => Ok((found, saved)),
            Err(error) if matches!(error.downcast_ref(), Some(SolveError::Contradiction)) => {
                Err(error.context("is damaged").context(checkpoint_name(path)))
            }
            Err(error) => {
                if error.is::<Interrupted>() && saved.is_ok() {
                    say!("the same command continues from '{}'", path.display());
                }
                saved.and(Err(error))
            }
        }
    }

    /// Makes tables that pay for many boards like this one.
    pub(crate) fn prepare_for(&mut self, board: &Board, boards: usize) -> anyhow::Result<()> {
        self.open_files(board.rules())?;
        let prepared = self.solver.prepare_for(board, boards, &self.stop);
        prepared.map_err(stopped_or)
    }

    pub(super) fn solve(
        &mut self,
        board: &Board,
        request: SolveRequest,
    ) -> anyhow::Result<SolvedBoard> {
        let solved = self.solve_within(board, request, Duration::MAX)?;
        solved.ok_or_else(|| Interrupted.into())
    }

    /// `None` if the time was over first.
    pub(super) fn solve_within(
        &mut self,
        board: &Board,
        request: SolveRequest,
        limit: Duration,
    ) -> anyhow::Result<Option<SolvedBoard>> {
        self.open_files(board.rules())?;
        let progress = Arc::new(SolveProgress::default());
        let start = Instant::now();
        let bar = solver_line(&progress);
        let stop = self.stop.child_with_timeout(limit);
        let solution = self.solver.solve_with(board, request, &stop, &progress);
        bar.finish_and_clear();
        match solution {
            Ok(solution) => {
                let (nodes, time) = (progress.nodes(), start.elapsed());
                Ok(Some(SolvedBoard::new(board, &solution, request.moves, nodes, time)))
            }
            Err(SolveError::Stopped) if !self.stop.is_stopped() => Ok(None),
            Err(SolveError::Stopped) => {
                // The margin may be known, if not the moves or the line.
                let known = progress.bounds().map(|bounds| format!(": {}", margin_text(bounds)));
                Err(interrupted(&known.unwrap_or_default()))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Opens the tablebase files for these rules. Large boards have none.
    fn open_files(&mut self, rules: Rules) -> anyhow::Result<()> {
        if self.rules.replace(rules) != Some(rules)
            && let Some(directory) = &self.directory
            && rules.houses() <= MAX_TABLE_HOUSES
        {
            match TablebaseFiles::open(directory, rules)? {
                Some(files) => self.solver.set_tablebase_files(files),
                None => say!("{}: they are built", no_tables(directory, rules)),
            }
        }
        Ok(())
    }
}

/// A stop is always by Ctrl-C.
pub(crate) fn stopped_or(error: SolveError) -> anyhow::Error {
    match error {
        SolveError::Stopped => interrupted(""),
        error => error.into(),
    }
}

fn checkpoint_name(path: &Path) -> String {
    format!("checkpoint '{}'", path.display())
}

/// Shows nodes and bounds while the solver works, on a terminal.
fn solver_line(progress: &Arc<SolveProgress>) -> ProgressBar {
    let progress = Arc::clone(progress);
    let search_start = OnceLock::new();
    progress_line(move || {
        let Some(bounds) = progress.bounds() else {
            return "building tables".to_owned();
        };
        let nodes = progress.nodes();
        let (start, nodes_before) = search_start.get_or_init(|| (Instant::now(), nodes));
        let seconds = start.elapsed().as_secs_f64();
        let rate = (nodes - nodes_before) as f64 / seconds.max(1e-3);
        let left = progress.nodes_left() as f64 / rate.max(1.0);
        let (margin, nodes, millions) = (margin_text(bounds), grouped(nodes), rate / 1e6);
        let mut line = format!("{margin}, {nodes} nodes, {millions:.1} million a second");
        // There is an estimate only while a test is on its way.
        if left > 0.0 {
            let left = Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX);
            let _ = write!(line, ", next bound in about {}", HumanDuration(left));
        }
        line
    })
}

fn margin_text((lower, upper): (i32, i32)) -> String {
    if lower == upper { format!("margin {lower}") } else { format!("margin {lower} to {upper}") }
}
