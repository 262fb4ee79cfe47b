"""Threads, forked and spawned processes, and Ctrl-C."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import kalah
from kalah.vector import Boards


def work(seeds):
    """Uses every part that has threads of its own."""
    games = Boards(70_000, seeds=seeds)
    for _ in range(10):
        games.step(games.random_actions())
    engine = kalah.Engine(threads=2)
    move = engine.play(kalah.Board(6, seeds), kalah.Limit(depth=4)).move
    solution = kalah.Solver(hash=16, threads=2).solve(kalah.Board(4, 2))
    return move is not None, solution.margin, games.observations().sum().item()


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"the system has no {method}")
    here = [work(seeds) for seeds in (3, 4)]  # before the fork, so that threads have run
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(work, [3, 4]) == here


def test_threads():
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(work, [4] * 8))
    assert results == results[:1] * 8


def test_one_object_on_several_threads():
    games = Boards(70_000)

    def step(_):
        try:
            games.step(games.random_actions())
        except (RuntimeError, kalah.errors.IllegalMoveError) as error:
            return error  # another thread is at it, or was between the two calls
        return None

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(step, range(200)))
    assert games.legal_mask().any(axis=1).all()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(
    "work",
    [
        "say(); kalah.Engine().play(kalah.Board(6, 6), kalah.Limit(time=1000))",
        "a = kalah.Engine().analysis(kalah.Board(6, 6)); next(a); say(); a.wait()",
        "kalah.Solver(hash=64).solve(kalah.Board(6, 6), progress=lambda *work: say())",
        "kalah.Tablebase.build(sys.argv[1], 22, progress=lambda *work: say())",
    ],
)
def test_ctrl_c_ends_work(work, tmp_path):
    code = (
        "import signal, sys, kalah\n"
        # Where the tests run in the background of a script, it is ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def say(): print('begun', flush=True)\n"
        "try:\n"
        f"    {work}\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "tables")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
    assert output.splitlines()[-1] == "interrupted", errors
