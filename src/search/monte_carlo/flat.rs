//! Flat Monte Carlo: random games from each move of the root, and no tree.

use std::f64::consts::SQRT_2;

use super::confidence::{logarithm, radius};
use super::playout::Playouts;
use super::{Method, Verdict};
use crate::board::Next;
use crate::search::game::Game;
use crate::search::step::Transition;

/// Which move the next game begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) enum Allocation {
    /// Each in its turn.
    Equal,
    /// The one whose value may be the greatest: UCB1 (P. Auer, N. Cesa-Bianchi and P. Fischer,
    /// *Finite-time analysis of the multiarmed bandit problem*, 2002). It takes samples in
    /// `[0, 1]`, as which gains count by their place in the range of those of the root.
    Ucb1,
}

/// A move of the root and the games that began with it.
struct Arm<G: Game> {
    chosen: G::Move,
    step: Transition<G::Position>,
    /// The most that can be gained by the move.
    most: i32,
    /// The sum of the gains, from the view of the player at the root.
    sum: i64,
    games: u32,
}

impl<G: Game> Arm<G> {
    /// Whether the move ends the game: what it gains is then known without playing any.
    fn is_over(&self) -> bool {
        self.step.next == Next::Over
    }

    fn mean(&self) -> f64 {
        if self.is_over() {
            return f64::from(self.step.before(0));
        }
        self.sum as f64 / f64::from(self.games.max(1))
    }
}

/// The moves of the root.
pub(super) struct Flat<G: Game> {
    arms: Vec<Arm<G>>,
    allocation: Allocation,
    /// From the least gain there can be to the greatest.
    span: f64,
    /// All games.
    games: u32,
}

impl<G: Game> Flat<G> {
    pub(super) fn new(
        game: &G,
        root: &G::Position,
        excluded: &[G::Move],
        allocation: Allocation,
    ) -> Flat<G> {
        let mut arms = Vec::new();
        game.for_each_move(root, |chosen, step| {
            if !excluded.contains(&chosen) {
                let (least, most) =
                    if step.next == Next::Over { (0, 0) } else { game.value_range(&step.position) };
                let most = step.before(least).max(step.before(most));
                arms.push(Arm { chosen, step, most, sum: 0, games: 0 });
            }
        });
        let (least, most) = game.value_range(root);
        Flat { arms, allocation, span: f64::from(most - least), games: 0 }
    }

    /// The move for the next game.
    fn choose(&mut self) -> Option<&mut Arm<G>> {
        let turn = self.games as usize;
        if self.allocation == Allocation::Equal || turn < self.arms.len() {
            let arms = self.arms.len().max(1);
            return self.arms.get_mut(turn % arms);
        }
        let logarithm = logarithm(self.games);
        let width = SQRT_2 * self.span;
        let may_be_worth = |arm: &Arm<G>| arm.mean() + width * radius(logarithm, arm.games);
        self.arms.iter_mut().max_by(|a, b| may_be_worth(a).total_cmp(&may_be_worth(b)))
    }
}

impl<G: Game> Method<G> for Flat<G> {
    fn iterate(&mut self, playouts: &mut Playouts<'_, G>) {
        if let Some(arm) = self.choose() {
            let after =
                if arm.is_over() { playouts.end() } else { playouts.play(&arm.step.position) };
            arm.sum += i64::from(arm.step.before(after));
            arm.games += 1;
        }
        self.games += 1;
    }

    /// Games are counted in 32 bits, which takes an hour.
    fn is_done(&self) -> bool {
        self.games == u32::MAX || self.arms.iter().all(Arm::is_over)
    }

    fn verdicts(&self) -> Vec<Verdict<G::Move>> {
        let mut arms: Vec<&Arm<G>> = self.arms.iter().collect();
        // Of a move without a game nothing is known, not even that it is as good as the worst.
        let unknown = |arm: &Arm<G>| arm.games == 0 && !arm.is_over();
        arms.sort_by(|a, b| {
            unknown(a).cmp(&unknown(b)).then_with(|| b.mean().total_cmp(&a.mean()))
        });
        let verdict = |arm: &Arm<G>| Verdict {
            gain: arm.mean().round() as i32,
            proven: arm.is_over(),
            pv: vec![arm.chosen],
        };
        let mut verdicts: Vec<_> = arms.iter().map(|arm| verdict(arm)).collect();
        if let Some(first) = verdicts.first_mut() {
            // The first line is about the position: no other move may be able to gain more.
            first.proven &= arms.iter().all(|arm| arm.most <= first.gain);
        }
        verdicts
    }

    fn seldepth(&self) -> usize {
        1
    }

    fn permille_full(&self) -> u32 {
        0
    }
}
