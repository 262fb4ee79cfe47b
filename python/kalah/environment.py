"""What the environments of other packages share: the game, and what its result is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import gymnasium
import numpy as np
from numpy.typing import NDArray

from kalah._native import Board

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gymnasium.spaces import Space

Observation: TypeAlias = NDArray[np.uint16]


def check_word(name: str, value: str, known: Sequence[str]) -> str:
    """The value of an argument, if it is one of those known.

    Raises:
        ValueError: It is not.
    """
    if value not in known:
        message = f"{name} is one of {', '.join(known)}, not {value!r}"
        raise ValueError(message)
    return value


@dataclass(frozen=True)
class Terms:
    """The game that is played, and what its result is worth.

    Attributes:
        start: The board before the first move.
        seeds: Seeds in each house of it.
        reward: ``"result"``: 1, 0 or -1; ``"margin"``: the margin as a part of all seeds.
    """

    start: Board
    seeds: int
    reward: str

    @classmethod
    def of(cls, houses: int, seeds: int, capture: str, reward: str) -> Terms:
        """The terms that these arguments of an environment mean.

        Raises:
            ValueError: There are no such rules, no seeds, or no such reward.
        """
        start = Board(houses, seeds, capture)
        if start.is_over():
            message = "a game without seeds has no moves"
            raise ValueError(message)
        return cls(start, seeds, check_word("reward", reward, ("result", "margin")))

    @property
    def total(self) -> int:
        """Seeds on the board."""
        return 2 * self.start.houses * self.seeds

    def rewards(self, margins: NDArray[np.int16] | int) -> NDArray[np.float64]:
        """What these final margins are worth to the player whose view they are from."""
        margins = np.asarray(margins, np.float64)
        return margins / self.total if self.reward == "margin" else np.sign(margins)

    def observation_space(self) -> Space[Observation]:
        """The space of what a player sees."""
        return gymnasium.spaces.Box(0, self.total, (2 * self.start.houses + 2,), np.uint16)
