"""Networks that learn by self-play: players everywhere play the games of one training run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ray
from ray.util.metrics import Counter, Gauge

from kalah.cluster.crew import ActorPool, ActorWorker, max_actors
from kalah.cluster.session import LiveLine, only_driver, require_positive
from kalah.training import SelfPlayer, TrainingRun

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["TrainingResult", "train_network"]

# The tables of a player.
_MEBIBYTES = 64
# The settings of a run that do not change a game.
_SETTINGS_OF_RUN = ("positions", "generations", "neurons")


@dataclass(frozen=True)
class TrainingResult:
    """What a training run has come to.

    Attributes:
        network: The network, in the form of its file.
        jobs: Jobs that this driver has had done, of 16 games each.
        lost: Jobs that were lost with their players, and done again.
        errors: The mean errors of the last network in seeds, on the samples that it was fitted to
            and on those set aside; None if the folder had the network.
    """

    network: bytes
    jobs: int
    lost: int
    errors: tuple[float, float] | None


@ray.remote(max_restarts=-1, max_task_retries=0)  # type: ignore[untyped-decorator,unused-ignore]
class _SelfPlayerActor:
    """A player that keeps its table of exact values from job to job."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._player = SelfPlayer(**settings)

    def play(self, generation: int, job: int, network: bytes | None) -> bytes:
        return self._player.play(generation, job, network)


def train_network(
    settings: dict[str, Any], folder: Path, *, workers: int | None = None, is_quiet: bool = False
) -> TrainingResult:
    """Trains a network on the cluster that Ray is connected to.

    It is the network that ``kalah train`` makes with the same settings. Samples and networks are
    kept in the folder: a driver that is killed loses the jobs that are being done, and the fit of a
    network; ``kalah train`` continues with the folder of a driver, and a driver with that of
    ``kalah train``. The driver fits the networks itself, on one core, while the players wait.

    Args:
        settings: The arguments of `kalah.training.TrainingRun` after the folder.
        folder: The folder of samples and networks, which is made if it does not exist.
        workers: Players; by default as many as the cluster has room for.
        is_quiet: Whether to say nothing meanwhile.

    Raises:
        ValueError: A number is less than 1.
        TrainingError: A setting is wrong, the folder has another run, or a file cannot be read or
            written.
        RuntimeError: Another driver uses the folder.
    """
    numbers = ("positions", "nodes", "generations", "neurons")
    require_positive(workers=workers, **{name: settings.get(name) for name in numbers})
    of_games = {name: value for name, value in settings.items() if name not in _SETTINGS_OF_RUN}
    line, jobs, lost, errors = LiveLine(is_quiet=is_quiet), 0, 0, None
    done, positions = Counter("kalah_jobs", "Jobs done."), Gauge("kalah_positions", "Positions.")
    with only_driver(folder):
        run = TrainingRun(folder, **settings)
        if run.generation is None:
            workers = 0
        elif workers is None:
            workers = max_actors(1, _MEBIBYTES)
        with ActorPool[int](_SelfPlayerActor, (of_games,), workers, mebibytes=_MEBIBYTES) as pool:
            network: Any = None

            def start(worker: ActorWorker) -> tuple[int, Any] | None:
                for job in run.next_jobs(1):
                    return job, worker.actor.play.remote(run.generation, job, network)
                return None

            while (generation := run.generation) is not None:
                network = ray.put(run.network)
                while not run.is_played:
                    samples = []
                    for job, result in pool.step(start):
                        if result is None:
                            run.abandon(job)
                            lost += 1
                        else:
                            samples.append((job, result))
                            done.inc()
                    run.report(samples)
                    jobs += len(samples)
                    positions.set(run.positions)
                    line.show(_progress(run, generation, lost))
                pool.forget()  # jobs that turned out not to be needed
                errors = run.fit(lambda epoch, of: line.show(_fit_progress(generation, epoch, of)))
    text = f"{jobs:,} jobs" + (f"  {lost} lost" if lost else "")
    if errors is not None:
        text += f"  training error {errors[0]:.2f}, validation error {errors[1]:.2f} seeds"
    line.show(text, is_last=True)
    found = run.network
    assert found is not None
    return TrainingResult(found, jobs, lost, errors)


def _progress(run: TrainingRun, generation: int, lost: int) -> str:
    text = f"generation {generation}  {run.positions:,}/{run.positions_needed:,} positions"
    return text + (f"  {lost} jobs lost" if lost else "")


def _fit_progress(generation: int, epoch: int, epochs: int) -> str:
    return f"generation {generation}  fit: {epoch} of {epochs} epochs"
