//! The positions of the exam, and the results of answers to them.

use std::time::Duration;

use kalah::Capture;
use kalah::printable::printable_json;
use kalah_exam::{Answer, PositionResults, PositionSet};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::arguments::{Houses, Positive};
use crate::board::Board;
use crate::errors;

/// The first positions of the exam with these rules, in the order in which they are asked, each with its number
/// from 1.
///
/// Raises:
///     ValueError: A number is out of its range, or there is no such capture rule.
#[pyfunction]
#[pyo3(signature = (houses, capture, positions))]
pub(crate) fn exam_positions(
    houses: Option<Houses>,
    capture: Option<&str>,
    positions: Option<Positive>,
) -> PyResult<Vec<(usize, Board)>> {
    let capture: Option<Capture> = capture.map(str::parse).transpose().map_err(errors::value)?;
    let count = positions.map_or(usize::MAX, |positions| positions.0 as usize);
    let set = PositionSet::built_in().map_err(errors::value)?;
    let boards = (1..).zip(set.positions.iter().map(|position| position.board));
    let is_chosen = |board: &kalah::Board| {
        let rules = board.rules();
        houses.is_none_or(|houses| houses.0 == rules.houses())
            && capture.is_none_or(|capture| capture == rules.capture())
    };
    let chosen = boards.filter(|(_, board)| is_chosen(board)).take(count);
    Ok(chosen.map(|(number, board)| (number, Board::from(board))).collect())
}

/// The results of answers, as JSON: for each the number of the position, from 1, the letter of the move, empty if
/// there was none, and its seconds.
///
/// Raises:
///     IndexError: There is no such position.
///     ValueError: A time is negative.
#[pyfunction]
pub(crate) fn exam_results(answers: Vec<(usize, String, f64)>) -> PyResult<String> {
    let set = PositionSet::built_in().map_err(errors::value)?;
    let answer = |(number, letter, seconds): (usize, String, f64)| {
        let position = number.checked_sub(1).and_then(|place| set.positions.get(place));
        let position =
            position.ok_or_else(|| PyIndexError::new_err("there is no such position"))?;
        let time = Duration::try_from_secs_f64(seconds).map_err(errors::value)?;
        let answered = position.board.legal_move(&letter).map(|mv| (mv, Some(time)));
        Ok(Answer::new(number, position, answered))
    };
    let answers = answers.into_iter().map(answer).collect::<PyResult<Vec<_>>>()?;
    let results = PositionResults::new(&set, &answers, Vec::new());
    let json = serde_json::json!({ "positions": results, "answers": answers });
    Ok(printable_json(&json.to_string()).into_owned())
}
