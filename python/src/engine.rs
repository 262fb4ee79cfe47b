//! The engine in this process.

use std::sync::{Mutex, MutexGuard};

use kalah::engine::EngineReport;
use kalah::search::{self, Clock, PvLine, SearchStats};
use kalah::{Limits, Move};
use pyo3::prelude::*;

use crate::arguments::{Callback, duration, positive, tell};
use crate::board::{Board, parse_move};
use crate::errors::{self, EngineError};
use crate::interruptible;

/// Stops a search, from any thread. Once stopped, it stays so.
#[pyclass(module = "kalah._native", frozen)]
pub(crate) struct StopToken(kalah::StopToken);

#[pymethods]
impl StopToken {
    #[new]
    fn new() -> StopToken {
        StopToken(kalah::StopToken::new())
    }

    /// Stops the search.
    fn stop(&self) {
        self.0.stop();
    }
}

/// The engine of the library. `kalah.engine.Engine` is what users see.
#[pyclass(module = "kalah._native", frozen)]
pub(crate) struct Engine(Mutex<kalah::Engine>);

impl Engine {
    /// The engine, if it does not search.
    fn idle(&self) -> PyResult<MutexGuard<'_, kalah::Engine>> {
        interruptible::idle(&self.0, || EngineError::new_err("the engine is searching"))
    }
}

#[pymethods]
impl Engine {
    #[new]
    fn new() -> PyResult<Engine> {
        Ok(Engine(Mutex::new(kalah::Engine::new().map_err(errors::engine)?)))
    }

    /// Sets an option by its name and value in the protocol.
    fn set_option(&self, name: &str, value: &str) -> PyResult<()> {
        self.idle()?.set_option(name, value).map_err(errors::engine)
    }

    /// Forgets what was found in earlier games.
    fn new_game(&self) -> PyResult<()> {
        self.idle()?.new_game();
        Ok(())
    }

    /// Searches. `report` is called with each line that is found. Returns the best move, the expected reply,
    /// and the lines of the last iteration.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (board, stop, report, *, time, depth, nodes, clock, searchmoves, multipv)
                       -> "tuple[str | None, str | None, list[tuple[Any, ...]]]")]
    fn go(
        &self,
        py: Python<'_>,
        board: PyRef<'_, Board>,
        stop: PyRef<'_, StopToken>,
        report: Option<Callback>,
        time: Option<f64>,
        depth: Option<u32>,
        nodes: Option<u64>,
        clock: Option<(f64, f64, Option<u32>)>,
        searchmoves: Vec<Bound<'_, PyAny>>,
        multipv: usize,
    ) -> PyResult<(Option<String>, Option<String>, Vec<Line>)> {
        let (board, stop) = (board.board, stop.0.child());
        let limits = Limits {
            depth,
            nodes,
            movetime: time.map(duration).transpose()?,
            clock: clock.map(parse_clock).transpose()?,
            searchmoves: searchmoves
                .iter()
                .map(|mv| parse_move(&board, mv))
                .collect::<Result<_, _>>()?,
            ..Limits::default()
        };
        let multipv = positive("multipv", multipv)?;

        let mut engine = self.idle()?;
        let mut options = engine.options().clone();
        options.search.multipv = multipv;
        engine.set_options(options).map_err(errors::engine)?;
        let engine = &mut *engine;
        let mut exception = None;
        let go = || {
            engine.go(&board, &limits, &stop, |found| {
                let (Some(report), EngineReport::Line(line, stats)) = (&report, found) else {
                    return;
                };
                let line = describe(line, stats);
                let told = Python::attach(|py| tell(py, Some(report), Some(line)));
                if let Err(raised) = told {
                    exception.get_or_insert(raised);
                    stop.stop();
                }
            })
        };
        let result = interruptible::run(py, &stop, go, |_| Ok(()));
        if let Some(exception) = exception {
            return Err(exception);
        }
        let result = result?.map_err(errors::engine)?;
        let letter = |mv: Option<Move>| mv.map(|mv| mv.to_string());
        let lines = result.lines.iter().map(|line| describe(line, &result.stats)).collect();
        Ok((letter(result.best), letter(result.ponder), lines))
    }
}

/// The seconds left, the seconds added at each move, the moves to the next time control.
fn parse_clock((left, added, moves_to_go): (f64, f64, Option<u32>)) -> PyResult<Clock> {
    Ok(Clock { remaining: duration(left)?, increment: duration(added)?, moves_to_go })
}

/// A line: the arguments of `kalah.engine.Info`, in their order.
type Line = (i32, Vec<String>, bool, &'static str, u32, u32, usize, u64, u64, f64, u32, u64);

fn describe(line: &PvLine, stats: &SearchStats) -> Line {
    let &PvLine { margin, proven, depth, seldepth, multipv, .. } = line;
    let &SearchStats { nodes, time, hashfull, tbhits, .. } = stats;
    let pv = line.pv.iter().map(ToString::to_string).collect();
    let bound = match line.bound {
        search::Bound::Exact => "exact",
        search::Bound::Lower => "lower",
        search::Bound::Upper => "upper",
    };
    let (nps, time) = (stats.nps(), time.as_secs_f64());
    (margin, pv, proven, bound, depth, seldepth, multipv, nodes, nps, time, hashfull, tbhits)
}
