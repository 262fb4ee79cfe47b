"""Many games at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from kalah._native import Boards
from kalah.environment import (
    ILLEGAL_REWARD,
    DeepCopied,
    GameSettings,
    Observation,
    check_word,
    parse_actions,
    parse_side,
)
from kalah.errors import IllegalMoveError, KalahError

if TYPE_CHECKING:
    from kalah.side import Side

# Plies of an opponent after which the agent will not get a turn any more.
_MOST_PLIES = 100_000

VectorOpponent: TypeAlias = Callable[[Observation, NDArray[np.bool_]], NDArray[np.int64]]


class KalahVectorEnv(DeepCopied, VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Many games at once, in Rust and on all cores, each an agent against an opponent.

    A game that ends begins anew in the same step: the observation is that of the new game, and
    ``info`` tells of the old one, as Gymnasium has it in the mode ``SAME_STEP``:

    - ``info["action_mask"]``, ``int8[n, houses]``: which houses can be sown.
      ``action_space.sample(tuple(info["action_mask"]))`` draws legal actions.
    - ``info["final_obs"]``: an array of objects, the last observation of each game that has ended.
    - ``info["final_info"]``: a dict with ``margin``, the final margins of the agent in seeds, and
      ``illegal``, which games an illegal action has ended.
    - With an underscore before the name (``_final_obs``, ...), ``bool[n]``: for which games there
      is such an entry.

    A game that ends before the agent's first turn is restarted silently.

    Args:
        num_envs: The number of games.
        houses, seeds, capture, sowing: The start, as of `kalah.Board`.
        opponent: ``"random"``, drawn in Rust; or a function that gets the observations
            ``uint16[k, 2 * houses + 2]`` and the masks ``bool[k, houses]`` of the games in which
            the opponent is to move, both from its view, and returns its actions, ``int64[k]``.
            ``gymnasium.make_vec(..., vectorization_mode="sync")`` takes a level, too.
        side, reward: As of `kalah.gymnasium.KalahEnv`.
        illegal: What an illegal action does: ``"lose"`` ends the game with the reward -1,
            ``"raise"`` raises an error and changes nothing.
        random_plies: Plies played at random at the start of each game.
        threads: Threads at most; by default one a core.
        render_mode: ``"ansi"`` for texts.

    Attributes:
        boards: The games.
        sides: The agent's side in each game, ``uint8[n]``.

    Raises:
        ValueError: The rules do not allow such a board, or an argument is none of those above.

    Examples:
        >>> env = KalahVectorEnv(1000)
        >>> observations, info = env.reset(seed=1)
        >>> actions = info["action_mask"].argmax(axis=1)
        >>> observations, rewards, terminated, truncated, info = env.step(actions)
        >>> observations.shape, rewards.shape
        ((1000, 14), (1000,))
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium declares it so
        "render_modes": ["ansi"],
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(  # noqa: PLR0913 - all but the first by keyword
        self,
        num_envs: int = 1,
        *,
        houses: int = 6,
        seeds: int = 4,
        capture: str = "standard",
        sowing: str = "single",
        opponent: Literal["random"] | VectorOpponent = "random",
        side: Literal["south", "north", "random"] | Side | None = "random",
        reward: Literal["result", "margin"] = "result",
        illegal: Literal["lose", "raise"] = "lose",
        random_plies: int = 0,
        threads: int | None = None,
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        self._settings = GameSettings(houses, seeds, capture, reward, sowing=sowing)
        self._opponent: VectorOpponent | None = None
        if callable(opponent):
            self._opponent = opponent
        elif opponent != "random":
            hint = 'gymnasium.make_vec with vectorization_mode="sync" takes a level'
            message = f'opponent is "random" or a function, not {opponent!r}; {hint}'
            raise ValueError(message)
        self._side = parse_side(side)
        self._illegal = check_word("illegal", illegal, ("lose", "raise"))
        self.render_mode = check_word("render_mode", render_mode, (None, "ansi"))
        rules = (houses, seeds, capture, sowing)
        self._new_boards = partial(
            Boards, num_envs, *rules, random_plies=random_plies, threads=threads
        )
        self.boards = self._new_boards()
        self.num_envs = num_envs = len(self.boards)
        self.single_observation_space = self._settings.observation_space()
        self.single_action_space = gymnasium.spaces.Discrete(self.boards.houses)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.sides: NDArray[np.uint8] = np.zeros(num_envs, np.uint8)
        self._masks: NDArray[np.bool_] | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins all games.

        Without a seed, which is that of all random numbers, they go on from the games before. The
        options are not used.

        Raises:
            KalahError: The opponent always ends the games before the agent's first turn.
            TypeError: The opponent, a function, has returned what are not whole numbers.
            ValueError: It has not returned one action for each game.
            IllegalMoveError: It has returned an illegal action.
        """
        super().reset(seed=seed, options=options)
        self._masks = None
        self.boards = self._new_boards(seed=int(self.np_random.integers(2**63)))
        everywhere = np.ones(self.num_envs, np.bool_)
        self._draw_sides(everywhere)
        self._answer(everywhere)
        return self._observe()

    def _draw_sides(self, games: NDArray[np.bool_]) -> None:
        """The agent's side in games that begin."""
        if self._side is None:
            count = np.count_nonzero(games)
            self.sides[games] = self.np_random.integers(2, size=count, dtype=np.uint8)
        else:
            self.sides[games] = self._side

    def _answer(self, is_new: NDArray[np.bool_]) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
        """The opponent plays as long as it is its turn.

        Args:
            is_new: The games in which the agent has not moved yet: if they end, that is not told.
                Games that begin are added.

        Returns:
            The final margins from the agent's view, and which games have ended.
        """
        margins = np.zeros(self.num_envs, np.int16)
        has_ended = np.zeros(self.num_envs, np.bool_)
        for _ in range(_MOST_PLIES):
            waiting = self.boards.turns() != self.sides
            if not waiting.any():
                return margins, has_ended
            scores, done = self.boards.step(self._opponents_actions(waiting))
            told = done & ~is_new
            margins[told] = -scores[told]
            has_ended |= told
            is_new |= done
            self._draw_sides(done)
        message = "the opponent always ends the game before the agent's first turn"
        raise KalahError(message)

    def _opponents_actions(self, waiting: NDArray[np.bool_]) -> NDArray[np.int64]:
        if self._opponent is None:
            actions = self.boards.random_actions()
            actions[~waiting] = -1
            return actions
        observations = self.boards.observations()[waiting]
        masks = self.boards.legal_mask()[waiting]
        chosen = parse_actions(self._opponent(observations, masks), len(masks))
        if (chosen < 0).any():
            message = "the opponent has returned a negative action"
            raise IllegalMoveError(message)
        actions = np.full(self.num_envs, -1, np.int64)
        actions[waiting] = chosen
        return actions

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        self._masks = self.boards.legal_mask()
        everywhere = np.ones(self.num_envs, np.bool_)
        info = {"action_mask": self._masks.astype(np.int8), "_action_mask": everywhere}
        return self.boards.observations(), info

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[
        Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Plays a ply of the agent in each game, and those of the opponent that follow.

        Args:
            actions: The houses to sow, ``int64[n]``, from 0, from the agent's left.

        Returns:
            The observations, the rewards ``float64[n]``, which games have ended ``bool[n]``, an
            array of False (episodes are not cut), and a dict, see the class.

        Raises:
            TypeError: The actions, or those of the opponent, are not whole numbers.
            ValueError: There is not one action for each game, or for each of the opponent's.
            IllegalMoveError: An action is illegal and ``illegal`` is ``"raise"``, or the opponent,
                a function, has returned an illegal action.
            gymnasium.error.ResetNeeded: No game has begun.
        """
        if self._masks is None:
            message = "no game has begun: reset() begins them"
            raise gymnasium.error.ResetNeeded(message)
        actions = parse_actions(actions, self.num_envs)
        houses = self.boards.houses
        fits = (actions >= 0) & (actions < houses)
        illegal = ~(fits & self._masks[np.arange(self.num_envs), np.where(fits, actions, 0)])
        last: Observation | None = None
        if illegal.any():
            if self._illegal == "raise":
                game = int(illegal.argmax())
                message = f"game {game}: house {actions[game]} cannot be sown"
                raise IllegalMoveError(message)
            last = self.boards.observations()
            actions[illegal] = -1
        self._masks = None  # unless the opponent plays on without an error
        margins, done = self.boards.step(actions)
        self.boards.reset(illegal)
        is_new = done | illegal
        self._draw_sides(is_new)
        margins_after, done_after = self._answer(is_new)
        margins, done = margins + margins_after, done | done_after
        rewards = self._settings.rewards(margins)
        rewards[illegal] = ILLEGAL_REWARD
        terminated = done | illegal
        observations, info = self._observe()
        if terminated.any():
            info |= self._final_info(margins, terminated, illegal, last)
        return observations, rewards, terminated, np.zeros(self.num_envs, np.bool_), info

    def _final_info(
        self,
        margins: NDArray[np.int16],
        terminated: NDArray[np.bool_],
        illegal: NDArray[np.bool_],
        last: Observation | None,
    ) -> dict[str, Any]:
        """What Gymnasium tells of games that have ended in this step.

        Args:
            margins: The final margins from the agent's view.
            terminated: The games that have ended.
            illegal: Those that an illegal action has ended.
            last: What the agents saw before the illegal actions, if there were any.
        """
        # At the end of a game the houses are empty and the margin tells the stores.
        houses = self.boards.houses
        observations = np.zeros((self.num_envs, 2 * houses + 2), np.uint16)
        observations[:, houses] = (self._settings.total + margins) // 2
        observations[:, -1] = (self._settings.total - margins) // 2
        if last is not None:
            observations[illegal] = last[illegal]
        final_obs = np.full(self.num_envs, None, dtype=object)
        for game in np.flatnonzero(terminated):
            final_obs[game] = observations[game]
        final_info = {
            "margin": margins.astype(np.int64),
            "_margin": terminated & ~illegal,
            "illegal": illegal,
            "_illegal": illegal.copy(),
        }
        return {
            "final_obs": final_obs,
            "_final_obs": terminated.copy(),
            "final_info": final_info,
            "_final_info": terminated.copy(),
        }

    def render(self) -> tuple[str, ...] | None:
        """The boards as texts if ``render_mode`` is ``"ansi"``; None without one."""
        if self.render_mode is None:
            return None
        return tuple(str(self.boards[game]) for game in range(self.num_envs))
