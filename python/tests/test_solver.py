from __future__ import annotations

import random
import sys

import pytest

import kalah
from kalah.errors import SolverError, TablebaseError


@pytest.mark.parametrize(
    ("seeds", "capture", "margin"),
    [(1, "standard", 2), (2, "standard", 6), (3, "standard", 2), (2, "empty", 10), (3, "empty", 2)],
)
def test_known_values(seeds, capture, margin):
    assert kalah.Solver(hash=64).solve(kalah.Board(6, seeds, capture)).margin == margin


def test_moves_and_lines_reach_the_margin():
    board = kalah.Board(6, 3)
    solution = kalah.Solver(hash=64, threads=2).solve(board, moves=True, line=True)
    assert solution.moves == {"A": -14, "B": -16, "C": -10, "D": -2, "E": 2, "F": 0}
    assert solution.best == ["E"]
    assert solution.nodes > 0
    for move in solution.line:
        board.push(move)
    assert board.margin() == solution.margin == 2


def test_a_solve_ends_in_time_and_goes_on():
    solver = kalah.Solver(hash=64)
    with pytest.raises(SolverError, match="stopped"):
        solver.solve(kalah.Board(6, 6), time=0.2)
    assert solver.solve(kalah.Board(6, 2)).margin == 6
    assert solver.probe(kalah.Board(6, 2)) == (6, 6)
    solver.clear()
    assert solver.probe(kalah.Board(6, 2)) is None


def test_progress_is_reported_and_can_end_a_solve():
    seen = []

    def progress(nodes, left, bounds):
        seen.append((nodes, left, bounds))
        if nodes > 0 and bounds is not None:
            message = "enough"
            raise KeyError(message)

    with pytest.raises(KeyError, match="enough"):
        kalah.Solver(hash=64).solve(kalah.Board(6, 6), progress=progress)
    nodes, _, (lower, upper) = seen[-1]
    assert nodes > 0
    assert lower < upper


def test_checkpoints_keep_what_is_proven(tmp_path):
    board = kalah.Board(6, 3)
    path = tmp_path / "kalah.checkpoint"
    first = kalah.Solver(hash=64, checkpoint=path).solve(board)
    second = kalah.Solver(hash=64, checkpoint=path).solve(board)
    assert second.margin == first.margin
    assert second.nodes < first.nodes
    path.write_bytes(b"something else")
    with pytest.raises(SolverError, match="kalah.checkpoint"):
        kalah.Solver(checkpoint=path).solve(board)
    with pytest.raises(SolverError, match="kalah.checkpoint"):
        kalah.JobTree(board, checkpoint=path)
    assert path.read_bytes() == b"something else"


def test_what_cannot_be_solved():
    with pytest.raises(SolverError, match="too many seeds"):
        kalah.Solver().solve(kalah.Board(12, 40))
    # A note names the argument, which Python 3.10 does not have.
    named = "threads" if sys.version_info >= (3, 11) else "0 is not a whole number"
    with pytest.raises(ValueError, match=named):
        kalah.Solver(threads=0)
    for time in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="not a time"):
            kalah.Solver().solve(kalah.Board(), time=time)


def test_tables_have_the_values_of_the_solver(tmp_path):
    done = []
    table = kalah.Tablebase.build(
        tmp_path / "tables", 8, houses=4, threads=2, progress=lambda *counts: done.append(counts)
    )
    assert done[-1][0] == done[-1][1] > 0
    assert table.seeds(houses=4) == 8
    assert table.seeds(houses=5) is None
    assert table.seeds(houses=12) is None
    opened = kalah.Tablebase.open(tmp_path / "tables")
    solver, draw = kalah.Solver(hash=16, tablebase=tmp_path / "tables"), random.Random(1)
    for _ in range(200):
        houses = [0] * 8
        for _ in range(draw.randrange(9)):
            houses[draw.randrange(8)] += 1
        turn = draw.choice(list(kalah.Side))
        board = kalah.Board.from_seeds(houses[:4], houses[4:], (3, 1), turn)
        assert opened.probe(board) == table.probe(board) == solver.solve(board).margin
    assert opened.probe(kalah.Board(4, 2)) is None
    assert opened.probe(kalah.Board(4, 1, "empty")) is None


def test_damaged_and_missing_tables(tmp_path):
    with pytest.raises(TablebaseError):
        kalah.Tablebase.open(tmp_path / "nothing")
    with pytest.raises(TablebaseError, match="there are no tables in"):
        kalah.Tablebase.open(tmp_path)
    with pytest.raises(TablebaseError, match="8 houses|houses"):
        kalah.Tablebase.build(tmp_path / "tables", 3, houses=9)
    with pytest.raises(TablebaseError):
        kalah.Tablebase.build(tmp_path / "tables", 1000)
    directory = tmp_path / "tables"
    kalah.Tablebase.build(directory, 3, houses=3)
    for file in directory.iterdir():
        file.write_bytes(file.read_bytes()[:-1] + b"?")
    with pytest.raises(TablebaseError):
        for seeds in range(4):
            kalah.Tablebase.open(directory).probe(kalah.Board.from_seeds([seeds, 0, 0], [1, 0, 0]))


def test_a_build_can_be_ended(tmp_path):
    def stop(_done, _total):
        raise StopIteration

    with pytest.raises(StopIteration):
        kalah.Tablebase.build(tmp_path / "tables", 15, progress=stop)


def test_fair_starts_are_draws():
    starts = kalah.fair_starts(6, 4)
    assert len(starts) == 323
    assert len(kalah.fair_starts(capture="empty")) == 254
    assert kalah.fair_starts(12, 42) == []
    small = kalah.fair_starts(houses=4, seeds=3, capture="empty")
    solver = kalah.Solver(hash=16)
    assert small
    assert all(solver.solve(board).margin == 0 for board in small[:20])
    with pytest.raises(ValueError, match="13"):
        kalah.fair_starts(13, 4)
    with pytest.raises(ValueError, match="some"):
        kalah.fair_starts(6, 4, "some")
