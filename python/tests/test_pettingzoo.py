from __future__ import annotations

import copy
import pickle
import random
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import kalah.pettingzoo
from kalah import NORTH, SOUTH, Board
from kalah.errors import IllegalMoveError

OPTIONS = [{}, {"houses": 3, "seeds": 2, "capture": "empty", "reward": "margin"}]

# What the checker says of PettingZoo's own classic games, too.
ADVICE = [
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "We recommend agents to be named",
    "Action mask numpy array is all zeros",
]


@pytest.mark.parametrize("options", OPTIONS)
def test_checker(options, capsys):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(kalah.pettingzoo.env(**options), num_cycles=200)
        api_test(kalah.pettingzoo.raw_env(**options), num_cycles=200)
    assert "Passed API test" in capsys.readouterr().out
    texts = [str(warning.message) for warning in caught]
    assert [text for text in texts if not any(advice in text for advice in ADVICE)] == []


@pytest.mark.parametrize("options", OPTIONS)
def test_seeds(options):
    seed_test(lambda: kalah.pettingzoo.env(**options), num_cycles=200)


@pytest.mark.parametrize("reward", ["result", "margin"])
@pytest.mark.parametrize("make", [kalah.pettingzoo.env, kalah.pettingzoo.raw_env])
def test_games_are_those_of_boards(make, reward):
    game = make(houses=4, seeds=3, reward=reward)
    draw = random.Random(1)
    for _ in range(30):
        game.reset()
        board = Board(4, 3)
        totals = {}
        for agent in game.agent_iter():
            observation, got, termination, truncation, info = game.last()
            assert not truncation
            own = kalah.Side[agent.upper()]
            expected = [*board.seeds(own), board.store(own)]
            expected += [*board.seeds(own.other), board.store(own.other)]
            assert observation["observation"].tolist() == expected
            if termination:
                totals[agent] = got
                margin = board.margin() * (1 if own == SOUTH else -1)
                assert info == {"margin": margin}
                assert got == (margin / 24 if reward == "margin" else np.sign(margin))
                assert not observation["action_mask"].any()
                game.step(None)
                continue
            assert got == 0
            assert board.turn == own
            other = game.observe("north" if own == SOUTH else "south")
            assert not other["action_mask"].any()
            assert other["observation"].tolist() == expected[5:] + expected[:5]
            house = draw.choice(np.flatnonzero(observation["action_mask"]).tolist())
            moves = [ord(move.lower()) - ord("a") for move in board.legal_moves]
            assert moves == np.flatnonzero(observation["action_mask"]).tolist()
            board.push(house)
            game.step(house)
        assert board.is_over()
        assert sum(totals.values()) == 0
        assert len(totals) == 2


def test_extra_turns_keep_the_agent():
    game = kalah.pettingzoo.env()
    game.reset()
    game.step(2)
    assert game.agent_selection == "south"
    game.step(5)
    assert game.agent_selection == "north"
    assert game.unwrapped.board.turn == NORTH


def test_illegal_actions_end_the_game():
    game = kalah.pettingzoo.env()
    game.reset()
    game.step(0)
    game.observe("north")
    game.step(2)
    assert game.agent_selection == "north"
    game.step(2)
    seen = {}
    for agent in game.agent_iter():
        _, reward, termination, truncation, _ = game.last()
        assert termination
        assert truncation
        seen[agent] = reward
        game.step(None)
    assert seen == {"south": 0, "north": -1}
    game.reset()
    with pytest.raises(AssertionError, match="not in action space"):
        game.step(6)


@pytest.mark.parametrize("action", [2, 6, -1, None])
def test_illegal_actions_without_the_wrapper(action):
    game = kalah.pettingzoo.raw_env()
    game.reset()
    game.step(2)
    before = game.board.copy()
    with pytest.raises(IllegalMoveError):
        game.step(action)
    assert game.board == before
    assert game.agent_selection == "south"


def test_actions_after_the_end():
    game = kalah.pettingzoo.raw_env(houses=1, seeds=1)
    game.reset()
    game.step(0)
    with pytest.raises(ValueError, match="None"):
        game.step(0)


def test_rendering():
    game = kalah.pettingzoo.env(render_mode="ansi", houses=3)
    game.reset()
    assert game.render() == str(Board(3))
    assert kalah.pettingzoo.raw_env().render() is None
    game.close()


@pytest.mark.parametrize("make", [kalah.pettingzoo.env, kalah.pettingzoo.raw_env])
def test_render_checker(make):
    render_test(make)


def test_human_boards_are_printed_after_each_ply(capsys):
    game = kalah.pettingzoo.env(render_mode="human", houses=3)
    assert capsys.readouterr().out == ""
    game.reset()
    assert capsys.readouterr().out == f"{Board(3)}\n"
    game.step(0)
    assert capsys.readouterr().out == f"{game.unwrapped.board}\n"
    assert game.render() is None
    assert capsys.readouterr().out == f"{game.unwrapped.board}\n"


@pytest.mark.parametrize(
    "make_copy", [copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))]
)
@pytest.mark.parametrize("make", [kalah.pettingzoo.env, kalah.pettingzoo.raw_env])
def test_copies_are_in_the_middle_of_the_same_game(make, make_copy):
    game = make(houses=4, reward="margin")
    game.reset()
    for _ in range(4):
        game.step(int(np.argmax(game.observe(game.agent_selection)["action_mask"])))
    again = make_copy(game)
    assert str(again) == "kalah_v0"
    assert again.unwrapped.board is not game.unwrapped.board
    while game.agents:
        assert again.unwrapped.board == game.unwrapped.board
        assert again.unwrapped.board.move_stack == game.unwrapped.board.move_stack
        assert again.agent_selection == game.agent_selection
        assert again.rewards == game.rewards
        is_over = game.terminations[game.agent_selection]
        mask = game.observe(game.agent_selection)["action_mask"]
        action = None if is_over else int(np.argmax(mask))
        game.step(action)
        again.step(action)
    assert again.agents == []


@pytest.mark.parametrize(
    "options",
    [{"reward": "seeds"}, {"render_mode": "svg"}, {"seeds": 0}, {"houses": 0}, {"capture": "x"}],
)
def test_arguments_are_checked(options):
    with pytest.raises(ValueError, match=r"."):
        kalah.pettingzoo.env(**options)
