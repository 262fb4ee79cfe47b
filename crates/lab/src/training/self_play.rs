//! Games of the engine against itself.

use std::num::NonZeroUsize;
use std::sync::Arc;

use fastrand::Rng;

use super::run::{GAMES_PER_JOB, TrainingJob};
use super::samples::Sample;
use super::{TrainingConfig, TrainingError};
use kalah::board::{Board, Move, Rules, splitmix64};
use kalah::search::{
    EvaluationChoice, ExactTables, Limits, Network, SearchOptions, Searcher, TableTooLarge, Variant,
};
use kalah::tablebase::{MAX_TABLE_HOUSES, Tablebase, seeds_within};
use kalah::{StopToken, parallel};

/// Transposition table of each search, in MiB.
const HASH: usize = 4;

/// Maximum number of positions in the endgame table.
const TABLE_POSITIONS: u64 = 4_000_000;

/// Random plies at the start of a game: fewer than this.
const OPENING_PLIES: u32 = 10;

/// Maximum number of random plies that lead to a variation of a game.
const VARIATION_PLIES: u32 = 2;

/// Plays the jobs of a [`TrainingRun`](super::TrainingRun).
pub struct SelfPlayer {
    config: TrainingConfig,
    /// The boards that games start from, in rotation; at least one.
    starts: Vec<Board>,
    /// Exact values of positions with few seeds. A game ends at the first such position.
    tables: Option<Arc<ExactTables>>,
}

impl SelfPlayer {
    /// A player for runs with these settings.
    ///
    /// # Errors
    /// When a setting is invalid, or there is not enough memory.
    pub fn new(config: &TrainingConfig) -> Result<SelfPlayer, TrainingError> {
        SelfPlayer::with_threads(config, NonZeroUsize::MIN)
    }

    /// The same, with threads that build the table of exact values.
    pub(super) fn with_threads(
        config: &TrainingConfig,
        threads: NonZeroUsize,
    ) -> Result<SelfPlayer, TrainingError> {
        let (starts, tables) = (config.starts()?, endgame_tables(config.rules()?, threads)?);
        Ok(SelfPlayer { config: config.clone(), starts, tables })
    }

    /// Plays the games of a job with the network of the run, and returns their samples.
    ///
    /// # Errors
    /// When the network is of another board, or `stop` was stopped.
    pub fn play(
        &self,
        job: TrainingJob,
        network: Option<&Arc<Network>>,
        stop: &StopToken,
    ) -> Result<Vec<Sample>, TrainingError> {
        let rules = self.config.rules()?;
        if network.is_some_and(|network| network.rules() != rules) {
            let message = "the network is of another board";
            return Err(TrainingError::Config(message.to_owned()));
        }
        let played = self.play_jobs(&[job], network, NonZeroUsize::MIN, stop, &|_| {})?;
        Ok(played.into_iter().flat_map(|(_, samples)| samples).collect())
    }

    /// Plays the games of jobs on several threads, with a network or the plain evaluation. `report` is
    /// called with the samples of each game.
    pub(super) fn play_jobs(
        &self,
        jobs: &[TrainingJob],
        network: Option<&Arc<Network>>,
        threads: NonZeroUsize,
        stop: &StopToken,
        report: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<(TrainingJob, Vec<Sample>)>, TrainingError> {
        let options = SearchOptions {
            variant: Variant::SELECTIVE,
            evaluation: network.map_or(EvaluationChoice::Plain, |_| EvaluationChoice::Learned),
            network: network.cloned(),
            ..SearchOptions::default()
        };
        let play_game = |searcher: &mut Result<Searcher, TableTooLarge>, (generation, number)| {
            let searcher = searcher.as_mut().map_err(|error| error.clone())?;
            let samples = self.game(generation, number, searcher, &options, stop);
            if stop.is_stopped() {
                return Err(TrainingError::Interrupted);
            }
            report(samples.len() as u64);
            Ok(samples)
        };
        let games = jobs.iter().flat_map(|job| job.games().map(|number| (job.generation, number)));
        let played = parallel::try_map_with(threads, games, || Searcher::new(HASH), play_game)?;
        let by_job = played.chunks(GAMES_PER_JOB as usize).map(<[_]>::concat);
        Ok(jobs.iter().copied().zip(by_job).collect())
    }

    /// Plays the game with this number of a generation. Returns samples of its positions and of variations,
    /// which are wrong if `stop` was stopped.
    fn game(
        &self,
        generation: u32,
        number: u64,
        searcher: &mut Searcher,
        options: &SearchOptions,
        stop: &StopToken,
    ) -> Vec<Sample> {
        let seed = self.config.seed_of(generation);
        let mut rng = Rng::with_seed(splitmix64(splitmix64(seed) ^ number));
        let start = &self.starts[number as usize % self.starts.len()];
        let plies = rng.u32(0..OPENING_PLIES);
        let Some(mut board) = self.after_random_plies(start, plies, &mut rng) else {
            // Random plies ended the game.
            return Vec::new();
        };
        searcher.clear();
        searcher.set_tables(self.tables.clone());
        let mut samples = Vec::new();
        // Indices of samples, with the mover and South's store minus North's.
        let mut played = Vec::new();
        let result = loop {
            if let Some(result) = board.result() {
                break result;
            }
            if let Some(gain) = self.exact_gain(&board) {
                break board.side().sign() * (board.store_difference() + gain);
            }
            let (best, sample) = self.search(&board, searcher, options, stop);
            let Some(best) = best else { return Vec::new() };
            let stores = board.side().sign() * board.store_difference();
            played.push((samples.len(), board.side(), stores));
            samples.push(sample);
            let plies = 1 + rng.u32(0..VARIATION_PLIES);
            if let Some(variation) = self.after_random_plies(&board, plies, &mut rng) {
                samples.push(self.search(&variation, searcher, options, stop).1);
            }
            if board.play(best).is_err() {
                return Vec::new();
            }
        };
        for (sample, mover, stores) in played {
            samples[sample].outcome = Some(mover.sign() * (result - stores));
        }
        samples
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
        let limits = Limits { nodes: Some(self.config.nodes), ..Limits::default() };
        let result = searcher.search(board, &limits, options, stop, &mut |_| {});
        let found = result.lines.first().map(|line| (line.margin, line.proven));
        let (margin, proven) = found.unwrap_or_default();
        let sample = Sample::new(board, margin - board.store_difference(), proven);
        (result.best, sample)
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
