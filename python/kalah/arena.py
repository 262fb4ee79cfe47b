"""Matches and tournaments whose games many machines play.

``kalah.cluster`` plays them under Ray; this module has what any other system needs.
"""

from kalah._native import Score, Tournament

__all__ = ["Score", "Tournament"]
