"""What all engines do, and how long."""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, SupportsIndex, overload

from kalah import _native
from kalah.analysis import Analysis, Closable, Info, PlayResult, Report, Stop
from kalah.errors import EngineError

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Mapping, Sequence

    from kalah._native import Board
    from kalah.side import Side

__all__ = ["BaseEngine", "Limit", "Request"]


@dataclass(frozen=True)
class Limit:
    """When a search ends: at the first of these that is reached.

    Attributes:
        time: Seconds for this move.
        depth: Plies of iterative deepening, 1 to 255.
        nodes: Positions searched, 1 or more.
        south_clock: Seconds left on South's clock.
        north_clock: Seconds left on North's clock.
        south_inc: Seconds that South gets for each move.
        north_inc: Seconds that North gets for each move.
        remaining_moves: Moves to the next time control, 1 or more.

    Raises:
        ValueError: A number is out of its range; the text names it.
        TypeError: A time is not a number, or a count not a whole one.
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    south_clock: float | None = None
    north_clock: float | None = None
    south_inc: float = 0
    north_inc: float = 0
    remaining_moves: int | None = None

    def __post_init__(self) -> None:
        _native.check_limit(self)

    def clock(self, side: Side) -> tuple[float, float] | None:
        """The clock of a side: seconds left and seconds for each move; None if it has no clock."""
        clocks = (self.south_clock, self.south_inc), (self.north_clock, self.north_inc)
        left, added = clocks[side]
        return None if left is None else (left, added)

    def is_endless(self, side: Side) -> bool:
        """Whether a search for a side ends only when it is stopped."""
        limits = (self.time, self.depth, self.nodes, self.clock(side))
        return all(limit is None for limit in limits)


@dataclass(frozen=True)
class Request:
    """What is searched, and how long; `searchmoves` become letters, each once."""

    board: Board
    limit: Limit
    multipv: int = 1
    searchmoves: Sequence[str | SupportsIndex] = ()

    def __post_init__(self) -> None:
        moves = _native.check_request(self.board, tuple(self.searchmoves), self.multipv)
        object.__setattr__(self, "searchmoves", tuple(moves))


class BaseEngine(Closable):
    """What all engines do."""

    _new_stop: Callable[[], Stop]

    def __init__(self) -> None:
        # Analyses that were dropped, and may not have ended yet.
        self._dropped: list[threading.Thread] = []

    def _await_dropped(self) -> None:
        """Waits for the end of analyses that were dropped."""
        with contextlib.suppress(IndexError):
            while True:
                self._dropped.pop().join()

    def configure(self, options: Mapping[str, str | int | bool | None]) -> None:
        """Sets options by their names in the protocol: ``{"Skill Level": 5}``. A button has None.

        Raises:
            EngineError: There is no such option, the value does not fit, or a search is running.
        """
        words = {"True": "true", "False": "false"}
        texts = {}
        for name, value in options.items():
            text = "" if value is None else str(value)
            texts[name] = text if isinstance(value, str) else words.get(text, text)
        self._await_dropped()
        self._set_options(texts)

    @abstractmethod
    def new_game(self) -> None:
        """Forgets what was found in earlier games.

        Raises:
            EngineError: The engine is searching.
        """

    @abstractmethod
    def _set_options(self, options: dict[str, str]) -> None: ...

    @abstractmethod
    def _search(self, request: Request, report: Report | None, stop: Stop) -> PlayResult: ...

    def play(
        self, board: Board, limit: Limit, *, searchmoves: Sequence[str | SupportsIndex] = ()
    ) -> PlayResult:
        """Finds a move. Ctrl-C ends the search.

        Args:
            board: The board. It does not change.
            limit: When the search ends.
            searchmoves: The moves to search, letters or indexes; all if it is empty.

        Raises:
            ValueError: The limit has no end.
            IllegalMoveError: One of the ``searchmoves`` is illegal; NotationError if it is no move.
            EngineError: The engine cannot search, is searching, or does not answer.
        """
        return self._result(Request(board, limit, searchmoves=searchmoves))

    def _result(self, request: Request) -> PlayResult:
        """Searches; refuses a limit without an end."""
        if request.limit.is_endless(request.board.turn):
            message = "a limit without an end is for analysis(), which can be stopped"
            raise ValueError(message)
        self._await_dropped()
        return self._search(request, None, self._new_stop())

    @overload
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: None = None,
        searchmoves: Sequence[str | SupportsIndex] = ...,
    ) -> Info: ...

    @overload
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int,
        searchmoves: Sequence[str | SupportsIndex] = ...,
    ) -> list[Info]: ...

    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        searchmoves: Sequence[str | SupportsIndex] = (),
    ) -> Info | list[Info]:
        """Judges a board. Ctrl-C ends the search.

        The arguments and errors are those of `play`, and ``multipv``, the number of lines to
        find, 1 to 12: with it the result is a list, best first.

        Raises:
            ValueError: ``multipv`` is out of its range.
            EngineError: Without ``multipv``, the game is over or no line was found in time.
        """
        result = self._result(Request(board, limit, 1 if multipv is None else multipv, searchmoves))
        if multipv is not None:
            return result.lines
        if not result.lines:
            message = "the game is over" if board.is_over() else "no line was found in time"
            raise EngineError(message)
        return result.lines[0]

    def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        searchmoves: Sequence[str | SupportsIndex] = (),
    ) -> Analysis:
        """Begins a search that reports what it finds.

        Without a limit it goes on until it is stopped or dropped, its engine is closed, or all
        lines are proven. The arguments are those of `analyse`; the board is copied.
        """
        request = Request(board.copy(), limit or Limit(), multipv, searchmoves)
        stop = self._new_stop()
        self._await_dropped()
        return Analysis(lambda report: self._search(request, report, stop), stop, self._dropped)
