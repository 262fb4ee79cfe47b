"""Exact values: solvers everywhere do the jobs of one tree."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import ray
from ray.util.metrics import Counter, Gauge

from kalah._native import Board, Job, JobTree, Solver
from kalah.closing import Closing
from kalah.cluster.crew import Crew, room_for
from kalah.cluster.pace import JobBudget
from kalah.cluster.session import LiveLine, require_positive

if TYPE_CHECKING:
    from pathlib import Path


__all__ = ["ClusterSolution", "SolverPool"]

# Jobs of a solver at most, the one that it does included.
_JOBS_IN_FLIGHT = 2
# Proven bounds that go with a job, at most.
_MOST_SHARED = 20_000
# Seconds between writes of the checkpoint.
_SAVE_INTERVAL = 10.0

Proven = list[tuple[str, int, int]]


@dataclass(frozen=True)
class ClusterSolution:
    """The exact value of a board.

    Attributes:
        margin: The final margin with best play of both sides, in seeds, from the view of the player
            to move.
        jobs: Jobs done.
        nodes: Positions searched.
        lost: Jobs that were lost with their solvers, and done again.
        seconds: The time it took.
    """

    margin: int
    jobs: int
    nodes: int
    lost: int
    seconds: float


@ray.remote(max_restarts=-1, max_task_retries=0)  # type: ignore[untyped-decorator,unused-ignore]
class _SolverActor:
    """A solver that keeps its tables from job to job."""

    def __init__(self, threads: int, hash_mebibytes: int, tablebase: str | None) -> None:
        self._solver = Solver(hash=hash_mebibytes, threads=threads, tablebase=tablebase)

    def run(self, job: Job, shared: Proven) -> tuple[Proven, int, float]:
        self._solver.learn(shared, job.board.capture)
        start = time.monotonic()
        proven, nodes = self._solver.run_job(job)
        return proven, nodes, time.monotonic() - start


@dataclass
class _Run:
    """A tree and the solvers that work on it."""

    tree: JobTree
    budget: JobBudget
    crew: Crew[Job]
    proven: Proven = field(default_factory=list)
    jobs: int = 0
    nodes: int = 0
    lost: int = 0

    def hand_out(self) -> None:
        """Gives jobs to the solvers that have few."""
        workers = self.crew.up
        for depth in range(1, _JOBS_IN_FLIGHT + 1):
            for worker in self.crew.ready(depth):
                job = self.budget.next_job(workers)
                if job is None:
                    return
                shared = self.proven[worker.told : worker.told + _MOST_SHARED]
                worker.told += len(shared)
                self.crew.give(worker, job, worker.actor.run.remote(job, shared))

    def collect(self) -> int:
        """Waits for results and takes them. Returns the jobs done."""
        before = self.jobs
        for outcome in self.crew.take():
            if outcome.result is None:
                self.budget.end(outcome.task, None)
                self.tree.abandon(outcome.task.id)
                self.lost += 1
                continue
            proven, nodes, seconds = outcome.result
            self.budget.end(outcome.task, seconds)
            self.tree.report(outcome.task.id, proven)
            self.proven += self.tree.take_proven()
            self.jobs += 1
            self.nodes += nodes
        return self.jobs - before


class SolverPool(Closing):
    """Solvers all over the cluster that Ray is connected to, which keep their tables.

    Args:
        workers: The number of solvers; by default as many as the cluster has room for.
        threads: Threads of each solver. Threads share a table, so a few are better than as many
            solvers.
        hash_mebibytes: Memory of each solver, in MiB.
        tablebase: A directory of tablebases on all machines, which are then not built anew.
        is_quiet: Whether to say nothing meanwhile.
    """

    def __init__(
        self,
        *,
        workers: int | None = None,
        threads: int = 1,
        hash_mebibytes: int = 1024,
        tablebase: str | None = None,
        is_quiet: bool = False,
    ) -> None:
        """Starts the solvers."""
        require_positive(workers=workers, threads=threads, hash_mebibytes=hash_mebibytes)
        count = workers or room_for(threads, hash_mebibytes)
        arguments = (threads, hash_mebibytes, tablebase)
        self._crew: Crew[Job] = Crew(_SolverActor, arguments, count, threads, hash_mebibytes)
        self._is_quiet = is_quiet
        self._jobs = Counter("kalah_jobs", "Jobs done.")
        self._left = Gauge("kalah_expected_nodes", "Positions expected to be left.")

    def solve(
        self, board: Board, *, job_nodes: int = 1_000_000, checkpoint: Path | None = None
    ) -> ClusterSolution:
        """Solves a board.

        A job whose solver is lost is done again. A driver that is started again continues from the
        checkpoint, and repeats the jobs that were running.

        Args:
            board: The board.
            job_nodes: Positions after which a job ends without an answer: a million take about a
                quarter of a second. More where messages take long, or solvers have many threads.
            checkpoint: A file that keeps what is proven.

        Raises:
            SolverError: The board cannot be solved, or the checkpoint is not one for it.
            TablebaseError: A tablebase could not be read.
        """
        require_positive(job_nodes=job_nodes)
        start = time.monotonic()
        tree = JobTree(board, job_nodes=job_nodes, checkpoint=checkpoint)
        self._crew.forget()  # what is still running for another board
        run = _Run(tree, JobBudget(tree), self._crew)
        line = LiveLine(is_quiet=self._is_quiet)
        next_save = start + _SAVE_INTERVAL
        try:
            while tree.margin() is None:
                run.hand_out()
                done = run.collect()
                if done:
                    self._jobs.inc(done)
                self._left.set(tree.expected_nodes())
                line.show(_progress(run))
                if checkpoint is not None and time.monotonic() > next_save:
                    tree.save()
                    next_save = time.monotonic() + _SAVE_INTERVAL
        finally:
            if checkpoint is not None:
                tree.save()
        line.show(_progress(run), is_last=True)
        margin = tree.margin()
        assert margin is not None
        return ClusterSolution(margin, run.jobs, run.nodes, run.lost, time.monotonic() - start)

    def close(self) -> None:
        """Ends the solvers, and what they are doing."""
        self._crew.close()


def _progress(run: _Run) -> str:
    low, high = run.tree.bounds()
    text = f"margin {low:+} to {high:+}  {run.jobs:,} jobs  {run.nodes / 1e6:,.0f} M positions"
    if run.tree.margin() is None:
        text += f"  about {run.tree.expected_nodes() / 1e6:,.0f} M left for this bound"
    return text + (f"  {run.lost} jobs lost" if run.lost else "")
