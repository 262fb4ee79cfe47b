//! Flat Monte Carlo search, without a tree: the root moves are the arms of a multi-armed bandit.

use std::f64::consts::{LN_2, SQRT_2};

use super::run::{MonteCarloMethod, MoveEstimate, Playouts};
use crate::board::Next;
use crate::search::game::Game;
use crate::search::value::Transition;

/// How games are distributed over the root moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) enum Allocation {
    /// The same number for each move.
    Equal,
    /// To the move with the greatest upper confidence bound: UCB1 (P. Auer, N. Cesa-Bianchi and
    /// P. Fischer, *Finite-time analysis of the multiarmed bandit problem*, 2002). Gains are scaled to
    /// `[0, 1]` by the range of possible gains of the root.
    Ucb1,
}

/// A root move and the games that began with it.
struct Arm<G: Game> {
    mv: G::Move,
    transition: Transition<G::Position>,
    /// The greatest possible gain by the move.
    max: i32,
    /// The sum of the gains, from the view of the player to move at the root.
    sum: i64,
    games: u32,
}

impl<G: Game> Arm<G> {
    /// Whether the move ends the game, so that its gain is known without playing any.
    fn is_over(&self) -> bool {
        self.transition.next == Next::Over
    }

    fn mean(&self) -> f64 {
        if self.is_over() {
            return f64::from(self.transition.gain_before(0));
        }
        self.sum as f64 / f64::from(self.games.max(1))
    }
}

/// Flat Monte Carlo search of one root position.
pub(super) struct FlatMonteCarlo<G: Game> {
    arms: Vec<Arm<G>>,
    allocation: Allocation,
    /// The width of the range of possible gains.
    span: f64,
    games: u32,
}

impl<G: Game> FlatMonteCarlo<G> {
    pub(super) fn new(
        game: &G,
        root: &G::Position,
        excluded: &[G::Move],
        allocation: Allocation,
    ) -> FlatMonteCarlo<G> {
        let mut arms = Vec::new();
        game.for_each_move(root, |mv, transition| {
            if !excluded.contains(&mv) {
                let (min, max) = if transition.next == Next::Over {
                    (0, 0)
                } else {
                    game.value_range(&transition.position)
                };
                let max = transition.gain_before(min).max(transition.gain_before(max));
                arms.push(Arm { mv, transition, max, sum: 0, games: 0 });
            }
        });
        let (min, max) = game.value_range(root);
        FlatMonteCarlo { arms, allocation, span: f64::from(max - min), games: 0 }
    }

    fn select(&mut self) -> Option<&mut Arm<G>> {
        let turn = self.games as usize;
        if self.allocation == Allocation::Equal || turn < self.arms.len() {
            let arms = self.arms.len().max(1);
            return self.arms.get_mut(turn % arms);
        }
        let ln_games = logarithm(self.games);
        let factor = SQRT_2 * self.span;
        let upper_bound = |arm: &Arm<G>| arm.mean() + factor * ucb1_radius(ln_games, arm.games);
        self.arms.iter_mut().max_by(|a, b| upper_bound(a).total_cmp(&upper_bound(b)))
    }
}

impl<G: Game> MonteCarloMethod<G> for FlatMonteCarlo<G> {
    fn iterate(&mut self, playouts: &mut Playouts<'_, G>) {
        if let Some(arm) = self.select() {
            let position = &arm.transition.position;
            let after = if arm.is_over() { playouts.end() } else { playouts.play(position) };
            arm.sum += i64::from(arm.transition.gain_before(after));
            arm.games += 1;
        }
        self.games += 1;
    }

    /// The 32-bit game counter is full after about an hour.
    fn is_done(&self) -> bool {
        self.games == u32::MAX || self.arms.iter().all(Arm::is_over)
    }

    fn estimates(&self) -> Vec<MoveEstimate<G::Move>> {
        // Nothing is known about a move without games.
        let is_known = |arm: &&Arm<G>| arm.games > 0 || arm.is_over();
        let mut arms: Vec<&Arm<G>> = self.arms.iter().filter(is_known).collect();
        if arms.is_empty() {
            arms.extend(self.arms.first());
        }
        arms.sort_by(|a, b| b.mean().total_cmp(&a.mean()));
        let estimate = |arm: &Arm<G>| MoveEstimate {
            gain: arm.mean().round() as i32,
            proven: arm.is_over(),
            pv: vec![arm.mv],
        };
        let mut estimates: Vec<_> = arms.iter().map(|arm| estimate(arm)).collect();
        if let Some(first) = estimates.first_mut() {
            // The first line is about the position: no other move may be able to gain more.
            first.proven &= self.arms.iter().all(|arm| arm.max <= first.gain);
        }
        estimates
    }
}

/// The radius of the confidence interval of UCB1, without its constant factor and for samples in `[0, 1]`, by the
/// logarithm of the number of all samples and the number of those of this move.
#[inline]
pub(super) fn ucb1_radius(ln_samples: f64, samples: u32) -> f64 {
    (ln_samples / f64::from(samples)).sqrt()
}

/// The natural logarithm of a positive integer, too small by at most 0.06: linear between powers of two. Unlike
/// library functions it is the same on every machine: the searches are reproducible.
#[inline]
pub(super) fn logarithm(number: u32) -> f64 {
    let number = number.max(1);
    let exponent = number.ilog2();
    let power = f64::from(1_u32 << exponent);
    (f64::from(exponent) + f64::from(number) / power - 1.0) * LN_2
}

#[cfg(test)]
mod tests {
    use super::logarithm;

    #[test]
    fn logarithms_are_near() {
        for number in (1..10_000).chain(u32::MAX - 10..=u32::MAX) {
            let error = f64::from(number).ln() - logarithm(number);
            assert!((-1e-12..0.06).contains(&error), "{number}: {error}");
        }
    }
}
