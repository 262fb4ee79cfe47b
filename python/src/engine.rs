//! The engine in this process.

use kalah::search::{self, PvLine, SearchReport, SearchStats};
use kalah::{Limits, Move};
use pyo3::prelude::*;

use crate::arguments::{Callback, Count, Limit, Lines, tell};
use crate::board::{Board, parse_move};
use crate::errors::{self, EngineError};
use crate::interruptible::{self, OneAtATime};

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

    /// A token for one of several searches: it stops when this one does, and can be stopped alone.
    fn child(&self) -> StopToken {
        StopToken(self.0.child())
    }
}

/// The engine of the library. `kalah.engine.Engine` is what users see.
#[pyclass(module = "kalah._native", frozen)]
pub(crate) struct Engine(OneAtATime<kalah::Engine>);

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, hash, threads, level))]
    fn new(py: Python<'_>, hash: Count, threads: Count, level: Count) -> PyResult<Engine> {
        let mut engine = py.detach(kalah::Engine::new).map_err(errors::engine)?;
        for (name, number) in [("Hash", hash), ("Threads", threads), ("Skill Level", level)] {
            let set = || engine.set_option(name, &number.0.to_string());
            py.detach(set).map_err(|error| match error {
                kalah::engine::EngineError::Option(_) => errors::value(error),
                _ => errors::engine(error),
            })?;
        }
        Ok(Engine(OneAtATime::new(engine, || EngineError::new_err("the engine is searching"))))
    }

    /// Sets an option by its name and value in the protocol.
    fn set_option(&self, py: Python<'_>, name: &str, value: &str) -> PyResult<()> {
        self.0.detached(py, |engine| engine.set_option(name, value))?.map_err(errors::engine)
    }

    /// Forgets what was found in earlier games.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        self.0.detached(py, kalah::Engine::new_game)
    }

    /// Searches. `report` is called with each line that is found. Returns the best move, the expected reply,
    /// and the lines of the last iteration.
    #[pyo3(signature = (board, stop, report, *, limit, searchmoves, multipv)
                       -> "tuple[str | None, str | None, list[tuple[Any, ...]]]")]
    fn go(
        &self,
        py: Python<'_>,
        board: PyRef<'_, Board>,
        stop: PyRef<'_, StopToken>,
        report: Option<Callback>,
        limit: Limit,
        searchmoves: Vec<Bound<'_, PyAny>>,
        multipv: Lines,
    ) -> PyResult<(Option<String>, Option<String>, Vec<Line<i32>>)> {
        let (board, stop) = (board.board, stop.0.child());
        let searchmoves = parse_moves(&board, &searchmoves)?;
        let limits = Limits { searchmoves, ..limit.0.limits_for(board.side()) };

        let mut guard = self.0.idle()?;
        let engine = &mut *guard;
        engine.set_option("MultiPV", &multipv.0.to_string()).map_err(errors::engine)?;
        let mut exception = None;
        let go = || {
            engine.go(&board, &limits, &stop, |found| {
                let (Some(report), SearchReport::Line(line, stats)) = (&report, found) else {
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

/// Moves that can be played on a board.
pub(crate) fn parse_moves(board: &kalah::Board, moves: &[Bound<'_, PyAny>]) -> PyResult<Vec<Move>> {
    let legal = |mv| {
        let (mut after, mv) = (*board, parse_move(board, mv)?);
        after.play(mv).map(|_| mv).map_err(errors::illegal_move)
    };
    moves.iter().map(legal).collect()
}

/// A line: the arguments of `kalah.engine.Info`, in their order.
pub(crate) type Line<Margin> =
    (Margin, Vec<String>, bool, &'static str, u32, u32, u32, u64, u64, f64, u32, u64);

fn describe(line: &PvLine, stats: &SearchStats) -> Line<i32> {
    let &PvLine { margin, proven, depth, seldepth, multipv, .. } = line;
    let &SearchStats { nodes, time, hashfull, tbhits, .. } = stats;
    let (bound, multipv) = (bound_word(line.bound), multipv as u32);
    let pv = line.pv.iter().map(ToString::to_string).collect();
    let (nps, time) = (stats.nps(), time.as_secs_f64());
    (margin, pv, proven, bound, depth, seldepth, multipv, nodes, nps, time, hashfull, tbhits)
}

pub(crate) fn bound_word(bound: search::Bound) -> &'static str {
    match bound {
        search::Bound::Exact => "exact",
        search::Bound::Lower => "lower",
        search::Bound::Upper => "upper",
    }
}
