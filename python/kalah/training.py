"""Networks that learn by self-play, with games that many machines play.

``kalah.cluster`` has them played under Ray; this module has what any other system needs. The
networks are those of ``kalah train``: the engine plays with the file that its option ``EvalFile``
names.
"""

from kalah._native import SelfPlayer, TrainingRun

__all__ = ["SelfPlayer", "TrainingRun"]
