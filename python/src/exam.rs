//! The positions of the exam, and the results of answers to them.

use std::time::Duration;

use kalah::printable::printable_json;
use kalah_exam::{Answer, PositionResults, PositionSet};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::board::Board;
use crate::errors;

fn set() -> PyResult<PositionSet> {
    PositionSet::built_in().map_err(errors::value)
}

/// The positions of the exam, in the order in which they are asked.
#[pyfunction]
pub(crate) fn exam_positions() -> PyResult<Vec<Board>> {
    Ok(set()?.positions.iter().map(|position| Board::from(position.board)).collect())
}

/// The results of answers, as JSON: for each the number of the position, from 1, the letter of the move, empty if
/// there was none, and its seconds.
///
/// Raises:
///     IndexError: There is no such position.
///     ValueError: A time is negative.
#[pyfunction]
pub(crate) fn exam_results(answers: Vec<(usize, String, f64)>) -> PyResult<String> {
    let set = set()?;
    let answer = |(number, letter, seconds): (usize, String, f64)| {
        let position = number.checked_sub(1).and_then(|place| set.positions.get(place));
        let position =
            position.ok_or_else(|| PyIndexError::new_err("there is no such position"))?;
        let time = Duration::try_from_secs_f64(seconds)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        let answered = position.board.legal_move(&letter).map(|mv| (mv, Some(time)));
        Ok(Answer::new(number, position, answered))
    };
    let answers = answers.into_iter().map(answer).collect::<PyResult<Vec<_>>>()?;
    let results = PositionResults::new(&set, &answers, Vec::new());
    let json = serde_json::json!({ "positions": results, "answers": answers });
    Ok(printable_json(&json.to_string()).into_owned())
}
