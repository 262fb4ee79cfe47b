//! NegaScout with one procedure for each player: F4' for MAX and G4' for MIN, as T.-s. Hsu's lecture
//! *Scout, NegaScout and Proof-Number Search* (2014) presents it beside the negamax form
//! ([`super::negascout`]). Both forms visit the same positions with the same windows.
//!
//! All values and windows are from MAX's view. The numbers in brackets are lines of the lecture; the
//! cutoff of line 14 is in [`Worker::update_best`]. In line 9 of the lecture the null window begins
//! at the best value *m* even if *m* is below alpha; F4 begins at the greater of the two, and so do
//! these procedures.

use super::negascout::exact_below;
use super::worker::Worker;
use crate::search::game::Game;
use crate::search::query::{MinimaxPlayer, Query};
use crate::search::shared::Stopped;
use crate::search::transposition_table::TranspositionTable;
use crate::search::value::{Score, Transition, Window};

/// Converts MIN's view of a window to MAX's view, and the reverse.
fn negated(window: Window) -> Window {
    Window { alpha: -window.beta, beta: -window.alpha }
}

impl<G: Game, T: TranspositionTable<G::Move>> Worker<'_, G, T> {
    /// F4': MAX to move.
    pub(super) fn f4(
        &mut self,
        position: &G::Position,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let query = Query::Window(window);
        self.search_node(position, depth, query, ply, |worker, node, transition| {
            let mut search =
                |window| worker.search_after(MinimaxPlayer::Max, transition, depth, window, ply);
            let window = node.window;
            if node.move_count == 1 {
                return search(window);
            }
            // [9]: more than m?
            let m = node.raised_alpha();
            let t = search(Window { alpha: m, beta: m + G::VALUE_STEP })?;
            // [10], [11], [12]
            if t.gain <= m || t.gain >= window.beta || depth < exact_below(G::ALTERNATES) {
                return Ok(t);
            }
            // [13]
            let again = search(Window { alpha: t.gain, beta: window.beta })?;
            worker.counters.researches += 1;
            Ok(t.confirmed_by(again))
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
        let min = |score| MinimaxPlayer::Min.convert(score);
        let query = Query::Window(negated(window));
        let score = self.search_node(position, depth, query, ply, |worker, node, transition| {
            let mut search =
                |window| worker.search_after(MinimaxPlayer::Min, transition, depth, window, ply);
            let window = negated(node.window);
            if node.move_count == 1 {
                return search(window).map(min);
            }
            // [9]: less than m?
            let m = -node.raised_alpha();
            let t = search(Window { alpha: m - G::VALUE_STEP, beta: m })?;
            // [10], [11], [12]
            if t.gain >= m || t.gain <= window.alpha || depth < exact_below(G::ALTERNATES) {
                return Ok(min(t));
            }
            // [13]
            let again = search(Window { alpha: window.alpha, beta: t.gain })?;
            worker.counters.researches += 1;
            Ok(min(t.confirmed_by(again)))
        });
        score.map(min)
    }

    /// The value of a position by one move of `mover`.
    fn search_after(
        &mut self,
        mover: MinimaxPlayer,
        transition: &Transition<G::Position>,
        depth: u32,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let gain = mover.convert(Score::proven(transition.gain)).gain;
        let window = Window { alpha: window.alpha - gain, beta: window.beta - gain };
        let score = match mover.after(transition.next) {
            MinimaxPlayer::Max => self.f4(&transition.position, depth - 1, window, ply + 1)?,
            MinimaxPlayer::Min => self.g4(&transition.position, depth - 1, window, ply + 1)?,
        };
        Ok(Score { gain: gain + score.gain, ..score })
    }
}
