"""Boards as pictures in SVG."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from kalah.side import NORTH, SOUTH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kalah._native import Board
    from kalah.side import Side

__all__ = ["board_svg"]

_PIT = 64
_GAP = 12
_LABEL = 22
_STORE = 72
_MARGIN = 16

_STYLE = """
.kalah-wood { fill: #8a5a33 }
.kalah-pit { fill: #6d4425 }
.kalah-last { stroke: #ffd166; stroke-width: 4 }
.kalah-seeds { fill: #fff; font: 600 24px system-ui, sans-serif; text-anchor: middle }
.kalah-empty { fill: #b98f6c }
.kalah-label { fill: #f1dcc8; font: 14px system-ui, sans-serif; text-anchor: middle }
.kalah-turn { font-weight: 700; fill: #ffd166 }
"""


def board_svg(board: Board, last_move: str | None = None, width: int = 640) -> str:
    """Draws a board seen from South: North's houses are above, from right to left.

    Args:
        board: The board.
        last_move: A move to mark; by default the one that led to the board.
        width: Width in pixels.

    Examples:
        >>> import kalah
        >>> board_svg(kalah.Board())[:4]
        '<svg'
    """
    if last_move is None and board.move_stack:
        last_move = board.move_stack[-1]
    total = board.houses * (_PIT + _GAP) + _GAP + 2 * (_STORE + _MARGIN)
    height = 2 * (_PIT + _LABEL + _GAP) + 2 * _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {height}" width="{width}"',
        f' role="img" aria-label="{html.escape(board.to_text())}">',
        f"<style>{_STYLE}</style>",
        f'<rect class="kalah-wood" width="{total}" height="{height}" rx="28"/>',
    ]
    for side in (NORTH, SOUTH):
        parts += _side(board, side, last_move, total, height)
    return "".join([*parts, "</svg>"])


def _side(
    board: Board, side: Side, last_move: str | None, total: int, height: int
) -> Iterator[str]:
    """The store and the houses of a side."""
    is_south = side == SOUTH
    x: float = total - _MARGIN - _STORE if is_south else _MARGIN
    top = _MARGIN if is_south else _MARGIN + _LABEL
    depth = height - 2 * _MARGIN - _LABEL
    label = height - _MARGIN - 4 if is_south else _MARGIN + 12
    turn = " kalah-turn" if board.turn == side and not board.is_over() else ""
    name = side.name.capitalize()
    yield f'<rect class="kalah-pit" x="{x}" y="{top}" width="{_STORE}" height="{depth}" rx="30"/>'
    yield _seeds(board.store(side), x + _STORE / 2, top + depth / 2)
    yield f'<text class="kalah-label{turn}" x="{x + _STORE / 2}" y="{label}">{name}</text>'
    y = label - _LABEL - _PIT / 2 + 4 if is_south else label + 10 + _PIT / 2
    for index, seeds in enumerate(board.seeds(side)):
        column = index if is_south else board.houses - 1 - index
        x = _MARGIN + _STORE + _GAP + column * (_PIT + _GAP) + _PIT / 2
        letter = chr(ord("A" if is_south else "a") + index)
        last = " kalah-last" if letter == last_move else ""
        place = f'cx="{x}" cy="{y}" r="{_PIT / 2}"'
        yield f'<circle class="kalah-pit{last}" {place} data-move="{letter}"/>'
        yield _seeds(seeds, x, y)
        yield f'<text class="kalah-label" x="{x}" y="{label}">{letter}</text>'


def _seeds(seeds: int, x: float, y: float) -> str:
    empty = "" if seeds else " kalah-empty"
    return f'<text class="kalah-seeds{empty}" x="{x}" y="{y + 8}">{seeds}</text>'
