"""The two players."""

import enum


class Side(enum.IntEnum):
    """A player: ``SOUTH`` moves first.

    Examples:
        >>> Side.SOUTH.other
        <Side.NORTH: 1>
    """

    SOUTH = 0
    NORTH = 1

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side(1 - self)


SOUTH = Side.SOUTH
NORTH = Side.NORTH
