//! Games of the engine against itself.

use std::num::NonZeroUsize;
use std::sync::Arc;

use fastrand::Rng;

use super::config::TrainingConfig;
use super::error::TrainingError;
use super::run::TrainingJob;
use super::samples::Sample;
use kalah::StopToken;
use kalah::board::{Board, Move, Rules, Side, splitmix64};
use kalah::search::{
    EvaluationChoice, ExactTables, Limits, Network, SearchOptions, Searcher, Variant,
};
use kalah::tablebase::{MAX_TABLE_HOUSES, Tablebase, seeds_within};

/// Transposition table of each search, in MiB.
pub(super) const HASH: usize = 4;

/// Maximum number of positions in the endgame table.
const TABLE_POSITIONS: u64 = 4_000_000;

/// Random plies at the start of a game: fewer than this.
const OPENING_PLIES: u32 = 10;

/// Maximum number of random plies that lead to a variation of a game.
const VARIATION_PLIES: u32 = 2;

/// The settings of self-play games.
#[derive(Clone, Debug)]
pub(super) struct SelfPlay {
    /// The boards that games start from, in rotation.
    pub(super) starts: Vec<Board>,
    /// Nodes of each search.
    pub(super) nodes: u64,
    /// Random seed.
    pub(super) seed: u64,
    /// The evaluation; `None` for the plain one.
    pub(super) network: Option<Arc<Network>>,
    /// Exact values of positions with few seeds. A game ends at the first such position.
    pub(super) tables: Option<Arc<ExactTables>>,
}

/// A position of the game.
struct GamePosition {
    /// Index of its sample.
    sample: usize,
    mover: Side,
    /// South's store minus North's.
    stores: i32,
}

impl SelfPlay {
    /// Self-play with the plain evaluation. `threads` build the table of exact values.
    pub(super) fn new(
        config: &TrainingConfig,
        threads: NonZeroUsize,
    ) -> Result<SelfPlay, TrainingError> {
        let (starts, tables) = (config.starts()?, endgame_tables(config.rules()?, threads)?);
        Ok(SelfPlay { starts, nodes: config.nodes, seed: 0, network: None, tables })
    }

    fn search_options(&self) -> SearchOptions {
        let evaluation = match self.network {
            Some(_) => EvaluationChoice::Learned,
            None => EvaluationChoice::Plain,
        };
        SearchOptions {
            variant: Variant::SELECTIVE,
            evaluation,
            network: self.network.clone(),
            ..SearchOptions::default()
        }
    }

    /// Plays the game with this number. Returns samples of its positions and of variations, which are
    /// wrong if `stop` was stopped.
    pub(super) fn game(
        &self,
        number: u64,
        searcher: &mut Searcher,
        stop: &StopToken,
    ) -> Vec<Sample> {
        let mut rng = Rng::with_seed(splitmix64(splitmix64(self.seed) ^ number));
        let Some(mut board) = self.start(number, &mut rng) else { return Vec::new() };
        searcher.clear();
        searcher.set_tables(self.tables.clone());
        let options = self.search_options();
        let mut samples = Vec::new();
        let mut played = Vec::new();
        let result = loop {
            if let Some(result) = board.result() {
                break result;
            }
            if let Some(gain) = self.exact_gain(&board) {
                break from_south(board.side(), board.store_difference() + gain);
            }
            let (best, sample) = self.search(&board, searcher, &options, stop);
            let Some(best) = best else { return Vec::new() };
            let stores = from_south(board.side(), board.store_difference());
            played.push(GamePosition { sample: samples.len(), mover: board.side(), stores });
            samples.push(sample);
            let plies = 1 + rng.u32(0..VARIATION_PLIES);
            if let Some(variation) = self.after_random_plies(&board, plies, &mut rng) {
                samples.push(self.search(&variation, searcher, &options, stop).1);
            }
            if board.play(best).is_err() {
                return Vec::new();
            }
        };
        for GamePosition { sample, mover, stores } in played {
            samples[sample].outcome = Some(from_south(mover, result - stores));
        }
        samples
    }

    /// The board that the game starts with; `None` if random plies ended the game.
    fn start(&self, number: u64, rng: &mut Rng) -> Option<Board> {
        let start = self.starts.get(number as usize % self.starts.len().max(1))?;
        let plies = rng.u32(0..OPENING_PLIES);
        self.after_random_plies(start, plies, rng)
    }

    /// The board after random plies, unless its value is then known.
    fn after_random_plies(&self, board: &Board, plies: u32, rng: &mut Rng) -> Option<Board> {
        let mut board = *board;
        for _ in 0..plies {
            let moves: Vec<Move> = board.moves().collect();
            board.play(*rng.choice(&moves)?).ok()?;
        }
        (!board.is_over() && self.exact_gain(&board).is_none()).then_some(board)
    }

    /// The mover's exact gain, if the tables have it.
    fn exact_gain(&self, board: &Board) -> Option<i32> {
        self.tables.as_ref()?.gain(board)
    }

    fn search(
        &self,
        board: &Board,
        searcher: &mut Searcher,
        options: &SearchOptions,
        stop: &StopToken,
    ) -> (Option<Move>, Sample) {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let result = searcher.search(board, &limits, options, stop, &mut ());
        let found = result.lines.first().map(|line| (line.margin, line.proven));
        let (margin, proven) = found.unwrap_or_default();
        let sample = Sample::new(board, margin - board.store_difference(), proven);
        (result.best, sample)
    }
}

/// Converts a margin between the view of `side` and that of South, in either direction.
fn from_south(side: Side, value: i32) -> i32 {
    match side {
        Side::South => value,
        Side::North => -value,
    }
}

/// The table of exact values where games end; `None` for boards too wide for one. Training fails if
/// there is no memory for it, since games without a table would give another network.
fn endgame_tables(
    rules: Rules,
    threads: NonZeroUsize,
) -> Result<Option<Arc<ExactTables>>, TrainingError> {
    if rules.houses() > MAX_TABLE_HOUSES {
        return Ok(None);
    }
    let seeds = seeds_within(rules.houses(), TABLE_POSITIONS);
    let table = Tablebase::build(rules, seeds, threads)?;
    Ok(Some(Arc::new(ExactTables::new(Arc::new(table), None))))
}

/// Plays the jobs of a [`TrainingRun`](super::TrainingRun), one after the other.
pub struct SelfPlayer {
    config: TrainingConfig,
    play: SelfPlay,
    searcher: Searcher,
}

impl SelfPlayer {
    /// A player for runs with these settings.
    ///
    /// # Errors
    /// When a setting is invalid, or there is not enough memory.
    pub fn new(config: &TrainingConfig) -> Result<SelfPlayer, TrainingError> {
        let play = SelfPlay::new(config, NonZeroUsize::MIN)?;
        Ok(SelfPlayer { config: config.clone(), play, searcher: Searcher::new(HASH)? })
    }

    /// Plays the games of a job with the network of the run, and returns their samples.
    ///
    /// # Errors
    /// When the network is of another board, or `stop` was stopped.
    pub fn play(
        &mut self,
        job: TrainingJob,
        network: Option<&Arc<Network>>,
        stop: &StopToken,
    ) -> Result<Vec<Sample>, TrainingError> {
        let rules = self.config.rules()?;
        if network.is_some_and(|network| network.rules() != rules) {
            let message = "the network is of another board";
            return Err(TrainingError::Config(message.to_owned()));
        }
        self.play.seed = self.config.seed_of(job.generation);
        self.play.network = network.cloned();
        let mut samples = Vec::new();
        for game in job.games() {
            samples.extend(self.play.game(game, &mut self.searcher, stop));
            if stop.is_stopped() {
                return Err(TrainingError::Interrupted);
            }
        }
        Ok(samples)
    }
}
