//! NegaScout with a procedure for each player: F4' for MAX and G4' for MIN, as T.-s. Hsu's lecture
//! *Scout, NegaScout and Proof-Number Search* (2014) writes it down beside the negamax form
//! ([`super::negascout`]). The two visit the same positions with the same questions.
//!
//! All values and windows are MAX's here. The numbers in brackets are lines of the lecture. As it
//! prints line 9, a null window begins at the best value *m* even where *m* lies below alpha; F4
//! begins at the greater of the two, and so does this.

use super::negascout::exact_below;
use super::worker::{Node, Worker};
use crate::search::game::Game;
use crate::search::memory::Memory;
use crate::search::question::{Player, Question};
use crate::search::step::Step;
use crate::search::threads::Stopped;
use crate::search::value::{Score, Window};

/// A window of MAX's as a player sees it, and the other way round.
fn seen_by(player: Player, window: Window) -> Window {
    match player {
        Player::Max => window,
        Player::Min => Window { alpha: -window.beta, beta: -window.alpha },
    }
}

impl<G: Game, M: Memory<G::Move>> Worker<'_, G, M> {
    /// The value of a tree, MAX to move.
    pub(super) fn negascout_minimax(
        &mut self,
        root: &G::Position,
        depth: u32,
        window: Window,
    ) -> Result<Score, Stopped> {
        self.f4(root, depth, window, 0)
    }

    /// F4': MAX to move.
    fn f4(
        &mut self,
        position: &G::Position,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let mut node = Node::default();
        if let Some(score) =
            self.visit(position, depth, Question::Window(window), ply, &mut node)?
        {
            return Ok(score);
        }
        let window = node.window;
        while let Some(child) = self.next(&mut node) {
            let step = node.children[child].step;
            let m = node.floor();
            let score = if let Some(score) = self.finished(&step) {
                score
            } else if node.tried == 1 {
                self.after(Player::Max, &step, depth, window, ply)?
            } else {
                // [9]: more than m?
                let t = self.after(
                    Player::Max,
                    &step,
                    depth,
                    Window { alpha: m, beta: m + G::STEP },
                    ply,
                )?;
                // [10], [11]
                if t.gain > m && t.gain < window.beta && depth >= exact_below(G::ALTERNATES) {
                    // [13]
                    self.counters.researches += 1;
                    let again = Window { alpha: t.gain, beta: window.beta };
                    t.confirmed_by(self.after(Player::Max, &step, depth, again, ply)?)
                } else {
                    t
                }
            };
            // [14]
            if self.improve(position, &mut node, child, score) {
                break;
            }
        }
        self.close(position, &node)
    }

    /// G4': MIN to move.
    fn g4(
        &mut self,
        position: &G::Position,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let min = |score| Player::Min.sees(score);
        let asked = Question::Window(seen_by(Player::Min, window));
        let mut node = Node::default();
        if let Some(score) = self.visit(position, depth, asked, ply, &mut node)? {
            return Ok(min(score));
        }
        let window = seen_by(Player::Min, node.window);
        while let Some(child) = self.next(&mut node) {
            let step = node.children[child].step;
            let m = -node.floor();
            let score = if let Some(score) = self.finished(&step) {
                min(score)
            } else if node.tried == 1 {
                self.after(Player::Min, &step, depth, window, ply)?
            } else {
                // [9]: less than m?
                let t = self.after(
                    Player::Min,
                    &step,
                    depth,
                    Window { alpha: m - G::STEP, beta: m },
                    ply,
                )?;
                // [10], [11]
                if t.gain < m && t.gain > window.alpha && depth >= exact_below(G::ALTERNATES) {
                    // [13]
                    self.counters.researches += 1;
                    let again = Window { alpha: window.alpha, beta: t.gain };
                    t.confirmed_by(self.after(Player::Min, &step, depth, again, ply)?)
                } else {
                    t
                }
            };
            // [14]
            if self.improve(position, &mut node, child, min(score)) {
                break;
            }
        }
        Ok(min(self.close(position, &node)?))
    }

    /// The value of a position by a move of one of the players.
    fn after(
        &mut self,
        mover: Player,
        step: &Step<G::Position>,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let gain = mover.sees(Score::proven(step.gain)).gain;
        // What is left to gain lies lower by what has been gained.
        let window = Window { alpha: window.alpha - gain, beta: window.beta - gain };
        let score = match mover.after(step.next) {
            Player::Max => self.f4(&step.position, depth - 1, window, ply + 1)?,
            Player::Min => self.g4(&step.position, depth - 1, window, ply + 1)?,
        };
        Ok(Score { gain: gain + score.gain, ..score })
    }
}
