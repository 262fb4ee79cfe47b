//! Loops whose items are shared out among threads.
//!
//! Items are handed out one at a time and in order to whichever thread is free. The calling thread
//! works too, so a loop completes even when the system starts no other thread.

use std::convert::Infallible;
use std::iter::Enumerate;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::thread;

use crate::lock::{lock, unlocked};

/// Items that no thread has taken yet, and the first failure.
struct Queue<I, E> {
    items: Enumerate<I>,
    failure: Option<(usize, E)>,
}

impl<I: Iterator, E> Queue<I, E> {
    fn next(&mut self) -> Option<(usize, I::Item)> {
        if self.failure.is_some() { None } else { self.items.next() }
    }

    fn fail(&mut self, index: usize, error: E) {
        if self.failure.as_ref().is_none_or(|&(first, _)| index < first) {
            self.failure = Some((index, error));
        }
    }
}

/// Calls `work` with each item on up to `threads` threads.
///
/// # Errors
/// The error of the first item, in their order, that fails. No item is begun after a failure; all
/// those before the one that failed are complete.
pub fn try_for_each<I, E>(
    threads: NonZeroUsize,
    items: I,
    work: impl Fn(I::Item) -> Result<(), E> + Sync,
) -> Result<(), E>
where
    I: Iterator + Send,
    E: Send,
{
    try_for_each_with(threads, items, || (), |(), item| work(item))
}

/// Calls `work` with each item on up to `threads` threads.
pub fn for_each<I: Iterator + Send>(
    threads: NonZeroUsize,
    items: I,
    work: impl Fn(I::Item) + Sync,
) {
    let work = |(): &mut (), item| {
        work(item);
        Ok::<(), Infallible>(())
    };
    let Ok(()) = try_for_each_with(threads, items, || (), work);
}

/// Returns the results of `work` for all items, in their order.
pub fn map<I, R>(threads: NonZeroUsize, items: I, work: impl Fn(I::Item) -> R + Sync) -> Vec<R>
where
    I: Iterator + Send,
    R: Send,
{
    let work = |(): &mut (), item| Ok::<R, Infallible>(work(item));
    let Ok(results) = try_map_with(threads, items, || (), work);
    results
}

/// Returns the results of `work` for all items, in order. Each thread has a state, made with `init`.
///
/// # Errors
/// As [`try_for_each`].
pub fn try_map_with<I, S, R, E>(
    threads: NonZeroUsize,
    items: I,
    init: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I::Item) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E>
where
    I: Iterator + Send,
    R: Send,
    E: Send,
{
    let results = Mutex::new(Vec::new());
    try_for_each_with(threads, items.enumerate(), init, |state, (index, item)| {
        let result = work(state, item)?;
        lock(&results).push((index, result));
        Ok(())
    })?;
    let mut results = unlocked(results);
    results.sort_unstable_by_key(|&(index, _)| index);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

/// [`try_for_each`] with a state, which each thread makes with `init` and passes to all its calls.
///
/// # Errors
/// As [`try_for_each`].
pub fn try_for_each_with<I, S, E>(
    threads: NonZeroUsize,
    items: I,
    init: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I::Item) -> Result<(), E> + Sync,
) -> Result<(), E>
where
    I: Iterator + Send,
    E: Send,
{
    let helpers = items.size_hint().1.unwrap_or(usize::MAX).min(threads.get()).saturating_sub(1);
    let queue = Mutex::new(Queue { items: items.enumerate(), failure: None });
    let run = || {
        let mut state = None;
        loop {
            let next = lock(&queue).next();
            let Some((index, item)) = next else { break };
            if let Err(error) = work(state.get_or_insert_with(&init), item) {
                lock(&queue).fail(index, error);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..helpers {
            let helper = thread::Builder::new().name("parallel".to_owned());
            if helper.spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
    unlocked(queue).failure.map_or(Ok(()), |(_, error)| Err(error))
}
