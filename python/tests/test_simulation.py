from __future__ import annotations

import pytest
from simulate import Conditions, simulate_match, simulate_solve

import kalah
from kalah.cluster import pace
from kalah.cluster.pace import JobQueue, Worker, jobs_at_once, parts_of_task

IDEAL = Conditions(latency=0, driver=0, slow=0, losses=0)


def test_one_worker_is_always_busy():
    outcome = simulate_solve(kalah.Board(6, 3), 1, IDEAL, job_nodes=20_000, rate=1e6)
    assert outcome.margin == 2
    assert outcome.busy == pytest.approx(outcome.work / 1e6)
    # The job that was begun last is not needed.
    assert outcome.seconds == pytest.approx(outcome.busy, rel=0.1)


@pytest.mark.parametrize(
    "workers", [3, *(pytest.param(workers, marks=pytest.mark.deep) for workers in (1, 40))]
)
def test_values_are_found_whatever_is_lost(workers):
    often = Conditions(losses=3600 * 200, notice=0.01, slow=0.5)
    outcome = simulate_solve(kalah.Board(6, 2), workers, often, job_nodes=2000, rate=1e6)
    assert outcome.margin == 6
    assert outcome.lost > 0
    assert outcome == simulate_solve(kalah.Board(6, 2), workers, often, job_nodes=2000, rate=1e6)


def test_a_match_on_ideal_workers():
    outcome = simulate_match(200, 1, [0.5], 4, IDEAL)
    assert (outcome.work, outcome.lost) == (200, 0)
    assert outcome.seconds == pytest.approx(100 * 0.5 / 4, rel=0.05)
    assert outcome.busy == pytest.approx(50)
    slow = simulate_match(200, 1, [0.5], 4, Conditions(latency=0, driver=0, slow=1, losses=0))
    assert slow.seconds == pytest.approx(2 * outcome.seconds, rel=0.05)


def test_a_driver_that_is_slow_is_what_limits():
    outcome = simulate_match(20_000, 1, [0.01], 1000, Conditions(driver=0.01, losses=0))
    assert outcome.driver > 0.9
    assert outcome.seconds >= outcome.tasks * 0.01


def test_parts_that_are_lost_are_played_again():
    outcome = simulate_match(400, 2, [1.0], 10, Conditions(losses=360, notice=1))
    assert outcome.tasks == 100
    assert outcome.lost > 0


def test_no_more_jobs_run_at_once_than_are_of_use():
    tree, solver = kalah.JobTree(kalah.Board(6, 3), job_nodes=1000), kalah.Solver(hash=16)
    queue = JobQueue(tree)

    def jobs():
        return list(iter(lambda: queue.next_job(10_000), None))

    def do(job):
        queue.end(job, (solver.run_job(job)[0], 0.0228))

    running = jobs()
    assert len(running) == jobs_at_once(10_000, None) == jobs_at_once(100, 0.0228)
    assert jobs_at_once(2, None) == jobs_at_once(2, 60.0) == 4
    assert jobs_at_once(100, 0.001) < jobs_at_once(100, 0.05) < jobs_at_once(100, 60.0) == 100
    bounds = tree.bounds()
    do(running.pop())
    running += jobs()
    assert len(running) == jobs_at_once(100, None)
    # A new test begins and has the whole budget: the other jobs are in vain.
    while tree.bounds() == bounds:
        do(running.pop(0))
        running += jobs()
    assert len(running) > jobs_at_once(100, None)


def test_only_the_latest_bounds_are_kept(monkeypatch):
    monkeypatch.setattr(pace, "_MOST_KEPT", 100)
    tree, solver = kalah.JobTree(kalah.Board(6, 3), job_nodes=1000), kalah.Solver(hash=16)
    queue, early, late, told = JobQueue(tree), Worker(), Worker(), []
    while tree.margin() is None:
        job = queue.next_job(1)
        queue.end(job, (solver.run_job(job)[0], 0.01))
        told += queue.unsent_bounds(early)
    unsent = queue.unsent_bounds(late)
    assert len(told) > 100 >= len(unsent) > 0
    assert unsent == told[-len(unsent) :]
    assert queue.unsent_bounds(late) == queue.unsent_bounds(early) == []


@pytest.mark.deep
def test_thousands_of_workers_find_the_value():
    outcome = simulate_solve(kalah.Board(6, 3), 10_000, Conditions(), job_nodes=5000, rate=1e6)
    assert outcome.margin == 2
    assert 4 < outcome.solvers <= 100


def test_tasks_are_long_for_many_cores_and_short_at_the_end():
    assert parts_of_task(None, 2, 1000) == 1
    assert parts_of_task(0.1, 2, 1000) == 10
    assert parts_of_task(0.1, 10_000, 10**7) == 200
    assert parts_of_task(0.1, 2, 12) == 3
    assert parts_of_task(0.1, 2, 1) == 1
    assert parts_of_task(30.0, 2, 1000) == 1
    outcome = simulate_match(20_000, 1, [0.01], 4, IDEAL)
    assert outcome.tasks < 400
    assert outcome.seconds == pytest.approx(10_000 * 0.01 / 4, rel=0.01)
