//! Depth-first proof-number search: A. Nagai, *Df-pn Algorithm for Searching AND/OR Trees and Its
//! Applications* (dissertation, University of Tokyo, 2002).
//!
//! It develops a most-proving node as the best-first search does, but keeps no tree: it stays below a position
//! while two thresholds show that this node is there, and then stores only the position's numbers.
//!
//! From the view of the player to move every claim has the form "I gain at least this much", so
//! every node is an OR node. When the turn passes, the claim is negated and the two numbers change
//! places (Nagai's φ and δ). A claim is a null window, which is shifted by the gain of each move.

use super::numbers::{InitialNumbers, ProofNumbers, ProofOptions, align_claim, claim};
use super::table::NumberTable;
use crate::board::Next;
use crate::search::game::Game;
use crate::search::result::{Counters, SearchStats};
use crate::search::shared::{Poller, SharedState, Stopped};
use crate::search::value::{Query, Transition, Window};

/// Nodes between two checks of the limits: few, because every node may cause a page fault in the table.
const NODES_BETWEEN_POLLS: u64 = 64;

/// A move of a position on the path.
pub(super) struct ProofMove<G: Game> {
    pub mv: G::Move,
    pub transition: Transition<G::Position>,
    /// The claim from the view of the player who moves next.
    window: Window,
    /// From the view of the player who makes the move.
    pub numbers: ProofNumbers,
}

impl<G: Game> ProofMove<G> {
    /// A move with the numbers that follow from the rules alone.
    fn new(
        game: &G,
        initial: InitialNumbers,
        window: Window,
        mv: G::Move,
        transition: Transition<G::Position>,
    ) -> ProofMove<G> {
        let claim = window.after(&transition);
        let aligned = if transition.next == Next::Over {
            Err(ProofNumbers::from_value(0, claim))
        } else {
            align_claim(game, &transition.position, claim)
        };
        let (window, numbers) = match aligned {
            Ok(window) => (window, initial.numbers(game, &transition.position, window)),
            Err(numbers) => (claim, numbers),
        };
        ProofMove { mv, transition, window, numbers: numbers.before(transition.next) }
    }

    /// Replaces the initial numbers by those of the table.
    #[inline]
    fn probe(&mut self, game: &G, table: &NumberTable) {
        if self.numbers.answer().is_none()
            && let Some(known) = table.probe(game.key(&self.transition.position), self.window.beta)
        {
            self.numbers = known.before(self.transition.next);
        }
    }
}

struct PathNode {
    key: u64,
    window: Window,
    /// The search stays below this node while both numbers are less than these.
    thresholds: ProofNumbers,
    /// The index of its first move in [`DfPn::moves`].
    first: usize,
    /// The index of the move that is being searched.
    entered: usize,
    /// The node count on entering.
    nodes_before: u64,
}

pub(super) struct DfPn<'a, G: Game> {
    game: &'a G,
    table: &'a mut NumberTable,
    pub shared: &'a SharedState,
    options: ProofOptions,
    /// Moves of the root that are not searched.
    excluded: &'a [G::Move],
    pub counters: Counters,
    /// The greatest ply visited.
    pub seldepth: usize,
    /// From the root to the position being searched. No recursion: games can take thousands of plies.
    path: Vec<PathNode>,
    moves: Vec<ProofMove<G>>,
    poller: Poller,
}

impl<'a, G: Game> DfPn<'a, G> {
    pub(super) fn new(
        game: &'a G,
        table: &'a mut NumberTable,
        shared: &'a SharedState,
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
            moves: Vec::new(),
            poller: Poller::new(shared, NODES_BETWEEN_POLLS),
        }
    }

    /// The moves of the root with their numbers, as of the last search.
    pub(super) fn root_moves(&self) -> &[ProofMove<G>] {
        let end = self.path.get(1).map_or(self.moves.len(), |node| node.first);
        &self.moves[..end]
    }

    /// The work so far; whether the search is stopped is noticed later.
    pub(super) fn stats(&mut self) -> SearchStats {
        let _ = self.poller.poll(self.shared, &self.counters);
        self.shared.stats(self.table.permille_full())
    }

    /// Whether the root is worth at least `value` to the player to move.
    pub(super) fn search(&mut self, root: &G::Position, value: i32) -> Result<bool, Stopped> {
        self.path.clear();
        self.moves.clear();
        let window = match align_claim(self.game, root, claim(value)) {
            Ok(window) => window,
            Err(numbers) => return Ok(numbers == ProofNumbers::PROVEN),
        };
        let unlimited =
            ProofNumbers { proof: ProofNumbers::INFINITE, disproof: ProofNumbers::INFINITE };
        let mut result = self.enter(root, window, unlimited)?;
        while let Some(node) = self.path.last() {
            if let Some(numbers) = result {
                let searched = &mut self.moves[node.entered];
                searched.numbers = numbers.before(searched.transition.next);
            }
            result = self.step()?;
        }
        Ok(result == Some(ProofNumbers::PROVEN))
    }

    /// Leaves the last node of the path if its numbers have reached a threshold; otherwise enters the best move.
    fn step(&mut self) -> Result<Option<ProofNumbers>, Stopped> {
        let Some(node) = self.path.last_mut() else { return Err(Stopped) };
        let moves = &self.moves[node.first..];
        let numbers = ProofNumbers::from_moves(moves.iter().map(|one| one.numbers));
        let thresholds = node.thresholds;
        if numbers.proof >= thresholds.proof || numbers.disproof >= thresholds.disproof {
            return Ok(Some(self.leave(numbers)));
        }
        let mut best = 0;
        let mut second = ProofNumbers::INFINITE;
        for (i, one) in moves.iter().enumerate().skip(1) {
            if one.numbers.proof < moves[best].numbers.proof {
                second = moves[best].numbers.proof;
                best = i;
            } else {
                second = second.min(one.numbers.proof);
            }
        }
        node.entered = node.first + best;
        let ProofMove { transition, window, numbers: entered, .. } = moves[best];
        // Search the move until the second best is better, or this node's numbers reach a threshold.
        let others = numbers.disproof - entered.disproof;
        let move_thresholds = ProofNumbers {
            proof: thresholds.proof.min(self.options.proof_threshold(second)),
            disproof: match thresholds.disproof {
                ProofNumbers::INFINITE => ProofNumbers::INFINITE,
                // A saturated sum must not prevent entering the move.
                disproof => (disproof - others).max(entered.disproof + 1),
            },
        };
        self.enter(&transition.position, window, move_thresholds.before(transition.next))
    }

    /// The moves of a position with their numbers for the claim that the player gains at least `gain`.
    pub(super) fn moves_of(
        &self,
        position: &G::Position,
        gain: i32,
    ) -> impl Iterator<Item = ProofMove<G>> {
        let mut moves = Vec::new();
        self.game.for_each_move(position, |mv, transition| {
            let initial = self.options.initial;
            let mut one = ProofMove::new(self.game, initial, claim(gain), mv, transition);
            one.probe(self.game, self.table);
            moves.push(one);
        });
        moves.into_iter()
    }

    /// Enters a node: generates its moves, or returns the numbers of a leaf.
    fn enter(
        &mut self,
        position: &G::Position,
        window: Window,
        thresholds: ProofNumbers,
    ) -> Result<Option<ProofNumbers>, Stopped> {
        self.counters.nodes += 1;
        self.seldepth = self.seldepth.max(self.path.len());
        if self.counters.nodes == self.poller.next {
            self.poller.poll(self.shared, &self.counters)?;
        }
        self.game.on_enter(position, Query::Window(window));
        if self.game.is_leaf(position) {
            self.counters.leaves += 1;
            let numbers = ProofNumbers::from_value(self.game.evaluate(position), window);
            self.table.store(self.game.key(position), window.beta, numbers, 1);
            return Ok(Some(numbers));
        }
        self.counters.interior += 1;
        let DfPn { game, table, options, moves, counters, excluded, path, .. } = self;
        let first = moves.len();
        game.for_each_move(position, |mv, transition| {
            if path.is_empty() && excluded.contains(&mv) {
                return;
            }
            let new = ProofMove::new(*game, options.initial, window, mv, transition);
            counters.finished += u64::from(transition.next == Next::Over);
            table.prefetch(game.key(&transition.position));
            moves.push(new);
        });
        // Probe only now: the prefetches have had time to arrive.
        moves[first..].iter_mut().for_each(|one| one.probe(*game, table));
        path.push(PathNode {
            key: game.key(position),
            window,
            thresholds,
            first,
            entered: first,
            nodes_before: counters.nodes,
        });
        Ok(None)
    }

    /// Leaves the last node of the path and stores its numbers in the table.
    fn leave(&mut self, numbers: ProofNumbers) -> ProofNumbers {
        if let Some(node) = self.path.pop() {
            // With excluded moves the result is not that of the position.
            if !self.path.is_empty() || self.excluded.is_empty() {
                let work = self.counters.nodes - node.nodes_before + 1;
                self.table.store(node.key, node.window.beta, numbers, work);
            }
            // The moves of the root stay for `root_moves`.
            if !self.path.is_empty() {
                self.moves.truncate(node.first);
            }
        }
        numbers
    }
}
