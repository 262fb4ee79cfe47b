from __future__ import annotations

import json

import pytest

import kalah
from kalah.errors import IllegalMoveError, NotationError

TEXT = """\
[South "Ann"]
[North "Bob"]
[Board "6x4"]
[Capture "standard"]
[Date "2026.11.23"]
[Result "*"]

{Ann begins.} 1. C {an extra turn} F (1. A) 1... a *
"""


def test_text_is_read_and_written():
    (game,) = kalah.Game.parse(TEXT)
    assert game.to_text() == TEXT
    assert game.tags == {"South": "Ann", "North": "Bob", "Date": "2026.11.23"}
    assert game.moves == ["C", "F", "a"]
    assert [game.comment(ply) for ply in range(4)] == ["Ann begins.", "an extra turn", None, None]
    assert game.variations(2) == [["A"]]
    assert kalah.Game.from_json(game.to_json()) == game
    assert json.loads(game.to_json())["tags"]["South"] == "Ann"


def test_a_game_is_made_of_a_board_with_moves():
    board = kalah.Board(3, 2, "empty")
    while board.legal_moves:
        board.push(board.legal_moves[0])
    game = kalah.Game(board)
    assert game.moves == board.move_stack
    assert game.result == board.result()
    assert game.board() == board
    assert game.board(0) == kalah.Board(3, 2, "empty")
    game.set_tag("South", "Ann")
    game.set_comment(1, "a start")
    assert kalah.Game.parse(game.to_text()) == [game]


def test_faults_are_named():
    game = kalah.Game()
    with pytest.raises(IllegalMoveError):
        game.push("a")
    assert len(game) == 0
    with pytest.raises(IndexError, match="no ply 1"):
        game.comment(1)
    with pytest.raises(NotationError, match="line 1, column 4"):
        kalah.Game.parse("1. X *")
    with pytest.raises(NotationError):
        kalah.Game.from_json("{}")
    with pytest.raises(ValueError, match="not a result"):
        game.result = "2-0"
    for name in ("So uth", "1x", "", "South ", "Grüße"):
        with pytest.raises(ValueError, match="a letter, then letters, digits and _"):
            game.set_tag(name, "v")
    for name in ("Board", "Start", "Result", "Capture"):
        with pytest.raises(ValueError, match=f'but not Board, .*: not "{name}"'):
            game.set_tag(name, "v")
    assert game.tags == {}
    game.result = "1-0"
    assert game.result == "1-0"


def test_what_contradicts_the_moves_is_refused():
    game = kalah.Game(kalah.Board(1, 2))
    game.set_tag("Margin", "2")
    with pytest.raises(ValueError, match="the result is 0-1, but the margin"):
        game.result = "0-1"
    with pytest.raises(ValueError, match="the margin is .2, but the moves end with -2"):
        game.push("A")
    game.set_tag("Margin", "unknown")
    game.push("A")
    with pytest.raises(ValueError, match="the result is 1-0, but the moves end with 0-1, -2"):
        game.result = "1-0"
    with pytest.raises(ValueError, match="the margin is .5, but the moves end with -2"):
        game.set_tag("Margin", "5")
    game.result = "*"
    assert game.result == "0-1"
    assert kalah.Game.from_json(game.to_json()) == game


def test_an_empty_comment_is_none():
    game = kalah.Game()
    game.set_comment(0, "")
    assert game.comment() is None
    assert kalah.Game.from_json(game.to_json()) == game
