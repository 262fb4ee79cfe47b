//! The search as its users see it.

use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use log::warn;

use super::deepening::{Findings, Plan, Root};
use super::evaluation::Evaluation;
use super::limits::{Deadline, Limits};
use super::negascout::Worker;
use super::ordering::Memory;
use super::report::{Effort, Observer, Outcome};
use super::stop::StopToken;
use super::table::{MAX_DEPTH, Table, TableTooLarge};
use super::threads::Shared;
use crate::board::{AnyPosition, Board, House, Move, Position, RowTables, Sowings};

/// How a search goes about its work, whatever the position.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Threads that search together. One is deterministic: the same nodes every time.
    pub threads: NonZeroUsize,
    /// Lines of play to find.
    pub multipv: NonZeroUsize,
    /// Time to keep in hand at every move for the way of the answer to the clock.
    pub move_overhead: Duration,
    /// The evaluation at the leaves.
    pub evaluation: Evaluation,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            threads: NonZeroUsize::MIN,
            multipv: NonZeroUsize::MIN,
            move_overhead: Duration::from_millis(10),
            evaluation: Evaluation::default(),
        }
    }
}

/// A search with all that it remembers from one move to the next.
///
/// ```
/// use kalah::board::{Board, Rules};
/// use kalah::search::{Limits, Searcher, Settings, stop_pair};
///
/// let board = Board::start(Rules::default(), 4)?;
/// let mut searcher = Searcher::new(16)?;
/// let (_handle, stop) = stop_pair();
/// let limits = Limits { depth: Some(10), ..Limits::default() };
/// let outcome = searcher.search(&board, &limits, &Settings::default(), &stop, &mut ());
/// let best = outcome.best.ok_or("the game is over")?;
/// println!("{best}, expecting to win by {} seeds", outcome.lines[0].margin);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher {
    table: Table,
    /// By thread.
    memories: Vec<Memory>,
}

impl Searcher {
    /// A searcher with a table of the given size.
    ///
    /// # Errors
    /// When the memory for the table cannot be had.
    pub fn new(hash_mebibytes: usize) -> Result<Searcher, TableTooLarge> {
        Ok(Searcher { table: Table::new(hash_mebibytes)?, memories: Vec::new() })
    }

    /// Replaces the table by an empty one of another size.
    ///
    /// # Errors
    /// When the memory cannot be had; the old table is then kept.
    pub fn resize(&mut self, hash_mebibytes: usize) -> Result<(), TableTooLarge> {
        self.table.resize(hash_mebibytes)
    }

    /// Forgets all earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
        self.memories.clear();
    }

    /// Searches for the best move. Returns when a limit is reached or the value is proven, or,
    /// when the limits say to wait, after that and the stop or ponderhit.
    pub fn search(
        &mut self,
        board: &Board,
        limits: &Limits,
        settings: &Settings,
        stop: &StopToken,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let outcome = match board.position() {
            AnyPosition::Narrow(sowings, position) => {
                self.search_in(board, sowings, &position, limits, settings, stop, observer)
            }
            AnyPosition::Wide(sowings, position) => {
                self.search_in(board, sowings, &position, limits, settings, stop, observer)
            }
        };
        if limits.infinite {
            stop.wait(false);
        } else if limits.ponder {
            stop.wait(true);
        }
        outcome
    }

    #[allow(clippy::too_many_arguments)] // those of `search` and what `position` took apart
    fn search_in<R: RowTables>(
        &mut self,
        board: &Board,
        sowings: &'static Sowings<R>,
        position: &Position<R>,
        limits: &Limits,
        settings: &Settings,
        stop: &StopToken,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let start = Instant::now();
        let seeds = board.seeds_in_play();
        let deadline = Deadline::new(limits, seeds, settings.move_overhead, start, stop.clone());
        let shared = Shared::new(deadline, limits.nodes, settings.threads.get());
        let candidates: Vec<House> = board
            .moves()
            .filter(|house| limits.searchmoves.is_empty() || limits.searchmoves.contains(house))
            .collect();
        let excluded = candidates.iter().fold(u16::MAX, |set, house| set & !(1 << house.index()));
        let excluded = excluded & board.moves().fold(0, |set, house| set | 1 << house.index());
        let root = Root { board, position, seeds: seeds as i32, excluded, moves: candidates.len() };

        let mut findings = Findings::default();
        if !candidates.is_empty() {
            self.table.new_age();
            self.memories.resize_with(settings.threads.get(), Memory::new);
            self.memories.iter_mut().for_each(Memory::fade);
            let plan = Plan {
                last_depth: limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
                multipv: settings.multipv.get(),
                forced: candidates.len() == 1 && limits.clock.is_some(),
            };
            findings = search_with_threads(
                &self.table,
                &mut self.memories,
                sowings,
                &settings.evaluation,
                &shared,
                &root,
                &plan,
                observer,
            );
        }

        let effort = Effort {
            nodes: shared.nodes(),
            time: shared.deadline().elapsed(),
            hashfull: self.table.permille_full(),
        };
        let best = findings.lines.first().and_then(|line| line.pv.first().copied());
        let unfinished = findings
            .unfinished
            .map(|house| Move { side: board.side(), house })
            .filter(|_| settings.multipv.get() == 1);
        // Stopped before a single iteration was through: any move is better than none.
        let any = || candidates.last().map(|&house| Move { side: board.side(), house });
        let expected = findings.lines.first().and_then(|line| line.pv.get(1).copied());
        Outcome {
            best: unfinished.or(best).or_else(any),
            ponder: expected.filter(|_| unfinished.is_none() || unfinished == best),
            lines: findings.lines,
            effort,
        }
    }
}

/// Lazy SMP: all threads search the same position and share the table; that they are never at
/// the same place at the same time is left to chance and to their starting at different depths.
#[allow(clippy::too_many_arguments)]
fn search_with_threads<R: RowTables>(
    table: &Table,
    memories: &mut [Memory],
    sowings: &'static Sowings<R>,
    evaluation: &Evaluation,
    shared: &Shared,
    root: &Root<'_, R>,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Findings {
    let worker = |memory| Worker {
        sowings,
        table,
        evaluation,
        memory,
        shared,
        excluded: root.excluded,
        root_best: None,
        nodes: 0,
        published: 0,
        next_poll: shared.first_poll(),
        seldepth: 0,
    };
    let Some((first, others)) = memories.split_first_mut() else { return Findings::default() };
    thread::scope(|scope| {
        for (memory, number) in others.iter_mut().zip(1..) {
            let mut helper = worker(memory);
            let work = move || {
                helper.deepen(root, plan, &mut ());
            };
            let name = format!("search {number}");
            if let Err(error) = thread::Builder::new().name(name).spawn_scoped(scope, work) {
                warn!("searching with {number} threads, there are no more: {error}");
                break;
            }
        }
        let mut leader = worker(first);
        let findings = leader.deepen(root, plan, observer);
        shared.end();
        // What is left to publish; the search is over in any case.
        let _ = leader.poll();
        findings
    })
}
