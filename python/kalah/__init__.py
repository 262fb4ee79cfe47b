"""Kalah (mancala): boards, a strong engine, exact values, tablebases, and many games at once.

The names are those of python-chess where it has them. Margins, the final differences of the stores,
are in seeds, times in seconds, memory in MiB.

Examples:
    >>> import kalah
    >>> board = kalah.Board(houses=6, seeds=4)
    >>> engine = kalah.Engine()
    >>> result = engine.play(board, kalah.Limit(time=0.1))
    >>> board.push(result.move)

- `kalah.engine`: engines in this process and in others.
- `kalah.arena`, `kalah.training`: matches and learned networks, with games of many machines.
- `kalah.vector`: many games at once, for training.
- `kalah.widget`: a board in a notebook that one plays on.
- `kalah.gymnasium`, `kalah.pettingzoo`, `kalah.openspiel`: the environments of these packages.
"""

from kalah import errors
from kalah._native import (
    Board,
    Game,
    Job,
    JobTree,
    Solution,
    Solver,
    Tablebase,
    evaluate,
    fair_starts,
)
from kalah.engine import Analysis, Engine, Info, Limit, PlayResult
from kalah.errors import KalahError
from kalah.examination import ExamAnswer, ExamResult, exam
from kalah.side import NORTH, SOUTH, Side

__all__ = [
    "NORTH",
    "SOUTH",
    "Analysis",
    "Board",
    "Engine",
    "ExamAnswer",
    "ExamResult",
    "Game",
    "Info",
    "Job",
    "JobTree",
    "KalahError",
    "Limit",
    "PlayResult",
    "Side",
    "Solution",
    "Solver",
    "Tablebase",
    "errors",
    "evaluate",
    "exam",
    "fair_starts",
]
