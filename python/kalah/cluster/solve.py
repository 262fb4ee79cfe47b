"""Exact values: solvers everywhere do the jobs of one tree."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ray
from ray.util.metrics import Counter, Gauge

from kalah._native import Board, Job, JobTree, Solver
from kalah.analysis import Closable
from kalah.cluster.crew import ActorPool, ActorWorker, max_actors
from kalah.cluster.pace import JobQueue, Proven
from kalah.cluster.session import LiveLine, require_positive

if TYPE_CHECKING:
    from pathlib import Path


__all__ = ["ClusterSolution", "SolverPool"]

# Seconds between writes of the checkpoint.
_SAVE_INTERVAL = 10.0


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
        self._solver.learn(shared, job.board.capture, job.board.sowing)
        start = time.monotonic()
        proven, nodes = self._solver.run_job(job)
        return proven, nodes, time.monotonic() - start


class SolverPool(Closable):
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
        require_positive(workers=workers, threads=threads, hash_mebibytes=hash_mebibytes)
        count = workers or max_actors(threads, hash_mebibytes)
        arguments = (threads, hash_mebibytes, tablebase)
        self._actors = ActorPool[Job](
            _SolverActor, arguments, count, threads=threads, mebibytes=hash_mebibytes
        )
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
                second. More where messages take long, or solvers have many threads.
            checkpoint: A file that keeps what is proven.

        Raises:
            SolverError: The board cannot be solved, or the checkpoint is not one for it.
            TablebaseError: A tablebase could not be read.
        """
        require_positive(job_nodes=job_nodes)
        start = time.monotonic()
        tree = JobTree(board, job_nodes=job_nodes, checkpoint=checkpoint)
        self._actors.forget()  # what is still running for another board
        queue, nodes = JobQueue(tree), 0
        line = LiveLine(is_quiet=self._is_quiet)
        next_save = start + _SAVE_INTERVAL

        def begin(worker: ActorWorker) -> tuple[Job, Any] | None:
            job = queue.next_job(self._actors.up)
            if job is None:
                return None
            return job, worker.actor.run.remote(job, queue.unsent_bounds(worker))

        try:
            while tree.margin() is None:
                for job, result in self._actors.step(begin):
                    if result is None:
                        queue.end(job, None)
                        continue
                    proven, searched, seconds = result
                    queue.end(job, (proven, seconds))
                    nodes += searched
                    self._jobs.inc()
                self._left.set(tree.expected_nodes())
                line.show(_progress(queue, nodes))
                if checkpoint is not None and time.monotonic() > next_save:
                    tree.save()
                    next_save = time.monotonic() + _SAVE_INTERVAL
        finally:
            if checkpoint is not None:
                tree.save()
        line.show(_progress(queue, nodes), is_last=True)
        margin = tree.margin()
        assert margin is not None
        return ClusterSolution(margin, queue.done, nodes, queue.lost, time.monotonic() - start)

    def close(self) -> None:
        """Ends the solvers, and what they are doing."""
        self._actors.close()


def _progress(queue: JobQueue, nodes: int) -> str:
    low, high = queue.tree.bounds()
    text = f"margin {low:+} to {high:+}  {queue.done:,} jobs  {nodes / 1e6:,.0f} M positions"
    if queue.tree.margin() is None:
        text += f"  about {queue.tree.expected_nodes() / 1e6:,.0f} M left for this bound"
    return text + (f"  {queue.lost} jobs lost" if queue.lost else "")
