"""What has state is copied and pickled, or says by its name that it cannot be."""

from __future__ import annotations

import copy
import multiprocessing
import pickle

import pytest

import kalah
from kalah.arena import Score, Tournament
from kalah.training import SelfPlayer

TEXT = """\
[South "Ann"]
[Note "\\u{202e}"]

{Ann begins.} 1. C {an extra turn} F (1. A) (1. B a) 1... a 0-1
"""

COPIES = [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))]


def solve(seeds):
    solver = kalah.Solver(hash=16)
    return solver.solve(kalah.Board(4, seeds), moves=True, line=True)


def parse(text):
    return kalah.Game.parse(text)[0]


@pytest.mark.parametrize("make_copy", COPIES)
def test_values_are_copied(make_copy, tmp_path):
    solution = solve(2)
    again = make_copy(solution)
    assert again == solution
    assert (repr(again), again.best, again.line) == (repr(solution), solution.best, solution.line)
    assert list(again.moves) == list(solution.moves)
    game = parse(TEXT)
    assert make_copy(game) == game
    assert make_copy(game).to_text() == game.to_text()
    again = make_copy(game)
    again.push("B")
    again.set_comment(1, "another")
    assert again != game
    table = kalah.Tablebase.build(tmp_path, seeds=3, houses=3)
    assert make_copy(table).seeds(houses=3) == 3
    limit = kalah.Limit(depth=3)
    assert make_copy(limit) == limit
    error = kalah.errors.EngineTerminatedError("ended")
    assert make_copy(error).args == error.args


def test_processes_return_solutions_and_games():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(solve, [2]) == [solve(2)]
        assert pool.map(parse, [TEXT]) == [parse(TEXT)]


def match():
    return Tournament(["builtin=pvs", "builtin=mtdf"], 2, each="depth=1")


@pytest.mark.parametrize("make_copy", COPIES)
@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("Engine", kalah.Engine),
        ("Analysis", lambda: kalah.Engine().analysis(kalah.Board(), kalah.Limit(depth=1))),
        ("Solver", kalah.Solver),
        ("JobTree", lambda: kalah.JobTree(kalah.Board(3, 2))),
        ("Tournament", match),
        ("Score", lambda: Score(match())),
        ("SelfPlayer", lambda: SelfPlayer(houses=4, seeds=[4])),
    ],
)
def test_others_say_that_they_cannot(name, make, make_copy):
    with pytest.raises(TypeError, match=f"{name}.* cannot be|cannot pickle .*{name}"):
        make_copy(make())
