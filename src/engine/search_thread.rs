//! The thread that searches: jobs in, events out.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender};

use crate::board::{Board, Move};
use crate::search::{Effort, Limits, Line, Observer, Outcome, Searcher, Settings, StopToken};

/// Something to work on.
pub(super) struct Job {
    pub board: Board,
    pub task: Task,
    pub stop: StopToken,
}

pub(super) enum Task {
    Search(Limits, Box<Settings>),
    Perft(u32),
}

/// What comes of a job; the last event of each is [`Event::Done`].
pub(super) enum Event {
    Line(Line, Effort),
    PerftMove(Move, u64),
    PerftTotal(Effort),
    Done { best: Option<Move>, ponder: Option<Move> },
}

/// Passes lines on; nobody listening any more is the listener's business.
struct Forward<'a>(&'a Sender<Event>);

impl Observer for Forward<'_> {
    fn line(&mut self, line: &Line, effort: &Effort) {
        let _ = self.0.send(Event::Line(line.clone(), *effort));
    }
}

/// Starts the thread. It ends when the jobs' channel is closed.
pub(super) fn spawn(
    searcher: Arc<Mutex<Searcher>>,
    jobs: Receiver<Job>,
    events: Sender<Event>,
) -> io::Result<JoinHandle<()>> {
    Builder::new().name("search".to_owned()).spawn(move || {
        for job in jobs {
            let done = work(&searcher, &job, &events);
            if events.send(done).is_err() {
                return;
            }
        }
    })
}

fn work(searcher: &Mutex<Searcher>, job: &Job, events: &Sender<Event>) -> Event {
    match &job.task {
        Task::Search(limits, settings) => {
            let mut searcher = searcher.lock().unwrap_or_else(PoisonError::into_inner);
            let mut forward = Forward(events);
            let outcome = searcher.search(&job.board, limits, settings, &job.stop, &mut forward);
            let Outcome { best, ponder, .. } = outcome;
            Event::Done { best, ponder }
        }
        Task::Perft(depth) => {
            let start = Instant::now();
            let mut each = |ply, leaves| {
                let _ = events.send(Event::PerftMove(ply, leaves));
            };
            let stopped = || job.stop.is_stopped();
            if let Some(nodes) = job.board.divide(*depth, &stopped, &mut each) {
                let effort = Effort { nodes, time: start.elapsed(), hashfull: 0 };
                let _ = events.send(Event::PerftTotal(effort));
            }
            Event::Done { best: None, ponder: None }
        }
    }
}
