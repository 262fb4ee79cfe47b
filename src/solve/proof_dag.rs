//! The proof-number DAG of the best-first search.

use std::collections::VecDeque;

use arrayvec::ArrayVec;
use rustc_hash::FxHashMap;

use super::bounds::{GainBounds, PositionHash, target_after};
use super::expected_work::{ExpectedWork, WorkEstimator};
use crate::board::{MAX_HOUSES, Next, Position, RowTables, Sowings};

/// A position with a target: does its gain reach it?
#[derive(Clone, Copy)]
pub(super) struct GainTest<R> {
    pub position: Position<R>,
    /// Seeds in the houses.
    pub seeds: u32,
    pub target: i32,
    pub hash: Option<PositionHash>,
}

/// The test of a position after a move.
pub(super) struct ChildTest<R> {
    pub test: GainTest<R>,
    /// Whether the other player moves: the parent is proven when the child is refuted.
    pub passes_turn: bool,
    pub work: ExpectedWork,
}

/// What the moves of a position say about a test.
pub(super) enum Expansion<R> {
    Decided(bool),
    Children(ArrayVec<ChildTest<R>, MAX_HOUSES>),
}

impl<R> GainTest<R> {
    /// The bounds of the position if the test has this result.
    pub(super) fn bounds(&self, is_reached: bool) -> GainBounds {
        let bounds = GainBounds::from_seeds(self.seeds);
        if is_reached {
            GainBounds { lower: self.target, ..bounds }
        } else {
            GainBounds { upper: self.target - 2, ..bounds }
        }
    }
}

impl<R: RowTables> GainTest<R> {
    pub(super) fn new(
        position: &Position<R>,
        target: i32,
        hash: Option<PositionHash>,
    ) -> GainTest<R> {
        GainTest { position: *position, seeds: position.seeds(), target, hash }
    }

    /// Plays all moves that may reach the target. `known` returns a position's hash and bounds.
    pub(super) fn expand(
        &self,
        sowings: &Sowings<R>,
        work: &WorkEstimator,
        known: impl Fn(&Position<R>) -> (Option<PositionHash>, GainBounds),
    ) -> Expansion<R> {
        let mut children = ArrayVec::new();
        for house in self.position.moves() {
            let played = self.position.play(sowings, house);
            let (after, won, next) = (&played.position, played.won(), played.next);
            let (hash, bounds) = known(after);
            let bounds = bounds.before_move(won, next);
            if bounds.lower >= self.target {
                return Expansion::Decided(true);
            }
            if bounds.upper >= self.target {
                let target = target_after(self.target, won, next);
                children.push(ChildTest {
                    test: GainTest::new(after, target, hash),
                    passes_turn: next == Next::Other,
                    work: work.estimate(sowings, after, target),
                });
            }
        }
        if children.is_empty() { Expansion::Decided(false) } else { Expansion::Children(children) }
    }
}

/// A leaf that a search works on.
pub(super) struct SelectedLeaf<R> {
    /// An index of [`ProofDag::selected`].
    place: usize,
    pub test: GainTest<R>,
    pub work: ExpectedWork,
}

/// An index of [`ProofDag::nodes`].
type NodeId = u32;

/// In place of an index.
const NONE: u32 = u32::MAX;

const ROOT: NodeId = 0;

struct Node<R> {
    test: GainTest<R>,
    work: ExpectedWork,
    is_selected: bool,
    /// The edges to the children; a leaf has none.
    edges: u32,
    first_edge: u32,
    /// The first of the edges from the parents.
    first_parent: u32,
}

struct Edge {
    parent: NodeId,
    child: NodeId,
    /// The next edge to the same child.
    next_parent: u32,
    passes_turn: bool,
    /// The work for the child, seen from the parent.
    work: ExpectedWork,
}

/// All tests of a best-first search (L. V. Allis, M. van der Meulen and H. J. van den Herik,
/// *Proof-number search*, 1994), each once, however many moves lead to it.
#[derive(Default)]
pub(super) struct ProofDag<R> {
    nodes: Vec<Node<R>>,
    edges: Vec<Edge>,
    by_test: FxHashMap<(PositionHash, i32), NodeId>,
    /// The selected leaves; `None` for those that have been dropped, and for places that are free.
    selected: Vec<Option<NodeId>>,
    free_places: Vec<usize>,
    /// Nodes whose children have changed.
    changed: VecDeque<NodeId>,
    /// Tests that their children have decided since the last call of [`ProofDag::take_decided`].
    decided: Vec<(GainTest<R>, bool)>,
}

/// A smaller change of the expected work is not passed on to the parents.
const SMALLEST_CHANGE: f32 = 1.001;

/// How much dearer a leaf is for each search that wanted it while another worked on it (virtual loss).
const VIRTUAL_LOSS: f32 = 3.0;

/// How often a selection begins again when it ends at a selected leaf.
const MAX_SELECTIONS: usize = 8;

impl<R: Copy + Default> ProofDag<R> {
    pub(super) fn new(root: GainTest<R>, work: ExpectedWork) -> ProofDag<R> {
        let mut dag = ProofDag::default();
        dag.add(root, work);
        dag
    }

    /// The work that is left for the test at the root.
    pub(super) fn work(&self) -> ExpectedWork {
        self.nodes[ROOT as usize].work
    }

    /// Selects the leaf expected to help most for its work; `None` if there is none or the root is decided.
    pub(super) fn select(&mut self) -> Option<SelectedLeaf<R>> {
        for _ in 0..MAX_SELECTIONS {
            if self.work().is_decided() {
                return None;
            }
            let id = self.most_promising_leaf();
            let node = &mut self.nodes[id as usize];
            let is_free = !std::mem::replace(&mut node.is_selected, true);
            let (test, work) = (node.test, node.work);
            self.set_work(id, work.times(VIRTUAL_LOSS));
            self.propagate();
            if is_free {
                let place = self.free_places.pop().unwrap_or_else(|| {
                    self.selected.push(None);
                    self.selected.len() - 1
                });
                self.selected[place] = Some(id);
                return Some(SelectedLeaf { place, test, work });
            }
        }
        None
    }

    fn most_promising_leaf(&self) -> NodeId {
        let mut id = ROOT;
        loop {
            let edges = self.edges_of(&self.nodes[id as usize]).iter();
            match edges.min_by(|a, b| a.work.prove.total_cmp(&b.work.prove)) {
                Some(edge) => id = edge.child,
                None => return id,
            }
        }
    }

    fn edges_of(&self, node: &Node<R>) -> &[Edge] {
        &self.edges[node.first_edge as usize..(node.first_edge + node.edges) as usize]
    }

    /// Records the result of a selected leaf.
    pub(super) fn decide(&mut self, leaf: &SelectedLeaf<R>, is_reached: bool) {
        if let Some(id) = self.release(leaf) {
            self.set_work(id, ExpectedWork::decided(is_reached));
            self.propagate();
        }
    }

    /// Makes a selected leaf free again, without a result.
    pub(super) fn return_leaf(&mut self, leaf: &SelectedLeaf<R>) {
        if let Some(id) = self.release(leaf) {
            self.set_work(id, leaf.work);
            self.propagate();
        }
    }

    /// Decides a selected leaf, or gives it its children. Returns false if there is no memory for them,
    /// or if the DAG depends on more than half of `max_nodes` nodes when it has that many.
    pub(super) fn expand(
        &mut self,
        leaf: &SelectedLeaf<R>,
        expansion: &Expansion<R>,
        max_nodes: usize,
    ) -> bool {
        let mut has_room = match expansion {
            Expansion::Decided(is_reached) => {
                self.decide(leaf, *is_reached);
                true
            }
            Expansion::Children(children) => self.add_children(leaf, children),
        };
        if self.nodes.len() > max_nodes {
            self.compact();
            has_room &= self.nodes.len() <= max_nodes / 2;
        }
        has_room
    }

    /// Returns false, and leaves the leaf a leaf, if there is no memory for its children.
    fn add_children(&mut self, leaf: &SelectedLeaf<R>, children: &[ChildTest<R>]) -> bool {
        let Some(id) = self.release(leaf) else { return true };
        if !self.reserve(children.len(), children.len()) {
            self.set_work(id, leaf.work);
            self.propagate();
            return false;
        }
        let first_edge = self.edges.len() as u32;
        for ChildTest { test, passes_turn, work } in children {
            let known = test.hash.and_then(|hash| self.by_test.get(&(hash, test.target)));
            let child = known.copied().unwrap_or_else(|| self.add(*test, *work));
            self.add_edge(id, child, *passes_turn);
        }
        let node = &mut self.nodes[id as usize];
        (node.first_edge, node.edges) = (first_edge, children.len() as u32);
        self.changed.push_back(id);
        self.propagate();
        true
    }

    /// Makes room for more nodes and edges; false if there is no memory.
    fn reserve(&mut self, nodes: usize, edges: usize) -> bool {
        self.nodes.try_reserve(nodes).is_ok()
            && self.edges.try_reserve(edges).is_ok()
            && self.by_test.try_reserve(nodes).is_ok()
    }

    /// Tests that their children have decided since the last call.
    pub(super) fn take_decided(&mut self) -> Vec<(GainTest<R>, bool)> {
        std::mem::take(&mut self.decided)
    }

    /// Drops everything that the root no longer depends on, if there is memory for a copy of the rest.
    fn compact(&mut self) {
        let Some((kept, ids)) = self.undecided_nodes() else { return };
        let edges_of_kept = kept.iter().map(|&id| self.nodes[id as usize].edges as usize).sum();
        let mut compacted = ProofDag::default();
        if !compacted.reserve(kept.len(), edges_of_kept) {
            return;
        }
        for &id in &kept {
            let Node { test, work, is_selected, .. } = self.nodes[id as usize];
            let id = compacted.add(test, work);
            compacted.nodes[id as usize].is_selected = is_selected;
        }
        for (&old, new) in kept.iter().zip(0..) {
            let first = compacted.edges.len() as u32;
            for edge in self.edges_of(&self.nodes[old as usize]) {
                if !edge.work.is_decided() {
                    compacted.add_edge(new, ids[edge.child as usize], edge.passes_turn);
                }
            }
            let node = &mut compacted.nodes[new as usize];
            (node.first_edge, node.edges) = (first, compacted.edges.len() as u32 - first);
        }
        for leaf in &mut self.selected {
            *leaf = leaf.map(|id| ids[id as usize]).filter(|&id| id != NONE);
        }
        (self.nodes, self.edges) = (compacted.nodes, compacted.edges);
        self.by_test = compacted.by_test;
    }

    /// The nodes that the root depends on, and the place of each node among them; `None` without memory.
    fn undecided_nodes(&self) -> Option<(Vec<NodeId>, Vec<NodeId>)> {
        let mut ids = Vec::new();
        ids.try_reserve_exact(self.nodes.len()).ok()?;
        ids.resize(self.nodes.len(), NONE);
        let mut kept = Vec::new();
        kept.try_reserve_exact(self.nodes.len()).ok()?;
        ids[ROOT as usize] = ROOT;
        kept.push(ROOT);
        let mut next = 0;
        while let Some(&id) = kept.get(next) {
            next += 1;
            for edge in self.edges_of(&self.nodes[id as usize]) {
                if !edge.work.is_decided() && ids[edge.child as usize] == NONE {
                    ids[edge.child as usize] = kept.len() as NodeId;
                    kept.push(edge.child);
                }
            }
        }
        Some((kept, ids))
    }

    fn release(&mut self, leaf: &SelectedLeaf<R>) -> Option<NodeId> {
        self.free_places.push(leaf.place);
        let id = self.selected[leaf.place].take()?;
        self.nodes[id as usize].is_selected = false;
        Some(id)
    }

    fn add(&mut self, test: GainTest<R>, work: ExpectedWork) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let is_selected = false;
        let node = Node { test, work, is_selected, edges: 0, first_edge: 0, first_parent: NONE };
        self.nodes.push(node);
        if let Some(hash) = test.hash {
            self.by_test.insert((hash, test.target), id);
        }
        id
    }

    fn add_edge(&mut self, parent: NodeId, child: NodeId, passes_turn: bool) {
        let edge = self.edges.len() as u32;
        let node = &mut self.nodes[child as usize];
        let next_parent = std::mem::replace(&mut node.first_parent, edge);
        let work = node.work.seen_before_move(passes_turn);
        self.edges.push(Edge { parent, child, next_parent, passes_turn, work });
    }

    fn set_work(&mut self, id: NodeId, work: ExpectedWork) {
        let node = &mut self.nodes[id as usize];
        node.work = work;
        let mut next = node.first_parent;
        while let Some(edge) = self.edges.get_mut(next as usize) {
            edge.work = work.seen_before_move(edge.passes_turn);
            self.changed.push_back(edge.parent);
            next = edge.next_parent;
        }
    }

    fn propagate(&mut self) {
        while let Some(id) = self.changed.pop_front() {
            let node = &self.nodes[id as usize];
            if node.work.is_decided() {
                continue;
            }
            let moves = self.edges_of(node).iter().map(|edge| edge.work);
            let work = ExpectedWork::from_moves(moves);
            if work.is_near(node.work, SMALLEST_CHANGE) {
                continue;
            }
            if work.is_decided() {
                self.decided.push((node.test, work.prove == 0.0));
            }
            self.set_work(id, work);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(number: i32) -> GainTest<u64> {
        let hash = Some(PositionHash::from_key(number as u64));
        GainTest { position: Position::from_rows(0, 0), seeds: 8, target: number, hash }
    }

    fn work(prove: f32, refute: f32) -> ExpectedWork {
        ExpectedWork { prove, refute }
    }

    /// Searches that wait for the only leaf ask again and again.
    #[test]
    fn a_leaf_that_others_wait_for_stays_the_only_one() {
        let mut dag = ProofDag::new(test(0), work(1.0, 1.0));
        let root = dag.select();
        let child = |number| ChildTest {
            test: test(number),
            passes_turn: true,
            work: work(10.0, 10.0 * number as f32),
        };
        let expansion = Expansion::Children([1, 2].map(child).into_iter().collect());
        assert!(root.is_some_and(|root| dag.expand(&root, &expansion, 3)));
        let (first, second) = (dag.select(), dag.select());
        assert_eq!(first.as_ref().map(|leaf| leaf.test.target), Some(1));
        // A child that is proven refutes the move to it.
        assert!(first.is_some_and(|leaf| {
            dag.decide(&leaf, true);
            true
        }));
        for _ in 0..1000 {
            assert!(dag.select().is_none());
        }
        assert!(dag.work().prove < f32::INFINITY && !dag.work().is_decided());
        assert!(second.is_some_and(|leaf| {
            dag.decide(&leaf, false);
            true
        }));
        assert_eq!(dag.work(), ExpectedWork::decided(true));
        assert!(dag.select().is_none());
    }
}
