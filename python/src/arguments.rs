//! The check of all arguments; arguments and results of types that PyO3 does not know, for the stubs.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

use kalah::board::{MAX_HOUSES, MAX_SEEDS};
use kalah::protocol::Go;
use kalah::search::MAX_DEPTH;
use kalah::{House, Side};
use numpy::ndarray::{Dimension, Ix1, Ix2};
use numpy::{Element, PyArray, PyArray1, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use numpy::{PyArrayDescrMethods, PyReadonlyArray1};
use pyo3::call::PyCallArgs;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::inspect::{PyStaticConstant, PyStaticExpr};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyString, PyType};
use pyo3::{type_hint_identifier, type_hint_subscript, type_hint_union};

const INTEGER: PyStaticExpr = type_hint_identifier!("typing", "SupportsIndex");

/// Any integer of Python or NumPy; one that does not fit is the nearest that does. Fractions are errors,
/// and so are bools, which Python would take for 0 and 1.
fn integer(number: Borrowed<'_, '_, PyAny>) -> PyResult<i128> {
    if number.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err(format!("{} is not a whole number", *number)));
    }
    let small = number.extract::<i64>().map(i128::from);
    let small = small.or_else(|_| number.extract::<u64>().map(i128::from));
    small.or_else(|error| {
        let is_too_large = error.is_instance_of::<PyOverflowError>(number.py());
        if !is_too_large {
            return Err(error);
        }
        Ok(if number.lt(0)? { i128::MIN } else { i128::MAX })
    })
}

/// An integer that counts houses or plies; what does not fit is the nearest that does.
#[derive(Clone, Copy)]
pub(crate) struct Index(pub(crate) isize);

impl FromPyObject<'_, '_> for Index {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = INTEGER;

    fn extract(number: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        Ok(Index(integer(number)?.clamp(isize::MIN as i128, isize::MAX as i128) as isize))
    }
}

impl Index {
    /// The index in a row of this length; from the end if it is negative.
    pub(crate) fn of(self, length: usize) -> Option<usize> {
        let index = if self.0 < 0 { length.checked_add_signed(self.0)? } else { self.0 as usize };
        Some(index).filter(|&index| index < length)
    }

    pub(crate) fn house(self) -> Option<House> {
        usize::try_from(self.0).ok().and_then(House::new)
    }
}

/// A whole number of a range.
#[derive(Clone, Copy)]
pub(crate) struct Whole<T, const MIN: i128, const MAX: i128>(pub(crate) T);

pub(crate) type Count = Whole<u64, 0, { u64::MAX as i128 }>;
pub(crate) type Positive = Whole<u64, 1, { u64::MAX as i128 }>;
pub(crate) type Houses = Whole<usize, 1, { MAX_HOUSES as i128 }>;
pub(crate) type Lines = Houses;
pub(crate) type Seeds = Whole<u16, 0, { MAX_SEEDS as i128 }>;
/// Any 32 bits.
pub(crate) type Short = Whole<u32, 0, { u32::MAX as i128 }>;
/// In seeds, of 16 bits as in arrays.
pub(crate) type Margin = Whole<i32, { i16::MIN as i128 }, { i16::MAX as i128 }>;

impl<T, const MIN: i128, const MAX: i128> FromPyObject<'_, '_> for Whole<T, MIN, MAX>
where
    T: TryFrom<i128>,
{
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = INTEGER;

    fn extract(number: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let found = Some(integer(number)?).filter(|found| (MIN..=MAX).contains(found));
        found.and_then(|found| found.try_into().ok()).map(Whole).ok_or_else(|| {
            PyValueError::new_err(format!("{} is not a whole number from {MIN} to {MAX}", *number))
        })
    }
}

impl From<Positive> for NonZeroUsize {
    fn from(number: Positive) -> NonZeroUsize {
        NonZeroUsize::new(number.0 as usize).unwrap_or(NonZeroUsize::MIN)
    }
}

/// Anything that can be iterated over, but no text, whose letters are hardly meant.
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<'py, T: FromPyObjectOwned<'py>> FromPyObject<'_, 'py> for List<T> {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr =
        type_hint_subscript!(type_hint_identifier!("collections.abc", "Iterable"), T::INPUT_TYPE);

    fn extract(list: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if list.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err("a list is expected, not a text"));
        }
        let items = list.try_iter()?;
        items.map(|item| item?.extract().map_err(Into::into)).collect::<PyResult<_>>().map(List)
    }
}

/// A number of threads; by default one a core.
pub(crate) fn threads(number: Option<Positive>) -> NonZeroUsize {
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    number.map_or_else(cores, NonZeroUsize::from)
}

#[derive(Clone, Copy)]
pub(crate) struct Seconds(pub(crate) Duration);

/// Some three centuries, as much as the protocol takes.
const MAX_SECONDS: f64 = 1e10;

impl FromPyObject<'_, '_> for Seconds {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_identifier!("builtins", "float");

    fn extract(number: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let seconds = match number.extract::<f64>() {
            // A larger integer than any float.
            Err(error) if error.is_instance_of::<PyOverflowError>(number.py()) => f64::NAN,
            seconds => seconds?,
        };
        let found = Some(seconds).filter(|seconds| (0.0..=MAX_SECONDS).contains(seconds));
        found.map(|seconds| Seconds(Duration::from_secs_f64(seconds))).ok_or_else(|| {
            let range = format!("a time in seconds from 0 to {MAX_SECONDS}");
            PyValueError::new_err(format!("{} is not {range}", *number))
        })
    }
}

/// The limits of a search: a `kalah.Limit`, as `go` has them.
pub(crate) struct Limit(pub(crate) Go);

impl FromPyObject<'_, '_> for Limit {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_identifier!("kalah.engine", "Limit");

    fn extract(limit: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let depth: Option<Whole<_, 1, { MAX_DEPTH as i128 }>> = field(limit, "depth")?;
        let nodes: Option<Whole<_, 1, { i64::MAX as i128 }>> = field(limit, "nodes")?;
        let moves_to_go: Option<Whole<_, 1, { u32::MAX as i128 }>> =
            field(limit, "remaining_moves")?;
        let seconds = |name| Ok::<_, PyErr>(field(limit, name)?.map(|Seconds(time)| time));
        let mut go = Go::default();
        go.limits.depth = depth.map(|Whole(depth)| depth);
        go.limits.nodes = nodes.map(|Whole(nodes)| nodes);
        go.limits.movetime = seconds("time")?;
        go.moves_to_go = moves_to_go.map(|Whole(moves)| moves);
        let clocks = [("south_clock", "south_inc"), ("north_clock", "north_inc")];
        for (index, (clock, increment)) in clocks.into_iter().enumerate() {
            let increment = seconds(increment)?;
            go.time[index] = seconds(clock)?;
            go.increment[index] = increment.filter(|_| go.time[index].is_some());
        }
        Ok(Limit(go))
    }
}

/// An attribute, which may be `None`; errors begin with its name.
fn field<T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>>(
    object: Borrowed<'_, '_, PyAny>,
    name: &str,
) -> PyResult<Option<T>> {
    object.getattr(name)?.extract().map_err(|error: PyErr| {
        let py = object.py();
        PyErr::from_type(error.get_type(py), format!("{name}: {}", error.value(py)))
    })
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
        let index = usize::try_from(integer(side)?).ok();
        index.and_then(|index| Side::ALL.get(index)).copied().map(PySide).ok_or_else(no_side)
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

cells! { bool: "bool_", u8: "uint8", u16: "uint16", u32: "uint32", i16: "int16", i64: "int64", }

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
        let wrong = |_| PyTypeError::new_err("an array of another type or number of dimensions");
        Ok(Array(array.cast::<PyArray<T, D>>().map_err(wrong)?.to_owned()))
    }
}

const ARRAY_LIKE: PyStaticExpr = type_hint_identifier!("numpy.typing", "ArrayLike");

/// Whole numbers, one a game; one that does not fit is no house.
pub(crate) struct Actions<'py>(pub(crate) PyReadonlyArray1<'py, i64>);

impl<'py> FromPyObject<'_, 'py> for Actions<'py> {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = ARRAY_LIKE;

    fn extract(actions: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        // What `random_actions` returns needs no detour through NumPy.
        if let Ok(ready) = actions.cast::<PyArray1<i64>>()
            && ready.is_c_contiguous()
        {
            return Ok(Actions(ready.try_readonly()?));
        }
        let numpy = actions.py().import("numpy")?;
        let mut array: Bound<'_, PyUntypedArray> =
            numpy.call_method1("asarray", (actions,))?.cast_into()?;
        let kind = array.dtype().kind();
        if !matches!(kind, b'i' | b'u') && !array.is_empty() {
            let kind = array.dtype();
            return Err(PyTypeError::new_err(format!("actions are whole numbers, not {kind}")));
        }
        if kind == b'u' {
            let large = numpy.call_method1("ascontiguousarray", (array, "uint64"))?;
            array = numpy.call_method1("minimum", (large, i64::MAX))?.cast_into()?;
        }
        let fitting = numpy.call_method1("ascontiguousarray", (array, "int64"))?;
        let wrong = |_| PyTypeError::new_err("actions are one whole number for each game");
        Ok(Actions(fitting.cast_into::<PyArray1<i64>>().map_err(wrong)?.try_readonly()?))
    }
}

/// Which games are meant.
pub(crate) struct Mask<'py>(pub(crate) PyReadonlyArray1<'py, bool>);

impl<'py> FromPyObject<'_, 'py> for Mask<'py> {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = ARRAY_LIKE;

    fn extract(mask: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let numpy = mask.py().import("numpy")?;
        let array = numpy.call_method1("ascontiguousarray", (mask,))?;
        let wrong = |_| PyTypeError::new_err("a mask has a bool for each game");
        Ok(Mask(array.cast_into::<PyArray1<bool>>().map_err(wrong)?.try_readonly()?))
    }
}
