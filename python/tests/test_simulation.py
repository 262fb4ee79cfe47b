from __future__ import annotations

import pytest

import kalah
from kalah.cluster.simulate import Conditions, simulate_match, simulate_solve

IDEAL = Conditions(latency=0, driver=0, slow=0, losses=0)


def test_one_worker_does_what_a_loop_does():
    board, nodes, jobs = kalah.Board(6, 3), 0, 0
    tree, solver = kalah.JobTree(board, job_nodes=20_000), kalah.Solver(hash=128)
    running = tree.next_jobs(2)
    while tree.margin() is None:
        job = running.pop(0)
        proven, searched = solver.run_job(job)
        running += tree.next_jobs(1) if len(running) == 0 else []
        tree.report(job.id, proven)
        running += tree.next_jobs(2 - len(running))
        nodes, jobs = nodes + searched, jobs + 1
    outcome = simulate_solve(board, 1, IDEAL, job_nodes=20_000, rate=1e6)
    assert outcome.margin == tree.margin() == 2
    assert outcome.seconds >= outcome.work * (1 - 1e-9) / 1e6 * 0.9
    assert 0.5 < outcome.work / nodes < 2


@pytest.mark.parametrize("workers", [1, 3, 40])
def test_values_are_found_whatever_is_lost(workers):
    often = Conditions(losses=3600 * 200, notice=0.01, slow=0.5)
    outcome = simulate_solve(kalah.Board(6, 2), workers, often, job_nodes=2000, rate=1e6)
    assert outcome.margin == 6
    assert outcome.lost > 0
    assert outcome == simulate_solve(kalah.Board(6, 2), workers, often, job_nodes=2000, rate=1e6)


def test_a_match_on_ideal_workers():
    outcome = simulate_match(200, 1, [0.5], 4, IDEAL)
    assert (outcome.tasks, outcome.lost) == (100, 0)
    assert outcome.seconds == pytest.approx(100 * 0.5 / 4)
    assert outcome.busy == pytest.approx(50)
    slow = simulate_match(200, 1, [0.5], 4, Conditions(latency=0, driver=0, slow=1, losses=0))
    assert slow.seconds == pytest.approx(2 * outcome.seconds)


def test_a_driver_that_is_slow_is_what_limits():
    outcome = simulate_match(2000, 1, [0.01], 1000, Conditions(driver=0.01, losses=0))
    assert outcome.driver > 0.9
    assert outcome.seconds >= 1000 * 0.01


def test_parts_that_are_lost_are_played_again():
    outcome = simulate_match(400, 2, [1.0], 10, Conditions(losses=360, notice=1))
    assert outcome.tasks == 100
    assert outcome.lost > 0
