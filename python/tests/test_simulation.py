from __future__ import annotations

import pytest

import kalah
from kalah.cluster.simulate import Conditions, simulate_match, simulate_solve

IDEAL = Conditions(latency=0, driver=0, slow=0, losses=0)


def test_one_worker_is_always_busy():
    outcome = simulate_solve(kalah.Board(6, 3), 1, IDEAL, job_nodes=20_000, rate=1e6)
    assert outcome.margin == 2
    assert outcome.busy == pytest.approx(outcome.work / 1e6)
    # The job that was begun last is not needed.
    assert outcome.seconds == pytest.approx(outcome.busy, rel=0.1)


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
