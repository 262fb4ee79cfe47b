"""What both environments of Gymnasium share."""

from __future__ import annotations

from kalah.environment import check_word
from kalah.side import Side

ILLEGAL_REWARD = -1.0
# Games in a row, or plies of an opponent, after which the agent will not get a turn any more.
MOST_STARTS = 1000
MOST_PLIES = 100_000


def parse_side(side: str | Side | None) -> Side | None:
    """The side; None if it is drawn for each game."""
    if isinstance(side, Side):
        return side
    name = "random" if side is None else check_word("side", side, ("south", "north", "random"))
    return None if name == "random" else Side[name.upper()]
