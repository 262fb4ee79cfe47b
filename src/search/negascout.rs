//! NegaScout: A. Reinefeld, *An Improvement to the Scout Tree-Search Algorithm* (ICCA Journal
//! 6(4), 1983), in the negamax form F4 of T.-s. Hsu's lecture *Scout, NegaScout and Proof-Number
//! Search* (2014).

use super::ordering::{Children, Refutations};
use super::root::{HouseSet, Root};
use super::table::Entry;
use super::threads::{Shared, Stopped};
use super::value::{Bound, Score, Window};
use crate::board::{House, Next, Played, Position, RowTables};

/// Threads look out for each other at this depth and above; below, what they could save is less
/// than what it costs.
const SHARED_DEPTH: u32 = 4;

/// One thread's search of one position.
pub(super) struct Worker<'a, R: RowTables> {
    pub root: &'a Root<'a, R>,
    pub shared: &'a Shared<'a>,
    refutations: &'a mut Refutations,
    /// Moves of the root that are not to be searched.
    pub excluded: HouseSet,
    /// The best move of the root so far in the iteration under way, once one is known to be
    /// above the window's lower end.
    pub root_best: Option<House>,
    /// The greatest ply visited in the iteration under way.
    pub seldepth: usize,
    /// Positions visited.
    nodes: u64,
    /// How many of them the other threads know of.
    published: u64,
    /// The count at which to look at the limits again.
    next_poll: u64,
}

impl<'a, R: RowTables> Worker<'a, R> {
    pub(super) fn new(
        root: &'a Root<'a, R>,
        shared: &'a Shared<'a>,
        refutations: &'a mut Refutations,
    ) -> Worker<'a, R> {
        Worker {
            root,
            shared,
            refutations,
            excluded: root.excluded,
            root_best: None,
            seldepth: 0,
            nodes: 0,
            published: 0,
            next_poll: shared.first_poll(),
        }
    }

    /// Nodes not yet published.
    pub(super) fn unpublished(&self) -> u64 {
        self.nodes - self.published
    }

    /// Publishes the node count and looks at the limits.
    #[cold]
    pub(super) fn poll(&mut self) -> Result<(), Stopped> {
        let visited = self.unpublished();
        self.published = self.nodes;
        self.next_poll = self.nodes + self.shared.poll(visited)?;
        Ok(())
    }

    /// The gain of a position searched `depth` plies deep, fail-soft: outside the window it is a
    /// bound on the value, and as good a one as the search came by.
    ///
    /// `seeds` are those in the houses. The numbers in brackets are the lines of F4.
    pub(super) fn negascout(
        &mut self,
        position: &Position<R>,
        seeds: i32,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes == self.next_poll {
            self.poll()?;
        }
        if depth == 0 {
            let houses = self.root.sowings.rules().houses();
            let gain = self.shared.evaluation.gain(position, houses, seeds);
            return Ok(Score { gain, proven: false });
        }
        if window.alpha >= seeds {
            return Ok(Score::proven(seeds));
        }
        if window.beta <= -seeds {
            return Ok(Score::proven(-seeds));
        }
        let window = window.aligned(seeds);

        let table = self.shared.table;
        let key = position.key();
        let known = table.probe(key).filter(|entry| entry.is_possible(position, seeds));
        if let Some(entry) = known
            && ply > 0
            && (entry.score.proven || entry.depth >= depth && window.is_null())
            && entry.bound.settles(entry.score.gain, window)
        {
            return Ok(entry.score);
        }

        let table_move = known.map(|entry| entry.house);
        let mut children =
            Children::new(position, self.root.sowings, table, table_move, self.refutations, ply);
        let mut best: Option<(House, Score)> = None;
        let mut all_proven = true;
        let busy = self.shared.busy().filter(|_| depth >= SHARED_DEPTH);
        while let Some(child) = match busy {
            Some(busy) if best.is_some() => children.take_idle(busy),
            _ => children.take_best(),
        } {
            if ply == 0 && self.excluded.contains(child.house) {
                continue;
            }
            let child_key = child.played.position.key();
            if let Some(busy) = busy {
                busy.enter(child_key);
            }
            let floor = best.map(|(_, best)| best.gain.max(window.alpha));
            let score = self.search_child(&child.played, seeds, depth, window, floor, ply)?;
            if let Some(busy) = busy {
                busy.leave(child_key);
            }
            all_proven &= score.proven;
            if best.is_none_or(|(_, best)| score.gain > best.gain) {
                best = Some((child.house, score));
                if ply == 0 && score.gain > window.alpha {
                    self.root_best = Some(child.house);
                }
            }
            // [14]
            if score.gain >= window.beta {
                self.refutations.reward(ply, child.house, position.own(child.house), depth);
                break;
            }
        }

        let Some((house, best)) = best else { return Err(Stopped) };
        let bound = window.bound_of(best.gain);
        // One move is enough to prove a lower bound; an upper one takes them all.
        let proven = if bound == Bound::Lower { best.proven } else { all_proven };
        let score = Score { gain: best.gain, proven };
        if ply > 0 || self.excluded.is_empty() {
            table.store(key, Entry { score, bound, depth, house });
        }
        Ok(score)
    }

    /// The score of a position by one of its moves; `floor` is the best gain of the moves before
    /// it, if this is not the first.
    fn search_child(
        &mut self,
        played: &Played<R>,
        seeds: i32,
        depth: u32,
        window: Window,
        floor: Option<i32>,
        ply: usize,
    ) -> Result<Score, Stopped> {
        if played.next == Next::Over {
            return Ok(Score::proven(0).before(played));
        }
        let seeds = seeds - played.banked as i32;
        let below = |worker: &mut Self, window: Window| {
            let window = window.after(played);
            let score = worker.negascout(&played.position, seeds, depth - 1, window, ply + 1)?;
            Ok(score.before(played))
        };
        // [8]: the first move gets the whole window.
        let Some(floor) = floor else { return below(self, window) };
        // [9], [15]: is this move better than the best so far?
        let scout = below(self, Window::null_above(floor))?;
        // [11]: a leaf's value is exact whatever the window. F4 says the same of all depths below
        // 3, but that does not hold where a player can move twice.
        let settled = scout.gain <= floor || scout.gain >= window.beta;
        if settled || depth == 1 {
            return Ok(scout);
        }
        // [13]: it is; search it again from the bound just found.
        let again = below(self, Window { alpha: scout.gain, beta: window.beta })?;
        // When it comes to no more than that bound, both searches together make the value.
        let proven = again.proven && (scout.proven || again.gain > scout.gain);
        Ok(Score { proven, ..again })
    }
}
