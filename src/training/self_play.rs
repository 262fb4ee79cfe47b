//! Games of the engine against itself.

use std::sync::Arc;

use fastrand::Rng;

use super::samples::Sample;
use crate::board::{AnyPosition, Board, House, Side};
use crate::search::{
    EvaluationChoice, ExactTables, Limits, Network, SearchOptions, Searcher, Variant, splitmix64,
    stop_pair,
};

/// Plies drawn at random that a game begins with, less one at most.
const OPENING_PLIES: u32 = 10;

/// Plies drawn at random that lead off the line of a game, less one at most.
const PLIES_BESIDE: u32 = 2;

/// How games are played.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// Where they begin, in turn.
    pub starts: Vec<Board>,
    /// Nodes of each search.
    pub nodes: u64,
    /// What random plies are drawn from.
    pub seed: u64,
    /// The evaluation to play with; the plain one when `None`.
    pub network: Option<Arc<Network>>,
    /// Where positions with few seeds are looked up. Games end where they begin to be known.
    pub tables: Option<Arc<ExactTables>>,
}

/// A position of a game, as it was met.
struct OnTheLine {
    sample: usize,
    mover: Side,
    /// South's store less North's.
    stores: i32,
}

impl SelfPlay {
    fn settings(&self) -> SearchOptions {
        let evaluation = match self.network {
            Some(_) => EvaluationChoice::Learned,
            None => EvaluationChoice::Plain,
        };
        SearchOptions {
            variant: Variant::SELECTIVE,
            evaluation,
            network: self.network.clone(),
            tables: self.tables.clone(),
            ..SearchOptions::default()
        }
    }

    /// The positions of the game with this number, and of some beside its line.
    pub fn game(&self, number: u64, searcher: &mut Searcher) -> Vec<Sample> {
        let mut rng = Rng::with_seed(splitmix64(splitmix64(self.seed) ^ number));
        let Some(mut board) = self.start(number, &mut rng) else { return Vec::new() };
        searcher.clear();
        let settings = self.settings();
        let mut samples = Vec::new();
        let mut line = Vec::new();
        let result = loop {
            if let Some(result) = board.result() {
                break result;
            }
            if let Some(gain) = self.known(&board) {
                break from_south(board.side(), board.store_difference() + gain);
            }
            let (best, sample) = self.search(&board, searcher, &settings);
            let Some(best) = best else { return Vec::new() };
            let stores = from_south(board.side(), board.store_difference());
            line.push(OnTheLine { sample: samples.len(), mover: board.side(), stores });
            samples.push(sample);
            if let Some(beside) = self.beside(&board, &mut rng) {
                samples.push(self.search(&beside, searcher, &settings).1);
            }
            if board.play(best).is_err() {
                return Vec::new();
            }
        };
        for OnTheLine { sample, mover, stores } in line {
            samples[sample].outcome = Some(from_south(mover, result - stores));
        }
        samples
    }

    /// The board that a game begins with; `None` when the game is over before it has begun.
    fn start(&self, number: u64, rng: &mut Rng) -> Option<Board> {
        let start = self.starts.get(number as usize % self.starts.len().max(1))?;
        let plies = rng.u32(0..OPENING_PLIES);
        self.after(start, plies, rng)
    }

    fn beside(&self, board: &Board, rng: &mut Rng) -> Option<Board> {
        let plies = 1 + rng.u32(0..PLIES_BESIDE);
        self.after(board, plies, rng)
    }

    /// The board after so many plies drawn at random, if there is still something to be found out.
    fn after(&self, board: &Board, plies: u32, rng: &mut Rng) -> Option<Board> {
        let mut board = *board;
        for _ in 0..plies {
            let moves: Vec<House> = board.moves().collect();
            board.play(*rng.choice(&moves)?).ok()?;
        }
        (!board.is_over() && self.known(&board).is_none()).then_some(board)
    }

    /// The gain of the mover, where it can be looked up.
    fn known(&self, board: &Board) -> Option<i32> {
        match board.position() {
            AnyPosition::Narrow(_, position) => self.tables.as_ref()?.gain(&position),
            AnyPosition::Wide(..) => None,
        }
    }

    fn search(
        &self,
        board: &Board,
        searcher: &mut Searcher,
        settings: &SearchOptions,
    ) -> (Option<House>, Sample) {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let (_handle, stop) = stop_pair();
        let outcome = searcher.search(board, &limits, settings, &stop, &mut ());
        let found = outcome.lines.first().map(|line| (line.margin, line.proven));
        let (margin, proven) = found.unwrap_or_default();
        let sample = Sample::new(board, margin - board.store_difference(), proven);
        (outcome.best.map(|best| best.house), sample)
    }
}

/// What is seen from one side, as seen from South; and the other way round.
fn from_south(side: Side, value: i32) -> i32 {
    match side {
        Side::South => value,
        Side::North => -value,
    }
}
