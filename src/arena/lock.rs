//! Locks that outlive whoever panicked.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock. Nobody here leaves anything half done under one, not even by panicking.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
