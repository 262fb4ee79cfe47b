//! A solver at work, with somebody who watches and may break it off.

use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use kalah::StopToken;
use kalah::board::Board;
use kalah::solve::{SolveError, SolveProgress, SolveRequest, Solver};

use super::super::interrupt::{Interrupted, stop_on_ctrl_c};
use super::super::new_file::NewFile;
use super::super::table::grouped;
use super::answer::Answer;

/// How long work goes on before it is written down.
const CHECKPOINT_INTERVAL: Duration = Duration::from_mins(10);

pub(super) struct Work {
    pub solver: Solver,
    stop: StopToken,
}

impl Work {
    pub(super) fn new(solver: Solver) -> anyhow::Result<Work> {
        Ok(Work { solver, stop: stop_on_ctrl_c()? })
    }

    pub(super) fn solve(&mut self, board: &Board, wanted: SolveRequest) -> anyhow::Result<Answer> {
        self.solve_for(board, wanted, None)?.ok_or_else(|| Interrupted.into())
    }

    /// Goes on from what the file holds, if it is there, and keeps what is found out in it. An answer
    /// is one even if that cannot be kept: what comes of it is told beside.
    pub(super) fn solve_with_checkpoint(
        &mut self,
        board: &Board,
        wanted: SolveRequest,
        path: &Path,
    ) -> anyhow::Result<(Answer, anyhow::Result<()>)> {
        let named = || format!("checkpoint '{}'", path.display());
        match File::open(path) {
            Ok(file) => {
                self.solver
                    .load_checkpoint(board.rules(), &mut BufReader::new(file))
                    .with_context(named)?;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(named),
        }
        // Whoever cannot keep anything is told before the work.
        NewFile::create(path)?;
        let (mut nodes, start) = (0, Instant::now());
        loop {
            // What fails leaves the file as it is.
            let answer = self.solve_for(board, wanted, Some(CHECKPOINT_INTERVAL))?;
            let saved = self.save(path);
            if let Some(answer) = answer {
                nodes += answer.nodes;
                return Ok((Answer { nodes, time: start.elapsed(), ..answer }, saved));
            }
            if self.stop.is_stopped() {
                saved?;
                if self.solver.has_results() {
                    say!("interrupted: what has been found out is in '{}'", path.display());
                } else {
                    say!("interrupted: nothing has been found out yet");
                }
                return Err(Interrupted.into());
            }
            if let Err(error) = saved {
                say!("{error:#}; the search goes on");
            }
        }
    }

    /// Puts what has been found out into a file, if there is anything.
    fn save(&self, path: &Path) -> anyhow::Result<()> {
        if !self.solver.has_results() {
            return Ok(());
        }
        NewFile::create(path)?.write(|mut output| Ok(self.solver.save_checkpoint(&mut output)?))
    }

    /// The answer, if it is found in time and before Ctrl-C.
    fn solve_for(
        &mut self,
        board: &Board,
        wanted: SolveRequest,
        time: Option<Duration>,
    ) -> anyhow::Result<Option<Answer>> {
        let progress = Arc::new(SolveProgress::new());
        let stop = time.map_or(self.stop.clone(), |time| self.stop.child_with_timeout(time));
        let start = Instant::now();
        let bar = watcher(&progress);
        let solution = self.solver.solve_with(board, wanted, &stop, &progress);
        bar.finish_and_clear();
        match solution {
            Ok(solution) => Ok(Some(Answer {
                board: *board,
                solution,
                nodes: progress.nodes(),
                time: start.elapsed(),
                moves_wanted: wanted.moves,
            })),
            Err(SolveError::Stopped) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// Shows on a terminal how far the solver has come.
fn watcher(progress: &Arc<SolveProgress>) -> ProgressBar {
    let seen = Arc::clone(progress);
    let state = move |state: &ProgressState, output: &mut dyn std::fmt::Write| {
        let nodes = seen.nodes();
        let rate = nodes as f64 / state.elapsed().as_secs_f64().max(1e-3) / 1e6;
        let _ = match seen.bounds() {
            None => write!(output, "building tables"),
            Some((lower, upper)) => write!(
                output,
                "margin {lower} to {upper}, {} nodes, {rate:.1} million a second",
                grouped(nodes)
            ),
        };
    };
    let style = ProgressStyle::with_template("{spinner} {elapsed_precise} {state}");
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = style {
        bar.set_style(style.with_key("state", state));
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
