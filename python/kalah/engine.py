"""Engines: the one of this package, in this process, and any other that speaks the protocol.

Example:
    >>> import kalah
    >>> engine = kalah.Engine(hash=16, threads=1)
    >>> board = kalah.Board.from_text("<6,9,17,0,3,0,1,4,0,1,0,0,0,0,1>")
    >>> info = engine.analyse(board, kalah.Limit(time=1))
    >>> info.margin, info.proven, info.pv[0]
    (-8, True, 'E')
"""

from __future__ import annotations

import atexit
import threading
import weakref
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, overload

from kalah import _native
from kalah.errors import EngineError
from kalah.side import Side

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, Future
    from collections.abc import Callable, Generator, Mapping, Sequence
    from os import PathLike
    from types import TracebackType

    from typing_extensions import Self

    from kalah._native import Board
    from kalah.process import ProcessEngine

__all__ = ["Analysis", "BaseEngine", "Engine", "Info", "Limit", "PlayResult", "popen"]


@dataclass(frozen=True)
class Limit:
    """When a search ends: at the first of these that is reached.

    Attributes:
        time: Seconds for this move.
        depth: Plies of iterative deepening.
        nodes: Positions searched.
        south_clock: Seconds left on South's clock.
        north_clock: Seconds left on North's clock.
        south_inc: Seconds that South gets for each move.
        north_inc: Seconds that North gets for each move.
        remaining_moves: Moves to the next time control.
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    south_clock: float | None = None
    north_clock: float | None = None
    south_inc: float = 0
    north_inc: float = 0
    remaining_moves: int | None = None

    def clock(self, side: Side) -> tuple[float, float] | None:
        """The clock of a side: seconds left and seconds for each move; None if it has no clock."""
        if side == Side.SOUTH:
            left, added = self.south_clock, self.south_inc
        else:
            left, added = self.north_clock, self.north_inc
        return None if left is None else (left, added)

    def is_endless(self, side: Side) -> bool:
        """Whether a search for a side ends only when it is stopped."""
        limits = (self.time, self.depth, self.nodes, self.clock(side))
        return all(limit is None for limit in limits)


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


class Stop(Protocol):
    """Stops a search."""

    def stop(self) -> None:
        """Stops it, from any thread."""


_running: weakref.WeakSet[Analysis] = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    """Searches must not outlive the interpreter."""
    for analysis in list(_running):
        analysis.stop()
        analysis.join()


class Analysis:
    """A search that runs on a thread of its own, as an iterator over what it finds.

    It can be iterated over with ``for`` and ``async for``, and awaited for its result. Leaving its
    ``with`` block stops it.

    Example:
        >>> import kalah
        >>> with kalah.Engine().analysis(kalah.Board()) as analysis:
        ...     for info in analysis:
        ...         if info.depth == 4:
        ...             break
        >>> analysis.wait().move in kalah.Board().legal_moves
        True
    """

    def __init__(self, search: Callable[[Callable[[Info], None]], PlayResult], stop: Stop) -> None:
        """Begins a search, which reports lines to the function that it gets."""
        self._search = search
        self._stop = stop
        self._changed = threading.Condition()
        self._infos: list[Info] = []
        self._next = 0
        self._result: PlayResult | None = None
        self._error: BaseException | None = None
        self._is_done = False
        self._waiters: list[tuple[AbstractEventLoop, Future[None]]] = []
        self._thread = threading.Thread(target=self._run, name="kalah analysis", daemon=True)
        _running.add(self)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._result = self._search(self._report)
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
            self._error = error
        with self._changed:
            self._is_done = True
            self._wake()

    def _report(self, info: Info) -> None:
        with self._changed:
            self._infos.append(info)
            self._wake()

    def _wake(self) -> None:
        self._changed.notify_all()
        for loop, waiter in self._waiters:
            if not loop.is_closed():
                loop.call_soon_threadsafe(_set_done, waiter)
        self._waiters.clear()

    def stop(self) -> None:
        """Stops the search. It ends within milliseconds; iteration goes on to its end."""
        self._stop.stop()

    def join(self) -> None:
        """Waits for the end of the search."""
        self._thread.join()

    def wait(self) -> PlayResult:
        """Waits for the end of the search and returns its result.

        Raises:
            EngineError: The engine could not search.
        """
        self.join()
        return self._outcome()

    def _outcome(self) -> PlayResult:
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    @property
    def lines(self) -> list[Info]:
        """The lines found so far, the latest of each rank, best first."""
        with self._changed:
            latest = {info.multipv: info for info in self._infos}
        return [latest[rank] for rank in sorted(latest)]

    def _take(self) -> Info | None:
        """The next line, if there is one."""
        if self._next == len(self._infos):
            return None
        self._next += 1
        return self._infos[self._next - 1]

    def __iter__(self) -> Self:
        """Iterates over the lines as they are found."""
        return self

    def __next__(self) -> Info:
        """Waits for the next line."""
        with self._changed:
            while (info := self._take()) is None:
                if self._is_done:
                    self._outcome()
                    raise StopIteration
                self._changed.wait()
            return info

    def __aiter__(self) -> Self:
        """Iterates over the lines as they are found."""
        return self

    async def __anext__(self) -> Info:
        """Waits for the next line."""
        while True:
            with self._changed:
                if (info := self._take()) is not None:
                    return info
                if self._is_done:
                    self._outcome()
                    raise StopAsyncIteration
                waiter = self._waiter()
            await waiter

    def _waiter(self) -> Future[None]:
        """Is done when something has changed."""
        import asyncio  # noqa: PLC0415 - it takes longer to import than the rest of the package

        loop = asyncio.get_running_loop()
        waiter = loop.create_future()
        self._waiters.append((loop, waiter))
        return waiter

    def __await__(self) -> Generator[object, None, PlayResult]:
        """Waits for the end of the search and returns its result."""
        while True:
            with self._changed:
                if self._is_done:
                    return self._outcome()
                waiter = self._waiter()
            yield from waiter.__await__()

    def __enter__(self) -> Self:
        """Enters the block at whose end the search is stopped."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stops the search and waits for its end."""
        self.stop()
        self.join()


def _set_done(waiter: Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


class BaseEngine(ABC):
    """What all engines do."""

    @abstractmethod
    def configure(self, options: Mapping[str, str | int | bool]) -> None:
        """Sets options by their names in the protocol, such as ``{"Skill Level": 5}``.

        Raises:
            EngineError: There is no such option, the value does not fit, or a search is running.
        """

    @abstractmethod
    def new_game(self) -> None:
        """Forgets what was found in earlier games.

        Raises:
            EngineError: The engine is searching.
        """

    @abstractmethod
    def close(self) -> None:
        """Frees what the engine holds. It cannot be used any more."""

    @abstractmethod
    def _new_stop(self) -> Stop: ...

    @abstractmethod
    def _search(  # noqa: PLR0913 - one place for all that a search takes
        self,
        board: Board,
        limit: Limit,
        multipv: int,
        searchmoves: Sequence[str],
        report: Callable[[Info], None] | None,
        stop: Stop,
    ) -> PlayResult: ...

    def play(self, board: Board, limit: Limit, *, searchmoves: Sequence[str] = ()) -> PlayResult:
        """Finds a move. Ctrl-C ends the search.

        Args:
            board: The board. It does not change.
            limit: When the search ends.
            searchmoves: The moves to search; all if it is empty.

        Raises:
            ValueError: The limit has no end.
            EngineError: The engine cannot search, or is searching.
        """
        _check(board, limit)
        return self._search(board, limit, 1, searchmoves, None, self._new_stop())

    @overload
    def analyse(self, board: Board, limit: Limit, *, searchmoves: Sequence[str] = ...) -> Info: ...

    @overload
    def analyse(
        self, board: Board, limit: Limit, *, multipv: int, searchmoves: Sequence[str] = ...
    ) -> list[Info]: ...

    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        searchmoves: Sequence[str] = (),
    ) -> Info | list[Info]:
        """Judges a board. Ctrl-C ends the search.

        Args:
            board: The board. It does not change.
            limit: When the search ends.
            multipv: The number of lines to find; then the result is a list, best first.
            searchmoves: The moves to search; all if it is empty.

        Raises:
            ValueError: The limit has no end.
            EngineError: The engine cannot search, is searching, or has found no line in time.
        """
        _check(board, limit)
        stop = self._new_stop()
        result = self._search(board, limit, multipv or 1, searchmoves, None, stop)
        if multipv is not None:
            return result.lines
        if not result.lines:
            message = "no line was found within the limit"
            raise EngineError(message)
        return result.lines[0]

    def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        searchmoves: Sequence[str] = (),
    ) -> Analysis:
        """Begins a search that reports what it finds; without a limit it is endless.

        Args:
            board: The board. It is copied.
            limit: When the search ends.
            multipv: The number of lines to find.
            searchmoves: The moves to search; all if it is empty.
        """
        board, limit, stop = board.copy(), limit or Limit(), self._new_stop()

        def search(report: Callable[[Info], None]) -> PlayResult:
            return self._search(board, limit, multipv, searchmoves, report, stop)

        return Analysis(search, stop)

    def __enter__(self) -> Self:
        """Enters the block at whose end the engine is closed."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Closes the engine."""
        self.close()


def _check(board: Board, limit: Limit) -> None:
    if limit.is_endless(board.turn):
        message = "a limit without an end is for analysis(), which can be stopped"
        raise ValueError(message)


class Engine(BaseEngine):
    """The engine of this package, in this process.

    It searches without the GIL: several engines on several threads use several cores. One engine
    does one search at a time.

    Args:
        hash: Memory of the transposition table, in MiB.
        threads: Threads that search. With one, and without limits on time, a board after
            :meth:`new_game` has the same result every time.
        level: Strength from 0 to 20, which is full strength.
        options: Other options, by their names in the protocol.

    Raises:
        EngineError: There is no such option, or the value does not fit.

    Example:
        >>> import kalah
        >>> weak = kalah.Engine(level=3)
        >>> weak.play(kalah.Board(), kalah.Limit(time=0.05)).move in "ABCDEF"
        True
    """

    def __init__(
        self,
        *,
        hash: int = 16,  # noqa: A002 - its name in the protocol
        threads: int = 1,
        level: int = 20,
        options: Mapping[str, str | int | bool] | None = None,
    ) -> None:
        """Makes an engine."""
        self._native: _native.Engine | None = _native.Engine()
        self.configure({"Hash": hash, "Threads": threads, "Skill Level": level})
        self.configure(options or {})

    def _open(self) -> _native.Engine:
        if self._native is None:
            message = "the engine is closed"
            raise EngineError(message)
        return self._native

    def configure(self, options: Mapping[str, str | int | bool]) -> None:  # noqa: D102
        for name, value in options.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            self._open().set_option(name, text)

    def new_game(self) -> None:  # noqa: D102
        self._open().new_game()

    def close(self) -> None:  # noqa: D102
        self._native = None

    def _new_stop(self) -> Stop:
        return _native.StopToken()

    def _search(  # noqa: PLR0913
        self,
        board: Board,
        limit: Limit,
        multipv: int,
        searchmoves: Sequence[str],
        report: Callable[[Info], None] | None,
        stop: Stop,
    ) -> PlayResult:
        assert isinstance(stop, _native.StopToken)
        clock = limit.clock(board.turn)
        move, ponder, lines = self._open().go(
            board,
            stop,
            None if report is None else lambda line: report(Info(**line)),
            time=limit.time,
            depth=limit.depth,
            nodes=limit.nodes,
            clock=None if clock is None else (*clock, limit.remaining_moves),
            searchmoves=list(searchmoves),
            multipv=multipv,
        )
        return PlayResult(move, ponder, [Info(**line) for line in lines])


def popen(
    command: str | PathLike[str] | Sequence[str | PathLike[str]], *, timeout: float = 10
) -> ProcessEngine:
    """Starts an engine that speaks the protocol as a process, such as ``popen("kalah")``.

    Args:
        command: The program with its arguments; a text is split as in a shell.
        timeout: Seconds within which the engine has to answer what takes no search.

    Raises:
        OSError: The program cannot be started.
        EngineError: It does not speak the protocol.
    """
    from kalah.process import ProcessEngine  # noqa: PLC0415 - most programs do not need it

    return ProcessEngine(command, timeout=timeout)
