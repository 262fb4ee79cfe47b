//! Work that waits for a worker, fair between clients.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use kalah::lock::lock;

/// Jobs that wait. The clients take turns: one with many jobs delays the others by one of them.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    capacity: usize,
    state: Mutex<State<T>>,
    ready: Condvar,
}

#[derive(Debug)]
struct State<T> {
    /// Clients whose jobs wait, the next one first.
    clients: VecDeque<(IpAddr, VecDeque<(u64, T)>)>,
    next_number: u64,
    is_closed: bool,
}

/// A job's place in the queue, which it leaves when this is dropped.
#[derive(Debug)]
pub(crate) struct Ticket<T> {
    queue: Arc<Queue<T>>,
    number: u64,
}

impl<T> State<T> {
    fn waiting(&self) -> usize {
        self.clients.iter().map(|(_, jobs)| jobs.len()).sum()
    }
}

impl<T> Queue<T> {
    /// A queue for so many jobs.
    pub(crate) fn new(capacity: usize) -> Arc<Queue<T>> {
        let state = State { clients: VecDeque::new(), next_number: 0, is_closed: false };
        Arc::new(Queue { capacity, state: Mutex::new(state), ready: Condvar::new() })
    }

    /// Adds a job of a client; `None` if the queue is full or closed.
    pub(crate) fn push(self: &Arc<Queue<T>>, client: IpAddr, job: T) -> Option<Ticket<T>> {
        let mut state = lock(&self.state);
        if state.waiting() >= self.capacity || state.is_closed {
            return None;
        }
        let number = state.next_number;
        state.next_number += 1;
        match state.clients.iter_mut().find(|(other, _)| *other == client) {
            Some((_, jobs)) => jobs.push_back((number, job)),
            None => state.clients.push_back((client, [(number, job)].into())),
        }
        drop(state);
        self.ready.notify_one();
        Some(Ticket { queue: Arc::clone(self), number })
    }

    /// Waits for the next job; `None` once the queue is closed and empty.
    pub(crate) fn next(&self) -> Option<T> {
        let mut state = lock(&self.state);
        loop {
            if let Some((client, mut jobs)) = state.clients.pop_front() {
                let job = jobs.pop_front();
                if !jobs.is_empty() {
                    state.clients.push_back((client, jobs));
                }
                if let Some((_, job)) = job {
                    return Some(job);
                }
            } else if state.is_closed {
                return None;
            } else {
                state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// The number of jobs that wait.
    pub(crate) fn waiting(&self) -> usize {
        lock(&self.state).waiting()
    }

    /// Takes no more jobs.
    pub(crate) fn close(&self) {
        lock(&self.state).is_closed = true;
        self.ready.notify_all();
    }
}

impl<T> Ticket<T> {
    /// Takes the job back; whether it was still waiting.
    pub(crate) fn withdraw(&self) -> bool {
        let mut state = lock(&self.queue.state);
        let before = state.waiting();
        state.clients.retain_mut(|(_, jobs)| {
            jobs.retain(|(number, _)| *number != self.number);
            !jobs.is_empty()
        });
        state.waiting() < before
    }
}

impl<T> Drop for Ticket<T> {
    fn drop(&mut self) {
        self.withdraw();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test fails by panicking
mod tests {
    use super::*;

    #[test]
    fn clients_take_turns_and_leave_the_queue() {
        let [one, two] = [1, 2].map(|last| IpAddr::from([192, 0, 2, last]));
        let queue = Queue::new(5);
        let first: Vec<_> = (0..4).map(|job| queue.push(one, job).unwrap()).collect();
        let last = queue.push(two, 10).unwrap();
        assert!(queue.push(two, 11).is_none(), "it is full");
        assert_eq!((queue.next(), queue.next()), (Some(0), Some(10)), "by turns");
        assert!(!last.withdraw() && !first[0].withdraw(), "they are being done");
        assert!(first[1].withdraw() && !first[1].withdraw());
        assert_eq!(queue.waiting(), 2);
        drop(first);
        assert_eq!(queue.waiting(), 0);
        let _ticket = queue.push(two, 12).unwrap();
        queue.close();
        assert!(queue.push(one, 13).is_none(), "it is closed");
        assert_eq!((queue.next(), queue.next()), (Some(12), None));
    }
}
