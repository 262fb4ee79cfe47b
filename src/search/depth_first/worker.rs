//! The recursion that all depth-first searches share. At each node it
//!
//! 1. probes ([`Worker::probe_node`]): exact tables, leaves, the range of possible values, the
//!    transposition table and the pruning of the search;
//! 2. scores the moves and picks them one by one ([`Worker::pick_move`]);
//! 3. recurses: the search itself decides with which windows;
//! 4. updates the best move ([`Worker::update_best`]);
//! 5. stores the result in the transposition table ([`Worker::store_node`]).

use super::node::{SearchNode, SearchedScore, Visit};
use super::selective::Selectivity;
use crate::board::{Next, splitmix64};
use crate::search::game::{Game, MAX_MOVE_SCORE, MoveList, ScoredMove};
use crate::search::move_ordering::{DEFERRED, MoveOrdering, Oversights, TABLE_MOVE, TRIED};
use crate::search::options::{DepthFirstOptions, TableUse};
use crate::search::result::Counters;
use crate::search::shared::{
    InFlightTable, NODES_BETWEEN_FILE_POLLS, NODES_BETWEEN_POLLS, Poller, SharedState, Stopped,
};
use crate::search::transposition_table::{TableEntry, TranspositionTable};
use crate::search::value::{Bound, Query, Score, Transition, Window};

/// The least depth at which threads avoid one another's positions; below it that does not pay.
const IN_FLIGHT_DEPTH: u32 = 4;

/// One thread's search of one tree.
pub(crate) struct Worker<'a, G: Game, T> {
    pub game: &'a G,
    pub shared: &'a SharedState,
    table: &'a T,
    pub(super) options: DepthFirstOptions,
    /// Weak play: drops random moves below the root.
    pub oversights: Option<Oversights>,
    /// Moves of the root that are not searched.
    pub excluded: Vec<G::Move>,
    /// The move of the root to search first, if the ordering is dynamic and the table has none.
    pub previous_best: Option<G::Move>,
    /// The best move of the root so far in this iteration, once one has raised alpha.
    pub root_best: Option<G::Move>,
    /// From this depth on moves are ordered by the evaluation of the positions they lead to.
    pub evaluated_depth: Option<u32>,
    /// How far the selective search prunes, reduces and extends in this iteration.
    pub(super) selectivity: Selectivity,
    /// The greatest ply visited in this iteration.
    pub seldepth: u32,
    pub counters: Counters,
    poller: Poller,
}

impl<'a, G: Game, T: TranspositionTable<G::Move>> Worker<'a, G, T> {
    pub(crate) fn new(
        game: &'a G,
        table: &'a T,
        shared: &'a SharedState,
        options: DepthFirstOptions,
    ) -> Self {
        Worker {
            game,
            shared,
            table,
            options,
            oversights: None,
            excluded: Vec::new(),
            previous_best: None,
            root_best: None,
            evaluated_depth: None,
            selectivity: Selectivity::default(),
            seldepth: 0,
            counters: Counters::default(),
            poller: Poller::new(shared, NODES_BETWEEN_POLLS),
        }
    }

    /// Checks the limits more often, for a search whose nodes may read from files.
    pub(crate) fn poll_often(&mut self) {
        self.poller = Poller::new(self.shared, NODES_BETWEEN_FILE_POLLS);
    }

    /// The transposition table, if it is used.
    pub(crate) fn table(&self) -> Option<&'a T> {
        (self.options.table != TableUse::Off).then_some(self.table)
    }

    /// Publishes the node count and checks the limits.
    pub(crate) fn poll(&mut self) -> Result<(), Stopped> {
        self.poller.poll(self.shared, &self.counters)
    }

    /// Searches a node without pruning. `search_move` is what distinguishes the searches: it returns
    /// the score of one move, from the view of the player who makes it, given the node with the
    /// results so far. It is not called for moves that end the game.
    #[inline]
    pub(super) fn search_node(
        &mut self,
        visit: Visit<'_, G>,
        query: Query,
        search_move: impl FnMut(&mut Self, &SearchNode<G>, &Transition<G::Position>) -> SearchedScore,
    ) -> SearchedScore {
        self.search_node_with_pruning(visit, query, |_, _| None, search_move)
    }

    /// Searches a node. `prune` may return a score that makes searching the moves unnecessary; it is
    /// called with the aligned window when neither the rules nor the tables have caused a cutoff.
    #[inline]
    pub(super) fn search_node_with_pruning(
        &mut self,
        visit: Visit<'_, G>,
        query: Query,
        prune: impl FnOnce(&Self, Window) -> Option<Score>,
        mut search_move: impl FnMut(
            &mut Self,
            &SearchNode<G>,
            &Transition<G::Position>,
        ) -> SearchedScore,
    ) -> SearchedScore {
        let mut node = SearchNode::default();
        if let Some(score) = self.probe_node(visit, query, prune, &mut node)? {
            return Ok(score);
        }
        while let Some(index) = self.pick_move(visit.position, &mut node) {
            let transition = &node.moves[index].transition;
            let score = if transition.next == Next::Over {
                self.counters.finished += 1;
                Score::proven(0).before(transition)
            } else {
                search_move(self, &node, transition)?
            };
            if self.update_best(&mut node, index, score) {
                break;
            }
        }
        self.store_node(visit.position, &node)
    }

    /// Enters a node. Returns its score, or prepares `node` and returns `None` if moves have to be searched.
    #[inline]
    fn probe_node(
        &mut self,
        visit: Visit<'_, G>,
        query: Query,
        prune: impl FnOnce(&Self, Window) -> Option<Score>,
        node: &mut SearchNode<G>,
    ) -> Result<Option<Score>, Stopped> {
        let Visit { position, depth, ply } = visit;
        self.counters.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.counters.nodes == self.poller.next {
            self.poll()?;
        }
        self.game.on_enter(position, query);
        let window =
            query.window(|| Window::around(self.game.value_range(position), G::VALUE_STEP));
        let terminal = self.terminal_score(visit, window);
        if let Some(score) = terminal {
            self.game.on_result(position, score);
            return Ok(terminal);
        }

        // Transposition table
        node.window = self.game.align_window(position, window);
        node.key = self.game.key(position);
        (node.depth, node.ply) = (depth, ply);
        // Before the table is read, for its entry may still be on the way from memory.
        let pruned = prune(self, node.window);
        let table = self.table();
        let entry = table
            .and_then(|table| table.probe(node.key, node.window))
            .filter(|entry| self.game.is_consistent(position, entry));
        if let Some(entry) = entry
            && ply > 0
            && self.is_deep_enough(&entry, depth)
            && entry.bound.is_cutoff(entry.score.gain, node.window)
        {
            self.counters.table_hits += 1;
            self.game.on_result(position, entry.score);
            return Ok(Some(entry.score));
        }

        // Pruning
        if let Some(score) = pruned {
            self.counters.leaves += 1;
            self.game.on_result(position, score);
            return Ok(Some(score));
        }

        // Move generation and ordering
        self.counters.interior += 1;
        let is_excluded = |mv: &G::Move| ply == 0 && self.excluded.contains(mv);
        let table_move = entry.and_then(|entry| entry.best).filter(|best| !is_excluded(best));
        let first = if ply == 0 { table_move.or(self.previous_best) } else { table_move };
        let only_hash_move = self.evaluated_depth.is_some()
            && self.options.ordering == MoveOrdering::Dynamic
            && self.oversights.is_none();
        if only_hash_move
            && ply > 0
            && let Some(mv) = first
            && let Some(transition) = self.game.play(position, mv)
        {
            self.prefetch_after(depth, &transition);
            node.moves.push(ScoredMove { mv, transition, evaluation: None, order: TABLE_MOVE });
            node.only_hash_move = true;
            return Ok(None);
        }
        self.score_moves(position, node, first, None);
        for scored in node.moves.iter_mut().filter(|scored| is_excluded(&scored.mv)) {
            scored.order = TRIED;
        }
        if let Some(oversights) = self.oversights
            && ply > 0
        {
            self.overlook(oversights, node);
        }
        Ok(None)
    }

    /// Prefetches the table entry of the position after a move, unless that is a leaf, which is not looked up: a
    /// prefetch can stall like any load.
    #[inline]
    fn prefetch_after(&self, depth: u32, transition: &Transition<G::Position>) {
        // Some searches extend extra turns.
        let is_leaf = depth == 1 && transition.next != Next::Again;
        if let Some(table) = self.table()
            && !is_leaf
            && transition.next != Next::Over
        {
            table.prefetch(self.game.key(&transition.position));
        }
    }

    /// Makes and scores every move but `skip`, in the dynamic ordering `first` first. The table entries after those
    /// that will be searched are prefetched.
    #[inline]
    fn score_moves(
        &self,
        position: &G::Position,
        node: &mut SearchNode<G>,
        first: Option<G::Move>,
        skip: Option<G::Move>,
    ) {
        let game = self.game;
        let DepthFirstOptions { ordering, random_seed, .. } = self.options;
        let SearchNode { window, depth, .. } = *node;
        let moves = &mut node.moves;
        let evaluates = self.evaluated_depth.is_some_and(|from| depth >= from);
        game.for_each_move(position, move |mv, transition| {
            if skip == Some(mv) {
                return;
            }
            let is_first = ordering == MoveOrdering::Dynamic && first == Some(mv);
            let evaluation = (evaluates && !is_first && transition.next != Next::Over)
                .then(|| game.evaluate(&transition.position));
            let is_pruned = evaluation.is_some_and(|evaluation| {
                self.static_score(evaluation, depth - 1, window.after(&transition)).is_some()
            });
            if !is_pruned {
                self.prefetch_after(depth, &transition);
            }
            let order = match ordering {
                MoveOrdering::Dynamic if is_first => TABLE_MOVE,
                MoveOrdering::Dynamic => {
                    let estimate = evaluation.map_or(0, |evaluation| {
                        let gain = transition.gain_before(evaluation);
                        (gain + MAX_MOVE_SCORE / 2).clamp(0, MAX_MOVE_SCORE - 1)
                    });
                    estimate * MAX_MOVE_SCORE + game.move_score(position, mv, &transition)
                }
                MoveOrdering::Static => game.move_score(position, mv, &transition),
                MoveOrdering::Random => {
                    let child = splitmix64(game.key(&transition.position));
                    let hash = game.key(position) ^ splitmix64(random_seed ^ child);
                    (splitmix64(hash) >> (u64::BITS - TABLE_MOVE.ilog2())) as i32
                }
            };
            moves.push(ScoredMove { mv, transition, evaluation, order });
        });
    }

    /// Leaves overlooked moves out, unless none would remain. A bound that needs all moves is not proven then.
    #[cold]
    fn overlook(&self, oversights: Oversights, node: &mut SearchNode<G>) {
        let key = node.key;
        let is_overlooked = |scored: &ScoredMove<G::Position, G::Move>| {
            oversights.overlooks(key, self.game.key(&scored.transition.position))
        };
        if node.moves.iter().all(is_overlooked) {
            return;
        }
        for scored in node.moves.iter_mut().filter(|scored| is_overlooked(scored)) {
            scored.order = TRIED;
            node.all_proven = false;
        }
    }

    /// The score of a node that is exact, a leaf, or outside the window: it needs neither table nor move.
    #[inline]
    fn terminal_score(&mut self, visit: Visit<'_, G>, window: Window) -> Option<Score> {
        let Visit { position, depth, ply } = visit;
        // The root needs a move, not only a value.
        if ply > 0
            && let Some(gain) = self.game.exact_value(position)
        {
            self.counters.tablebase_hits += 1;
            return Some(Score::proven(gain));
        }
        if depth == 0 || self.game.is_leaf(position) {
            return Some(self.evaluate(position, window));
        }
        let (min, max) = self.game.value_range(position);
        if window.alpha >= max {
            Some(Score::proven(max))
        } else if window.beta <= min {
            Some(Score::proven(min))
        } else {
            None
        }
    }

    #[inline]
    fn is_deep_enough(&self, entry: &TableEntry<G::Move>, depth: u32) -> bool {
        match self.options.table {
            TableUse::On => entry.score.proven || entry.depth >= depth,
            TableUse::EqualDepth => entry.depth == depth,
            TableUse::Off => false,
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &G::Position, window: Window) -> Score {
        let table = self.table().filter(|_| T::STORES_LEAVES);
        if let Some(table) = table
            && let Some(entry) = table.probe(self.game.key(position), window)
            && self.is_deep_enough(&entry, 0)
            && entry.bound.is_cutoff(entry.score.gain, window)
        {
            self.counters.table_hits += 1;
            return entry.score;
        }
        self.counters.leaves += 1;
        let proven = self.game.is_leaf(position);
        let score = Score { gain: self.game.evaluate(position), proven };
        if let Some(table) = table {
            let entry = TableEntry { score, bound: Bound::Exact, depth: 0, best: None };
            table.store(self.game.key(position), entry);
        }
        score
    }

    fn in_flight(&self, depth: u32) -> Option<&'a InFlightTable> {
        self.shared.in_flight.as_ref().filter(|_| depth >= IN_FLIGHT_DEPTH)
    }

    /// Picks the best untried move and returns its index. After the first move, moves that another
    /// thread is searching are deferred until all others have been tried.
    #[allow(clippy::inline_always)] // as a call it costs the search 2 % of its instructions
    #[inline(always)]
    fn pick_move(&mut self, position: &G::Position, node: &mut SearchNode<G>) -> Option<usize> {
        if node.only_hash_move && node.move_count == 1 {
            let skip = node.moves[0].mv;
            self.score_moves(position, node, None, Some(skip));
        }
        if node.move_count == node.moves.len() {
            return None;
        }
        let in_flight = self.in_flight(node.depth);
        if let Some(in_flight) = in_flight
            && node.move_count > 0
        {
            for scored in node.moves.iter_mut() {
                if scored.order >= 0
                    && in_flight.contains(self.game.key(&scored.transition.position))
                {
                    scored.order += DEFERRED;
                }
            }
        }
        // Most nodes are cut off after a move or two: selecting is faster than sorting.
        let (index, scored) =
            node.moves.iter_mut().enumerate().max_by_key(|(_, scored)| scored.order)?;
        if scored.order == TRIED {
            return None;
        }
        scored.order = TRIED;
        node.evaluation = scored.evaluation;
        node.move_count += 1;
        if let Some(in_flight) = in_flight {
            in_flight.insert(self.game.key(&scored.transition.position));
        }
        Some(index)
    }

    /// Updates the best move with the score of a move. Returns whether it causes a beta cutoff.
    #[inline]
    fn update_best(&mut self, node: &mut SearchNode<G>, index: usize, score: Score) -> bool {
        let ScoredMove { mv, transition, .. } = &node.moves[index];
        if let Some(in_flight) = self.in_flight(node.depth) {
            in_flight.remove(self.game.key(&transition.position));
        }
        node.all_proven &= score.proven;
        if node.best.is_none_or(|(_, best)| score.gain > best.gain) {
            node.best = Some((*mv, score));
            if node.ply == 0 && score.gain > node.window.alpha {
                self.root_best = Some(*mv);
            }
        }
        let is_cutoff = score.gain >= node.window.beta;
        if is_cutoff {
            self.counters.count_cutoff(node.move_count);
        }
        is_cutoff
    }

    /// Stores a searched node in the table and returns its score. The score is fail-soft: outside
    /// the window it is the tightest bound that the search found.
    #[inline]
    fn store_node(&mut self, position: &G::Position, node: &SearchNode<G>) -> SearchedScore {
        let Some((mv, best)) = node.best else { return Err(Stopped) };
        let bound = node.window.bound_of(best.gain);
        // One move proves a lower bound; an upper bound or a value needs a proof of every move.
        let proven = if bound == Bound::Lower { best.proven } else { node.all_proven };
        let score = Score { gain: best.gain, proven };
        // With excluded moves the result is not the value of the position.
        if (node.ply > 0 || self.excluded.is_empty())
            && let Some(table) = self.table()
        {
            let entry = TableEntry { score, bound, depth: node.depth, best: Some(mv) };
            table.store(node.key, entry);
        }
        self.game.on_result(position, score);
        Ok(score)
    }
}
