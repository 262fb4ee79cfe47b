"""Numbers that are no numbers of what they are meant for: one check, the documented errors."""

from __future__ import annotations

import numpy as np
import pytest

import kalah
import kalah.gymnasium
import kalah.pettingzoo
from kalah.arena import Score, Tournament
from kalah.training import SelfPlayer, TrainingRun
from kalah.vector import Boards


def tournament(games=2, **options):
    return Tournament(["builtin=pvs", "builtin=mtdf"], games, each="depth=1", **options)


# Each makes something of one number; the second is one that it takes.
COUNTS = {
    "houses": (kalah.Board, 6),
    "seeds": (lambda n: kalah.Board(6, n), 4),
    "a house": (lambda n: kalah.Board.from_seeds([n], [1]), 2),
    "a store": (lambda n: kalah.Board.from_seeds([1], [1], (n, 0)), 2),
    "a side": (lambda n: kalah.Board.from_seeds([1], [1], turn=n), 1),
    "width": (lambda n: kalah.Board().svg(width=n), 300),
    "games": (Boards, 3),
    "random plies": (lambda n: Boards(2, random_plies=n), 1),
    "seed": (lambda n: Boards(2, seed=n), 7),
    "threads": (lambda n: Boards(2, threads=n), 1),
    "hash": (lambda n: kalah.Solver(hash=n), 1),
    "solver threads": (lambda n: kalah.Solver(threads=n), 1),
    "job nodes": (lambda n: kalah.JobTree(kalah.Board(3, 2), job_nodes=n), 1000),
    "jobs": (lambda n: kalah.JobTree(kalah.Board(3, 2)).next_jobs(n), 1),
    "engine hash": (lambda n: kalah.Engine(hash=n), 1),
    "engine threads": (lambda n: kalah.Engine(threads=n), 1),
    "level": (lambda n: kalah.Engine(level=n), 3),
    "depth": (lambda n: kalah.Limit(depth=n), 3),
    "nodes": (lambda n: kalah.Limit(nodes=n), 3),
    "moves to go": (lambda n: kalah.Limit(remaining_moves=n), 3),
    "lines": (lambda n: kalah.Engine().analyse(kalah.Board(), kalah.Limit(depth=1), multipv=n), 2),
    "matches": (lambda n: tournament(games=n), 2),
    "seed of a match": (lambda n: tournament(seed=n), 2),
    "adjudication": (lambda n: tournament(adjudicate=n), 2),
    "part": (lambda n: tournament().numbers(n, 2), 1),
    "player": (lambda n: Score(tournament()).figures(n, 1), 0),
    "exam": (lambda n: kalah.exam(lambda _: "A", positions=n), 1),
    "exam houses": (lambda n: kalah.exam(lambda _: "A", houses=n, positions=1), 4),
    "layers": (lambda n: kalah.Tablebase.build("/nonexistent/folder", n), None),
    "self-play": (lambda n: SelfPlayer(nodes=n), 20),
    "positions": (lambda n: TrainingRun("/nonexistent/folder", positions=n), None),
    "generations": (lambda n: TrainingRun("/nonexistent/folder", generations=n), None),
    "neurons": (lambda n: TrainingRun("/nonexistent/folder", neurons=n), None),
    "environments": (kalah.gymnasium.KalahVectorEnv, 2),
    "environment": (lambda n: kalah.gymnasium.KalahEnv(houses=n), 3),
    "agents": (lambda n: kalah.pettingzoo.raw_env(seeds=n), 3),
}


# Those whose default is None.
DEFAULT_NONE = (
    *("threads", "depth", "nodes", "moves to go", "adjudication", "lines", "exam", "exam houses"),
)
# Older versions of numpy let their truth values be numbers, with a warning.
TRUTH = (True,) if hasattr(np.True_, "__index__") else (True, np.True_)


@pytest.mark.parametrize("name", COUNTS)
def test_counts_are_whole_numbers_of_their_range(name):
    make, good = COUNTS[name]
    for number in (-1, -(2**70), np.int64(-3), 2**70):
        with pytest.raises(ValueError, match=r"from \d+ to \d+|SOUTH or NORTH"):
            make(number)
    for number in (0.7, 2.0, np.float32(1), "2", None, *TRUTH):
        if number is None and name in DEFAULT_NONE:
            continue
        with pytest.raises(TypeError):
            make(number)
    if good is not None:
        for kind in (int, np.int8 if good < 100 else np.int32, np.uint64, np.array):
            make(kind(good))


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("job nodes", 0),
        ("hash", 0),
        ("adjudication", 0),
        ("adjudication", 25),
        ("lines", 13),
        ("self-play", 0),
        ("positions", 0),
        ("generations", 0),
        ("exam", 0),
        ("exam houses", 13),
    ],
)
def test_counts_have_the_ranges_of_the_command_line(name, number):
    with pytest.raises(ValueError, match=f"{number} is not a whole number from 1 to"):
        COUNTS[name][0](number)


def test_numbers_of_engines_have_the_ranges_of_their_options():
    for option, text in (
        ({"hash": 0}, "Hash takes a whole number from 1 to 33554432, not '0'"),
        ({"threads": 0}, "Threads takes .* from 1 to 256, not '0'"),
        ({"level": 21}, "Skill Level takes .* from 0 to 20, not '21'"),
    ):
        with pytest.raises(ValueError, match=text):
            kalah.Engine(**option)


def test_targets_are_margins():
    def make(target):
        return kalah.Job(1, kalah.Board(), target, 1000, 1.0)

    assert make(np.int64(-3)).target == -3
    for number in (2**15, 2**40, -(2**70)):
        with pytest.raises(ValueError, match="from -32768 to 32767"):
            make(number)
    for number in (0.7, "2", None, *TRUTH):
        with pytest.raises(TypeError):
            make(number)


def test_lists_are_anything_but_texts():
    board = kalah.Board.from_seeds([0, 1, 4], [2, 2, 2], stores=(5, 2))
    houses = np.array([0, 1, 4], np.int8), (2 for _ in range(3))
    assert kalah.Board.from_seeds(*houses, stores=np.array([5, 2])) == board
    assert kalah.Board.from_seeds(range(3), range(3), stores=[5, 2]).houses == 3
    for make in (
        lambda: kalah.Board.from_seeds("12", "11"),
        lambda: kalah.Board.from_seeds([1], [1], stores="12"),
        lambda: Tournament("builtin=pvs", 2),
        lambda: SelfPlayer(seeds="4"),
    ):
        with pytest.raises(TypeError, match="a list is expected, not a text"):
            make()
    with pytest.raises(TypeError, match="'int' object is not iterable"):
        kalah.Board.from_seeds([1], [1], stores=3)
    with pytest.raises(ValueError, match="two stores, not 3"):
        kalah.Board.from_seeds([1], [1], stores=(1, 2, 3))


def test_limits_name_the_field():
    for field in ("depth", "nodes", "remaining_moves"):
        with pytest.raises(ValueError, match=f"{field}: 0 is not a whole number from 1 to"):
            kalah.Limit(**{field: 0})
    for field in ("time", "south_clock", "north_clock", "south_inc", "north_inc"):
        for seconds in (-1, -0.5, float("nan"), float("inf"), 10**400):
            with pytest.raises(ValueError, match=f"{field}: .* is not a time in seconds from 0"):
                kalah.Limit(**{field: seconds})
        with pytest.raises(TypeError, match=field):
            kalah.Limit(**{field: "1"})
    assert kalah.Limit(time=np.float32(0.5), depth=np.int64(3)).depth == 3
    with pytest.raises(ValueError, match="time in seconds"):
        kalah.Solver(hash=1).solve(kalah.Board(3, 1), time=-1)


def test_houses_that_are_not_there_are_illegal_moves():
    board = kalah.Board()
    for move in (-1, 6, 12, 2**70, -(2**70)):
        with pytest.raises(kalah.errors.IllegalMoveError, match="house"):
            board.push(move)
        assert not board.is_legal(move)
    for move in (0.7, None, *TRUTH):
        with pytest.raises(TypeError, match="letter of a house"):
            board.push(move)
    board.push(np.uint8(2))
    assert board.move_stack == ["C"]


def test_indexes_that_are_not_there():
    games, game = Boards(3), kalah.Game.parse("1. CF a 2. A *")[0]
    for index in (3, -4, 2**70, -(2**70)):
        with pytest.raises(IndexError, match="3 games"):
            games[index]
    assert games[np.int64(-1)] == kalah.Board()
    for ply in (5, -1, 2**70, -(2**70)):
        for ask in (game.comment, game.board, game.variations):
            with pytest.raises(IndexError, match="4 plies"):
                ask(ply)
    with pytest.raises(IndexError, match="from 1"):
        game.variations(0)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64])
def test_actions_are_integers_of_any_kind(kind):
    games = Boards(2)
    games.step(np.array([0, 5], kind))
    assert games.observations()[:, :6].sum() > 0
    if kind == np.uint64:
        with pytest.raises(kalah.errors.IllegalMoveError, match="game 1"):
            games.step(np.array([0, 2**64 - 1], kind))
        with pytest.raises(kalah.errors.IllegalMoveError, match="game 0"):
            games.step(np.full(2, 2**64 - 1, ">u8"))
    envs = kalah.gymnasium.KalahVectorEnv(2, side="south")
    envs.reset(seed=1)
    envs.step(np.array([0, 5], kind))
    env = kalah.gymnasium.KalahEnv(side="south")
    env.reset(seed=1)
    assert not env.step(kind(0))[2]


@pytest.mark.parametrize("action", [0.7, 2.0, True, None, "0"])
def test_actions_that_are_no_integers(action):
    games = Boards(1)
    with pytest.raises(TypeError, match="whole number"):
        games.step([action])
    assert games[0] == kalah.Board()
    envs = kalah.gymnasium.KalahVectorEnv(1, side="south")
    envs.reset(seed=1)
    with pytest.raises(TypeError, match="whole number"):
        envs.step([action])
    env = kalah.gymnasium.KalahEnv(side="south")
    env.reset(seed=1)
    with pytest.raises(TypeError):
        env.step(action)
    agents = kalah.pettingzoo.raw_env()
    if action is not None:
        with pytest.raises(TypeError):
            agents.step(action)
    assert games[0] == env.board == agents.board == kalah.Board()
    with pytest.raises(TypeError, match="one whole number for each game"):
        games.step([[0]])
    with pytest.raises(TypeError, match="another type"):
        games.turns(np.zeros(1))


def test_masks_are_bools():
    for mask in ([0, 1], [0.5, 1], "ab", [[True, False]]):
        with pytest.raises(TypeError, match="a bool for each game"):
            Boards(2).reset(mask)
    Boards(4).reset(np.array([True, False] * 4)[::2])


def test_opponents_are_named():
    env = kalah.gymnasium.KalahEnv(opponent=np.int64(3))
    env.reset(seed=1)
    for opponent in (0.5, True, "3", None):
        with pytest.raises(ValueError, match="a level from 0 to 20"):
            kalah.gymnasium.KalahEnv(opponent=opponent)
    with pytest.raises(ValueError, match='or a function, not 3; .*mode="sync"'):
        kalah.gymnasium.KalahVectorEnv(2, opponent=3)
    assert kalah.Engine(options={"OwnBook": np.False_}) is not None
