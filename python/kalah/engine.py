"""Engines: the one of this package, in this process, and any other that speaks the protocol.

Examples:
    >>> import kalah
    >>> engine = kalah.Engine(hash=16, threads=1)
    >>> board = kalah.Board.from_text("<6,9,17,0,3,0,1,4,0,1,0,0,0,0,1>")
    >>> info = engine.analyse(board, kalah.Limit(time=1))
    >>> info.margin, info.proven, info.pv[0]
    (-8, True, 'E')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kalah import _native
from kalah.analysis import Analysis, Info, PlayResult, Report, Stop
from kalah.base_engine import BaseEngine, Limit, Request
from kalah.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from kalah.process import ProcessEngine

__all__ = ["Analysis", "BaseEngine", "Engine", "Info", "Limit", "PlayResult", "popen"]


class Engine(BaseEngine):
    """The engine of this package, in this process.

    It searches without the GIL: several engines on several threads use several cores. One engine
    does one search at a time. What its book has, exact values of the first plies of Kalah(6,4), it
    answers at once; ``options={"OwnBook": False}`` leaves the book out.

    Args:
        hash: Memory of the transposition table, in MiB.
        threads: Threads that search. With one, and without limits on time, a board after
            `new_game` has the same result every time, at the level 20 or with an option
            ``Random Seed`` other than 0.
        level: Strength from 0 to 20, which is full strength.
        options: Other options, by their names in the protocol.

    Raises:
        ValueError: A number is out of its range.
        EngineError: There is no such option, the value does not fit, or there is no memory.

    Examples:
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
        options: Mapping[str, str | int | bool | None] | None = None,
    ) -> None:
        super().__init__()
        native = _native.Engine(hash=hash, threads=threads, level=level)
        self._native: _native.Engine | None = native
        self._stop = _native.StopToken()
        self._new_stop = self._stop.child
        self.configure(options or {})

    def _open(self) -> _native.Engine:
        if self._native is None:
            message = "the engine is closed"
            raise EngineError(message)
        return self._native

    def _set_options(self, options: dict[str, str]) -> None:
        for name, value in options.items():
            self._open().set_option(name, value)

    def new_game(self) -> None:  # noqa: D102
        self._await_dropped()
        self._open().new_game()

    def close(self) -> None:  # noqa: D102
        self._native = None
        self._stop.stop()

    def _search(self, request: Request, report: Report | None, stop: Stop) -> PlayResult:
        assert isinstance(stop, _native.StopToken)
        move, ponder, lines = self._open().go(
            request.board,
            stop,
            None if report is None else lambda *line: report(Info(*line)),
            limit=request.limit,
            searchmoves=request.searchmoves,
            multipv=request.multipv,
        )
        return PlayResult(move, ponder, [Info(*line) for line in lines])


def popen(
    command: str | PathLike[str] | Sequence[str | PathLike[str]], *, timeout: float = 10
) -> ProcessEngine:
    """Starts an engine that speaks the protocol as a process, such as ``popen("kalah")``.

    Args:
        command: The program with its arguments; a text is split as in a shell.
        timeout: Seconds within which the engine has to answer what takes no search. A timed search
            may exceed its limit by this much. One without such a limit has to report a line within
            twice the timeout, and then progress, at least after the timeout and a time that no
            engine needs: a second for 1,000 nodes of the limit, or 3 to the power of its depth
            milliseconds. An engine that is silent is also asked for a sign of life.

    Raises:
        OSError: The program cannot be started.
        EngineError: It does not speak the protocol.
        ValueError: The command is empty, or the timeout not above 0.
    """
    from kalah.process import ProcessEngine  # noqa: PLC0415 - most programs do not need it

    return ProcessEngine(command, timeout=timeout)
