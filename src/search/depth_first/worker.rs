//! What all depth-first searches have in common: visiting positions, counting, table, order of
//! moves, limits. What is left to each of them is the order of its questions.

use crate::board::Next;
use crate::search::busy::InFlightTable;
use crate::search::counters::Counters;
use crate::search::game::Game;
use crate::search::memory::{TableEntry, TranspositionTable};
use crate::search::ordering::{LAST, MoveOrdering, Order, Refutations, TAKEN};
use crate::search::question::Query;
use crate::search::step::Transition;
use crate::search::threads::{Shared, Stopped, Work};
use crate::search::value::{Bound, Score, Window};

/// Threads look out for each other at this depth and above; below, what they could save is less
/// than what it costs.
const SHARED_DEPTH: u32 = 4;

/// Which entries of the table a search makes use of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableUse {
    /// All that are as deep as asked, or deeper, or proven.
    #[default]
    On,
    /// Those of exactly the depth asked: the value of a search is then that of [`TableUse::Off`].
    EqualDepth,
    /// None, and none is stored.
    Off,
}

/// How a depth-first search goes about its work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DepthFirstOptions {
    /// Which entries of the table count.
    pub table: TableUse,
    /// What the order of moves goes by.
    pub ordering: MoveOrdering,
    /// What [`MoveOrdering::Random`] is drawn from; searches that play random games draw from it too.
    pub random_seed: u64,
}

/// One thread's search of one tree.
pub(crate) struct Worker<'a, G: Game, M> {
    pub game: &'a G,
    pub shared: &'a Shared,
    memory: &'a M,
    depth_first: DepthFirstOptions,
    refutations: &'a mut Refutations,
    /// Moves of the root that are not to be searched.
    pub excluded: Vec<G::Move>,
    /// The move of the root to try first, if the order is dynamic and the table knows none.
    pub root_first: Option<G::Move>,
    /// The best move of the root so far in the iteration under way, once one is known to be
    /// above the window's lower end.
    pub root_best: Option<G::Move>,
    /// The depth of the iteration under way.
    pub root_depth: u32,
    /// The greatest ply visited in it.
    pub seldepth: usize,
    pub counters: Counters,
    /// What the other threads know of.
    published: Work,
    /// The node count at which to look at the limits again.
    next_poll: u64,
}

/// A position whose moves are being searched.
pub(crate) struct Node<G: Game> {
    children: G::MoveList,
    /// The question, as narrow as the position allows.
    pub window: Window,
    /// The best move so far and the score by it.
    best: Option<(G::Move, Score)>,
    key: u64,
    pub depth: u32,
    ply: usize,
    /// Moves taken.
    pub tried: usize,
    all_proven: bool,
}

impl TableUse {
    /// All of them.
    pub const ALL: [TableUse; 3] = [TableUse::On, TableUse::EqualDepth, TableUse::Off];
}

impl<G: Game> Default for Node<G> {
    /// A node to be filled by a visit.
    #[inline]
    fn default() -> Self {
        Node {
            children: G::MoveList::default(),
            window: Window { alpha: 0, beta: 0 },
            best: None,
            key: 0,
            depth: 0,
            ply: 0,
            tried: 0,
            all_proven: true,
        }
    }
}

impl<G: Game> Node<G> {
    /// The best gain so far, or the window's lower end when no move is better: what the next
    /// move has to beat.
    #[inline]
    pub(crate) fn floor(&self) -> i32 {
        self.best.map_or(self.window.alpha, |(_, best)| best.gain.max(self.window.alpha))
    }

    /// The window for the next move: what lies between the floor and beta.
    #[inline]
    pub(crate) fn above_floor(&self) -> Window {
        Window { alpha: self.floor(), beta: self.window.beta }
    }

    /// The score of the best move so far; `None` before the first.
    pub(crate) fn best(&self) -> Option<Score> {
        self.best.map(|(_, best)| best)
    }
}

impl<'a, G: Game, M: TranspositionTable<G::Move>> Worker<'a, G, M> {
    pub(crate) fn new(
        game: &'a G,
        memory: &'a M,
        shared: &'a Shared,
        depth_first: DepthFirstOptions,
        refutations: &'a mut Refutations,
    ) -> Self {
        Worker {
            game,
            shared,
            memory,
            depth_first,
            refutations,
            excluded: Vec::new(),
            root_first: None,
            root_best: None,
            root_depth: 0,
            seldepth: 0,
            counters: Counters::default(),
            published: Work::default(),
            next_poll: shared.first_poll(),
        }
    }

    /// The memory, where it is made use of.
    pub(crate) fn memory(&self) -> Option<&'a M> {
        (self.depth_first.table != TableUse::Off).then_some(self.memory)
    }

    /// Whether the order of moves puts first what was best before.
    pub(crate) fn begins_with_best(&self) -> bool {
        self.depth_first.ordering == MoveOrdering::Dynamic
    }

    /// Work not yet published.
    pub(crate) fn unpublished(&self) -> Work {
        Work::of(&self.counters) - self.published
    }

    /// Publishes the node count and looks at the limits.
    #[cold]
    pub(crate) fn poll(&mut self) -> Result<(), Stopped> {
        let done = self.unpublished();
        self.published = Work::of(&self.counters);
        self.next_poll = self.counters.nodes + self.shared.poll(done)?;
        Ok(())
    }

    /// The score of a position by its moves, as far as it takes any: what all searches do at a
    /// position. `by_move` is what each does in its own way: the score of the position by one of its
    /// moves, as the player to move sees it, after what is known of the moves before. It is not
    /// asked of moves that end the game.
    #[inline]
    pub(super) fn search_moves(
        &mut self,
        position: &G::Position,
        depth: u32,
        question: Query,
        ply: usize,
        by_move: impl FnMut(&mut Self, &Node<G>, &Transition<G::Position>) -> Result<Score, Stopped>,
    ) -> Result<Score, Stopped> {
        self.search_moves_unless(position, depth, question, ply, |_, _| None, by_move)
    }

    /// The same, unless an estimate is enough: `enough` is asked about positions that neither the rules
    /// nor the memory have an answer for, with the window that is left.
    #[inline]
    pub(super) fn search_moves_unless(
        &mut self,
        position: &G::Position,
        depth: u32,
        question: Query,
        ply: usize,
        enough: impl FnOnce(&Self, Window) -> Option<Score>,
        mut by_move: impl FnMut(&mut Self, &Node<G>, &Transition<G::Position>) -> Result<Score, Stopped>,
    ) -> Result<Score, Stopped> {
        let mut node = Node::default();
        if let Some(score) = self.visit(position, depth, question, ply, enough, &mut node)? {
            return Ok(score);
        }
        while let Some(child) = self.next(&mut node) {
            let step = node.children[child].step;
            let score = if step.next == Next::Over {
                self.counters.finished += 1;
                Score::proven(0).before(&step)
            } else {
                by_move(self, &node, &step)?
            };
            if self.improve(position, &mut node, child, score) {
                break;
            }
        }
        self.close(position, &node)
    }

    /// Visits a position. What it takes no moves to know is the answer; `None` when it takes some,
    /// and `node` is then ready for them.
    #[inline]
    fn visit(
        &mut self,
        position: &G::Position,
        depth: u32,
        question: Query,
        ply: usize,
        enough: impl FnOnce(&Self, Window) -> Option<Score>,
        node: &mut Node<G>,
    ) -> Result<Option<Score>, Stopped> {
        self.counters.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.counters.nodes == self.next_poll {
            self.poll()?;
        }
        self.game.on_enter(position, question);
        let window =
            question.window(|| Window::around(self.game.value_range(position), G::VALUE_STEP));
        let settled = self.settled(position, depth, window, ply);
        if let Some(score) = settled {
            self.game.on_result(position, score);
            return Ok(settled);
        }

        node.window = self.game.align_window(position, window);
        node.key = self.game.key(position);
        (node.depth, node.ply) = (depth, ply);
        let memory = self.memory();
        let known = memory
            .and_then(|memory| memory.probe(node.key, node.window))
            .filter(|entry| self.game.is_consistent(position, entry));
        if let Some(entry) = known
            && ply > 0
            && self.is_of_depth(&entry, depth)
            && entry.bound.settles(entry.score.gain, node.window)
        {
            self.counters.table_hits += 1;
            self.game.on_result(position, entry.score);
            return Ok(Some(entry.score));
        }

        if let Some(score) = enough(self, node.window) {
            self.counters.leaves += 1;
            self.game.on_result(position, score);
            return Ok(Some(score));
        }

        self.counters.interior += 1;
        let is_excluded = |chosen: &G::Move| ply == 0 && self.excluded.contains(chosen);
        let table_move = known.and_then(|entry| entry.best).filter(|best| !is_excluded(best));
        let order = Order {
            ordering: self.depth_first.ordering,
            random_seed: self.depth_first.random_seed,
            first: if ply == 0 { table_move.or(self.root_first) } else { table_move },
            refutations: self.refutations,
            ply,
        };
        order.fill(&mut node.children, self.game, position, memory);
        for child in node.children.iter_mut().filter(|child| is_excluded(&child.chosen)) {
            child.rank = TAKEN;
        }
        Ok(None)
    }

    /// The score of a position as far as neither moves nor memory are needed for it.
    #[inline]
    fn settled(
        &mut self,
        position: &G::Position,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Option<Score> {
        // What the root is worth is not enough: a move is wanted.
        if ply > 0
            && let Some(gain) = self.game.exact_value(position)
        {
            self.counters.tablebase_hits += 1;
            return Some(Score::proven(gain));
        }
        if depth == 0 || self.game.is_leaf(position) {
            return Some(self.evaluate(position, window));
        }
        let (least, most) = self.game.value_range(position);
        if window.alpha >= most {
            Some(Score::proven(most))
        } else if window.beta <= least {
            Some(Score::proven(least))
        } else {
            None
        }
    }

    #[inline]
    fn is_of_depth(&self, entry: &TableEntry<G::Move>, depth: u32) -> bool {
        match self.depth_first.table {
            TableUse::On => entry.score.proven || entry.depth >= depth,
            TableUse::EqualDepth => entry.depth == depth,
            TableUse::Off => false,
        }
    }

    /// The score of a position without a look at its moves.
    #[inline]
    fn evaluate(&mut self, position: &G::Position, window: Window) -> Score {
        let memory = self.memory().filter(|_| M::KEEPS_LEAVES);
        if let Some(memory) = memory
            && let Some(entry) = memory.probe(self.game.key(position), window)
            && self.is_of_depth(&entry, 0)
            && entry.bound.settles(entry.score.gain, window)
        {
            self.counters.table_hits += 1;
            return entry.score;
        }
        self.counters.leaves += 1;
        let proven = self.game.is_leaf(position);
        let score = Score { gain: self.game.evaluate(position), proven };
        if let Some(memory) = memory {
            let entry = TableEntry { score, bound: Bound::Exact, depth: 0, best: None };
            memory.store(self.game.key(position), entry);
        }
        score
    }

    fn busy(&self, depth: u32) -> Option<&'a InFlightTable> {
        self.shared.busy().filter(|_| depth >= SHARED_DEPTH)
    }

    /// Takes the best of the moves left, by its place among the children. Of those after the
    /// first, any that no other thread is working on comes before those that are.
    #[inline]
    fn next(&mut self, node: &mut Node<G>) -> Option<usize> {
        let busy = self.busy(node.depth);
        if let Some(busy) = busy
            && node.tried > 0
        {
            for child in node.children.iter_mut() {
                if child.rank >= 0 && busy.contains(self.game.key(&child.step.position)) {
                    child.rank += LAST;
                }
            }
        }
        // Most nodes are cut after a move or two: select, do not sort.
        let (best, child) =
            node.children.iter_mut().enumerate().max_by_key(|(_, child)| child.rank)?;
        if child.rank == TAKEN {
            return None;
        }
        child.rank = TAKEN;
        node.tried += 1;
        if let Some(busy) = busy {
            busy.insert(self.game.key(&child.step.position));
        }
        Some(best)
    }

    /// Takes in the score by a move; tells whether it answers the question, so that no other
    /// move is needed.
    #[inline]
    fn improve(
        &mut self,
        position: &G::Position,
        node: &mut Node<G>,
        child: usize,
        score: Score,
    ) -> bool {
        let child = &node.children[child];
        if let Some(busy) = self.busy(node.depth) {
            busy.remove(self.game.key(&child.step.position));
        }
        node.all_proven &= score.proven;
        if node.best.is_none_or(|(_, best)| score.gain > best.gain) {
            node.best = Some((child.chosen, score));
            if node.ply == 0 && score.gain > node.window.alpha {
                self.root_best = Some(child.chosen);
            }
        }
        let cut = score.gain >= node.window.beta;
        if cut {
            self.counters.cut_off(node.tried);
            if self.depth_first.ordering == MoveOrdering::Dynamic {
                let feature = self.game.history_index(position, child.chosen);
                self.refutations.reward(node.ply, feature, node.depth);
            }
        }
        cut
    }

    /// The score of a node whose moves have been searched as far as needed. Fail-soft: outside
    /// the window it is a bound on the value, and as good a one as the search came by.
    #[inline]
    fn close(&mut self, position: &G::Position, node: &Node<G>) -> Result<Score, Stopped> {
        let Some((chosen, best)) = node.best else { return Err(Stopped) };
        let bound = node.window.bound_of(best.gain);
        // One move is enough to prove a lower bound; an upper one takes them all.
        let proven = if bound == Bound::Lower { best.proven } else { node.all_proven };
        let score = Score { gain: best.gain, proven };
        // The value of some of the moves is not that of the position.
        if (node.ply > 0 || self.excluded.is_empty())
            && let Some(memory) = self.memory()
        {
            let entry = TableEntry { score, bound, depth: node.depth, best: Some(chosen) };
            memory.store(node.key, entry);
        }
        self.game.on_result(position, score);
        Ok(score)
    }
}
