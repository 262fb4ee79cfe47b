//! Numbers that Python gives.

use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

use pyo3::PyResult;
use pyo3::exceptions::PyValueError;

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
