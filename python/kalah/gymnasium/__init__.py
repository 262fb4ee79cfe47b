"""Kalah as environments of Gymnasium: an agent plays against an opponent.

Importing this module registers ``Kalah-v0``:

    >>> import gymnasium
    >>> import kalah.gymnasium
    >>> env = gymnasium.make("Kalah-v0", opponent="random")
    >>> observation, info = env.reset(seed=1)
    >>> info["action_mask"]
    array([1, 1, 1, 1, 1, 1], dtype=int8)
    >>> observation, reward, terminated, truncated, info = env.step(0)
    >>> reward, terminated, observation.sum().item()
    (0.0, False, 48)

An observation is `kalah.Board.observation` from the agent's view: the agent's houses from the
left, the agent's store, the opponent's houses from the opponent's left, the opponent's store. An
action is a house from the agent's left, from 0. The agent plays one ply a step; if that earns an
extra turn, the agent is to move again, otherwise the opponent plays until the agent is to move or
the game is over.

The episode ends with the game. The reward is 0 before.
"""

import gymnasium

from kalah.gymnasium.single import KalahEnv
from kalah.gymnasium.vector import KalahVectorEnv

__all__ = ["KalahEnv", "KalahVectorEnv", "register"]

_ID = "Kalah-v0"


def register() -> None:
    """Registers ``Kalah-v0``; importing this module does so. Once done, it does nothing.

    ``gymnasium.make("kalah.gymnasium:Kalah-v0")`` imports this module by itself.

    Examples:
        >>> import gymnasium
        >>> register()
        >>> gymnasium.make_vec("Kalah-v0", num_envs=8).observation_space.shape
        (8, 14)
    """
    if _ID not in gymnasium.registry:
        gymnasium.register(
            _ID,
            entry_point="kalah.gymnasium:KalahEnv",
            vector_entry_point="kalah.gymnasium:KalahVectorEnv",
        )


register()
