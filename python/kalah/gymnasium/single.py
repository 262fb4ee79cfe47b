"""One game at a time."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Literal, SupportsIndex, TypeAlias

import gymnasium
import numpy as np

from kalah._native import Board
from kalah.engine import Engine, Limit
from kalah.environment import (
    ILLEGAL_REWARD,
    GameSettings,
    Observation,
    OneBoard,
    check_word,
    parse_side,
    whole_number,
)
from kalah.errors import IllegalMoveError, KalahError
from kalah.side import Side

Opponent: TypeAlias = Callable[[Board], "str | SupportsIndex"]

_DEFAULT_LIMIT = Limit(nodes=10_000)
# Games in a row after which the agent will not get a turn any more.
_MOST_STARTS = 1000


class KalahEnv(OneBoard, gymnasium.Env[Observation, "int | np.integer[Any]"]):
    """One game at a time against an opponent.

    ``info["action_mask"]`` is an ``int8`` array as ``action_space.sample(mask)`` takes it: 1 for
    each house that can be sown. At the end ``info["margin"]`` is the agent's final margin in seeds;
    ``info["illegal"]`` is true if an illegal action has ended the episode.

    A game that the opponent ends before the agent's first turn is begun anew. A copy, or what is
    read from a pickle, goes on with the same game and the same random numbers.

    Args:
        houses, seeds, capture, sowing: The start, as of `kalah.Board`.
        opponent: ``"random"``; a level of `kalah.Engine` from 0 to 20; or a function that
            gets a board and returns a move. All random numbers of the first two come from those of
            the environment, so that ``reset(seed=...)`` repeats the opponent's play.
        limit: The limit of each search of an opponent with a level; by default 10,000 nodes. A
            limit on time makes its play depend on the speed of the machine.
        side: The agent's side: ``"south"``, who moves first, ``"north"``, or ``"random"``, drawn
            for each game. A `kalah.Side` or None for random will do as well.
        reward: ``"result"``, 1 for a win, 0 for a draw, -1 for a loss; or ``"margin"``, the final
            margin of the agent divided by the seeds on the board.
        illegal: What an illegal action does: ``"lose"`` ends the episode with the reward -1,
            ``"raise"`` raises an error.
        render_mode: ``"ansi"`` for a text, ``"svg"`` for a picture as a text in SVG, ``"human"`` to
            print the board at the start and after each step.

    Attributes:
        board: The board that is played on.
        side: The agent's side in this game.

    Raises:
        ValueError: The rules do not allow such a board, or an argument is none of those above.

    Examples:
        >>> env = KalahEnv(houses=4, seeds=3, opponent=2, reward="margin")
        >>> observation, info = env.reset(seed=1)
        >>> terminated = False
        >>> while not terminated:
        ...     action = env.action_space.sample(info["action_mask"])
        ...     observation, reward, terminated, truncated, info = env.step(action)
        >>> reward == info["margin"] / 24
        True
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium declares it so
        "render_modes": ["ansi", "svg", "human"],
        "render_fps": 1,
    }

    def __init__(  # noqa: PLR0913 - all by keyword
        self,
        *,
        houses: int = 6,
        seeds: int = 4,
        capture: str = "standard",
        sowing: str = "single",
        opponent: Literal["random"] | SupportsIndex | Opponent = "random",
        limit: Limit = _DEFAULT_LIMIT,
        side: Literal["south", "north", "random"] | Side | None = "random",
        reward: Literal["result", "margin"] = "result",
        illegal: Literal["lose", "raise"] = "lose",
        render_mode: Literal["ansi", "svg", "human"] | None = None,
    ) -> None:
        self._settings = GameSettings(houses, seeds, capture, reward, sowing=sowing)
        self._level: int | None = None
        self._opponent: Opponent | None = None
        if callable(opponent):
            self._opponent = opponent
        elif isinstance(opponent, SupportsIndex) and not isinstance(opponent, bool):
            self._level = operator.index(opponent)
            if any(limit.is_endless(side) for side in Side):
                message = "the limit of the opponent has no end"
                raise ValueError(message)
        elif opponent != "random":
            message = f'opponent is "random", a level from 0 to 20 or a function, not {opponent!r}'
            raise ValueError(message)
        self._engine = self._new_engine()
        # That of the opponent in this game; 0 would mean errors of play that no seed repeats.
        self._engine_seed = 1
        self._limit = limit
        self._side = parse_side(side)
        self._illegal = check_word("illegal", illegal, ("lose", "raise"))
        self.render_mode = check_word("render_mode", render_mode, (None, "ansi", "svg", "human"))
        self.observation_space = self._settings.observation_space()
        self.action_space = gymnasium.spaces.Discrete(self._settings.start.houses)
        self.board = self._settings.start.copy()
        self.side = Side.SOUTH if self._side is None else self._side
        self._is_running = False

    def _new_engine(self) -> Engine | None:
        """The engine of an opponent with a level."""
        return None if self._level is None else Engine(hash=1, level=self._level)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_engine": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._engine = self._new_engine()

    def _opponents_move(self) -> str | SupportsIndex:
        board = self.board.copy()
        if self._opponent is not None:
            return self._opponent(board)
        if self._engine is None:
            moves = board.legal_moves
            return moves[self.np_random.integers(len(moves))]
        # A copy, whose engine has searched nothing, has to play the same.
        self._engine.configure({"Random Seed": self._engine_seed})
        self._engine.new_game()
        move = self._engine.play(board, self._limit).move
        assert move is not None
        return move

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a game. If the opponent moves first, it has moved when this returns.

        Without a seed, which is that of all random numbers, they go on from the last game. The
        options are not used.

        Raises:
            KalahError: The opponent always ends the game before the agent's first turn.
            IllegalMoveError: The opponent, a function, has returned an illegal move.
        """
        super().reset(seed=seed, options=options)
        self._is_running = False
        for _ in range(_MOST_STARTS):
            self._begin()
            if not self.board.is_over():
                self._is_running = True
                self._show()
                return self._observe()
        message = "the opponent always ends the game before the agent's first turn"
        raise KalahError(message)

    def _begin(self) -> None:
        if self._engine is not None:
            self._engine_seed = int(self.np_random.integers(1, 2**63 - 1))
        if self._side is None:
            self.side = Side(int(self.np_random.integers(2)))
        self.board = self._settings.start.copy()
        self._answer()

    def _answer(self) -> None:
        """The opponent plays as long as it is its turn."""
        while not self.board.is_over() and self.board.turn != self.side:
            self.board.push(self._opponents_move())

    def step(
        self, action: int | np.integer[Any]
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays a ply of the agent, and those of the opponent that follow.

        Args:
            action: The house to sow, from 0, from the agent's left.

        Returns:
            The observation, the reward, whether the game is over, False (episodes are not cut), and
            a dict with ``action_mask``, and at the end ``margin`` or ``illegal``.

        Raises:
            IllegalMoveError: The action is illegal and ``illegal`` is ``"raise"``, or the opponent,
                a function, has returned an illegal move.
            TypeError: The action is not a whole number.
            gymnasium.error.ResetNeeded: No game has begun, or the game is over.
        """
        if not self._is_running:
            message = "the game is over or has not begun: reset() begins one"
            raise gymnasium.error.ResetNeeded(message)
        house = whole_number("an action", action)
        if not self.board.is_legal(house):
            if self._illegal == "raise":
                message = f"house {house} cannot be sown"
                raise IllegalMoveError(message)
            self._is_running = False
            observation, info = self._observe()
            info = {"action_mask": np.zeros_like(info["action_mask"]), "illegal": True}
            return observation, ILLEGAL_REWARD, True, False, info
        self._is_running = False  # unless the opponent plays on without an error
        self.board.push(house)
        self._answer()
        self._show()
        observation, info = self._observe()
        south = self.board.margin()
        if south is None:
            self._is_running = True
            return observation, 0.0, False, False, info
        info["margin"] = margin = south if self.side == Side.SOUTH else -south
        return observation, float(self._settings.rewards(margin)), True, False, info

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        mask = self.board.legal_mask().astype(np.int8)
        return self.board.observation(self.side), {"action_mask": mask}

    def close(self) -> None:
        """Frees the engine, if the opponent is one."""
        if self._engine is not None:
            self._engine.close()
