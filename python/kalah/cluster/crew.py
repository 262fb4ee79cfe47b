"""Actors that do tasks, some of which are lost with their machines."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import ray
from ray.exceptions import RayActorError

from kalah.closing import Closing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


# Seconds between attempts to reach an actor that was lost, at first and at most.
_PAUSE = 0.2
_LONGEST_PAUSE = 30.0
# What a process takes beside its tables.
_MEBIBYTES_OF_PROCESS = 256
_MEBIBYTE = 1024 * 1024

Task = TypeVar("Task")


def room_for(threads: int, mebibytes: int) -> int:
    """How many actors the cluster has processors and memory for; at least one."""
    resources: Any = ray.cluster_resources  # it has no types
    total = resources()
    memory = total.get("memory", 0) / _MEBIBYTE / (mebibytes + _MEBIBYTES_OF_PROCESS)
    return max(1, min(int(total.get("CPU", 1) / threads), int(memory)))


def finished(running: Iterable[Any], timeout: float | None = None) -> list[Any]:
    """Waits for a result, this many seconds at most; returns the references of all there are."""
    references = list(running)
    done, _ = ray.wait(references, num_returns=1, timeout=timeout)
    if done and len(references) > 1:
        # One call for each of a thousand would take as long as all of them together do.
        done, _ = ray.wait(references, num_returns=len(references), timeout=0)
    return done


@dataclass
class Worker:
    """An actor, seen from the driver.

    Attributes:
        actor: The actor.
        tasks: Tasks that it has been given.
        told: How much it has been told of what others have found.
        is_up: Whether it has answered since it was started, or lost.
        is_asked: Whether it has been asked to answer.
        losses: How often it was lost since its last answer.
        ask_at: When it may be asked again.
    """

    actor: Any
    tasks: int = 0
    told: int = 0
    is_up: bool = False
    is_asked: bool = False
    losses: int = 0
    ask_at: float = 0.0


@dataclass(frozen=True)
class Outcome(Generic[Task]):
    """What has become of a task: its result, or None if it was lost."""

    task: Task
    worker: Worker
    result: Any | None


class Crew(Closing, Generic[Task]):
    """Actors of a class that Ray starts again when they are lost; it does not repeat their tasks.

    An actor gets tasks once it has answered: there may be no room for it yet.

    Args:
        actor_class: The class, a remote one with ``max_restarts=-1``.
        arguments: What its instances are made of.
        count: How many.
        threads: Processors of each.
        mebibytes: Memory for the tables of each.
    """

    def __init__(
        self, actor_class: Any, arguments: tuple[Any, ...], count: int, threads: int, mebibytes: int
    ) -> None:
        """Starts the actors; those for which there is no room wait for it."""
        memory = (mebibytes + _MEBIBYTES_OF_PROCESS) * _MEBIBYTE
        remote = actor_class.options(num_cpus=threads, memory=memory).remote
        self._workers = [Worker(remote(*arguments)) for _ in range(count)]
        self._running: dict[Any, tuple[Task | None, Worker]] = {}

    @property
    def is_idle(self) -> bool:
        """Whether no task is running."""
        return all(task is None for task, _ in self._running.values())

    @property
    def up(self) -> int:
        """How many actors can work."""
        return sum(worker.is_up for worker in self._workers)

    def ready(self, depth: int) -> Iterator[Worker]:
        """The actors that can work and have fewer tasks than this."""
        return (each for each in self._workers if each.is_up and each.tasks < depth)

    def give(self, worker: Worker, task: Task, reference: Any) -> None:
        """Notes a task that an actor was given, and the reference of its result."""
        worker.tasks += 1
        self._running[reference] = task, worker

    def take(self) -> list[Outcome[Task]]:
        """Waits a little for results, and for losses.

        Raises:
            RayTaskError: The task has raised an exception, which is this one as well.
        """
        self._ask()
        if not self._running:
            time.sleep(_PAUSE)  # every actor is lost, or there is nothing to do yet
            return []
        outcomes = [self._outcome(reference) for reference in finished(self._running, _PAUSE)]
        return [outcome for outcome in outcomes if outcome is not None]

    def _ask(self) -> None:
        """Asks the actors that are not up to answer."""
        now = time.monotonic()
        for worker in self._workers:
            if not worker.is_up and not worker.is_asked and now >= worker.ask_at:
                worker.is_asked = True
                worker.tasks += 1
                self._running[worker.actor.__ray_ready__.remote()] = None, worker

    def _outcome(self, reference: Any) -> Outcome[Task] | None:
        task, worker = self._running.pop(reference)
        worker.tasks -= 1
        try:
            result = ray.get(reference)
        except RayActorError:
            # It starts again, elsewhere if its machine is gone, and has forgotten everything. That
            # may take until there is a machine for it.
            worker.told = 0
            worker.is_up = worker.is_asked = False
            worker.losses += 1
            pause = min(_PAUSE * 2**worker.losses, _LONGEST_PAUSE)
            worker.ask_at = time.monotonic() + pause
            result = None
        else:
            worker.is_up, worker.is_asked, worker.losses = True, False, 0
        return None if task is None else Outcome(task, worker, result)

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
