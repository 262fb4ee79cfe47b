"""Training runs and their players: what they take."""

from __future__ import annotations

import pytest

from kalah.errors import TrainingError
from kalah.training import SelfPlayer, TrainingRun

GAMES = {"houses": 4, "seeds": [3, 4], "nodes": 20}
HEADER = "houses,search,proven,outcome\n"


def test_what_are_no_samples_of_these_games_is_refused(tmp_path):
    run = TrainingRun(tmp_path, positions=100, generations=1, **GAMES)
    good, bad = run.next_jobs(2)
    samples = SelfPlayer(**GAMES).play(1, good)
    for text, error in (
        ("garbage", "no samples"),
        ("houses,search\n1 2,3\n", "no samples"),
        ("\xff\xfe", "UTF-8"),
        (HEADER + "4 4 4 4 4 4 4 4,x,false,\n", "invalid digit"),
        (HEADER + "4 4 4 4,0,false,\n", f"job {bad}: '4 4 4 4' is not a position"),
        (HEADER + "4 4 4 4 4 4 4 5,0,false,\n", "is not a position of this board"),
        (HEADER + " ".join(["65535"] * 8) + ",0,false,\n", "is not a position of this board"),
    ):
        with pytest.raises(TrainingError, match=error):
            run.report([(good, samples), (bad, text.encode("latin-1"))])
        assert run.positions == 0
    run.report([(good, samples), (bad, b"")])
    assert run.positions == samples.count(b"\n") - 1


def test_the_numbers_of_games_have_64_bits():
    player = SelfPlayer(houses=1, seeds=[1], nodes=1)
    for job in (2**60 - 1, 2**64 - 1):
        with pytest.raises(ValueError, match=f"{job} is not .* from 0 to {2**60 - 2}"):
            player.play(1, job)
    assert player.play(1, 2**60 - 2) == b""
    with pytest.raises(ValueError, match="0 is not a whole number from 1 to"):
        player.play(0, 1)
