"""How many cores pay: a simulation of the drivers. ``cluster.py`` prints its figures.

Discrete events in virtual time. For exact values the tree is the real one, and the jobs are really
done, so that the work that many solvers do in vain is counted and not guessed; only the clock is
simulated. For matches the lengths of parts are drawn from those that were measured.
"""

from __future__ import annotations

import heapq
import itertools
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kalah._native import Board, JobTree, Solver

from kalah.cluster.pace import JobQueue, Worker, hand_out, parts_of_task

if TYPE_CHECKING:
    from collections.abc import Sequence

_JOBS_OF_SOLVER = 2


@dataclass(frozen=True)
class Conditions:
    """The cluster. Times are seconds.

    Attributes:
        latency: Of a message between the driver and a worker.
        driver: What the driver takes for a task, from handing it out to its result.
        record: What the driver takes for the record of a game.
        slow: The part of the workers that take twice as long.
        losses: Losses of each worker an hour. A task that is lost is noticed after `notice`.
        notice: Until a loss is noticed, and the worker is back.
        seed: Seed of all random numbers.
    """

    latency: float = 0.0005
    driver: float = 0.0006
    record: float = 0.00002
    slow: float = 0.05
    losses: float = 0.02
    notice: float = 10.0
    seed: int = 1


@dataclass
class Outcome:
    """What has come of a simulated run.

    Attributes:
        seconds: Its length.
        busy: Seconds that workers have worked, over all of them.
        work: Positions searched, or games played.
        tasks: Tasks whose results were taken.
        lost: Tasks lost.
        driver: The part of the time that the driver was busy.
        margin: The value found.
        solvers: Solvers that had a job.
    """

    seconds: float = 0.0
    busy: float = 0.0
    work: int = 0
    tasks: int = 0
    lost: int = 0
    driver: float = 0.0
    margin: int | None = None
    solvers: int = 0


@dataclass
class _Worker(Worker):
    slowness: float = 1.0
    free_at: float = 0.0


class _Clock:
    """Events in the order of their times, and a driver that does one thing at a time."""

    def __init__(self, conditions: Conditions) -> None:
        self.conditions = conditions
        self.draw = random.Random(conditions.seed)
        self.now = self.driver_free_at = self.driver_busy = 0.0
        self.events: list[tuple[float, int, Any]] = []
        self.number = itertools.count()

    def drive(self, seconds: float) -> float:
        """The driver works; returns when it is done."""
        self.driver_free_at = max(self.now, self.driver_free_at) + seconds
        self.driver_busy += seconds
        return self.driver_free_at

    def add(self, at: float, event: tuple[Any, ...]) -> None:
        heapq.heappush(self.events, (at, next(self.number), event))

    def next(self) -> Any:  # noqa: ANN401 - the event that was added
        self.now, _, event = heapq.heappop(self.events)
        return event

    def workers(self, count: int) -> list[_Worker]:
        slow = [self.draw.random() < self.conditions.slow for _ in range(count)]
        return [_Worker(slowness=2.0 if is_slow else 1.0) for is_slow in slow]

    def is_lost(self, seconds: float) -> bool:
        return self.draw.random() < seconds * self.conditions.losses / 3600

    def end(self, outcome: Outcome) -> Outcome:
        """The outcome, with the times of the run that has ended."""
        outcome.seconds = max(self.now, self.driver_free_at)
        outcome.driver = self.driver_busy / outcome.seconds
        return outcome


def simulate_solve(  # noqa: PLR0913 - a call with keywords
    board: Board,
    workers: int,
    conditions: Conditions,
    *,
    job_nodes: int = 100_000,
    rate: float = 5e6,
    solvers: int = 8,
    hash_mebibytes: int = 128,
) -> Outcome:
    """Solves a board in virtual time with this many workers.

    A job's result is found when it begins, with what its solver knows then, and told at its end. It
    takes `job_nodes` positions at most, of which a worker searches `rate` a second. If there are
    more workers than `solvers`, they share them, and so know more of each other than they would.
    """
    clock = _Clock(conditions)
    pool = [Solver(hash=hash_mebibytes) for _ in range(min(workers, solvers))]
    outcome, queue = Outcome(), JobQueue(JobTree(board, job_nodes=job_nodes))
    crew = clock.workers(workers)
    solver_of = {id(worker): pool[number % len(pool)] for number, worker in enumerate(crew)}

    def begin(worker: _Worker) -> bool:
        job = queue.next_job(workers)
        if job is None:
            return False
        sent_at = clock.drive(conditions.driver)
        solver = solver_of[id(worker)]
        solver.learn(queue.unsent_bounds(worker), board.capture, board.sowing)
        proven, nodes = solver.run_job(job)
        seconds = nodes / rate * worker.slowness
        start = max(sent_at + conditions.latency, worker.free_at)
        worker.free_at = start + seconds
        if clock.is_lost(seconds):
            worker.free_at += conditions.notice
            clock.add(worker.free_at, (worker, job, None))
            return True
        outcome.busy += seconds
        outcome.work += nodes
        clock.add(worker.free_at + conditions.latency, (worker, job, (proven, seconds)))
        return True

    while queue.tree.margin() is None:
        hand_out(crew, _JOBS_OF_SOLVER, begin)
        worker, job, result = clock.next()
        worker.tasks -= 1
        queue.end(job, result)
    outcome.tasks, outcome.lost, outcome.margin = queue.done, queue.lost, queue.tree.margin()
    outcome.solvers = sum(worker.free_at > 0 for worker in crew)
    return clock.end(outcome)


def simulate_match(
    games: int, pairs: int, seconds: Sequence[float], workers: int, conditions: Conditions
) -> Outcome:
    """Plays a match in virtual time with this many workers.

    A part has this many pairs of games, whose lengths are drawn from those that were measured.
    """
    clock, parts = _Clock(conditions), -(-games // (2 * pairs))
    waiting, outcome, done = parts, Outcome(work=games), 0

    def begin(worker: _Worker) -> None:
        nonlocal waiting
        of_part = outcome.busy / done if done else None
        count = parts_of_task(of_part, workers, waiting)
        waiting -= count
        length = worker.slowness * sum(clock.draw.choices(seconds, k=pairs * count))
        end = clock.drive(conditions.driver) + conditions.latency + length
        if clock.is_lost(length):
            clock.add(end + conditions.notice, (worker, count, None))
        else:
            clock.add(end + conditions.latency, (worker, count, length))

    idle = clock.workers(min(workers, parts))
    while done < parts:
        while idle and waiting > 0:
            begin(idle.pop())
        worker, count, length = clock.next()
        idle.append(worker)
        if length is None:
            outcome.lost += 1
            waiting += count
        else:
            clock.drive(2 * pairs * count * conditions.record)
            outcome.busy += length
            outcome.tasks += 1
            done += count
    return clock.end(outcome)
