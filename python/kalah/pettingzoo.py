"""Kalah as an environment of PettingZoo: two agents that move in turn.

It is like the classic games of PettingZoo:

    >>> from kalah import pettingzoo
    >>> env = pettingzoo.env(houses=6, seeds=4)
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     if termination or truncation:
    ...         action = None
    ...     else:
    ...         action = env.action_space(agent).sample(observation["action_mask"])
    ...     env.step(action)

The agents are ``"south"``, who moves first, and ``"north"``. An observation is a dict:

- ``"observation"``, ``uint16[2 * houses + 2]``: the agent's houses from the left, the agent's
  store, the opponent's houses from the opponent's left, the opponent's store.
- ``"action_mask"``, ``int8[houses]``: 1 for each house that the agent can sow; all 0 if it is not
  the agent's turn.

An action is a house from the agent's left, from 0. An agent that earns an extra turn is selected
again. The rewards come at the end of the game; the infos then hold ``margin``, the agent's final
margin in seeds.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]

from kalah.environment import (
    ILLEGAL_REWARD,
    DeepCopied,
    GameSettings,
    OneBoard,
    check_word,
    whole_number,
)
from kalah.errors import IllegalMoveError
from kalah.side import Side

__all__ = ["env", "raw_env"]

Observation: TypeAlias = dict[str, NDArray[Any]]


def env(**kwargs: Any) -> AECEnv[str, Observation, int | None]:  # noqa: ANN401 - those of raw_env
    """Makes the environment, with the wrappers of PettingZoo's classic games.

    An illegal action ends the game: its agent gets the reward -1, the opponent 0. One that is not
    in the action space is an AssertionError and changes nothing.

    The arguments are those of `raw_env`.

    Examples:
        >>> game = env(houses=3, seeds=2)
        >>> game.reset()
        >>> game.step(1)
        >>> game.agent_selection  # the last seed fell into the store
        'south'
    """
    inner: AECEnv[str, Observation, int | None] = raw_env(**kwargs)
    inner = wrappers.TerminateIllegalWrapper(inner, illegal_reward=ILLEGAL_REWARD)
    inner = wrappers.AssertOutOfBoundsWrapper(inner)
    return _Env(inner)


class _Env(DeepCopied, wrappers.OrderEnforcingWrapper):  # type: ignore[misc]
    def __str__(self) -> str:
        return str(self.env)


class raw_env(  # noqa: N801 - the name that PettingZoo gives it
    OneBoard,
    AECEnv[str, Observation, "int | None"],  # type: ignore[misc]
):
    """The environment without wrappers.

    A copy, or what is read from a pickle, is in the middle of the same game.

    Args:
        houses, seeds, capture, sowing: The start, as of `kalah.Board`.
        reward: ``"result"``, 1 for a win, 0 for a draw, -1 for a loss; or ``"margin"``, the final
            margin of the agent divided by the seeds on the board.
        render_mode: ``"ansi"`` for a text, which `render` returns; ``"human"`` to print the
            board at the start and after each ply.

    Attributes:
        board: The board that is played on.

    Raises:
        ValueError: The rules do not allow such a board, or an argument is none of those above.

    Examples:
        >>> game = raw_env(render_mode="ansi")
        >>> game.reset()
        >>> game.observe("south")["action_mask"]
        array([1, 1, 1, 1, 1, 1], dtype=int8)
        >>> game.observe("north")["action_mask"]
        array([0, 0, 0, 0, 0, 0], dtype=int8)
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo declares it so
        "render_modes": ["ansi", "human"],
        "name": "kalah_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(  # noqa: PLR0913 - a call with keywords
        self,
        *,
        houses: int = 6,
        seeds: int = 4,
        capture: str = "standard",
        sowing: str = "single",
        reward: Literal["result", "margin"] = "result",
        render_mode: Literal["ansi", "human"] | None = None,
    ) -> None:
        self._settings = GameSettings(houses, seeds, capture, reward, sowing=sowing)
        self.render_mode = check_word("render_mode", render_mode, (None, "ansi", "human"))
        self.possible_agents = [side.name.lower() for side in Side]
        self.observation_spaces: dict[str, gymnasium.spaces.Dict[Any]] = {}
        self.action_spaces: dict[str, gymnasium.spaces.Discrete[np.int64]] = {}
        for agent in self.possible_agents:
            mask = gymnasium.spaces.Box(0, 1, (houses,), np.int8)
            parts = {"observation": self._settings.observation_space(), "action_mask": mask}
            self.observation_spaces[agent] = gymnasium.spaces.Dict(parts)
            self.action_spaces[agent] = gymnasium.spaces.Discrete(houses)
        self._begin()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game. It has no chance, so nothing depends on the arguments."""
        del seed, options
        self._begin()
        self._show()

    def _begin(self) -> None:
        self.board = self._settings.start.copy()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.board.turn]

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete[np.int64]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent sees, also if it is not its turn."""
        side = self.possible_agents.index(agent)
        mask = self.board.legal_mask() & (side == self.board.turn)
        return {"observation": self.board.observation(side), "action_mask": mask.astype(np.int8)}

    def step(self, action: int | None) -> None:
        """Plays a ply of the selected agent.

        Args:
            action: The house to sow, from 0, from the agent's left; None if the game is over.

        Raises:
            IllegalMoveError: The action is illegal; nothing has changed. The wrappers of `env`
                do something else instead.
            TypeError: The action is not a whole number.
            ValueError: The game is over and the action is not None.
        """
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            message = "the game is not over: None is no action"
            raise IllegalMoveError(message)
        self.board.push(whole_number("an action", action))
        self._show()
        self._cumulative_rewards[self.agent_selection] = 0.0
        south = self.board.margin()
        if south is None:
            self.agent_selection = self.possible_agents[self.board.turn]
            return
        for side, agent in zip(Side, self.possible_agents, strict=True):
            margin = south if side == Side.SOUTH else -south
            self.rewards[agent] = float(self._settings.rewards(margin))
            self.terminations[agent] = True
            self.infos[agent] = {"margin": margin}
        self._accumulate_rewards()
        self.agent_selection = self.possible_agents[self.board.turn.other]

    def close(self) -> None:
        """Does nothing, but PettingZoo asks for it of what can be rendered."""
