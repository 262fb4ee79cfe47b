//! The search thread: jobs in, events out.

use std::io;
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};
use log::warn;

use super::engine::{Engine, EngineReport};
use crate::board::{Board, Move};
use crate::lock::lock;
use crate::search::{Counters, Limits, PvLine, SearchStats, TimeManager, divide};
use crate::stop::StopToken;

/// A job for the search thread.
pub(super) struct Job {
    pub board: Board,
    pub work: JobWork,
    pub stop: StopToken,
}

pub(super) enum JobWork {
    /// Finds a move, with a clock that runs already.
    Think(Box<(Limits, TimeManager)>),
    /// Counts the leaves to a depth.
    Perft(u32),
}

/// An event of a job; the last one of each is [`JobEvent::Done`].
pub(super) enum JobEvent {
    Line(PvLine, SearchStats),
    /// A message for the user.
    Note(String),
    PerftMove(Move, u64),
    PerftTotal(SearchStats),
    Done {
        best: Option<Move>,
        ponder: Option<Move>,
        counters: Option<Box<Counters>>,
    },
}

/// Starts the thread. It ends when the channel of the jobs is closed.
///
/// It begins by allocating the transposition table of `hash` MiB, which takes longer than the rest of
/// the start, and holds the engine's lock from before this function returns until that is done.
pub(super) fn spawn(
    engine: Arc<Mutex<Engine>>,
    hash: usize,
    jobs: Receiver<Job>,
    events: Sender<JobEvent>,
) -> io::Result<()> {
    let (lock_taken, is_locked) = bounded(0);
    Builder::new().name("search".to_owned()).spawn(move || {
        {
            let mut engine = lock(&engine);
            let _ = lock_taken.send(());
            if let Err(error) = engine.resize(hash) {
                warn!("{error}; searching with a smaller one");
            }
        }
        for job in jobs {
            let done = run_job(&engine, &job, &events);
            if events.send(done).is_err() {
                return;
            }
        }
    })?;
    let _ = is_locked.recv();
    Ok(())
}

fn run_job(engine: &Mutex<Engine>, job: &Job, events: &Sender<JobEvent>) -> JobEvent {
    // The protocol thread may have ended, and with it the receiver.
    let send = |event| {
        let _ = events.send(event);
    };
    match &job.work {
        JobWork::Think(limited) => {
            let (limits, time) = &**limited;
            let result = lock(engine).think(&job.board, limits, time, |report| {
                send(match report {
                    EngineReport::Line(line, stats) => JobEvent::Line(line.clone(), *stats),
                    EngineReport::Note(text) => JobEvent::Note(text.to_owned()),
                });
            });
            let counters = Some(Box::new(result.counters));
            JobEvent::Done { best: result.best, ponder: result.ponder, counters }
        }
        JobWork::Perft(depth) => {
            let start = Instant::now();
            let send_move = |mv, leaves| send(JobEvent::PerftMove(mv, leaves));
            if let Some(nodes) = divide(&job.board, *depth, &job.stop, send_move) {
                let time = start.elapsed();
                send(JobEvent::PerftTotal(SearchStats { nodes, tbhits: 0, time, hashfull: 0 }));
            }
            JobEvent::Done { best: None, ponder: None, counters: None }
        }
    }
}
