"""Records of matches, which machines send to one that counts them."""

from __future__ import annotations

import json

import pytest

from kalah.arena import Score, Tournament
from kalah.errors import ArenaError

PLAYERS = ["builtin=negascout", "builtin=minimax"]


@pytest.fixture(scope="module")
def match():
    return Tournament(PLAYERS, 4, each="depth=1", openings="plies=1")


@pytest.fixture(scope="module")
def records(match):
    return [json.loads(line) for line in match.play(1, 1)]


def flipped(record):
    return {"1-0": "0-1", "0-1": "1-0"}.get(record["result"], "1-0")


# What is wrong with a record, and what is said of it.
CHANGES = {
    "result": (lambda game: {"result": flipped(game)}, "the result is"),
    "margin": (lambda game: {"margin": game["margin"] + 2}, "the margin is"),
    "reason": (lambda _: {"reason": "crashed"}, "its reason is 'crashed'"),
    "moves": (lambda game: {"moves": game["moves"][:3]}, "the moves do not end the game"),
    "illegal": (lambda _: {"moves": [{"move": "?", "time": 1}]}, "not a letter"),
    "players": (lambda game: {"south": game["north"], "north": game["south"]}, "schedule"),
    "settings": (
        lambda game: {"south": game["south"] | {"depth": 2}},
        "of another tournament: another player",
    ),
    "opening": (lambda game: {"opening": game["opening"].replace("4", "3")}, "."),
    "another opening": (lambda _: {"game": 3}, "the opening is"),
    "number": (lambda _: {"game": 5}, "from 1 to 4"),
    "conditions": (
        lambda game: {"conditions": game["conditions"] | {"seed": 2}},
        "of another tournament: .*seed",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_records_that_contradict_themselves_or_the_match_do_not_count(match, records, change):
    make, said = CHANGES[change]
    score, record = Score(match), records[0]
    line = json.dumps(record | make(record))
    with pytest.raises(ArenaError, match=said):
        score.add(line)
    assert score.games == 0
    assert score.add(json.dumps(record))
    assert not score.add(json.dumps(record))
    with pytest.raises(ArenaError):
        score.add(line)
    assert score.games == 1


@pytest.mark.parametrize("line", ["not json", "[1, 2]", "{}", ""])
def test_lines_that_are_no_records(match, line):
    with pytest.raises(ArenaError, match="not a record of a game"):
        Score(match).add(line)


def test_records_are_counted_in_any_order(match, records):
    score = Score(match)
    for record in reversed(records):
        assert score.add(json.dumps(record))
    assert score.games == match.games == 4
    assert score.figures()["games"] == 4
