"""Exact values of many boards, as data for training, and analysis of many games."""

from __future__ import annotations

import hashlib
import json
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import ray

from kalah._native import Board, Game, Solver, evaluate
from kalah.cluster.crew import ActorPool, ActorWorker, max_actors, run_tasks
from kalah.cluster.session import (
    LiveLine,
    append_to,
    cores,
    errors_of,
    require_kind,
    require_positive,
    to_json,
    write_whole,
)
from kalah.engine import Engine, Limit
from kalah.environment import check_word
from kalah.errors import KalahError
from kalah.side import SOUTH
from kalah.vector import Boards

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["ILLEGAL", "analyse_games", "label_positions", "random_positions"]

# Stands for the margin of a move that is not legal.
ILLEGAL = -32768
# Steps of 256 random games without a new board after which there is hardly another.
_STEPS_IN_VAIN = 10_000
_SHARDS = {
    "npz": ("a file of NumPy", b"PK\3\4"),
    "parquet": ("a file of Parquet", b"PAR1"),
    "jsonl": ("a file of solved positions", b'{"fen":'),
}


@ray.remote(max_restarts=-1, max_task_retries=0)  # type: ignore[untyped-decorator,unused-ignore]
class _Labeller:
    """A solver that keeps its tables from board to board, or an engine."""

    def __init__(self, hash_mebibytes: int, tablebase: str | None, nodes: int | None) -> None:
        self._solver = Solver(hash=hash_mebibytes, tablebase=tablebase)
        self._engine = None if nodes is None else Engine()
        self._limit = Limit(nodes=nodes)

    def label(
        self, texts: list[str], rules: tuple[str, str], first: int
    ) -> dict[str, NDArray[Any]]:
        """The arrays of a shard whose first board has this number."""
        boards = [Board.from_text(text, *rules) for text in texts]
        observations = np.stack([board.observation() for board in boards])
        if self._engine is None:
            return {"observations": observations, **self._exact(boards, first)}
        margins = np.zeros(len(boards), np.float32)
        proven = np.zeros(len(boards), np.bool_)
        for row, board in enumerate(boards):
            if board.is_over():
                margins[row], proven[row] = evaluate(board), True
                continue
            self._engine.new_game()  # so that a label does not depend on the boards before it
            with errors_of(f"board {first + row}", KalahError):
                info = self._engine.analyse(board, self._limit)
            margins[row], proven[row] = info.margin, info.proven
        return {"observations": observations, "margins": margins, "proven": proven}

    def _exact(self, boards: list[Board], first: int) -> dict[str, NDArray[Any]]:
        houses = boards[0].houses
        moves = np.full((len(boards), houses), ILLEGAL, np.int16)
        margins = np.zeros(len(boards), np.int16)
        for row, board in enumerate(boards):
            with errors_of(f"board {first + row}", KalahError):
                solution = self._solver.solve(board, moves=True)
            margins[row] = solution.margin
            legal = np.flatnonzero(board.legal_mask())
            moves[row, legal] = list(solution.moves.values())
        return {"margins": margins, "moves": moves}


def label_positions(  # noqa: PLR0913 - a call with keywords
    texts: Sequence[str],
    directory: Path,
    *,
    capture: str = "standard",
    sowing: str = "single",
    shard: int = 1000,
    workers: int | None = None,
    hash_mebibytes: int = 512,
    tablebase: str | None = None,
    nodes: int | None = None,
    form: str = "npz",
    is_quiet: bool = False,
) -> list[Path]:
    """Labels boards, all of one size, with their exact margins, and writes them in shards.

    A shard has the arrays ``observations`` (``uint16[n, 2 * houses + 2]``), ``margins``
    (``int16[n]``, from the view of the player to move) and ``moves`` (``int16[n, houses]``, the
    margin after each move, -32768 for those that are not legal), in Parquet with ``text`` as well.
    As ``"jsonl"`` it has a line for each board, as ``kalah solve --moves --json`` prints it, which
    ``kalah store add`` adds to the store of ``kalah serve``.
    With ``nodes`` an engine estimates the margins: ``margins`` are ``float32``, and ``proven``,
    ``bool[n]``, takes the place of ``moves``. Shards that are in the directory are not made again:
    its file ``positions.json`` has their settings and a checksum of all boards.

    Args:
        texts: The boards, in the notation of `kalah.Board.from_text`.
        directory: The directory of the shards, which is made if it does not exist.
        capture: Their capture rule.
        sowing: Their way of sowing.
        shard: Boards of a shard.
        workers: Solvers; by default as many as the cluster has room for.
        hash_mebibytes: Memory of each solver, in MiB.
        tablebase: A directory of tablebases on all machines.
        nodes: Positions that an engine searches for each board, where solving takes too long.
        form: ``"npz"``, ``"parquet"``, which needs pyarrow, or ``"jsonl"``, without ``nodes``.
        is_quiet: Whether to say nothing meanwhile.

    Returns:
        The files.

    Raises:
        NotationError: A text is not a board.
        ImportError: The form is ``"parquet"`` and there is no pyarrow.
        TypeError: A number is not a whole one.
        ValueError: A number is less than 1, there are no boards, they are not of one size, there is
            no such form, it is ``"jsonl"`` with ``nodes``, or the directory has shards of other
            boards or settings, or other files of their names.
        EngineError: With so few ``nodes`` no line was found.
        RuntimeError: Another process writes the shards.
    """
    require_positive(shard=shard, workers=workers, hash_mebibytes=hash_mebibytes, nodes=nodes)
    check_word("form", form, [*_SHARDS])
    if form == "parquet":
        import_module("pyarrow.parquet")  # so that its absence is told before the work
    if form == "jsonl" and nodes is not None:
        message = "jsonl has exact margins: it does not go with nodes"
        raise ValueError(message)
    rules = capture, sowing
    _check_boards(texts, rules)
    chunks = [list(texts[at : at + shard]) for at in range(0, len(texts), shard)]
    files = [directory / f"positions-{number:06}.{form}" for number in range(len(chunks))]
    checksum = hashlib.sha256("\n".join(texts).encode()).hexdigest()
    how = {"boards": checksum, "capture": capture, **_named(sowing), "shard": shard, "nodes": nodes}
    with _only_settings(directory, to_json(how)):
        missing = []
        for number, file in reversed([*enumerate(files)]):
            if file.exists():
                require_kind(file, _SHARDS[form])
            else:
                missing.append(number)
        line, done = LiveLine(is_quiet=is_quiet), len(files) - len(missing)
        count = min(workers or max_actors(1, hash_mebibytes), max(1, len(missing)))
        arguments = (hash_mebibytes, tablebase, nodes)

        def start(worker: ActorWorker) -> tuple[int, Any] | None:
            if not missing:
                return None
            number = missing.pop()
            return number, worker.actor.label.remote(chunks[number], rules, 1 + number * shard)

        with ActorPool[int](_Labeller, arguments, count, mebibytes=hash_mebibytes, depth=1) as pool:
            while done < len(files):
                for number, arrays in pool.step(start):
                    if arrays is None:
                        missing.append(number)
                    else:
                        _write_shard(files[number], form, arrays, chunks[number], rules)
                        done += 1
                line.show(f"{done:,} of {len(files):,} shards")
        line.show(f"{len(files):,} shards", is_last=True)
    return files


def _named(sowing: str) -> dict[str, str]:
    """The way of sowing as part of a line of JSON, where the usual one has no name."""
    return {} if sowing == "single" else {"sowing": sowing}


@contextmanager
def _only_settings(directory: Path, settings: str) -> Iterator[None]:
    """Keeps other drivers and other settings away from a directory of shards, for a block."""

    def read(text: str) -> None:
        if text.strip() != settings:
            message = f"'{directory}' has shards of other boards or settings"
            raise ValueError(message)

    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "positions.json"
    if not path.exists() and any(directory.glob("positions-*")):
        read("")
    with append_to(path, read, b'{"boards": '):
        if path.stat().st_size == 0:
            path.write_text(settings + "\n")
        yield


def _check_boards(texts: Sequence[str], rules: tuple[str, str]) -> None:
    """Checks boards before any of them is solved."""
    houses = set()
    for number, text in enumerate(texts, start=1):
        with errors_of(f"board {number}", KalahError):
            houses.add(Board.from_text(text, *rules).houses)
    if len(houses) != 1:
        message = f"boards of {sorted(houses)} houses a side" if houses else "there are no boards"
        raise ValueError(message)


def _solved_line(text: str, rules: tuple[str, str], margins: NDArray[Any]) -> bytes:
    """A line of a store: a board with the margins of its moves."""
    board = Board.from_text(text, *rules)
    moves = dict(zip(board.legal_moves, margins[margins != ILLEGAL].tolist(), strict=True))
    names = {"capture": board.capture, "sowing": board.sowing}
    line = {"fen": board.to_text(), **names, "moves": moves}
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def _write_shard(
    file: Path,
    form: str,
    arrays: dict[str, NDArray[Any]],
    texts: list[str],
    rules: tuple[str, str],
) -> None:
    def write(part: IO[bytes]) -> None:
        if form == "npz":
            np.savez_compressed(part, **arrays)  # type: ignore[arg-type]
        elif form == "jsonl":
            rows = zip(texts, arrays["moves"], strict=True)
            part.writelines(_solved_line(text, rules, margins) for text, margins in rows)
        else:
            import pyarrow as pa  # noqa: PLC0415 - only for this form
            from pyarrow import parquet  # noqa: PLC0415

            columns = {name: list(array) for name, array in arrays.items()} | {"text": texts}
            parquet.write_table(pa.table(columns), part)

    write_whole(file, _SHARDS[form], write)


def random_positions(  # noqa: PLR0913 - a call with keywords
    count: int,
    *,
    houses: int = 6,
    seeds: int = 4,
    capture: str = "standard",
    sowing: str = "single",
    seed: int = 0,
) -> Iterator[str]:
    """Boards of random games with at most three quarters of the seeds in the houses, each once.

    Raises:
        ValueError: The rules do not allow such games, or they have too few boards.
    """
    draw, seen, in_vain = np.random.default_rng(seed), set[str](), 0
    games = Boards(256, houses, seeds, capture, sowing, random_plies=2, seed=seed)
    while len(seen) < count:
        if in_vain == _STEPS_IN_VAIN:
            message = f"of {count:,} different boards, random games gave only {len(seen):,}"
            raise ValueError(message)
        in_vain += 1
        games.step(games.random_actions())
        for index in np.flatnonzero(draw.random(len(games)) < 1 / 16):
            board = games[int(index)]
            left = sum(board.seeds(0)) + sum(board.seeds(1))
            text = board.to_text()
            if 4 * left <= 3 * (2 * houses * seeds) and text not in seen and len(seen) < count:
                seen.add(text)
                in_vain = 0
                yield text


@ray.remote(num_cpus=1, max_retries=-1)  # type: ignore[untyped-decorator,unused-ignore]
def _analyse_game(head: dict[str, Any], text: str, limit: Limit) -> str:
    """A line of JSON about a game, with this head."""
    (game,) = Game.parse(text)
    engine, plies = Engine(), []
    for ply, move in enumerate(game.moves):
        board = game.board(ply)
        with errors_of(f"game {head['game']}, ply {ply + 1}", KalahError):
            info = engine.analyse(board, limit)
        sign = 1 if board.turn == SOUTH else -1
        plies.append(
            {"move": move, "best": info.pv[0], "margin": sign * info.margin, "proven": info.proven}
        )
    return to_json(head | {"plies": plies})


def _head(number: int, game: Game, limit: Limit) -> dict[str, Any]:
    """What a line of analysis has in front of the plies."""
    start = game.board(0)
    return {
        "game": number,
        "limit": {name: value for name, value in vars(limit).items() if value},
        "board": start.to_text(),
        "capture": start.capture,
        **_named(start.sowing),
        "tags": game.tags,
        "result": game.result,
    }


def analyse_games(
    games: Sequence[Game], output: Path, limit: Limit, *, is_quiet: bool = False
) -> None:
    """Analyses games, each ply within the limit, and appends a line of JSON for each to a file.

    A line has the number of the game from 1, the limit, the board that the game begins with, its
    capture rule and its way of sowing if that is not the usual one, its tags, its result and its
    ``plies``: the move played, the best move, and the margin with it, in seeds for South. Games
    that the file has are not analysed again.

    Raises:
        ValueError: The file has something else: other games, or analysis within another limit.
        RuntimeError: Another process writes the file.
    """
    line, known = LiveLine(is_quiet=is_quiet), set[int]()

    def read(text: str) -> None:
        with suppress(ValueError, TypeError, LookupError, AttributeError, RecursionError):
            found = json.loads(text)
            number, moves = found["game"], [ply["move"] for ply in found.pop("plies")]
            game = games[number - 1]
            if number >= 1 and moves == game.moves and found == _head(number, game, limit):
                known.add(number)
                return
        message = "not the analysis of one of these games within this limit"
        raise ValueError(message)

    with append_to(output, read, b'{"game": ') as file:
        waiting = (number for number in range(1, len(games) + 1) if number not in known)

        def start() -> tuple[int, Any] | None:
            number = next(waiting, None)
            if number is None:
                return None
            game = games[number - 1]
            return number, _analyse_game.remote(_head(number, game, limit), game.to_text(), limit)

        with closing(run_tasks(start, 2 * cores())) as batches:
            for batch in batches:
                known.update(number for number, _ in batch)
                file.writelines(text.encode() + b"\n" for _, text in batch)
                file.flush()
                line.show(f"{len(known):,} of {len(games):,} games")
    line.show(f"{len(known):,} of {len(games):,} games", is_last=True)
