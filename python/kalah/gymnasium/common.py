"""What the environments share."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import gymnasium
import numpy as np
from numpy.typing import NDArray

from kalah._native import Board
from kalah.side import Side

if TYPE_CHECKING:
    from gymnasium.spaces import Space

Observation: TypeAlias = NDArray[np.uint16]

ILLEGAL_REWARD = -1.0
# Games in a row, or plies of an opponent, after which the agent will not get a turn any more.
MOST_STARTS = 1000
MOST_PLIES = 100_000


def start_board(houses: int, seeds: int, capture: str) -> Board:
    """The start of a game that has moves.

    Raises:
        ValueError: There are no such rules, or no seeds.
    """
    board = Board(houses, seeds, capture)
    if board.is_over():
        message = "a game without seeds has no moves"
        raise ValueError(message)
    return board


def observation_space(houses: int, total: int) -> Space[Observation]:
    """The space of what a player sees, with this many seeds on the board."""
    return gymnasium.spaces.Box(0, total, (2 * houses + 2,), np.uint16)


def parse_side(side: str | Side | None) -> Side | None:
    """The side; None if it is drawn for each game."""
    if isinstance(side, Side):
        return side
    name = "random" if side is None else check_word("side", side, ("south", "north", "random"))
    return None if name == "random" else Side[name.upper()]


def check_word(name: str, value: str, known: tuple[str, ...] | list[str]) -> str:
    """The value of an argument, if it is one of those known.

    Raises:
        ValueError: It is not.
    """
    if value not in known:
        message = f"{name} is one of {', '.join(known)}, not {value!r}"
        raise ValueError(message)
    return value
