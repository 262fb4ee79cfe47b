"""Matches and tournaments: workers play parts of them, the driver judges."""

from __future__ import annotations

import functools
import json
import time
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ray
from ray.util.metrics import Counter

from kalah.arena import Score, Tournament
from kalah.cluster.crew import run_tasks
from kalah.cluster.pace import parts_of_task
from kalah.cluster.session import LiveLine, append_to, cores, require_positive, to_json

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["MatchResult", "play_match"]

# How a record begins; an analysis has a space in front of the number.
_BEGINNINGS = [b'{"game":%d' % digit for digit in range(1, 10)]


@dataclass(frozen=True)
class MatchResult:
    """What a match has come to.

    Attributes:
        score: The standings of all games in the record.
        verdict: The hypothesis that the sequential test has accepted; None without one.
        is_complete: Whether all games were played.
    """

    score: Score
    verdict: str | None
    is_complete: bool


@functools.lru_cache(maxsize=1)
def _tournament(settings: str) -> Tournament:
    """The tournament with these settings, in JSON. A process of Ray keeps its players."""
    return Tournament(**json.loads(settings))


@ray.remote(num_cpus=1, max_retries=-1)  # type: ignore[untyped-decorator,unused-ignore]
def _play_parts(settings: str, parts: list[int], of: int) -> tuple[list[str], float]:
    """The records of parts, and seconds. Ray does it again if its machine is lost."""
    start, tournament = time.monotonic(), _tournament(settings)
    records = [record for part in parts for record in tournament.play(part, of)]
    return records, time.monotonic() - start


def play_match(
    settings: dict[str, Any],
    record: Path,
    *,
    pairs: int = 8,
    workers: int | None = None,
    is_quiet: bool = False,
) -> MatchResult:
    """Plays a match or tournament on the cluster that Ray is connected to.

    The record has the lines that ``kalah match --record`` writes, in the order in which games end;
    ``kalah merge`` sorts them. Games that it has are not played again. The games of a part are
    written together, so that a driver that is killed loses the parts that are being played. A task
    of Ray plays one part or, where that takes less than a second, several.

    Args:
        settings: The arguments of `kalah.arena.Tournament`. Programs, and files of openings,
            must be there on all machines.
        record: The file of the games.
        pairs: Pairs of games of a part.
        workers: Tasks at a time; by default one and a half for each processor, so that none of them
            waits.
        is_quiet: Whether to say nothing meanwhile.

    Raises:
        ValueError: The settings are wrong.
        ArenaError: The record is of another tournament, or none, or a player cannot be started.
        RuntimeError: Another process writes the record.
    """
    require_positive(pairs=pairs, workers=workers)
    tournament = Tournament(**settings)
    score = Score(tournament)
    parts = max(1, -(-tournament.games // (2 * pairs)))
    play: Any = _play_parts
    settings_text = to_json(settings)
    at_once = workers or cores() * 3 // 2 + 1
    line, played = LiveLine(is_quiet=is_quiet), Counter("kalah_games", "Games played.")
    with append_to(record, score.add, *_BEGINNINGS) as file:
        waiting = [  # those with games to play, the first one last
            part
            for part in range(parts, 0, -1)
            if not all(map(score.has, tournament.numbers(part, parts)))
        ]
        seconds, ended = 0.0, 0

        def start() -> tuple[int, Any] | None:
            if not waiting or score.verdict() is not None:
                return None
            count = parts_of_task(seconds / ended if ended else None, at_once, len(waiting))
            task = [waiting.pop() for _ in range(count)]
            return count, play.remote(settings_text, task, parts)

        with closing(run_tasks(start, at_once)) as batches:
            for batch in batches:
                for count, (records, length) in batch:
                    ended, seconds = ended + count, seconds + length
                    new = [text for text in records if score.add(text)]
                    file.writelines(text.encode() + b"\n" for text in new)
                    if new:
                        played.inc(len(new))
                file.flush()
                line.show(_progress(tournament, score))
                if score.verdict() is not None:
                    break
    line.show(_progress(tournament, score), is_last=True)
    return MatchResult(score, score.verdict(), score.games == tournament.games)


def _progress(tournament: Tournament, score: Score) -> str:
    text = f"{score.games:,}/{tournament.games:,} games"
    if len(tournament.players) > 2:  # noqa: PLR2004 - a match
        return text
    figures = score.figures()
    if figures["games"]:
        text += "  Elo {:+.1f} [{:+.1f}, {:+.1f}]".format(*figures["elo"])
    if "llr" in figures:
        text += "  LLR {:+.2f} of [{:.2f}, {:.2f}]".format(figures["llr"], *figures["bounds"])
    return text
