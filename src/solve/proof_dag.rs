//! The proof-number DAG of the best-first search.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::bounds_table::PositionHash;
use super::expected_work::ExpectedWork;

/// A position with a target: does its gain reach it?
#[derive(Clone, Copy)]
pub(super) struct GainTest<R> {
    pub own: R,
    pub opponent: R,
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

/// A leaf that one search works on.
pub(super) struct ClaimedLeaf<R> {
    claim: usize,
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
    is_claimed: bool,
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
pub(super) struct ProofDag<R> {
    nodes: Vec<Node<R>>,
    edges: Vec<Edge>,
    by_test: FxHashMap<(PositionHash, i32), NodeId>,
    /// The claimed leaves; `None` for those that have been dropped, and for claims that are free.
    claims: Vec<Option<NodeId>>,
    free_claims: Vec<usize>,
    /// Nodes whose children have changed.
    changed: VecDeque<NodeId>,
    /// Tests that their children have decided since the last call of [`ProofDag::take_decided`].
    decided: Vec<(GainTest<R>, bool)>,
}

/// A smaller change of the expected work is not passed on to the parents.
const SMALLEST_CHANGE: f32 = 1.001;

/// How much dearer a leaf is for each search that wanted it while another worked on it (virtual loss).
const COST_OF_COMPANY: f32 = 3.0;

/// How often a selection begins again when it ends at a claimed leaf.
const MAX_SELECTIONS: usize = 8;

impl<R: Copy> ProofDag<R> {
    pub(super) fn new(root: GainTest<R>, work: ExpectedWork) -> ProofDag<R> {
        let mut dag = ProofDag {
            nodes: Vec::new(),
            edges: Vec::new(),
            by_test: FxHashMap::default(),
            claims: Vec::new(),
            free_claims: Vec::new(),
            changed: VecDeque::new(),
            decided: Vec::new(),
        };
        dag.add(root, work);
        dag
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The work that is left for the test at the root.
    pub(super) fn work(&self) -> ExpectedWork {
        self.nodes[ROOT as usize].work
    }

    /// Claims the leaf whose result is expected to help most for its work. `None` if all leaves that
    /// matter are claimed, or the root is decided.
    pub(super) fn claim(&mut self) -> Option<ClaimedLeaf<R>> {
        for _ in 0..MAX_SELECTIONS {
            if self.work().is_decided() {
                return None;
            }
            let id = self.most_promising_leaf();
            let node = &mut self.nodes[id as usize];
            let is_free = !std::mem::replace(&mut node.is_claimed, true);
            let (test, work) = (node.test, node.work);
            self.set_work(id, work.times(COST_OF_COMPANY));
            self.propagate();
            if is_free {
                let claim = self.free_claims.pop().unwrap_or_else(|| {
                    self.claims.push(None);
                    self.claims.len() - 1
                });
                self.claims[claim] = Some(id);
                return Some(ClaimedLeaf { claim, test, work });
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

    /// Records the result of a claimed leaf.
    pub(super) fn decide(&mut self, leaf: &ClaimedLeaf<R>, is_reached: bool) {
        if let Some(id) = self.release(leaf) {
            self.set_work(id, ExpectedWork::decided(is_reached));
            self.propagate();
        }
    }

    /// Gives a claimed leaf its children, of which it has at least one. Returns false, and leaves it a
    /// leaf, if there is no memory for them.
    pub(super) fn expand(&mut self, leaf: &ClaimedLeaf<R>, children: &[ChildTest<R>]) -> bool {
        let Some(id) = self.release(leaf) else { return true };
        if !self.reserve(children.len()) {
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
    fn reserve(&mut self, count: usize) -> bool {
        self.nodes.try_reserve(count).is_ok()
            && self.edges.try_reserve(count).is_ok()
            && self.by_test.try_reserve(count).is_ok()
    }

    /// Tests that their children have decided since the last call.
    pub(super) fn take_decided(&mut self) -> impl Iterator<Item = (GainTest<R>, bool)> {
        self.decided.drain(..)
    }

    /// Drops everything that the root does not depend on any more.
    pub(super) fn compact(&mut self) {
        let mut ids = vec![NONE; self.nodes.len()];
        ids[ROOT as usize] = ROOT;
        let mut kept = vec![ROOT];
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
        let nodes = std::mem::take(&mut self.nodes);
        let edges = std::mem::take(&mut self.edges);
        self.by_test = FxHashMap::default();
        for &id in &kept {
            let Node { test, work, is_claimed, .. } = nodes[id as usize];
            let id = self.add(test, work);
            self.nodes[id as usize].is_claimed = is_claimed;
        }
        for (&old, new) in kept.iter().zip(0..) {
            let Node { first_edge, edges: count, .. } = nodes[old as usize];
            let first = self.edges.len() as u32;
            for edge in &edges[first_edge as usize..(first_edge + count) as usize] {
                if !edge.work.is_decided() {
                    self.add_edge(new, ids[edge.child as usize], edge.passes_turn);
                }
            }
            let node = &mut self.nodes[new as usize];
            (node.first_edge, node.edges) = (first, self.edges.len() as u32 - first);
        }
        for claim in &mut self.claims {
            *claim = claim.map(|id| ids[id as usize]).filter(|&id| id != NONE);
        }
    }

    fn release(&mut self, leaf: &ClaimedLeaf<R>) -> Option<NodeId> {
        self.free_claims.push(leaf.claim);
        let id = self.claims[leaf.claim].take()?;
        self.nodes[id as usize].is_claimed = false;
        Some(id)
    }

    fn add(&mut self, test: GainTest<R>, work: ExpectedWork) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let is_claimed = false;
        let node = Node { test, work, is_claimed, edges: 0, first_edge: 0, first_parent: NONE };
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
            let work = ExpectedWork::of_moves(moves);
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
        let hash = Some(PositionHash::of(number as u64));
        GainTest { own: 0, opponent: 0, seeds: 8, target: number, hash }
    }

    fn work(prove: f32, refute: f32) -> ExpectedWork {
        ExpectedWork { prove, refute }
    }

    /// Searches that wait for the only leaf ask again and again.
    #[test]
    fn a_leaf_that_others_wait_for_stays_the_only_one() {
        let mut dag = ProofDag::new(test(0), work(1.0, 1.0));
        let root = dag.claim();
        let children = [1, 2].map(|number| ChildTest {
            test: test(number),
            passes_turn: true,
            work: work(10.0, 10.0 * number as f32),
        });
        assert!(root.is_some_and(|root| dag.expand(&root, &children)));
        let (first, second) = (dag.claim(), dag.claim());
        assert_eq!(first.as_ref().map(|leaf| leaf.test.target), Some(1));
        // A child that is proven refutes the move to it.
        assert!(first.is_some_and(|leaf| {
            dag.decide(&leaf, true);
            true
        }));
        for _ in 0..1000 {
            assert!(dag.claim().is_none());
        }
        assert!(dag.work().prove < f32::INFINITY && !dag.work().is_decided());
        assert!(second.is_some_and(|leaf| {
            dag.decide(&leaf, false);
            true
        }));
        assert_eq!(dag.work(), ExpectedWork::decided(true));
        assert!(dag.claim().is_none());
    }
}
