"""How much the drivers hand out at a time. ``benches/simulate.py`` shows what it is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kalah._native import Job, JobTree

__all__ = ["JobQueue", "Worker", "hand_out", "jobs_at_once", "parts_of_task"]

# A second job that waits at a solver saves it the time of a message. It was chosen before the
# result of the first was known, so with more solvers than this it is too often in vain.
_MOST_WITH_TWO_JOBS = 4
# Jobs of a tree that run at once until it is known how long they take, and at least.
_FIRST_JOBS = 32
_FEWEST_JOBS = 8
# Proven bounds that go with a job, and that are kept for solvers that do not have them, at most.
_MOST_SHARED = 20_000
_MOST_KEPT = 200_000
# What the driver takes for a job, seconds.
_DRIVER = 0.0007
# The driver may spend this part of its time on handing out tasks, of milliseconds each.
_SECONDS_OF_TASK = 1.0
_SECONDS_OF_TASK_FOR_CORE = 0.002

Proven = list[tuple[str, int, int]]


@dataclass
class Worker:
    """A worker: its tasks, and up to which number it has been told proven bounds."""

    tasks: int = 0
    told: int = 0


W = TypeVar("W", bound=Worker)


def jobs_at_once(workers: int, seconds: float | None) -> int:
    """How many jobs of a tree should run at once, each of these seconds, or None at first.

    The leaves of a tree that matter are few. The others are handed out because everything better is
    taken. If there are more than the driver can serve, those that matter wait for it.
    """
    if workers <= _MOST_WITH_TWO_JOBS:
        return 2 * workers
    most = _FIRST_JOBS if seconds is None else int(seconds / _DRIVER)
    return min(workers, max(_FEWEST_JOBS, most))


def parts_of_task(seconds_of_part: float | None, cores: int, left: int) -> int:
    """How many of the parts that are left a task should have; one while their length is unknown.

    A task takes a second or more, and the longer the more cores there are, for the driver's sake.
    Towards the end tasks get shorter, so that all cores are done at about the same time.
    """
    if seconds_of_part is None:
        return 1
    seconds = max(_SECONDS_OF_TASK, _SECONDS_OF_TASK_FOR_CORE * cores)
    return max(1, min(int(seconds / max(seconds_of_part, 1e-6)), left // (2 * cores)))


def hand_out(workers: Sequence[W], depth: int, begin: Callable[[W], bool]) -> None:
    """Gives tasks to workers, to those with the fewest first, up to a depth.

    `begin` gives a task to a worker and returns whether there was one.
    """
    for tasks in range(depth):
        for worker in workers:
            if worker.tasks == tasks:
                if not begin(worker):
                    return
                worker.tasks += 1


class JobQueue:
    """Hands out the jobs of a tree, no more at a time than are of use, and takes their results.

    Attributes:
        tree: The tree.
        done: Jobs with a result.
        lost: Jobs that were lost with their solvers.
    """

    def __init__(self, tree: JobTree) -> None:
        self.tree = tree
        self.done = self.lost = 0
        self._proven: Proven = []
        self._dropped = 0
        self._bounds = tree.bounds()
        self._running: set[int] = set()
        self._seconds = 0.0

    def next_job(self, workers: int) -> Job | None:
        """A job, if one more is of use to this many solvers."""
        if self._bounds != self.tree.bounds():
            # The running jobs are for a test that has been decided.
            self._bounds = self.tree.bounds()
            self._running.clear()
        seconds = self._seconds / self.done if self.done else None
        if len(self._running) >= jobs_at_once(workers, seconds):
            return None
        for job in self.tree.next_jobs(1):
            self._running.add(job.id)
            return job
        return None

    def unsent_bounds(self, worker: Worker) -> Proven:
        """The bounds that a solver is to be told with its next job."""
        start = max(0, worker.told - self._dropped)
        unsent = self._proven[start : start + _MOST_SHARED]
        worker.told = self._dropped + start + len(unsent)
        return unsent

    def end(self, job: Job, result: tuple[Proven, float] | None) -> None:
        """Takes what a job has proven, and its seconds; None if it was lost."""
        self._running.discard(job.id)
        if result is None:
            self.tree.abandon(job.id)
            self.lost += 1
            return
        proven, seconds = result
        self.tree.report(job.id, proven)
        self._proven += self.tree.take_proven()
        if len(self._proven) > _MOST_KEPT:
            # They save a solver work; without them its results are the same.
            self._dropped += _MOST_KEPT // 2
            del self._proven[: _MOST_KEPT // 2]
        self._seconds += seconds
        self.done += 1
