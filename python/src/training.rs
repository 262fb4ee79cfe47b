//! Training by self-play whose games many machines play.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use kalah::StopToken;
use kalah::lock::lock;
use kalah::search::{BLOCK_NEURONS, Network};
use kalah_lab::training::{
    MeanErrors, TrainingConfig, TrainingJob, TrainingProgress, read_samples, write_samples,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::{Callback, Count, Houses, List, Positive, Seeds, Short, Whole, tell};
use crate::errors::{self, TrainingError};
use crate::interruptible::{self, OneAtATime};

/// A training run, as `kalah train` does it: generations of self-play, each with a network that is fitted
/// to its positions. Here it hands out the games as jobs, which `SelfPlayer` plays, here or on
/// other machines. Equal settings make equal networks, whoever plays the games and in whatever order.
///
/// Args:
///     folder: The folder of samples and networks, which is made if it does not exist. A run in the same
///         folder continues there, and so does `kalah train`.
///     houses, seeds, capture, sowing: The starts, as of `kalah.Board`, with several ``seeds``.
///     positions: Positions of each generation, at least.
///     nodes: Positions that each search looks at.
///     generations: Networks to train, one after the other.
///     neurons: Neurons of the last network, 32, 64, 96 or 128; those before it have 32.
///     seed: Seed of all random numbers.
///
/// Raises:
///     TrainingError: A setting is wrong, the folder has another run, or a file cannot be read or written.
///     ValueError: A number is out of its range.
///
/// Examples:
///     >>> from tempfile import TemporaryDirectory
///     >>> games = {"houses": 4, "seeds": [4], "nodes": 20}
///     >>> player = SelfPlayer(**games)
///     >>> with TemporaryDirectory() as folder:
///     ...     run = TrainingRun(folder, positions=100, generations=1, **games)
///     ...     while run.generation is not None:
///     ...         while not run.is_played:
///     ...             for job in run.next_jobs(4):
///     ...                 run.report([(job, player.play(run.generation, job, run.network))])
///     ...         _ = run.fit()
///     >>> len(run.network) > 1000
///     True
#[pyclass(module = "kalah.training", frozen)]
pub(crate) struct TrainingRun {
    run: OneAtATime<kalah_lab::training::TrainingRun>,
    /// Positions of each generation, at least.
    #[pyo3(get)]
    positions_needed: u64,
}

/// The number of a generation, or of all.
type Generation = Whole<u32, 1, { u32::MAX as i128 }>;

/// The seeds in each house at the starts, by default.
fn default_seeds() -> List<Seeds> {
    List((3..=7).map(Whole).collect())
}

/// The settings that the games depend on.
fn game_config(
    houses: Houses,
    seeds: &[Seeds],
    (capture, sowing): (&str, &str),
    nodes: Positive,
    seed: Count,
) -> TrainingConfig {
    TrainingConfig {
        houses: houses.0,
        capture: capture.to_owned(),
        sowing: sowing.to_owned(),
        seeds: seeds.iter().map(|seeds| seeds.0).collect(),
        positions: 1,
        nodes: nodes.0,
        generations: 1,
        neurons: BLOCK_NEURONS,
        seed: seed.0,
    }
}

#[pymethods]
impl TrainingRun {
    #[new]
    #[pyo3(
        signature = (folder, *, houses=Whole(6), seeds=default_seeds(), capture="standard",
                     sowing="single", positions=Whole(250_000), nodes=Whole(3000), generations=Whole(3),
                     neurons=Whole(32), seed=Whole(1)),
        text_signature = "(folder, *, houses=6, seeds=(3, 4, 5, 6, 7), capture='standard', \
                          sowing='single', positions=250_000, nodes=3000, generations=3, neurons=32, \
                          seed=1)"
    )]
    fn new(
        py: Python<'_>,
        folder: PathBuf,
        houses: Houses,
        seeds: List<Seeds>,
        capture: &str,
        sowing: &str,
        positions: Positive,
        nodes: Positive,
        generations: Generation,
        neurons: Short,
        seed: Count,
    ) -> PyResult<TrainingRun> {
        let config = TrainingConfig {
            positions: positions.0,
            generations: generations.0,
            neurons: neurons.0 as usize,
            ..game_config(houses, &seeds.0, (capture, sowing), nodes, seed)
        };
        let run = py.detach(|| kalah_lab::training::TrainingRun::new(&config, &folder));
        let busy = || TrainingError::new_err("a network is being fitted");
        let run = OneAtATime::new(run.map_err(errors::training)?, busy);
        Ok(TrainingRun { run, positions_needed: positions.0 })
    }

    /// The generation that games are played for, from 1; None if all networks are trained.
    #[getter]
    fn generation(&self) -> PyResult<Option<u32>> {
        Ok(self.run.idle()?.generation())
    }

    /// The network that games are played with, in the form of its file; None for the plain evaluation.
    /// When the run is finished, the last network.
    #[getter]
    fn network<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let network = self.run.idle()?.network().cloned();
        Ok(network.map(|network| PyBytes::new(py, &network.to_bytes())))
    }

    /// Positions of this generation so far.
    #[getter]
    fn positions(&self) -> PyResult<u64> {
        Ok(self.run.idle()?.positions())
    }

    /// Whether this generation has enough positions for `fit`.
    #[getter]
    fn is_played(&self) -> PyResult<bool> {
        Ok(self.run.idle()?.is_played())
    }

    /// Hands out jobs of this generation by their numbers, at most ``count``; fewer, or none, as long as
    /// others are running.
    ///
    /// Raises:
    ///     TrainingError: A file of samples cannot be read.
    fn next_jobs(&self, py: Python<'_>, count: Count) -> PyResult<Vec<u64>> {
        let jobs = self.run.detached(py, |run| run.next_jobs(count.0 as usize))?;
        Ok(jobs.map_err(errors::training)?.into_iter().map(|job| job.number).collect())
    }

    /// Takes the samples of jobs of this generation, each with its number, and keeps them in the folder.
    /// Duplicates are ignored.
    ///
    /// Raises:
    ///     TrainingError: They are not samples of these games, and nothing is taken; a file cannot be
    ///         written, or games are too short.
    fn report(&self, py: Python<'_>, results: List<(Count, Vec<u8>)>) -> PyResult<()> {
        self.run.detached(py, |run| {
            let Some(generation) = run.generation() else { return Ok(()) };
            let read = |(Whole(number), samples): (Count, Vec<u8>)| {
                let samples = read_samples(&samples[..]).map_err(errors::training)?;
                Ok((TrainingJob { generation, number }, samples))
            };
            let results = results.0.into_iter().map(read).collect::<PyResult<Vec<_>>>()?;
            run.report(results).map_err(errors::training)
        })?
    }

    /// Gives up a job whose player was lost, so that it is handed out again.
    fn abandon(&self, job: Count) -> PyResult<()> {
        let mut run = self.run.idle()?;
        if let Some(generation) = run.generation() {
            run.abandon(TrainingJob { generation, number: job.0 });
        }
        Ok(())
    }

    /// Fits the network of this generation, on one core, and goes on to the next one. Ctrl-C ends it.
    ///
    /// Args:
    ///     progress: Called now and then with the passes over all samples that are done, and those in all.
    ///         An exception that it raises ends the fit.
    ///
    /// Returns:
    ///     The mean errors of the network after the last pass, in seeds: on the samples that it was fitted
    ///     to, and on those set aside. None if the folder had the network.
    ///
    /// Raises:
    ///     TrainingError: There are not enough positions, or a file cannot be written.
    #[pyo3(signature = (progress: "Callable[[int, int], object] | None"=None))]
    fn fit(&self, py: Python<'_>, progress: Option<Callback>) -> PyResult<Option<(f64, f64)>> {
        let mut guard = self.run.idle()?;
        let run = &mut *guard;
        let (stop, last) = (StopToken::new(), Mutex::new(None::<TrainingProgress>));
        let reached = || *lock(&last);
        let note = |progress| *lock(&last) = Some(progress);
        let tick = |py: Python<'_>| {
            tell(py, progress.as_ref(), reached().map(|reached| (reached.done, reached.total)))
        };
        let fit = || run.fit(&stop, &note);
        interruptible::run(py, &stop, fit, tick)?.map_err(errors::training)?;
        let errors = reached().and_then(|reached| reached.errors);
        Ok(errors.map(|MeanErrors { training, validation }| (training, validation)))
    }
}

/// Plays the jobs of a `TrainingRun`, which has the same settings. It keeps a table of exact values,
/// where games end.
///
/// Raises:
///     TrainingError: A setting is wrong, or there is not enough memory.
///     ValueError: A number is out of its range.
#[pyclass(module = "kalah.training", frozen)]
pub(crate) struct SelfPlayer(kalah_lab::training::SelfPlayer);

#[pymethods]
impl SelfPlayer {
    #[new]
    #[pyo3(
        signature = (*, houses=Whole(6), seeds=default_seeds(), capture="standard",
                     sowing="single", nodes=Whole(3000), seed=Whole(1)),
        text_signature = "(*, houses=6, seeds=(3, 4, 5, 6, 7), capture='standard', sowing='single', \
                          nodes=3000, seed=1)"
    )]
    fn new(
        py: Python<'_>,
        houses: Houses,
        seeds: List<Seeds>,
        capture: &str,
        sowing: &str,
        nodes: Positive,
        seed: Count,
    ) -> PyResult<SelfPlayer> {
        let config = game_config(houses, &seeds.0, (capture, sowing), nodes, seed);
        let player = py.detach(|| kalah_lab::training::SelfPlayer::new(&config));
        Ok(SelfPlayer(player.map_err(errors::training)?))
    }

    /// Plays the games of a job of the run's generation, with its network. Ctrl-C ends it.
    ///
    /// Returns:
    ///     The samples for `TrainingRun.report`: a file of CSV.
    ///
    /// Raises:
    ///     TrainingError: The network is none for this board.
    ///     ValueError: A number is out of its range.
    #[pyo3(signature = (generation, job, network=None))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        generation: Generation,
        job: Whole<u64, 0, { TrainingJob::MAX_NUMBER as i128 }>,
        network: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let network = network.map(Network::from_bytes).transpose();
        let network = network.map_err(errors::training)?.map(Arc::new);
        let (job, stop) =
            (TrainingJob { generation: generation.0, number: job.0 }, StopToken::new());
        let play = || self.0.play(job, network.as_ref(), &stop);
        let samples = interruptible::run(py, &stop, play, |_| Ok(()))?.map_err(errors::training)?;
        let mut bytes = Vec::new();
        write_samples(&mut bytes, &samples).map_err(errors::training)?;
        Ok(PyBytes::new(py, &bytes))
    }
}
