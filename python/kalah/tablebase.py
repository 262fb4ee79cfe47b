"""Endgame tablebases: exact values of all positions with few seeds in the houses.

Examples:
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     build(directory, seeds=6, houses=4).seeds(houses=4)
    6
"""

from kalah._native import Tablebase

__all__ = ["Tablebase", "build"]

build = Tablebase.build
