from __future__ import annotations

import re

import pytest

import kalah


def best_by_solver(board):
    return kalah.Solver(hash=64).solve(board, moves=True).best[0]


def test_a_perfect_policy_gives_nothing_away():
    result = kalah.exam(best_by_solver, houses=4, positions=10)
    assert (result.regret[0], result.best[0], result.illegal) == (0, 1, 0)
    assert all(answer.loss == 0 and answer.move in answer.best for answer in result.transcript)


def test_illegal_answers_are_counted_as_the_worst_moves():
    result = kalah.exam(lambda _: "pass", positions=30)
    assert result.illegal == 30
    assert result.regret[0] > result.random_regret
    assert all(answer.move is None and answer.said == "pass" for answer in result.transcript)


@pytest.mark.parametrize("spelling", ["letters", "others", "numbers"])
def test_texts_name_the_same_houses(spelling):
    boards = []
    kalah.exam(lambda board: boards.append(board) or "A", positions=25)

    def first_with_seeds(text):
        own = next(line for line in text.splitlines() if line.startswith("Your houses"))
        return next(name for name, seeds in re.findall(r"(\w+) has (\d+)", own) if seeds != "0")

    result = kalah.exam(first_with_seeds, spelling=spelling, positions=25)
    assert result.illegal == 0
    for answer, board in zip(result.transcript, boards, strict=True):
        assert answer.move == board.legal_moves[0]
        assert isinstance(answer.asked, str)


def test_a_policy_may_change_its_board():
    def play(board):
        move = board.legal_moves[0]
        board.push(move)
        return move

    result = kalah.exam(play, houses=4, positions=3)
    assert [answer.asked.move_stack for answer in result.transcript] == [[], [], []]


def test_what_a_policy_raises_is_not_caught():
    with pytest.raises(ZeroDivisionError):
        kalah.exam(lambda _: 1 / 0)


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="no positions"):
        kalah.exam(lambda _: "A", houses=12)
    with pytest.raises(ValueError, match="capture"):
        kalah.exam(lambda _: "A", capture="words")
    with pytest.raises(ValueError, match="no spelling 'words'"):
        kalah.exam(lambda _: "A", spelling="words")
