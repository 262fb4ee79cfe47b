//! The thread that searches: jobs in, events out.

use std::io;
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};
use log::warn;

use super::lock::lock;
use super::thinker::{Engine, EngineOptions};
use crate::board::{Board, Move};
use crate::search::{Counters, Limits, Observer, PvLine, SearchResult, SearchStats, TimeManager};
use crate::stop::StopToken;

/// Something to work on.
pub(super) struct Job {
    pub board: Board,
    pub task: Task,
    pub stop: StopToken,
}

pub(super) enum Task {
    Search(Limits, Box<EngineOptions>, TimeManager),
    Perft(u32),
}

/// What comes of a job; the last event of each is [`Event::Done`].
pub(super) enum Event {
    Line(PvLine, SearchStats),
    /// Something that people should know.
    Note(String),
    PerftMove(Move, u64),
    PerftTotal(SearchStats),
    Done {
        best: Option<Move>,
        ponder: Option<Move>,
        counters: Option<Box<Counters>>,
    },
}

/// Passes lines on; nobody listening any more is the listener's business.
struct Forward<'a>(&'a Sender<Event>);

impl Observer for Forward<'_> {
    fn line(&mut self, line: &PvLine, effort: &SearchStats) {
        let _ = self.0.send(Event::Line(line.clone(), *effort));
    }

    fn note(&mut self, text: &str) {
        let _ = self.0.send(Event::Note(text.to_owned()));
    }
}

/// Starts the thread. It ends when the jobs' channel is closed.
///
/// It begins by giving the thinker its table of `hash` MiB, which takes longer than everything
/// else at the start, and holds the thinker from before this returns until that is done.
pub(super) fn spawn(
    thinker: Arc<Mutex<Engine>>,
    hash: usize,
    jobs: Receiver<Job>,
    events: Sender<Event>,
) -> io::Result<()> {
    let (holding, held) = bounded(0);
    Builder::new().name("search".to_owned()).spawn(move || {
        {
            let mut thinker = lock(&thinker);
            let _ = holding.send(());
            if let Err(error) = thinker.resize(hash) {
                warn!("{error}; searching with a smaller one");
            }
        }
        for job in jobs {
            let done = work(&thinker, &job, &events);
            if events.send(done).is_err() {
                return;
            }
        }
    })?;
    let _ = held.recv();
    Ok(())
}

fn work(thinker: &Mutex<Engine>, job: &Job, events: &Sender<Event>) -> Event {
    match &job.task {
        Task::Search(limits, preferences, time) => {
            let mut thinker = lock(thinker);
            let mut forward = Forward(events);
            let outcome = thinker.think_timed(&job.board, limits, preferences, time, &mut forward);
            let SearchResult { best, ponder, counters, .. } = outcome;
            Event::Done { best, ponder, counters: Some(Box::new(counters)) }
        }
        Task::Perft(depth) => {
            let start = Instant::now();
            let mut each = |ply, leaves| {
                let _ = events.send(Event::PerftMove(ply, leaves));
            };
            let stopped = || job.stop.is_stopped();
            if let Some(nodes) = job.board.divide(*depth, &stopped, &mut each) {
                let effort = SearchStats { nodes, tbhits: 0, time: start.elapsed(), hashfull: 0 };
                let _ = events.send(Event::PerftTotal(effort));
            }
            Event::Done { best: None, ponder: None, counters: None }
        }
    }
}
