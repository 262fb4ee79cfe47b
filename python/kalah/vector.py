"""Many games at once, in Rust and on all cores: what a training loop needs.

Example:
    >>> boards = Boards(2)
    >>> boards.legal_mask()
    array([[ True,  True,  True,  True,  True,  True],
           [ True,  True,  True,  True,  True,  True]])
    >>> rewards, done = boards.step([2, 0])
    >>> boards[0].turn, boards[1].turn
    (<Side.SOUTH: 0>, <Side.NORTH: 1>)
"""

from kalah._native import Boards

__all__ = ["Boards"]
