//! Errors of the library as Python exceptions, with the library's text.

use std::error::Error;

use kalah::printable::with_causes;
use pyo3::PyErr;

pyo3::import_exception!(kalah.errors, ArenaError);
pyo3::import_exception!(kalah.errors, EngineError);
pyo3::import_exception!(kalah.errors, IllegalMoveError);
pyo3::import_exception!(kalah.errors, InternalError);
pyo3::import_exception!(kalah.errors, NotationError);
pyo3::import_exception!(kalah.errors, SolverError);
pyo3::import_exception!(kalah.errors, TablebaseError);
pyo3::import_exception!(kalah.errors, TrainingError);

pub(crate) fn arena(error: impl Error) -> PyErr {
    ArenaError::new_err(with_causes(&error))
}

pub(crate) fn engine(error: impl Error) -> PyErr {
    EngineError::new_err(with_causes(&error))
}

pub(crate) fn illegal_move(error: impl Error) -> PyErr {
    IllegalMoveError::new_err(with_causes(&error))
}

pub(crate) fn notation(error: impl Error) -> PyErr {
    NotationError::new_err(with_causes(&error))
}

pub(crate) fn solver(error: impl Error) -> PyErr {
    SolverError::new_err(with_causes(&error))
}

pub(crate) fn tablebase(error: impl Error) -> PyErr {
    TablebaseError::new_err(with_causes(&error))
}

pub(crate) fn training(error: impl Error) -> PyErr {
    TrainingError::new_err(with_causes(&error))
}

pub(crate) fn value(error: impl Error) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(with_causes(&error))
}
