"""Networks that learn by self-play, with games that many machines play.

``kalah.cluster`` has them played under Ray; this module has what any other system needs. The
networks are those of ``kalah train``: the engine plays with the file that its option ``EvalFile``
names.

Example:
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     run = TrainingRun(folder, houses=4, seeds=[4], positions=100, nodes=20)
    ...     [len(run.next_jobs(1)), run.generation, run.network, run.is_played]
    [1, 1, None, False]
"""

from kalah._native import SelfPlayer, TrainingRun

__all__ = ["SelfPlayer", "TrainingRun"]
