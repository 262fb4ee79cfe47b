"""Matches and tournaments whose games many machines play.

``kalah.cluster`` plays them under Ray; this module has what any other system needs.

Example:
    >>> match = Tournament(
    ...     ["builtin=selective name=new", "builtin=negascout name=old"], games=8, each="nodes=500"
    ... )
    >>> score = Score(match)
    >>> for part in range(1, 5):  # each could be played elsewhere
    ...     for line in match.play(part, 4):
    ...         _ = score.add(line)
    >>> score.figures()["games"]
    8
"""

from kalah._native import Score, Tournament

__all__ = ["Score", "Tournament"]
