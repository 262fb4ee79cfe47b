"""An exam for policies: positions with exact values, put to a function."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from kalah._native import exam_positions, exam_results

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kalah._native import Board

__all__ = ["ExamAnswer", "ExamResult", "exam"]

_LETTERS = "ABCDEFGHIJKL"


@dataclass(frozen=True)
class ExamAnswer:
    """What a policy answered to a position.

    Attributes:
        position: The number of the position, from 1.
        asked: What the policy was asked: a board, or its text.
        said: What it returned, as text.
        move: The move as a letter of the board; None if it was not legal.
        best: The letters of the best moves.
        loss: The seeds that the move gave away; those of the worst move if it was not legal.
        seconds: The time of the answer.
    """

    position: int
    asked: Board | str
    said: str
    move: str | None
    best: str
    loss: int
    seconds: float


@dataclass(frozen=True)
class ExamResult:
    """The results of an exam.

    Attributes:
        regret: The seeds given away a move, with the ends of its 95 % interval.
        best: The share of best moves, 0 to 1, with the ends of its 95 % interval.
        illegal: Answers that were no legal moves.
        random_regret: The regret of random moves in these positions.
        details: All figures by phase, theme and board, as ``kalah exam --json`` has them.
        transcript: All answers.
    """

    regret: tuple[float, float, float]
    best: tuple[float, float, float]
    illegal: int
    random_regret: float
    details: dict[str, Any]
    transcript: list[ExamAnswer]


def _as_text(board: Board, names: Sequence[str]) -> str:
    own, opponent = board.turn, board.turn.other
    if board.capture == "empty":
        capture = "you capture it and all seeds of the opposite house, even if there are none."
    else:
        capture = "and the opposite house has seeds, you capture it and all of those."
    lines = [
        "Kalah: sow the seeds of one of your houses, one each, through your houses, your store and "
        "the opponent's houses. If the last one falls into your store you move again. If it falls "
        "into an empty house of yours, " + capture,
        "The game ends when all houses of one side are empty; each side keeps its seeds.",
        "Your houses in the direction of sowing: "
        + ", ".join(map("{} has {}".format, names, board.seeds(own)))
        + f". Your store has {board.store(own)}.",
        "The opponent's houses in the direction of sowing: "
        + ", ".join(map(str, board.seeds(opponent)))
        + ". The last of them is opposite your first. "
        + f"The opponent's store has {board.store(opponent)}.",
        "Which house do you sow? Answer with its name alone.",
    ]
    return "\n".join(lines)


def exam(
    policy: Callable[[Any], object],
    *,
    spelling: Literal["board", "letters", "others", "numbers"] = "board",
    houses: int | None = None,
    capture: str | None = None,
    positions: int | None = None,
) -> ExamResult:
    """Examines a policy: a trained agent, a language model, anything that can be called.

    The positions are those of ``kalah exam``, with the exact values of all moves. An answer that is
    no legal move counts as the worst one; what the policy raises is not caught.

    Args:
        policy: Is called with each position, and returns a move: a letter of the board in any case,
            or the name of a house in a text.
        spelling: ``"board"`` gives the policy a `kalah.Board`. The others give it a text
            with the rules: ``"letters"`` names the houses A, B and so on; ``"others"`` takes
            letters from the end of the alphabet; ``"numbers"`` numbers them from 1.
        houses: Only positions with this many houses a side.
        capture: Only positions with this capture rule.
        positions: Only the first of these positions.

    Returns:
        The results, with a transcript.

    Raises:
        ValueError: There are no such positions, no such spelling, or a number is out of its range.

    Examples:
        >>> import kalah
        >>> result = kalah.exam(lambda board: board.legal_moves[0], positions=20)
        >>> result.illegal, len(result.transcript)
        (0, 20)
    """
    alphabets = {
        "board": _LETTERS,
        "letters": _LETTERS,
        "others": "ZYXWVUTSRQPO",
        "numbers": [str(number) for number in range(1, 13)],
    }
    if spelling not in alphabets:
        message = f"no spelling '{spelling}': expected one of {', '.join(alphabets)}"
        raise ValueError(message)
    replies = []
    for number, board in exam_positions(houses, capture, positions):
        names = alphabets[spelling][: board.houses]
        asked = board if spelling == "board" else _as_text(board, names)
        question = asked if isinstance(asked, str) else asked.copy()  # which the policy may change
        begun = time.perf_counter()
        said = str(policy(question)).strip()
        seconds = time.perf_counter() - begun
        letter = dict(zip(names, _LETTERS, strict=False)).get(said.upper(), "")
        replies.append((number, asked, said, letter, seconds))
    if not replies:
        message = "there are no positions with these rules"
        raise ValueError(message)
    results = exam_results([(number, letter, seconds) for number, _, _, letter, seconds in replies])
    details = json.loads(results)
    transcript = []
    for (number, asked, said, _, seconds), answer in zip(replies, details["answers"], strict=True):
        move, best, loss = answer.get("move"), answer["best"], answer["loss"]
        transcript.append(ExamAnswer(number, asked, said, move, best, loss, seconds))
    total = details["positions"]["total"]

    def estimate(name: str) -> tuple[float, float, float]:
        return (total[name]["value"], total[name]["low"], total[name]["high"])

    return ExamResult(
        regret=estimate("regret"),
        best=estimate("best"),
        illegal=details["positions"]["faults"]["illegal"],
        random_regret=total["random_regret"],
        details=details["positions"],
        transcript=transcript,
    )
