"""What searches find, and searches that run beside the program."""

from __future__ import annotations

import atexit
import threading
import weakref
from abc import ABC, abstractmethod
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NoReturn, Protocol, SupportsIndex, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from typing_extensions import Self

__all__ = ["Analysis", "Closable", "Info", "PlayResult", "Report", "Stop"]

# What is told each line, and a search that tells it.
Report: TypeAlias = "Callable[[Info], None]"
_Finder: TypeAlias = "Callable[[Report], PlayResult]"


@dataclass(frozen=True)
class Info:
    """A line of play that a search has found.

    Attributes:
        margin: The expected final margin in seeds, from the view of the player to move.
        pv: The line, the first move first.
        proven: Whether the margin is exact.
        bound: How the margin bounds the value of the iteration.
        depth: Depth of the iteration, in plies.
        seldepth: The greatest ply visited in it.
        multipv: Rank of the line, from 1.
        nodes: Positions searched so far.
        nps: Positions a second.
        time: Seconds since the search began.
        hashfull: The part of the table that this search has filled, in permille.
        tbhits: Successful probes of exact tables.
    """

    margin: float
    pv: list[str]
    proven: bool = False
    bound: Literal["exact", "lower", "upper"] = "exact"
    depth: int = 0
    seldepth: int = 0
    multipv: int = 1
    nodes: int = 0
    nps: int = 0
    time: float = 0
    hashfull: int = 0
    tbhits: int = 0


@dataclass(frozen=True)
class PlayResult:
    """What a search has come to.

    Attributes:
        move: The best move; None if the game is over.
        ponder: The expected reply.
        lines: The lines of the last iteration, best first; empty if none was finished.
    """

    move: str | None
    ponder: str | None
    lines: list[Info]


class Closable(ABC):
    """Something that is closed when its ``with`` block is left. It cannot be copied or pickled."""

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        message = f"{type(self).__name__} objects cannot be copied or pickled"
        raise TypeError(message)

    @abstractmethod
    def close(self) -> None:
        """Ends what it does and frees what it holds. It cannot be used any more."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Stop(Protocol):
    """Stops a search."""

    def stop(self) -> None:
        """Stops it, from any thread."""


_running: weakref.WeakSet[_Search] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    """Searches must not outlive the interpreter."""
    for search in list(_running):
        search.stop.stop()
        search.join()


class _Search(threading.Thread):
    """The thread of a search, with what it has found. It does not keep the analysis alive."""

    def __init__(self, search: _Finder, stop: Stop) -> None:
        super().__init__(target=self._find, args=(search,), name="kalah analysis", daemon=True)
        self.stop = stop
        self.lock = threading.Lock()
        self.infos: list[Info] = []
        self.future: Future[PlayResult] = Future()
        self.future.set_running_or_notify_cancel()
        # Each ends when something has changed.
        self.waiters: list[Future[None]] = []
        self.start()
        _running.add(self)

    def _find(self, search: _Finder) -> None:
        try:
            self.future.set_result(search(self._report))
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
            self.future.set_exception(error)
        with self.lock:
            self._wake()

    def _report(self, info: Info) -> None:
        with self.lock:
            self.infos.append(info)
            self._wake()

    def _wake(self) -> None:
        for waiter in self.waiters:
            if waiter.set_running_or_notify_cancel():
                waiter.set_result(None)
        self.waiters.clear()


def _drop(search: _Search, dropped: list[threading.Thread]) -> None:
    """Stops a search. The collector of garbage, on any thread, must not wait for its end."""
    dropped.append(search)
    search.stop.stop()


class Analysis(Closable):
    """A search that runs on a thread of its own, as an iterator over what it finds.

    It can be iterated over with ``for`` and ``async for``, and awaited for its result. Leaving its
    ``with`` block stops it, as does dropping it, or cancelling what awaits its result. What its
    engine is asked for next waits for the end of one that was dropped.

    Examples:
        >>> import kalah
        >>> with kalah.Engine().analysis(kalah.Board()) as analysis:
        ...     for info in analysis:
        ...         if info.depth == 4:
        ...             break
        >>> analysis.wait().move in kalah.Board().legal_moves
        True
    """

    def __init__(self, search: _Finder, stop: Stop, dropped: list[threading.Thread]) -> None:
        self._search = _Search(search, stop)
        self._next = 0
        weakref.finalize(self, _drop, self._search, dropped)

    def stop(self) -> None:
        """Stops the search. It ends within milliseconds; iteration goes on to its end."""
        self._search.stop.stop()

    def close(self) -> None:
        """Stops the search and waits for its end."""
        self.stop()
        self.join()

    def join(self) -> None:
        """Waits for the end of the search."""
        self._search.join()

    def wait(self) -> PlayResult:
        """Waits for the end of the search and returns its result.

        Raises:
            EngineError: The engine could not search.
        """
        return self._search.future.result()

    @property
    def lines(self) -> list[Info]:
        """The lines found so far, the latest of each rank, best first."""
        with self._search.lock:
            latest = {info.multipv: info for info in self._search.infos}
        return [latest[rank] for rank in sorted(latest)]

    def _poll(self) -> Info | Future[None] | None:
        """The next line; what to wait for if there is none yet; None at the end."""
        search = self._search
        with search.lock:
            if self._next < len(search.infos):
                self._next += 1
                return search.infos[self._next - 1]
            if search.future.done():
                search.future.result()
                return None
            waiter: Future[None] = Future()
            search.waiters.append(waiter)
            return waiter

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Info:
        while isinstance(found := self._poll(), Future):
            found.result()
        if found is None:
            raise StopIteration
        return found

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Info:
        import asyncio  # noqa: PLC0415 - it takes longer to import than the rest of the package

        while isinstance(found := self._poll(), Future):
            await asyncio.wrap_future(found)
        if found is None:
            raise StopAsyncIteration
        return found

    def __await__(self) -> Generator[object, None, PlayResult]:
        import asyncio  # noqa: PLC0415 - as above

        waiting = asyncio.wrap_future(self._search.future)
        waiting.add_done_callback(lambda _: self.stop())  # if it was cancelled
        return waiting.__await__()
