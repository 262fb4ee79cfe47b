"""The errors of the package. Their texts are those of the library."""


class KalahError(Exception):
    """Base class of this package's errors."""


class IllegalMoveError(KalahError, ValueError):
    """The rules do not allow the move."""


class NotationError(KalahError, ValueError):
    """A text is not a board, a move or a game."""


class EngineError(KalahError):
    """An engine cannot do what it was asked, or does not answer as the protocol says."""


class EngineTerminatedError(EngineError):
    """The process of an engine has ended."""


class SolverError(KalahError):
    """A board was not solved."""


class TablebaseError(KalahError):
    """A tablebase cannot be built, read or written."""


class ArenaError(KalahError):
    """A match cannot be played, or a record is not one of it."""


class TrainingError(KalahError):
    """A network cannot be trained, or its folder has something else."""


class InternalError(KalahError):
    """A mistake of the library: please report it."""
