"""Kalah in OpenSpiel: the engine as a bot, and boards of any size as a game.

The bot plays OpenSpiel's own game ``mancala``, which has the rules of a `kalah.Board` of 6
houses with 4 seeds and standard capture. Its pits are numbered along the sowing: 0 is North's
store, 1 to 6 are South's houses ``A`` to ``F``, 7 is South's store, 8 to 13 are North's houses
``a`` to ``f``; an action is the pit that is sown. At the end of a game ``mancala`` leaves the last
seeds in the houses, but counts them for the player on whose side they lie, as Kalah does.

    >>> import kalah
    >>> import pyspiel
    >>> from kalah import openspiel
    >>> state = pyspiel.load_game("mancala").new_initial_state()
    >>> state.apply_action(3)
    >>> openspiel.board_from_state(state)
    Board.from_text('<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S')
    >>> bot = openspiel.KalahBot(limit=kalah.Limit(depth=6))
    >>> bot.step(state) in state.legal_actions()
    True

Importing this module registers the game ``python_kalah``, on which the algorithms of OpenSpiel
run:

    >>> game = pyspiel.load_game("python_kalah(houses=3,seeds=2)")
    >>> from open_spiel.python.algorithms import minimax
    >>> value, action = minimax.alpha_beta_search(game)
    >>> value == (kalah.Solver().solve(kalah.Board(3, 2)).margin > 0)
    True

Its parameters:

- ``houses`` and ``seeds``: whole numbers, 6 and 4 by default.
- ``capture``: ``standard`` (the default) or ``empty``, see `kalah.Board.capture`.
- ``sowing``: ``single`` (the default) or ``relay``, see `kalah.Board.sowing`.
- ``reward``: ``result`` (the default), 1 for a win, 0 for a draw, -1 for a loss; or ``margin``, the
  final margin of the player in seeds.

Player 0 is South, player 1 North. An action is a house from the left of the player to move, from 0.
The observation tensor of a player has 2 · houses + 3 numbers: the player's houses from the left,
the player's store, the opponent's houses from the opponent's left, the opponent's store; then 1 if
the player is to move, else 0.

``pyspiel.MCTSBot``, which is written in C++, crashes with any game written in Python (OpenSpiel
2.0.2): use ``open_spiel.python.algorithms.mcts.MCTSBot``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from kalah._native import Board
from kalah.engine import BaseEngine, Engine, Limit
from kalah.environment import GameSettings
from kalah.errors import IllegalMoveError
from kalah.side import Side

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "KalahBot",
    "KalahGame",
    "KalahState",
    "action_from_move",
    "board_from_state",
    "move_from_action",
]

_MANCALA = "mancala"
_NAME = "python_kalah"
_HOUSES = 6  # of mancala
_DEFAULTS: dict[str, Any] = {
    "houses": 6,
    "seeds": 4,
    "capture": "standard",
    "sowing": "single",
    "reward": "result",
}
_DEFAULT_LIMIT = Limit(nodes=100_000)

_GAME_TYPE = pyspiel.GameType(
    short_name=_NAME,
    long_name="Kalah",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


def _is_mancala(state: pyspiel.State) -> bool:
    """Whether a state is one of mancala, and not of python_kalah; others are errors."""
    name = state.get_game().get_type().short_name
    if name not in (_MANCALA, _NAME):
        message = f"a state of {name}, not of {_MANCALA} or {_NAME}"
        raise ValueError(message)
    return bool(name == _MANCALA)


def board_from_state(state: pyspiel.State) -> Board:
    """A copy of the board of a state of ``mancala`` or ``python_kalah``.

    That of a state of ``mancala`` has no moves; at the end of a game it has the last seeds in the
    store of their side, and the player who moved last is to move.

    Raises:
        ValueError: The state is one of another game.

    Examples:
        >>> state = pyspiel.load_game("mancala").new_initial_state()
        >>> board_from_state(state) == Board(6, 4)
        True
    """
    if not _is_mancala(state):
        assert isinstance(state, KalahState)
        return state.board.copy()
    pits = [int(number) for number in state.observation_tensor(0)]
    stores = [pits[_HOUSES + 1], pits[0]]
    houses = pits[1 : _HOUSES + 1], pits[_HOUSES + 2 : 2 * _HOUSES + 2]
    turn = state.current_player()
    if state.is_terminal():
        turn = state.full_history()[-1].player
        for side in Side:
            stores[side] += sum(houses[side])
        houses = [0] * _HOUSES, [0] * _HOUSES
    return Board.from_seeds(*houses, stores=(stores[0], stores[1]), turn=turn)


def move_from_action(state: pyspiel.State, action: int) -> str:
    """The move, a letter, that an action plays in a state of ``mancala`` or ``python_kalah``.

    Raises:
        IllegalMoveError: The action is illegal.
        ValueError: The state is one of another game.

    Examples:
        >>> state = pyspiel.load_game("mancala").new_initial_state()
        >>> move_from_action(state, 6)
        'F'
    """
    is_mancala = _is_mancala(state)
    if action not in state.legal_actions():
        message = f"action {action} is illegal"
        raise IllegalMoveError(message)
    player = state.current_player()
    first = (1, _HOUSES + 2)[player] if is_mancala else 0
    return chr(ord("Aa"[player]) + action - first)


def action_from_move(state: pyspiel.State, move: str) -> int:
    """The action that plays a move, a letter, in a state of ``mancala`` or ``python_kalah``.

    Raises:
        IllegalMoveError: The move is illegal.
        ValueError: The state is one of another game.

    Examples:
        >>> state = pyspiel.load_game("mancala").new_initial_state()
        >>> action_from_move(state, "F")
        6
    """
    for action in state.legal_actions():
        if move_from_action(state, action) == move:
            return int(action)
    message = f"move {move} is illegal"
    raise IllegalMoveError(message)


class KalahBot(pyspiel.Bot):  # type: ignore[misc]
    """An engine as a bot, for ``mancala`` and ``python_kalah``.

    Args:
        engine: The engine; by default a new `kalah.Engine`.
        limit: The limit of each search; by default 100,000 nodes.
        player_id: The player whose turns it plays, 0 or 1; None for both.

    Raises:
        ValueError: There is no such player.

    Examples:
        >>> game = pyspiel.load_game("mancala")
        >>> bots = [KalahBot(limit=Limit(nodes=1000)), pyspiel.make_uniform_random_bot(1, 5)]
        >>> pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)
        [1.0, -1.0]
    """

    def __init__(
        self,
        engine: BaseEngine | None = None,
        limit: Limit = _DEFAULT_LIMIT,
        player_id: int | None = None,
    ) -> None:
        super().__init__()
        if player_id not in (None, *Side):
            message = f"a player is 0 or 1, not {player_id}"
            raise ValueError(message)
        self._engine = Engine() if engine is None else engine
        self._limit = limit
        self._player = player_id

    def step(self, state: pyspiel.State) -> int:
        """Finds the action of the player to move.

        Raises:
            ValueError: It is not the turn of this player, the game is over, the state is one of
                another game, or the limit has no end.
            EngineError: The engine cannot search.
        """
        if self._player not in (None, state.current_player()):
            message = f"it is not the turn of player {self._player}"
            raise ValueError(message)
        move = self._engine.play(board_from_state(state), self._limit).move
        if move is None:
            message = "the game is over"
            raise ValueError(message)
        return action_from_move(state, move)

    def step_with_policy(self, state: pyspiel.State) -> tuple[list[tuple[int, float]], int]:
        """The same, with the probability of each legal action: 1 for the one that is played."""
        chosen = self.step(state)
        policy = [(action, float(action == chosen)) for action in state.legal_actions()]
        return policy, chosen

    def restart(self) -> None:
        """Forgets what was found in earlier games."""
        self._engine.new_game()

    def restart_at(self, state: pyspiel.State) -> None:
        """Forgets what was found in earlier games. The game may begin with any state."""
        del state
        self.restart()


class KalahGame(pyspiel.Game):  # type: ignore[misc]
    """The game ``python_kalah``; see the module for its parameters.

    Raises:
        ValueError: The rules do not allow such a board, or there is no such reward.

    Examples:
        >>> KalahGame({"houses": 4, "seeds": 3}).max_utility()
        1.0
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        params = _DEFAULTS | dict(params or {})
        settings = GameSettings(**params)
        self.start, self.total = settings.start, settings.total
        # OpenSpiel does not take NumPy's whole numbers.
        params |= {name: int(params[name]) for name in ("houses", "seeds")}
        self.is_reward_margin = settings.reward == "margin"
        utility = float(self.total) if self.is_reward_margin else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=self.start.houses,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-utility,
            max_utility=utility,
            utility_sum=0.0,
            max_game_length=_max_plies(self.start.houses, self.total),
        )
        super().__init__(_GAME_TYPE, info, params)
        self._params = params

    def __reduce__(self) -> tuple[type[KalahGame], tuple[dict[str, Any]]]:
        return type(self), (self._params,)

    def new_initial_state(self, board: Board | None = None) -> KalahState:
        """The start of a game: the usual board, or a copy of this one.

        Raises:
            ValueError: The board has other rules, or more seeds than this game.
        """
        return KalahState(self, board)

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> _Observer | IIGObserverForPublicInfoGame:
        """What OpenSpiel calls to observe states."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(self, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


def _max_plies(houses: int, total: int) -> int:
    """A number of plies that no game exceeds.

    At most `total` plies sow seeds into a store. Each of the others moves seeds along a row, by one
    house at least. At the start a seed can move `(houses - 1) / 2` houses along its row on average.
    A sowing fills each row once at most for each seed that falls into the store; the seeds of both
    rows, one a house, can then move `houses * (houses - 1)` houses.
    """
    return total + total * (houses - 1) // 2 + total * houses * (houses - 1)


class KalahState(pyspiel.State):  # type: ignore[misc]
    """A state of the game ``python_kalah``, made by `KalahGame.new_initial_state`.

    Attributes:
        board: The board with the moves that led to it. It must not be changed.

    Examples:
        >>> state = KalahGame().new_initial_state()
        >>> state.apply_action(2)
        >>> state.current_player(), state.legal_actions(), str(state)
        (0, [0, 1, 3, 4, 5], '<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S')
    """

    def __init__(self, game: KalahGame, board: Board | None = None) -> None:
        super().__init__(game)
        start = game.start
        self.board = start.copy() if board is None else board.copy()
        rules = (start.houses, start.capture, start.sowing)
        count = sum(sum(self.board.seeds(side)) + self.board.store(side) for side in Side)
        board_rules = (self.board.houses, self.board.capture, self.board.sowing)
        if board_rules != rules or count > game.total:
            message = "the board does not suit this game"
            raise ValueError(message)

    def current_player(self) -> int:
        """The player to move, or that the game is over, as OpenSpiel has it."""
        return int(pyspiel.PlayerId.TERMINAL if self.board.is_over() else self.board.turn)

    def _legal_actions(self, player: int) -> list[int]:
        del player  # OpenSpiel asks for those of the player to move
        return [int(house) for house in np.flatnonzero(self.board.legal_mask())]

    def _apply_action(self, action: int) -> None:
        self.board.push(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return chr(ord("Aa"[player]) + action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.board.is_over()

    def returns(self) -> list[float]:
        """What each player has got: nothing before the end of the game."""
        margin = self.board.margin() or 0
        south = float(margin if self.get_game().is_reward_margin else np.sign(margin))
        return [south, 0.0 - south]

    def __str__(self) -> str:
        """The board as `kalah.Board.to_text` has it."""
        return self.board.to_text()


class _Observer:
    """What a player sees, as OpenSpiel wants it: `tensor`, and `dict` with its parts."""

    def __init__(self, game: KalahGame, params: Mapping[str, Any] | None) -> None:
        if params:
            message = f"there are no parameters of observations: {params}"
            raise ValueError(message)
        self.tensor = np.zeros(2 * game.start.houses + 3, np.float32)
        self.dict = {"board": self.tensor[:-1], "is_to_move": self.tensor[-1:]}

    def set_from(self, state: KalahState, player: int) -> None:
        self.dict["board"][:] = state.board.observation(player)
        self.tensor[-1] = state.current_player() == player

    def string_from(self, state: KalahState, player: int) -> str:
        del player
        return str(state)


if _NAME not in pyspiel.registered_names():
    pyspiel.register_game(_GAME_TYPE, KalahGame)
