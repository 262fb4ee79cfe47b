//! The static evaluation.

use kalah::search::Evaluation;
use kalah::search::Network;
use pyo3::prelude::*;

use crate::board::Board;

/// The expected final margin in seeds, from the view of the player to move, by the built-in network: an
/// estimate without search. Exact if the game is over.
///
/// Boards of 4 to 12 houses a side have a network; the others are judged by a plain sum over the houses.
///
/// Example:
///     >>> -24 < evaluate(Board()) < 24
///     True
#[pyfunction]
pub(crate) fn evaluate(board: PyRef<'_, Board>) -> f64 {
    let network = Network::built_in(board.board.rules());
    let evaluation = network.map_or_else(Evaluation::default, Evaluation::Learned);
    evaluation.margin(&board.board)
}
