//! Locks that outlive whoever panicked.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock. Nobody leaves anything half done under one, not even by panicking: a search that
/// panicked leaves a searcher that is as good as any.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
