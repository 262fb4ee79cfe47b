"""Tasks on the cluster: those that Ray repeats, and those of actors, which may be lost."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import ray
from ray.exceptions import RayActorError

from kalah.analysis import Closable
from kalah.cluster.pace import Worker, hand_out

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable


# Seconds between attempts to reach an actor that was lost, at first and at most.
_PAUSE = 0.2
_LONGEST_PAUSE = 30.0
# Memory of a process beside its tables.
_MEBIBYTES_OF_PROCESS = 256
_MEBIBYTE = 1024 * 1024

Task = TypeVar("Task")


def max_actors(threads: int, mebibytes: int) -> int:
    """How many actors the cluster has processors and memory for; at least one."""
    resources: Any = ray.cluster_resources  # it has no types
    total = resources()
    memory = total.get("memory", 0) / _MEBIBYTE / (mebibytes + _MEBIBYTES_OF_PROCESS)
    return max(1, min(int(total.get("CPU", 1) / threads), int(memory)))


def _finished(running: Iterable[Any], timeout: float | None = None) -> list[Any]:
    """Waits for a result, at most this many seconds; returns the references of all results."""
    references = list(running)
    done, _ = ray.wait(references, num_returns=1, timeout=timeout)
    if done and len(references) > 1:
        # One call for each of a thousand would take as long as all of them together do.
        done, _ = ray.wait(references, num_returns=len(references), timeout=0)
    return done


def run_tasks(
    start: Callable[[], tuple[Task, Any] | None], at_once: int
) -> Generator[list[tuple[Task, Any]], None, None]:
    """Runs tasks that Ray repeats if they are lost; yields those that have ended, with results.

    `start` starts a task and returns it with the reference of its result, or None if all are
    started. What a task raises is raised here. The tasks that run when it is closed are cancelled.
    """
    running: dict[Any, Task] = {}
    try:
        while True:
            while len(running) < at_once and (started := start()) is not None:
                task, reference = started
                running[reference] = task
            if not running:
                return
            yield [(running.pop(done), ray.get(done)) for done in _finished(running)]
    finally:
        for reference in running:
            ray.cancel(reference, force=True)


@dataclass
class ActorWorker(Worker):
    """An actor, seen from the driver.

    Attributes:
        actor: The actor.
        is_up: Whether it has answered since it was started, or lost.
        losses: Losses since its last answer.
        ask_at: When it may be asked to answer.
    """

    actor: Any = None
    is_up: bool = False
    losses: int = 0
    ask_at: float = 0.0


class ActorPool(Closable, Generic[Task]):
    """Actors of a class that Ray starts again when they are lost; it does not repeat their tasks.

    An actor gets tasks once it has answered: there may be no room for it yet, for which it waits.

    Args:
        actor_class: The class, a remote one with ``max_restarts=-1``.
        arguments: The arguments of its instances.
        count: Actors.
        threads: Processors of each.
        mebibytes: Memory for the tables of each.
        depth: Tasks of an actor at most, with the one that it does.
    """

    def __init__(  # noqa: PLR0913 - a call with keywords
        self,
        actor_class: Any,
        arguments: tuple[Any, ...],
        count: int,
        *,
        threads: int = 1,
        mebibytes: int,
        depth: int = 2,
    ) -> None:
        memory = (mebibytes + _MEBIBYTES_OF_PROCESS) * _MEBIBYTE
        remote = actor_class.options(num_cpus=threads, memory=memory).remote
        self._workers = [ActorWorker(actor=remote(*arguments)) for _ in range(count)]
        self._running: dict[Any, tuple[Task | None, ActorWorker]] = {}
        self._depth = depth

    @property
    def up(self) -> int:
        """Actors that can work."""
        return sum(worker.is_up for worker in self._workers)

    def step(
        self, start: Callable[[ActorWorker], tuple[Task, Any] | None]
    ) -> list[tuple[Task, Any]]:
        """Gives tasks to the actors that can take one, and waits a little for results.

        `start` starts a task of an actor and returns it with the reference of its result, or None
        if there is no task at present. Returns the tasks that have ended, with None for the result
        if they were lost. What a task raises is raised here.
        """

        def begin(worker: ActorWorker) -> bool:
            if (started := start(worker)) is not None:
                task, reference = started
                self._running[reference] = task, worker
            return started is not None

        hand_out([worker for worker in self._workers if worker.is_up], self._depth, begin)
        self._ask()
        if not self._running:
            time.sleep(_PAUSE)  # every actor is lost, or there is nothing to do yet
            return []
        ended = [self._end(reference) for reference in _finished(self._running, _PAUSE)]
        return [(task, result) for task, result in ended if task is not None]

    def _ask(self) -> None:
        """Asks the actors that are not up to answer."""
        now = time.monotonic()
        for worker in self._workers:
            if not worker.is_up and now >= worker.ask_at:
                worker.ask_at = math.inf  # once
                worker.tasks += 1
                self._running[worker.actor.__ray_ready__.remote()] = None, worker

    def _end(self, reference: Any) -> tuple[Task | None, Any]:
        task, worker = self._running.pop(reference)
        worker.tasks -= 1
        try:
            result = ray.get(reference)
        except RayActorError:
            # It starts again, elsewhere if its machine is gone, and has forgotten everything. That
            # may take until there is a machine for it.
            worker.told, worker.is_up = 0, False
            worker.losses += 1
            pause = min(_PAUSE * 2 ** min(worker.losses, 10), _LONGEST_PAUSE)
            worker.ask_at = time.monotonic() + pause
            return task, None
        worker.is_up, worker.losses = True, 0
        return task, result

    def forget(self) -> None:
        """Drops the results of what is running, and what the actors have been told."""
        for reference, (_, worker) in self._running.items():
            self._running[reference] = None, worker
        for worker in self._workers:
            worker.told = 0

    def close(self) -> None:
        """Ends the actors, and what they are doing."""
        for worker in self._workers:
            ray.kill(worker.actor)
