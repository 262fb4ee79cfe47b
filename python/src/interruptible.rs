//! Long work without the GIL, which Ctrl-C ends.

use std::any::Any;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

use kalah::StopToken;
use pyo3::prelude::*;

use crate::errors::InternalError;

/// How often a thread that waits looks for signals.
const INTERVAL: Duration = Duration::from_millis(50);

/// Does work on a thread of its own, so that this one can handle signals meanwhile. A signal handler that
/// raises an exception, as that of Ctrl-C does, stops the token; so does `tick`, which is called from time
/// to time. The exception is raised when the work has ended.
///
/// # Errors
/// Returns the exception, or [`InternalError`] if the work has panicked.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    stop: &StopToken,
    work: impl FnOnce() -> T + Send,
    mut tick: impl FnMut(Python<'_>) -> PyResult<()> + Send,
) -> PyResult<T> {
    let mut exception = None;
    let mut look_around = || {
        let raised = Python::attach(|py| py.check_signals().and_then(|()| tick(py)));
        if let Err(raised) = raised {
            stop.stop();
            exception.get_or_insert(raised);
        }
    };
    let result = py.detach(|| {
        thread::scope(|scope| {
            let (sender, done) = sync_channel::<()>(0);
            let worker = scope.spawn(move || {
                let result = work();
                drop(sender);
                result
            });
            while let Err(RecvTimeoutError::Timeout) = done.recv_timeout(INTERVAL) {
                look_around();
            }
            worker.join()
        })
    });
    match (exception, result) {
        (Some(exception), _) => Err(exception),
        (None, Ok(result)) => Ok(result),
        (None, Err(panic)) => Err(InternalError::new_err(message(&*panic))),
    }
}

/// What does one thing at a time, with the error if it is asked for a second.
pub(crate) struct OneAtATime<T>(Mutex<T>, fn() -> PyErr);

impl<T: Send> OneAtATime<T> {
    pub(crate) fn new(work: T, busy: fn() -> PyErr) -> OneAtATime<T> {
        OneAtATime(Mutex::new(work), busy)
    }

    /// What works, if it is idle. A panic has left it usable.
    pub(crate) fn idle(&self) -> PyResult<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(idle) => Ok(idle),
            Err(TryLockError::Poisoned(idle)) => Ok(idle.into_inner()),
            Err(TryLockError::WouldBlock) => Err((self.1)()),
        }
    }

    /// Does something without the GIL, if it is idle.
    pub(crate) fn detached<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut T) -> R + Send,
    ) -> PyResult<R> {
        let mut guard = self.idle()?;
        let idle = &mut *guard;
        Ok(py.detach(|| work(idle)))
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a thread of the library has panicked").to_owned()
}
