//! The protocol, for engines that run as processes: it is parsed and written by the library alone.

use indexmap::IndexSet;
use kalah::printable::printable;
use kalah::protocol::{Command, EngineInfo, EngineMessage};
use kalah_client::{DeclaredOption, OptionType};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use crate::arguments::{Limit, Lines};
use crate::board::Board;
use crate::engine::{Line, bound_word, parse_moves};
use crate::errors::{self, EngineError};

/// Raises ValueError, with the name of the field, if a number of a limit is out of its range.
#[pyfunction]
pub(crate) fn check_limit(limit: Limit) {
    drop(limit);
}

/// The moves to search, as letters, each once. Raises the errors of what `kalah.engine.BaseEngine.analyse` is
/// asked for besides the limit.
#[pyfunction]
pub(crate) fn check_request(
    board: PyRef<'_, Board>,
    searchmoves: Vec<Bound<'_, PyAny>>,
    _multipv: Lines,
) -> PyResult<Vec<String>> {
    let moves: IndexSet<_> = parse_moves(&board.board, &searchmoves)?.into_iter().collect();
    Ok(moves.iter().map(ToString::to_string).collect())
}

/// The command that sets an option of an engine; raises EngineError if it does not take the value.
#[pyfunction]
pub(crate) fn option_command(name: String, kind: &str, value: &str) -> PyResult<String> {
    let option = DeclaredOption { name, kind: OptionType::guess(kind) };
    let value = option.checked(value).map_err(EngineError::new_err)?;
    Ok(Command::SetOption { name: option.name, value }.to_string())
}

/// The command that searches a board within a limit; without an end only `stop` ends it.
#[pyfunction]
pub(crate) fn go_command(
    board: PyRef<'_, Board>,
    limit: Limit,
    searchmoves: Vec<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let Limit(mut go) = limit;
    go.limits.infinite = !go.is_limited_for(board.board.side());
    go.limits.searchmoves = parse_moves(&board.board, &searchmoves)?;
    Ok(Command::Go(Box::new(go)).to_string())
}

/// Reads a line that an engine has written about a board.
///
/// Returns:
///     Its kind, and what it says: ``"id"``, a key and a value; ``"option"``, a name and what it takes;
///     ``"info"``, the arguments of `kalah.engine.Info`, or None without a line of play; ``"error"``, a
///     text; ``"bestmove"``, a move and the expected reply, each None if there is none; ``"uciok"``,
///     ``"readyok"`` and ``"other"``.
///     Without a board the last two are None.
///
/// Raises:
///     EngineError: It is an answer, and its move is illegal. The text has no subject.
#[pyfunction]
#[pyo3(signature = (line, board=None) -> "tuple[str, Any]")]
pub(crate) fn read_message<'py>(
    py: Python<'py>,
    line: &str,
    board: Option<PyRef<'py, Board>>,
) -> PyResult<(&'static str, Bound<'py, PyAny>)> {
    let board = board.as_deref().map(|board| &board.board);
    Ok(match EngineMessage::from(line) {
        EngineMessage::Id { key, value } => ("id", (key, value).into_bound_py_any(py)?),
        EngineMessage::Option { name, kind } => ("option", (name, kind).into_bound_py_any(py)?),
        EngineMessage::Info(info) => {
            ("info", board.and_then(|board| play_line(board, &info)).into_bound_py_any(py)?)
        }
        EngineMessage::Error(text) => ("error", printable(&text).into_bound_py_any(py)?),
        EngineMessage::BestMove { best, ponder } => {
            let answer = board.map(|board| answer(board, best, ponder)).transpose()?;
            ("bestmove", answer.into_bound_py_any(py)?)
        }
        EngineMessage::UciOk => ("uciok", py.None().into_bound(py)),
        EngineMessage::ReadyOk => ("readyok", py.None().into_bound(py)),
        EngineMessage::Other => ("other", py.None().into_bound(py)),
    })
}

/// A line of play, up to its first move that is not legal; `None` without a score or a move.
fn play_line(board: &kalah::Board, info: &EngineInfo) -> Option<Line<f64>> {
    let score = info.score?;
    let letters = info.pv.iter().map_while(|text| text.parse().ok());
    let legal = board.replay(letters).map_while(Result::ok);
    let pv: Vec<_> = legal.map(|(mv, _)| mv.to_string()).collect();
    (!pv.is_empty()).then(|| {
        (
            f64::from(score.centiseeds) / f64::from(kalah::search::CENTISEEDS),
            pv,
            score.proven,
            bound_word(score.bound),
            info.depth.unwrap_or_default(),
            info.seldepth.unwrap_or_default(),
            info.multipv.unwrap_or(1),
            info.nodes.unwrap_or_default(),
            info.nps.unwrap_or_default(),
            info.time.unwrap_or_default().as_secs_f64(),
            info.hashfull.unwrap_or_default(),
            info.tbhits.unwrap_or_default(),
        )
    })
}

/// The letters of a move and of the expected reply, which is left out if it is illegal.
fn answer(
    board: &kalah::Board,
    best: Option<String>,
    ponder: Option<String>,
) -> PyResult<(Option<String>, Option<String>)> {
    if best.is_none() && board.is_over() {
        return Ok((None, None));
    }
    let no_move = "has answered without a move, though there are legal moves";
    let text = best.ok_or_else(|| EngineError::new_err(no_move))?;
    let illegal = || {
        let text = printable(&text);
        EngineError::new_err(format!("has answered with '{text}', which is not a legal move"))
    };
    let best = board.legal_move(&text).ok_or_else(illegal)?;
    let mut after = *board;
    after.play(best).map_err(errors::illegal_move)?;
    let ponder = ponder.and_then(|text| after.legal_move(&text));
    Ok((Some(best.to_string()), ponder.map(|mv| mv.to_string())))
}
