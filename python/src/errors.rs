//! Errors of the library as Python exceptions, with the library's text.

use std::error::Error;

use kalah::printable::with_causes;
use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

/// Imports exceptions of `kalah.errors`, each with a function that makes one of an error.
macro_rules! exceptions {
    ($($exception:ident $function:ident,)*) => {$(
        pyo3::import_exception!(kalah.errors, $exception);

        pub(crate) fn $function(error: impl Error) -> PyErr {
            $exception::new_err(with_causes(&error))
        }
    )*};
}

exceptions! {
    ArenaError arena,
    EngineError engine,
    IllegalMoveError illegal_move,
    NotationError notation,
    SolverError solver,
    TablebaseError tablebase,
    TrainingError training,
}
pyo3::import_exception!(kalah.errors, InternalError);

pub(crate) fn value(error: impl Error) -> PyErr {
    PyValueError::new_err(with_causes(&error))
}
