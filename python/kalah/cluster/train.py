"""Networks that learn by self-play: players everywhere play the games of one training run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ray
from ray.util.metrics import Counter, Gauge

from kalah.cluster.crew import Crew, room_for
from kalah.cluster.session import LiveLine, only_driver, require_positive
from kalah.training import SelfPlayer, TrainingRun

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["TrainingResult", "train_network"]

# Jobs of a player, the one that it does included: the next one must not wait for the driver.
_JOBS_IN_FLIGHT = 2
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


@dataclass
class _Generation:
    """The games of a generation, and the players who play them."""

    run: TrainingRun
    number: int
    crew: Crew[int]
    network: Any
    jobs: int = 0
    lost: int = 0

    def hand_out(self) -> None:
        """Gives jobs to the players that have few."""
        for depth in range(1, _JOBS_IN_FLIGHT + 1):
            workers = list(self.crew.ready(depth))
            # There may be more workers than jobs, but not the other way round.
            for worker, job in zip(workers, self.run.next_jobs(len(workers)), strict=False):
                reference = worker.actor.play.remote(self.number, job, self.network)
                self.crew.give(worker, job, reference)

    def collect(self) -> int:
        """Waits for samples and takes them. Returns the jobs done."""
        samples = []
        for outcome in self.crew.take():
            if outcome.result is None:
                self.run.abandon(outcome.task)
                self.lost += 1
            else:
                samples.append((outcome.task, outcome.result))
        self.run.report(samples)
        self.jobs += len(samples)
        return len(samples)


def train_network(
    settings: dict[str, Any], folder: Path, *, workers: int | None = None, is_quiet: bool = False
) -> TrainingResult:
    """Trains a network on the cluster that Ray is connected to.

    It is the network that ``kalah train`` makes with the same settings. Samples and networks are
    kept in the folder: a driver that is killed loses the jobs that are being done, and the fit of a
    network; ``kalah train`` continues with the folder of a driver, and a driver with that of
    ``kalah train``. The driver fits the networks itself, on one core, while the players wait.

    Args:
        settings: The arguments of :class:`kalah.training.TrainingRun` after the folder.
        folder: The folder of samples and networks, which is made if it does not exist.
        workers: Players; by default as many as the cluster has room for.
        is_quiet: Whether to say nothing meanwhile.

    Raises:
        ValueError: A number is less than 1.
        TrainingError: A setting is wrong, the folder has another run, or a file cannot be read or
            written.
        RuntimeError: Another driver uses the folder.
    """
    require_positive(workers=workers)
    numbers = ("positions", "nodes", "generations", "neurons")
    require_positive(**{name: settings[name] for name in numbers if name in settings})
    of_games = {name: value for name, value in settings.items() if name not in _SETTINGS_OF_RUN}
    line, jobs, lost, errors = LiveLine(is_quiet=is_quiet), 0, 0, None
    done, positions = Counter("kalah_jobs", "Jobs done."), Gauge("kalah_positions", "Positions.")
    with only_driver(folder):
        run = TrainingRun(folder, **settings)
        if run.generation is None:
            workers = 0
        elif workers is None:
            workers = room_for(1, _MEBIBYTES)
        with Crew[int](_SelfPlayerActor, (of_games,), workers, 1, _MEBIBYTES) as crew:
            while (number := run.generation) is not None:
                generation = _Generation(run, number, crew, ray.put(run.network))
                while not run.is_played:
                    generation.hand_out()
                    if count := generation.collect():
                        done.inc(count)
                    positions.set(run.positions)
                    line.show(_progress(run, number, lost + generation.lost))
                crew.forget()  # jobs that turned out not to be needed
                jobs, lost = jobs + generation.jobs, lost + generation.lost
                errors = run.fit(lambda epoch, of: line.show(_fit_progress(number, epoch, of)))
    text = f"{jobs:,} jobs" + (f"  {lost} lost" if lost else "")
    if errors is not None:
        text += f"  training error {errors[0]:.2f}, validation error {errors[1]:.2f} seeds"
    line.show(text, is_last=True)
    network = run.network
    assert network is not None
    return TrainingResult(network, jobs, lost, errors)


def _progress(run: TrainingRun, generation: int, lost: int) -> str:
    text = f"generation {generation}  {run.positions:,}/{run.positions_needed:,} positions"
    return text + (f"  {lost} jobs lost" if lost else "")


def _fit_progress(generation: int, epoch: int, epochs: int) -> str:
    return f"generation {generation}  fit: {epoch} of {epochs} epochs"
