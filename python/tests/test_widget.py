from __future__ import annotations

import pytest

pytest.importorskip("anywidget")

import kalah
from kalah.widget import BoardWidget

# South to move loses by 8 seeds, which the engine proves within milliseconds.
LOST = "<6,9,17,0,3,0,1,4,0,1,0,0,0,0,1>"


def send(widget, content):
    """What the page sends."""
    widget._handle_custom_msg(content, [])  # noqa: SLF001


def test_moves_come_from_the_page():
    board = kalah.Board()
    widget = BoardWidget(board)
    assert widget.shown["moves"] == ["A", "B", "C", "D", "E", "F"]
    assert 'data-move="C"' in widget.shown["picture"]
    send(widget, {"play": "C"})
    send(widget, {"play": "A"})
    assert board.move_stack == ["C", "A"]
    assert widget.shown["status"] == "North to move"
    before = widget.shown["picture"]
    # Illegal, unknown and foreign: nothing changes.
    for content in [{"play": "A"}, {"play": "zz"}, {"play": 1}, {"move": "a"}, "now", 7, None]:
        send(widget, content)
    assert board.move_stack == ["C", "A"]
    assert widget.shown["picture"] == before
    send(widget, "undo")
    assert board.move_stack == ["C"]
    send(widget, "undo")
    send(widget, "undo")
    assert board.move_stack == []
    assert not widget.shown["can_undo"]


def test_the_engine_answers():
    for opponent in kalah.Side:
        widget = BoardWidget(opponent=opponent, limit=kalah.Limit(nodes=500))
        assert widget.board.turn == opponent.other
        widget.play(widget.board.legal_moves[-1])
        assert widget.board.turn == opponent.other or widget.board.is_over()
        before = len(widget.board.move_stack)
        widget.undo()
        assert len(widget.board.move_stack) < before
        assert widget.board.turn == opponent.other


def test_values_are_those_of_the_engine():
    board = kalah.Board.from_text(LOST)
    widget = BoardWidget(board)
    send(widget, "analyse")
    values = widget.shown["values"]
    assert set(values) == set(board.legal_moves)
    assert max(int(value) for value in values.values()) == -8
    widget.play(board.legal_moves[0])
    assert widget.shown["values"] == {}


class Broken(kalah.Engine):
    def play(self, *_, **__):
        message = "it has ended"
        raise kalah.errors.EngineError(message)


def test_failures_are_shown():
    widget = BoardWidget(opponent=kalah.NORTH, engine=Broken())
    # Of two quick clicks, the second must not move for the engine.
    for _ in range(2):
        send(widget, {"play": "A"})
        assert (widget.shown["status"], widget.shown["moves"]) == ("it has ended", [])
        assert widget.board.move_stack == ["A"]
    send(widget, "undo")
    assert widget.shown["status"] == "South to move"
    assert widget.shown["moves"] == ["A", "B", "C", "D", "E", "F"]
    for limit in (kalah.Limit(), kalah.Limit(south_clock=1)):
        with pytest.raises(ValueError, match="a limit with an end"):
            BoardWidget(limit=limit)


def test_a_game_ends():
    widget = BoardWidget(kalah.Board(houses=1, seeds=2))
    widget.play("A")
    assert widget.shown["moves"] == []
    assert widget.shown["status"] == "North wins by 2"
    widget.analyse()
    assert widget.shown["values"] == {}
