//! Depth-first proof-number search: A. Nagai, *Df-pn Algorithm for Searching AND/OR Trees and Its
//! Applications* (dissertation, University of Tokyo, 2002).
//!
//! It develops a most-proving node as the best-first search does, but without the tree: it stays
//! below a position for as long as the most-proving node is there, which two thresholds tell, and
//! then leaves only the numbers of the position behind, in a table.
//!
//! Seen from the player to move, a claim about a position is always the same one, "I gain so much
//! or more", so every node is one at which the player to move makes a choice; where the other
//! player moves next, the claim turns into its contrary and the two numbers change places (Nagai's
//! φ and δ). A claim is a null window, which moves along with what the steps gain.

use super::conduct::{InitialNumbers, ProofOptions};
use super::numbers::{ProofNumbers, claim, settle};
use super::table::NumberTable;
use crate::board::Next;
use crate::search::counters::Counters;
use crate::search::game::Game;
use crate::search::question::Query;
use crate::search::step::Transition;
use crate::search::threads::{Shared, Stopped, Work};
use crate::search::value::Window;

/// Nodes between two looks at the clock: fewer than elsewhere, as each can be the first to use a
/// page of the table.
const POLL_INTERVAL: u64 = 64;

/// A move of a position on the path.
pub(super) struct Edge<G: Game> {
    pub chosen: G::Move,
    pub step: Transition<G::Position>,
    /// The claim, as the player sees it who moves next.
    window: Window,
    /// As the player sees them who makes the move.
    pub numbers: ProofNumbers,
}

impl<G: Game> Edge<G> {
    /// A move of a position whose mover makes a claim, with what the rules say of it.
    fn new(
        game: &G,
        first: InitialNumbers,
        window: Window,
        chosen: G::Move,
        step: Transition<G::Position>,
    ) -> Edge<G> {
        let claim = window.after(&step);
        let settled = if step.next == Next::Over {
            Err(ProofNumbers::of(0, claim))
        } else {
            settle(game, &step.position, claim)
        };
        let (window, numbers) = match settled {
            Ok(window) => (window, first.of(game, &step.position, window)),
            Err(numbers) => (claim, numbers),
        };
        Edge { chosen, step, window, numbers: numbers.before(step.next) }
    }

    /// Takes in what the table says.
    #[inline]
    fn recall(&mut self, game: &G, table: &NumberTable) {
        if self.numbers.answer().is_none()
            && let Some(known) = table.probe(game.key(&self.step.position), self.window.beta)
        {
            self.numbers = known.before(self.step.next);
        }
    }
}

/// A position on the path.
struct Node {
    key: u64,
    window: Window,
    /// The search stays below for as long as both numbers are less than these.
    thresholds: ProofNumbers,
    /// Where its moves begin among all of the path.
    first: usize,
    /// Which of the moves is being searched.
    entered: usize,
    /// The count of nodes when it was entered.
    nodes_before: u64,
}

/// A search of one game.
pub(super) struct DfPn<'a, G: Game> {
    game: &'a G,
    pub table: &'a mut NumberTable,
    pub shared: &'a Shared,
    options: ProofOptions,
    /// Moves of the root that are not to be searched.
    excluded: &'a [G::Move],
    pub counters: Counters,
    /// The greatest ply visited.
    pub seldepth: usize,
    /// From the root to the position being searched. Games can take thousands of plies: this is
    /// no recursion, and it holds no more than the moves of each position.
    path: Vec<Node>,
    edges: Vec<Edge<G>>,
    published: u64,
    next_poll: u64,
}

impl<'a, G: Game> DfPn<'a, G> {
    pub(super) fn new(
        game: &'a G,
        table: &'a mut NumberTable,
        shared: &'a Shared,
        options: ProofOptions,
        excluded: &'a [G::Move],
    ) -> Self {
        DfPn {
            game,
            table,
            shared,
            options,
            excluded,
            counters: Counters::default(),
            seldepth: 0,
            path: Vec::new(),
            edges: Vec::new(),
            published: 0,
            next_poll: shared.first_poll(),
        }
    }

    /// The moves of the root with their numbers, as of the last search.
    pub(super) fn root_moves(&self) -> &[Edge<G>] {
        let end = self.path.get(1).map_or(self.edges.len(), |node| node.first);
        &self.edges[..end]
    }

    /// Nodes not yet published.
    pub(super) fn unpublished(&self) -> u64 {
        self.counters.nodes - self.published
    }

    /// Publishes the node count and looks at the limits.
    #[cold]
    pub(super) fn poll(&mut self) -> Result<(), Stopped> {
        let visited = self.unpublished();
        self.published = self.counters.nodes;
        self.next_poll =
            self.counters.nodes + self.shared.poll(Work::of_nodes(visited))?.min(POLL_INTERVAL);
        Ok(())
    }

    /// Whether the root is worth `value` or more to the player to move.
    pub(super) fn search(&mut self, root: &G::Position, value: i32) -> Result<bool, Stopped> {
        self.path.clear();
        self.edges.clear();
        let window = match settle(self.game, root, claim(value)) {
            Ok(window) => window,
            Err(numbers) => return Ok(numbers == ProofNumbers::PROVEN),
        };
        let boundless =
            ProofNumbers { proof: ProofNumbers::INFINITE, disproof: ProofNumbers::INFINITE };
        let mut result = self.visit(root, window, boundless)?;
        while let Some(node) = self.path.last() {
            if let Some(numbers) = result {
                let edge = &mut self.edges[node.entered];
                edge.numbers = numbers.before(edge.step.next);
            }
            result = self.go_on()?;
        }
        Ok(result == Some(ProofNumbers::PROVEN))
    }

    /// Leaves the last position of the path, with its numbers, when they have reached a threshold,
    /// and otherwise enters its most promising move.
    fn go_on(&mut self) -> Result<Option<ProofNumbers>, Stopped> {
        let Some(node) = self.path.last_mut() else { return Err(Stopped) };
        let edges = &self.edges[node.first..];
        let numbers = ProofNumbers::of_choice(edges.iter().map(|edge| edge.numbers));
        let bounds = node.thresholds;
        if numbers.proof >= bounds.proof || numbers.disproof >= bounds.disproof {
            return Ok(Some(self.leave(numbers)));
        }
        let mut best = 0;
        let mut second = ProofNumbers::INFINITE;
        for (i, edge) in edges.iter().enumerate().skip(1) {
            if edge.numbers.proof < edges[best].numbers.proof {
                second = edges[best].numbers.proof;
                best = i;
            } else {
                second = second.min(edge.numbers.proof);
            }
        }
        node.entered = node.first + best;
        let Edge { step, window, numbers: entered, .. } = edges[best];
        // It is searched until the next best looks better, or until what it adds takes the
        // numbers of the position itself to a threshold.
        let others = numbers.disproof - entered.disproof;
        let thresholds = ProofNumbers {
            proof: bounds.proof.min(self.options.out_of_patience(second)),
            disproof: match bounds.disproof {
                ProofNumbers::INFINITE => ProofNumbers::INFINITE,
                // Sums that are too great to be told apart must not keep it out.
                disproof => (disproof - others).max(entered.disproof + 1),
            },
        };
        self.visit(&step.position, window, thresholds.before(step.next))
    }

    /// The moves of a position whose mover claims to gain so much, with what is known of them.
    pub(super) fn moves(&self, position: &G::Position, gain: i32) -> impl Iterator<Item = Edge<G>> {
        let mut edges = Vec::new();
        self.game.for_each_move(position, |chosen, step| {
            let first = self.options.initial;
            edges.push(Edge::new(self.game, first, claim(gain), chosen, step));
        });
        edges.into_iter().map(|mut edge| {
            edge.recall(self.game, self.table);
            edge
        })
    }

    /// Makes the moves of a position; of a leaf, finds the value.
    fn visit(
        &mut self,
        position: &G::Position,
        window: Window,
        thresholds: ProofNumbers,
    ) -> Result<Option<ProofNumbers>, Stopped> {
        self.counters.nodes += 1;
        self.seldepth = self.seldepth.max(self.path.len());
        if self.counters.nodes == self.next_poll {
            self.poll()?;
        }
        self.game.on_enter(position, Query::Window(window));
        if self.game.is_leaf(position) {
            self.counters.leaves += 1;
            let numbers = ProofNumbers::of(self.game.evaluate(position), window);
            self.table.store(self.game.key(position), window.beta, numbers, 1);
            return Ok(Some(numbers));
        }
        self.counters.interior += 1;
        let DfPn { game, table, options, edges, counters, excluded, path, .. } = self;
        let first = edges.len();
        game.for_each_move(position, |chosen, step| {
            if path.is_empty() && excluded.contains(&chosen) {
                return;
            }
            let edge = Edge::new(*game, options.initial, window, chosen, step);
            counters.finished += u64::from(step.next == Next::Over);
            table.prefetch(game.key(&step.position));
            edges.push(edge);
        });
        // By now the table may have arrived.
        edges[first..].iter_mut().for_each(|edge| edge.recall(*game, table));
        path.push(Node {
            key: game.key(position),
            window,
            thresholds,
            first,
            entered: first,
            nodes_before: counters.nodes,
        });
        Ok(None)
    }

    /// Leaves the last position of the path behind in the table.
    fn leave(&mut self, numbers: ProofNumbers) -> ProofNumbers {
        if let Some(node) = self.path.pop() {
            // Part of the moves do not make the value of the position.
            if !self.path.is_empty() || self.excluded.is_empty() {
                let work = self.counters.nodes - node.nodes_before + 1;
                self.table.store(node.key, node.window.beta, numbers, work);
            }
            // Those of the root are still asked for.
            if !self.path.is_empty() {
                self.edges.truncate(node.first);
            }
        }
        numbers
    }
}
