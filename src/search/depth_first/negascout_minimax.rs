//! NegaScout with a procedure for each player: F4' for MAX and G4' for MIN, as T.-s. Hsu's lecture
//! *Scout, NegaScout and Proof-Number Search* (2014) writes it down beside the negamax form
//! ([`super::negascout`]). The two visit the same positions with the same questions.
//!
//! All values and windows are MAX's here. The numbers in brackets are lines of the lecture;
//! the cut-off of line 14 is common ground. As it
//! prints line 9, a null window begins at the best value *m* even where *m* lies below alpha; F4
//! begins at the greater of the two, and so does this.

use super::negascout::exact_below;
use super::worker::Worker;
use crate::search::game::Game;
use crate::search::memory::TranspositionTable;
use crate::search::question::{MinimaxPlayer, Query};
use crate::search::step::Transition;
use crate::search::threads::Stopped;
use crate::search::value::{Score, Window};

/// A window of MAX's as a player sees it, and the other way round.
fn seen_by(player: MinimaxPlayer, window: Window) -> Window {
    match player {
        MinimaxPlayer::Max => window,
        MinimaxPlayer::Min => Window { alpha: -window.beta, beta: -window.alpha },
    }
}

impl<G: Game, M: TranspositionTable<G::Move>> Worker<'_, G, M> {
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
        self.search_moves(position, depth, Query::Window(window), ply, |worker, node, step| {
            let window = node.window;
            if node.tried == 1 {
                return worker.after(MinimaxPlayer::Max, step, depth, window, ply);
            }
            // [9]: more than m?
            let m = node.floor();
            let scout = Window { alpha: m, beta: m + G::VALUE_STEP };
            let t = worker.after(MinimaxPlayer::Max, step, depth, scout, ply)?;
            // [10], [11], [12]
            if t.gain <= m || t.gain >= window.beta || depth < exact_below(G::ALTERNATES) {
                return Ok(t);
            }
            // [13]
            worker.counters.researches += 1;
            let again = Window { alpha: t.gain, beta: window.beta };
            Ok(t.confirmed_by(worker.after(MinimaxPlayer::Max, step, depth, again, ply)?))
        })
    }

    /// G4': MIN to move.
    fn g4(
        &mut self,
        position: &G::Position,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let min = |score| MinimaxPlayer::Min.sees(score);
        let asked = Query::Window(seen_by(MinimaxPlayer::Min, window));
        let found = self.search_moves(position, depth, asked, ply, |worker, node, step| {
            let window = seen_by(MinimaxPlayer::Min, node.window);
            if node.tried == 1 {
                return worker.after(MinimaxPlayer::Min, step, depth, window, ply).map(min);
            }
            // [9]: less than m?
            let m = -node.floor();
            let scout = Window { alpha: m - G::VALUE_STEP, beta: m };
            let t = worker.after(MinimaxPlayer::Min, step, depth, scout, ply)?;
            // [10], [11], [12]
            if t.gain >= m || t.gain <= window.alpha || depth < exact_below(G::ALTERNATES) {
                return Ok(min(t));
            }
            // [13]
            worker.counters.researches += 1;
            let again = Window { alpha: window.alpha, beta: t.gain };
            Ok(min(t.confirmed_by(worker.after(MinimaxPlayer::Min, step, depth, again, ply)?)))
        });
        found.map(min)
    }

    /// The value of a position by a move of one of the players.
    fn after(
        &mut self,
        mover: MinimaxPlayer,
        step: &Transition<G::Position>,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let gain = mover.sees(Score::proven(step.gain)).gain;
        // What is left to gain lies lower by what has been gained.
        let window = Window { alpha: window.alpha - gain, beta: window.beta - gain };
        let score = match mover.after(step.next) {
            MinimaxPlayer::Max => self.f4(&step.position, depth - 1, window, ply + 1)?,
            MinimaxPlayer::Min => self.g4(&step.position, depth - 1, window, ply + 1)?,
        };
        Ok(Score { gain: gain + score.gain, ..score })
    }
}
