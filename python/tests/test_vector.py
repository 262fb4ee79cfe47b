from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import kalah
from kalah.errors import IllegalMoveError
from kalah.vector import Boards


@pytest.mark.parametrize("capture", ["standard", "empty"])
@pytest.mark.parametrize(("houses", "seeds"), [(1, 3), (3, 2), (6, 4), (8, 16), (9, 3), (12, 12)])
def test_games_are_those_of_boards(houses, seeds, capture):
    games = Boards(20, houses, seeds, capture, seed=1)
    boards = [games[index] for index in range(len(games))]
    finished = 0
    for _ in range(300):
        mask, actions, turns = games.legal_mask(), games.random_actions(), games.turns()
        observations = games.observations()
        rewards, done = [], []
        for index, board in enumerate(boards):
            houses_to_sow = [ord(move.lower()) - ord("a") for move in board.legal_moves]
            assert np.flatnonzero(mask[index]).tolist() == houses_to_sow
            assert observations[index].tolist() == board.observation().tolist()
            assert turns[index] == board.turn
            sign = 1 if board.turn == kalah.SOUTH else -1
            board.push(int(actions[index]))
            done.append(board.is_over())
            rewards.append(sign * board.margin() if board.is_over() else 0)
            if board.is_over():
                boards[index] = kalah.Board(houses, seeds, capture)
        finished += sum(done)
        stepped = games.step(actions)
        assert stepped[0].tolist() == rewards
        assert stepped[1].tolist() == done
    assert finished > 0


def test_threads_do_not_change_the_games():
    def play(threads):
        games = Boards(70_000, seed=3, random_plies=4, threads=threads)
        return [games.step(games.random_actions())[0].sum() for _ in range(50)], games

    (one, first), (three, second) = play(1), play(3)
    assert one == three
    assert (first.observations() == second.observations()).all()
    assert (first.turns() == second.turns()).all()


def test_random_plies_begin_each_game():
    games = Boards(500, random_plies=6, seed=1)
    starts = {games[index].to_text() for index in range(500)}
    assert len(starts) > 300
    games.reset()
    assert {games[index].to_text() for index in range(500)} != starts
    again = Boards(500, random_plies=6, seed=1)
    assert {again[index].to_text() for index in range(500)} == starts


def test_random_actions_are_spread_over_the_legal_moves():
    games = Boards(60_000, threads=2)
    counts = np.bincount(games.random_actions(), minlength=6)
    assert (abs(counts - 10_000) < 500).all()  # five standard deviations
    assert (games.random_actions() != games.random_actions()).any()


def test_arrays_are_filled_in_place():
    games = Boards(5)
    outs = {
        "legal_mask": np.zeros((5, 6), bool),
        "observations": np.zeros((5, 14), np.uint16),
        "turns": np.zeros(5, np.uint8),
        "random_actions": np.zeros(5, np.int64),
    }
    for name, out in outs.items():
        assert getattr(games, name)(out) is out
        with pytest.raises(ValueError, match="out must be"):
            getattr(games, name)(out[:4])
        with pytest.raises(ValueError, match="out must be"):
            getattr(games, name)(np.zeros((10, *out.shape[1:]), out.dtype)[::2])
        with pytest.raises(TypeError):
            getattr(games, name)(out.astype(np.float32))
        locked = out.copy()
        locked.flags.writeable = False
        with pytest.raises((ValueError, TypeError)):
            getattr(games, name)(locked)


def test_games_can_be_left_alone_and_replaced():
    games = Boards(3, houses=3, seeds=2)
    games[1] = kalah.Board.from_seeds([0, 0, 1], [1, 0, 0], (4, 2), kalah.SOUTH)
    rewards, done = games.step([-1, 2, 0])
    assert rewards.tolist() == [0, 2, 0]
    assert done.tolist() == [False, True, False]
    assert games[0] == games[1] == kalah.Board(3, 2)
    assert games[-1] != kalah.Board(3, 2)
    with pytest.raises(ValueError, match="does not suit"):
        games[0] = kalah.Board(4, 2)
    for index in (3, -4):
        with pytest.raises(IndexError, match="3 games"):
            games[index]


def test_illegal_actions_change_no_game():
    games = Boards(2, houses=3, seeds=3)
    games.step([1, 1])
    before = games.observations()
    for actions in ([0, 3], [0, -2], [0, 2**40]):
        with pytest.raises(IllegalMoveError, match="game 1"):
            games.step(actions)
    with pytest.raises(ValueError, match="3 actions for 2 games"):
        games.step([0, 0, 0])
    assert (games.observations() == before).all()


def test_a_board_does_not_take_back_random_plies():
    boards = Boards(8, random_plies=6, seed=1)
    first = boards.observations()
    for index in range(8):
        boards[index] = kalah.Board()
    boards.reset()
    assert (boards.observations() != first).any(axis=1).sum() > 1


def test_games_that_cannot_be():
    for arguments in (
        {"n": 0},
        {"n": 1, "seeds": 0},
        {"n": 1, "houses": 0},
        {"n": 1, "threads": 0},
        {"n": 1, "houses": 1, "seeds": 2, "random_plies": 1},
    ):
        with pytest.raises(
            ValueError, match=r"from 1 to|begins with at least 1|no moves|end the game"
        ):
            Boards(**arguments)
    with pytest.raises(MemoryError):
        Boards(2**60)


def test_some_games_begin_anew():
    games = Boards(3, random_plies=3)
    before = [games[index] for index in range(3)]
    games.reset([False, True, False])
    assert [games[index] == board for index, board in enumerate(before)] == [True, False, True]
    with pytest.raises(ValueError, match="a mask of 2 for 3 games"):
        games.reset([True, True])


COPIES = [copy.copy, copy.deepcopy, lambda games: pickle.loads(pickle.dumps(games))]


@pytest.mark.parametrize("make_copy", COPIES)
@pytest.mark.parametrize(("houses", "seeds"), [(3, 2), (12, 3)])
def test_copies_go_on_with_the_same_games(make_copy, houses, seeds):
    games = Boards(40, houses, seeds, "empty", random_plies=2, seed=5, threads=2)
    for _ in range(30):
        games.step(games.random_actions())
    again = make_copy(games)
    assert [again[index] for index in range(40)] == [games[index] for index in range(40)]
    for _ in range(60):
        actions = games.random_actions()
        assert (again.random_actions() == actions).all()
        rewards, done = games.step(actions)
        rewards_again, done_again = again.step(actions)
        assert (rewards == rewards_again).all()
        assert (done == done_again).all()
        assert (games.observations() == again.observations()).all()
    games.step(games.random_actions())
    assert (games.observations() != again.observations()).any()


def test_damaged_states_are_refused():
    games = Boards(2, 3, 2)
    draws, seen, turns, finished = games.__getstate__()
    for state in (
        (draws, seen[:1].copy(), turns, finished),
        (draws, seen + np.uint16(2000), turns, finished),
        (draws, seen, turns + np.uint8(2), finished),
    ):
        with pytest.raises(ValueError, match=r"damaged|seeds on the board"):
            Boards(2, 3, 2).__setstate__(state)
