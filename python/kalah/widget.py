"""A board in a notebook that one plays and analyses on; it needs the package anywidget.

Examples:
    >>> import kalah
    >>> from kalah.widget import BoardWidget
    >>> widget = BoardWidget(kalah.Board(), opponent=kalah.NORTH)
    >>> widget.play("C")
    >>> widget.board.move_stack
    ['C']
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from kalah._native import Board
from kalah.engine import Engine, Limit
from kalah.errors import KalahError
from kalah.side import Side

if TYPE_CHECKING:
    from kalah.engine import BaseEngine, Info

__all__ = ["BoardWidget"]

_LIMIT = Limit(time=0.5)


def _text(line: Info) -> str:
    """The margin of a line."""
    if line.proven:
        return f"{line.margin:+.0f}" if line.margin else "0"
    return f"≈{line.margin:+.1f}"


class BoardWidget(anywidget.AnyWidget):
    """A board that is played on by clicks or keys.

    *Analyse* writes the margin of each move into its house: exact, or after ``≈`` an estimate.

    Attributes:
        board: The board, which the moves in the notebook change.
        opponent: The side for which the engine plays, or None.
        shown: What the notebook shows; it is set by the methods.
    """

    _esm = Path(__file__).with_name("widget.js")
    shown = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        board: Board | None = None,
        *,
        opponent: Side | None = None,
        engine: BaseEngine | None = None,
        limit: Limit = _LIMIT,
    ) -> None:
        """Shows a board.

        Args:
            board: The board, by default the start of Kalah(6,4). It is not copied.
            opponent: The side for which the engine plays.
            engine: The engine, by default a new one.
            limit: The limit of each search. The notebook waits for it.

        Raises:
            ValueError: The limit has no end for one of the sides.
        """
        if any(limit.is_endless(side) for side in Side):
            message = "a search of the widget needs a limit with an end, for both sides"
            raise ValueError(message)
        super().__init__()
        self.board = Board() if board is None else board
        self.opponent = opponent
        self._engine = Engine() if engine is None else engine
        self._limit = limit
        self.on_msg(self._receive)
        self._answer()

    def play(self, move: str) -> None:
        """Plays a move, and what the engine answers.

        Raises:
            IllegalMoveError: The move is not legal.
        """
        self.board.push(move)
        self._show()
        self._answer()

    def undo(self) -> None:
        """Takes back the last move, and before it those of the engine."""
        while self.board.move_stack:
            self.board.pop()
            if self.board.turn != self.opponent:
                break
        self._answer()

    def analyse(self) -> None:
        """Shows the margin of each move, from the view of the player to move."""
        if not self.board.is_over():
            lines = self._engine.analyse(self.board, self._limit, multipv=self.board.houses)
            self._show({line.pv[0]: _text(line) for line in lines})

    def _answer(self) -> None:
        while self.board.turn == self.opponent and not self.board.is_over():
            move = self._engine.play(self.board, self._limit).move
            if move is None:
                break
            self.board.push(move)
        self._show()

    def _show(self, values: dict[str, str] | None = None, problem: str = "") -> None:
        is_engine_to_move = self.board.turn == self.opponent
        self.shown = {
            "picture": self.board.svg(),
            "moves": [] if is_engine_to_move else self.board.legal_moves,
            "values": values or {},
            "status": problem or self._status(),
            "can_undo": bool(self.board.move_stack),
        }

    def _status(self) -> str:
        margin = self.board.margin()
        if margin is None:
            return f"{self.board.turn.name.capitalize()} to move"
        if margin == 0:
            return "A draw"
        return f"{'South' if margin > 0 else 'North'} wins by {abs(margin)}"

    def _receive(self, _widget: object, content: Any, _buffers: object) -> None:  # noqa: ANN401
        try:
            match content:
                case {"play": str(move)} if move in self.board.legal_moves:
                    self.play(move)
                case "undo":
                    self.undo()
                case "analyse":
                    self.analyse()
                case _:
                    # The page was behind, as after two quick clicks.
                    self._answer()
        except KalahError as error:
            self._show(problem=str(error))
