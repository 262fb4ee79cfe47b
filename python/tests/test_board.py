from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest

import kalah
from kalah.errors import IllegalMoveError, NotationError


class Reference:
    """The rules, written down as plainly as possible: a ring of pits."""

    def __init__(self, houses, seeds, capture="standard", sowing="single"):
        self.n, self.capture, self.sowing, self.turn = houses, capture, sowing, 0
        self.pits = ([seeds] * houses + [0]) * 2

    def own(self, side):
        return range(side * (self.n + 1), side * (self.n + 1) + self.n)

    def is_over(self):
        return any(sum(self.pits[pit] for pit in self.own(side)) == 0 for side in (0, 1))

    def legal(self):
        if self.is_over():
            return []
        return [index for index, pit in enumerate(self.own(self.turn)) if self.pits[pit]]

    def push(self, index):
        pit = self.own(self.turn)[index]
        store = self.turn * (self.n + 1) + self.n
        other_store = (store + self.n + 1) % len(self.pits)
        seeds, self.pits[pit] = self.pits[pit], 0
        while seeds:
            pit = (pit + 1) % len(self.pits)
            if pit != other_store:
                self.pits[pit] += 1
                seeds -= 1
            if self.sowing == "relay" and not seeds and pit != store and self.pits[pit] > 1:
                seeds, self.pits[pit] = self.pits[pit], 0
        if self.sowing == "single" and pit in self.own(self.turn) and self.pits[pit] == 1:
            opposite = 2 * self.n - pit
            if self.pits[opposite] or self.capture == "empty":
                self.pits[store] += 1 + self.pits[opposite]
                self.pits[pit] = self.pits[opposite] = 0
        if self.is_over():
            return
        if pit != store:
            self.turn = 1 - self.turn

    def margin(self):
        return sum(self.pits[: self.n + 1]) - sum(self.pits[self.n + 1 :])


@pytest.mark.parametrize(
    "rules", [{"capture": "standard"}, {"capture": "empty"}, {"sowing": "relay"}]
)
@pytest.mark.parametrize("houses", range(1, 13))
def test_random_games_follow_the_rules(houses, rules):
    draw = random.Random(houses)
    for seeds in (1, 3, 4, 9):
        board = kalah.Board(houses, seeds, **rules)
        plain = Reference(houses, seeds, **rules)
        while plain.legal():
            letters = "ABCDEFGHIJKL" if board.turn == kalah.SOUTH else "abcdefghijkl"
            assert board.turn == plain.turn
            assert board.legal_moves == [letters[index] for index in plain.legal()]
            for side in kalah.Side:
                assert board.seeds(side) == [plain.pits[pit] for pit in plain.own(side)]
            index = draw.choice(plain.legal())
            board.push(draw.choice([index, letters[index]]))
            plain.push(index)
        assert board.is_over()
        assert board.margin() == plain.margin()
        assert board.legal_moves == []


def test_pop_takes_back_every_move():
    board, boards = kalah.Board(), []
    while board.legal_moves:
        boards.append(board.copy())
        board.push(board.legal_moves[-1])
    moves = board.move_stack
    while boards:
        assert board.pop() == moves.pop()
        assert board == boards.pop()
    with pytest.raises(IndexError, match="no move was played"):
        board.pop()


def test_equal_boards_are_one_key_and_copies_are_their_own():
    board = kalah.Board.from_text("<3,5,2,0,1,4,2,2,2> N", "empty")
    assert len({board, board.copy(), kalah.Board.from_text(board.to_text(), "empty")}) == 1
    assert board != kalah.Board.from_text(board.to_text())
    assert board != "board"
    for other in (copy.copy(board), copy.deepcopy(board), board.copy()):
        other.push("a")
        assert board.move_stack == []
        assert board != other


def test_pickled_boards_keep_their_moves():
    board = kalah.Board.from_seeds([1, 2, 3], [3, 2, 1], (4, 5), kalah.NORTH, "empty")
    for _ in range(4):
        board.push(board.legal_moves[0])
    read = pickle.loads(pickle.dumps(board))
    assert (read, read.move_stack) == (board, board.move_stack)


def test_results():
    board = kalah.Board.from_seeds([0, 0, 1], [0, 0, 1], (5, 5))
    assert (board.margin(), board.result()) == (None, "*")
    board.push("C")
    assert (board.margin(), board.result()) == (0, "1/2-1/2")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        board.push("A")


def test_illegal_moves_change_nothing():
    board = kalah.Board.from_text("<3,5,2,0,1,4,2,2,2>")
    for move, text in [("A", "empty"), ("a", "not to move"), ("D", "no house"), (0, "empty")]:
        with pytest.raises(IllegalMoveError, match=text):
            board.push(move)
        assert not board.is_legal(move)
    for move in (12, 255, -1):
        with pytest.raises(IllegalMoveError, match="no house"):
            board.push(move)
    with pytest.raises(NotationError, match="not a move"):
        board.push("AB")
    for move in (1.5, None):
        with pytest.raises(TypeError, match="letter of a house"):
            board.push(move)
    assert (board.to_text(), board.move_stack) == ("<3,5,2,0,1,4,2,2,2> S", [])


def test_boards_that_the_rules_do_not_allow():
    with pytest.raises(ValueError, match="1 to 12"):
        kalah.Board(13)
    with pytest.raises(ValueError, match="unknown capture rule 'all'"):
        kalah.Board(capture="all")
    with pytest.raises(ValueError, match="unknown way of sowing 'all', expected single or relay"):
        kalah.Board(sowing="all")
    with pytest.raises(ValueError, match="seeds on the board"):
        kalah.Board(12, 100)
    with pytest.raises(ValueError, match="3 houses on one side|2 houses"):
        kalah.Board.from_seeds([1, 1], [1, 1, 1])
    with pytest.raises(ValueError, match="SOUTH or NORTH"):
        kalah.Board.from_seeds([1, 1], [1, 1], turn=2)
    with pytest.raises(NotationError, match="field 6"):
        kalah.Board.from_text("<3,5,2,0,1,x,2,2,2>")
    with pytest.raises(ValueError, match="-1 is not a whole number from 0 to 1023"):
        kalah.Board(6, -1)


def test_observations_are_those_of_the_player_to_move():
    board = kalah.Board.from_seeds([1, 2, 3], [4, 5, 6], (7, 8), kalah.NORTH)
    assert board.observation().dtype == np.uint16
    assert board.observation().tolist() == [4, 5, 6, 8, 1, 2, 3, 7]
    assert board.observation(kalah.NORTH).tolist() == [4, 5, 6, 8, 1, 2, 3, 7]
    assert board.observation(kalah.SOUTH).tolist() == [1, 2, 3, 7, 4, 5, 6, 8]
    assert kalah.Board.from_seeds([1, 0, 3], [4, 5, 6]).legal_mask().tolist() == [True, False, True]


def test_pictures_show_seeds_and_the_last_move():
    board = kalah.Board()
    assert 'kalah-last"' not in board.svg()
    board.push("C")
    assert 'kalah-last"' in board.svg()
    assert board._repr_svg_() == board.svg()
    assert board.svg(width=300).count("<circle") == 12
    assert 'width="300"' in board.svg(width=300)


def test_evaluation_is_that_of_the_player_to_move():
    assert kalah.evaluate(kalah.Board.from_text("<3,9,0,0,0,0,2,1,0> N")) == -6
    south = kalah.evaluate(kalah.Board.from_seeds([4] * 6, [4] * 6, (20, 0)))
    north = kalah.evaluate(kalah.Board.from_seeds([4] * 6, [4] * 6, (20, 0), kalah.NORTH))
    assert south > 0 > north


def test_the_way_of_sowing_goes_along_with_a_board():
    board = kalah.Board(6, 3, sowing="relay")
    board.push("F")
    for copied in (copy.copy(board), pickle.loads(pickle.dumps(board))):
        assert copied == board
        assert (copied.sowing, copied.to_text()) == ("relay", board.to_text())
    assert repr(board).endswith(", sowing='relay')")
    assert kalah.Board.from_text(board.to_text(), sowing="relay").key() == board.key()
    assert kalah.Board.from_text(board.to_text()).key() != board.key()
    assert kalah.Board(capture="empty", sowing="relay") == kalah.Board(sowing="relay")


def test_relay_sowing_is_solved():
    assert kalah.Solver(hash=16).solve(kalah.Board(6, 3, sowing="relay")).margin == 14
