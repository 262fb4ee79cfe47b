"""The game that the environments of other packages share, its arguments and its rewards."""

from __future__ import annotations

import copy
import operator
from typing import TYPE_CHECKING, SupportsIndex, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from kalah._native import Board
from kalah.side import Side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gymnasium.spaces import Space
    from numpy.typing import ArrayLike
    from typing_extensions import Self

ILLEGAL_REWARD = -1.0

Observation: TypeAlias = NDArray[np.uint16]
Word = TypeVar("Word", str, "str | None")


def check_word(name: str, value: Word, known: Sequence[str | None]) -> Word:
    """The value of an argument, if it is one of those known.

    Raises:
        ValueError: It is not.
    """
    if value not in known:
        message = f"{name} is one of {', '.join(map(str, known))}, not {value!r}"
        raise ValueError(message)
    return value


class DeepCopied:
    """An environment whose copies share nothing with it."""

    def __copy__(self) -> Self:
        return copy.deepcopy(self)


class OneBoard(DeepCopied):
    """An environment with one board, which it can show."""

    board: Board
    render_mode: str | None

    def render(self) -> str | None:
        """The board as ``render_mode`` says; None without one, or if it is printed."""
        if self.render_mode == "svg":
            return self.board.svg()
        if self.render_mode == "human":
            print(self.board)  # noqa: T201 - it is what was asked for
        return str(self.board) if self.render_mode == "ansi" else None

    def _show(self) -> None:
        """Prints the board if a person watches."""
        if self.render_mode == "human":
            self.render()


def whole_number(name: str, number: SupportsIndex) -> int:
    """The value of an argument, such as an action.

    Raises:
        TypeError: It is not a whole number.
    """
    if isinstance(number, bool):
        message = f"{name} is a whole number, not {number}"
        raise TypeError(message)
    return operator.index(number)


def parse_actions(actions: ArrayLike, games: int) -> NDArray[np.int64]:
    """A copy of actions of many games.

    Raises:
        TypeError: They are not whole numbers.
        ValueError: There is not one for each game.
    """
    array = np.asarray(actions)
    if array.dtype.kind not in "iu":
        message = f"actions are whole numbers, not {array.dtype}"
        raise TypeError(message)
    if array.shape != (games,):
        message = f"actions of shape {array.shape} for {games} games"
        raise ValueError(message)
    return array.astype(np.int64)


def parse_side(side: str | Side | None) -> Side | None:
    """The side; None if it is drawn for each game."""
    if isinstance(side, Side):
        return side
    name = "random" if side is None else check_word("side", side, ("south", "north", "random"))
    return None if name == "random" else Side[name.upper()]


class GameSettings:
    """The game that is played, and what its result is worth.

    Attributes:
        start: The board before the first move.
        total: Seeds on the board.
        reward: ``"result"``: 1, 0 or -1; ``"margin"``: the margin as a part of all seeds.

    Raises:
        ValueError: There are no such rules, no seeds, or no such reward.
    """

    def __init__(
        self, houses: int, seeds: int, capture: str, reward: str, *, sowing: str = "single"
    ) -> None:
        self.start = Board(houses, seeds, capture, sowing)
        if self.start.is_over():
            message = "a game without seeds has no moves"
            raise ValueError(message)
        self.total = sum(sum(self.start.seeds(side)) for side in Side)
        self.reward = check_word("reward", reward, ("result", "margin"))

    def rewards(self, margins: NDArray[np.int16] | int) -> NDArray[np.float64]:
        """What these final margins are worth to the player whose view they are from."""
        margins = np.asarray(margins, np.float64)
        return margins / self.total if self.reward == "margin" else np.sign(margins)

    def observation_space(self) -> Space[Observation]:
        """The space of what a player sees."""
        import gymnasium  # noqa: PLC0415 - OpenSpiel does without it

        return gymnasium.spaces.Box(0, self.total, (2 * self.start.houses + 2,), np.uint16)
