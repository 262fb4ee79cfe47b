//! Numbers that Python gives; arguments and results of types that PyO3 does not know, for the stubs.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

use kalah::Side;
use numpy::ndarray::{Dimension, Ix1, Ix2};
use numpy::{Element, PyArray};
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyValueError;
use pyo3::inspect::{PyStaticConstant, PyStaticExpr};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use pyo3::{type_hint_identifier, type_hint_subscript, type_hint_union};

/// A time in seconds.
pub(crate) fn duration(seconds: f64) -> PyResult<Duration> {
    let wrong = |_| PyValueError::new_err(format!("{seconds} is not a time in seconds"));
    Duration::try_from_secs_f64(seconds).map_err(wrong)
}

/// A number of what there must be some of.
pub(crate) fn positive(name: &str, number: usize) -> PyResult<NonZeroUsize> {
    let few = || PyValueError::new_err(format!("{name} is at least 1"));
    NonZeroUsize::new(number).ok_or_else(few)
}

/// A number of threads; by default one a core.
pub(crate) fn threads(number: Option<usize>) -> PyResult<NonZeroUsize> {
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    number.map_or_else(|| Ok(cores()), |number| positive("threads", number))
}

/// A member of the enumeration `kalah.Side`, which is written in Python, or its number.
pub(crate) struct PySide(pub(crate) Side);

const SIDE: PyStaticExpr = type_hint_identifier!("kalah.side", "Side");

impl<'py> IntoPyObject<'py> for PySide {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;
    const OUTPUT_TYPE: PyStaticExpr = SIDE;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        CLASS.import(py, "kalah.side", "Side")?.call1((self.0.index(),))
    }
}

impl FromPyObject<'_, '_> for PySide {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr =
        type_hint_union!(SIDE, type_hint_identifier!("builtins", "int"));

    fn extract(side: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let no_side = || PyValueError::new_err("a side is SOUTH or NORTH");
        Side::ALL.get(side.extract::<usize>()?).copied().map(PySide).ok_or_else(no_side)
    }
}

/// A function of Python that is called with what some work finds, or how far it is.
pub(crate) struct Callback(Py<PyAny>);

/// Calls a function, if there is one, as soon as there is something to say.
pub(crate) fn tell<A: for<'py> PyCallArgs<'py>>(
    py: Python<'_>,
    function: Option<&Callback>,
    arguments: Option<A>,
) -> PyResult<()> {
    match (function, arguments) {
        (Some(function), Some(arguments)) => function.0.call1(py, arguments).map(drop),
        _ => Ok(()),
    }
}

impl FromPyObject<'_, '_> for Callback {
    type Error = Infallible;
    const INPUT_TYPE: PyStaticExpr = type_hint_subscript!(
        type_hint_identifier!("collections.abc", "Callable"),
        PyStaticExpr::Constant { value: PyStaticConstant::Ellipsis },
        type_hint_identifier!("builtins", "object")
    );

    fn extract(function: Borrowed<'_, '_, PyAny>) -> Result<Self, Infallible> {
        Ok(Callback(function.to_owned().unbind()))
    }
}

/// What arrays have as elements.
pub(crate) trait Cell: Element {
    const ARRAY: PyStaticExpr;
}

macro_rules! cells {
    ($($cell:ty: $name:literal,)*) => {$(
        impl Cell for $cell {
            const ARRAY: PyStaticExpr = type_hint_subscript!(
                type_hint_identifier!("numpy.typing", "NDArray"),
                type_hint_identifier!("numpy", $name)
            );
        }
    )*};
}

cells! { bool: "bool_", u8: "uint8", u16: "uint16", i16: "int16", i64: "int64", }

/// An array of NumPy.
pub(crate) struct Array<'py, T, D>(pub(crate) Bound<'py, PyArray<T, D>>);

pub(crate) type Array1<'py, T> = Array<'py, T, Ix1>;
pub(crate) type Array2<'py, T> = Array<'py, T, Ix2>;

impl<'py, T: Cell, D: Dimension> IntoPyObject<'py> for Array<'py, T, D> {
    type Target = PyArray<T, D>;
    type Output = Bound<'py, PyArray<T, D>>;
    type Error = Infallible;
    const OUTPUT_TYPE: PyStaticExpr = T::ARRAY;

    fn into_pyobject(self, _py: Python<'py>) -> Result<Self::Output, Infallible> {
        Ok(self.0)
    }
}

impl<'py, T: Cell, D: Dimension> FromPyObject<'_, 'py> for Array<'py, T, D> {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = T::ARRAY;

    fn extract(array: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Array(array.cast::<PyArray<T, D>>()?.to_owned()))
    }
}
