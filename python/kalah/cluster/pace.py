"""How much the drivers hand out at a time. ``kalah.cluster.simulate`` shows what it is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kalah._native import Job, JobTree

__all__ = ["JobBudget", "jobs_at_once", "parts_of_task"]

# A second job that waits at a solver saves it the time of a message. It was chosen before the
# result of the first was known, so with more solvers than this it is too often in vain.
_MOST_WITH_TWO_JOBS = 4
# Jobs of a tree that run at once until it is known how long they take, and at least.
_FIRST_JOBS = 32
_FEWEST_JOBS = 8
# What the driver takes for a job, seconds.
_DRIVER = 0.0007
# The driver may spend this part of its time on handing out tasks, of milliseconds each.
_SECONDS_OF_TASK = 1.0
_SECONDS_OF_TASK_FOR_CORE = 0.002


def jobs_at_once(workers: int, seconds: float | None) -> int:
    """How many jobs of a tree should run at once.

    The leaves of a tree that matter are few. The others are handed out because everything better is
    taken. If there are more than the driver can serve, those that matter wait for it.

    Args:
        workers: Solvers that can work.
        seconds: What a job takes; None if that is not known yet.
    """
    if workers <= _MOST_WITH_TWO_JOBS:
        return 2 * workers
    most = _FIRST_JOBS if seconds is None else int(seconds / _DRIVER)
    return min(workers, max(_FEWEST_JOBS, most))


def parts_of_task(seconds_of_part: float | None, cores: int, left: int) -> int:
    """How many parts of a match a task should have.

    A task takes a second or more, and the longer the more cores there are, for the driver's sake.
    Towards the end tasks get shorter, so that all cores are done at about the same time.

    Args:
        seconds_of_part: What a part has taken; None if that is not known yet.
        cores: Tasks that run at once.
        left: Parts that are left.
    """
    if seconds_of_part is None:
        return 1
    seconds = max(_SECONDS_OF_TASK, _SECONDS_OF_TASK_FOR_CORE * cores)
    return max(1, min(int(seconds / max(seconds_of_part, 1e-6)), left // (2 * cores)))


class JobBudget:
    """Hands out the jobs of a tree, no more at a time than are of use.

    Args:
        tree: The tree.
    """

    def __init__(self, tree: JobTree) -> None:
        """Makes a budget of which nothing is used."""
        self._tree = tree
        self._bounds = tree.bounds()
        self._running: set[int] = set()
        self._seconds, self._ended = 0.0, 0

    def next_job(self, workers: int) -> Job | None:
        """A job, if one more is of use.

        Args:
            workers: Solvers that can work.
        """
        if self._bounds != self._tree.bounds():
            # What is running is for a test that has been decided.
            self._bounds = self._tree.bounds()
            self._running.clear()
        seconds = self._seconds / self._ended if self._ended else None
        if len(self._running) >= jobs_at_once(workers, seconds):
            return None
        for job in self._tree.next_jobs(1):
            self._running.add(job.id)
            return job
        return None

    def end(self, job: Job, seconds: float | None) -> None:
        """Notes that a job has ended after some seconds, or None if it was lost."""
        self._running.discard(job.id)
        if seconds is not None:
            self._seconds += seconds
            self._ended += 1
