"""The command line of the drivers."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from kalah._native import Board, Game
from kalah.cluster.match import play_match
from kalah.cluster.positions import analyse_games, label_positions, random_positions
from kalah.cluster.session import cluster, read_text, require_kind, write_whole
from kalah.cluster.solve import SolverPool
from kalah.cluster.train import train_network
from kalah.engine import Limit
from kalah.errors import KalahError

_EXAMPLES = """examples:
  python -m kalah.cluster match --engine "cmd=kalah name=new" --engine "cmd=kalah-old name=old" \\
      --each nodes=5000 --games 20000 --record new-old.jsonl --sprt "elo0=0 elo1=5"
  python -m kalah.cluster --address ray://head:10001 solve --seeds 6 --checkpoint kalah66.ckp
  python -m kalah.cluster positions --random 100000 --output labels/
  python -m kalah.cluster train --positions 2000000 --nodes 20000 --out strong.knn
  python -m kalah.cluster analyse games.txt --time 0.1 --output analysis.jsonl
"""

# The kind of the file of `train`, by its beginning.
_NETWORK = ("a network", b"\x89KNN\r\n\x1a\n")


def _numbers(text: str) -> list[int]:
    """Numbers with commas between them."""
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        message = f"not whole numbers with commas between them: '{text}'"
        raise argparse.ArgumentTypeError(message) from None


def _parser() -> argparse.ArgumentParser:  # noqa: PLR0915 - one for each option
    parser = argparse.ArgumentParser(
        prog="python -m kalah.cluster",
        description="Work for more than one machine, under Ray.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--address",
        default="local",
        help="ray://HOST:PORT, auto, or local: a cluster on this machine (default)",
    )
    parser.add_argument("--quiet", action="store_true", dest="is_quiet", help="no live line")
    commands = parser.add_subparsers(dest="command", required=True)

    match = commands.add_parser("match", help="play a match or tournament")
    match.add_argument("--engine", action="append", required=True, metavar="WORDS", help="a player")
    match.add_argument("--each", default="", metavar="WORDS", help="words for all players")
    match.add_argument("--games", type=int, required=True, help="games of every two opponents")
    match.add_argument("--record", type=Path, required=True, help="the file of the games")
    match.add_argument("--openings", metavar="WORDS")
    match.add_argument("--seed", type=int, default=1, help="seed of all random numbers")
    match.add_argument("--format", default="round-robin", help="round-robin or gauntlet")
    match.add_argument("--resign", metavar="WORDS")
    match.add_argument("--adjudicate", type=int, metavar="SEEDS")
    match.add_argument("--sprt", metavar="WORDS", help="stop when this test is decided")
    match.add_argument("--pairs", type=int, default=8, help="pairs of games of a part (8)")

    solve = commands.add_parser("solve", help="find an exact value")
    solve.add_argument("--board", help="a board; by default a start")
    solve.add_argument("--moves", action="store_true", help="the margin after every move, too")
    solve.add_argument("--checkpoint", type=Path, help="a file that keeps what is proven")
    solve.add_argument("--job-nodes", type=int, default=1_000_000, help="positions of a job")
    solve.add_argument("--threads", type=int, default=1, help="threads of each solver")

    positions = commands.add_parser("positions", help="exact values of many boards")
    source = positions.add_mutually_exclusive_group(required=True)
    source.add_argument("--boards", type=Path, help="a file with a board on each line, or -")
    source.add_argument("--random", type=int, metavar="N", help="boards of random games")
    positions.add_argument("--output", type=Path, required=True, help="the directory of the shards")
    positions.add_argument(
        "--form",
        choices=("npz", "parquet", "jsonl"),
        default="npz",
        help="arrays of NumPy, tables, or lines for the store of kalah serve",
    )
    positions.add_argument("--nodes", type=int, help="estimate by searches of this many positions")
    positions.add_argument("--shard", type=int, default=1000, help="boards of a shard")
    positions.add_argument("--seed", type=int, default=0, help="seed of random boards")

    train = commands.add_parser("train", help="train an evaluation network by self-play")
    train.add_argument("--out", type=Path, required=True, help="the file of the network")
    train.add_argument("--folder", type=Path, help="its samples and networks (OUT.training)")
    train.add_argument("--seeds", type=_numbers, default="3,4,5,6,7", help="seeds in each house")
    train.add_argument("--positions", type=int, default=250_000, help="of each generation")
    train.add_argument("--nodes", type=int, default=3000, help="positions of each search")
    train.add_argument("--generations", type=int, default=3, help="networks, one after the other")
    train.add_argument(
        "--neurons",
        type=int,
        default=32,
        choices=(32, 64, 96, 128),
        help="of the last network; those before it have 32",
    )
    train.add_argument("--seed", type=int, default=1, help="seed of all random numbers")

    analyse = commands.add_parser("analyse", help="analyse games")
    analyse.add_argument("games", type=Path, help="a file of games as text, or -")
    analyse.add_argument("--output", type=Path, required=True, help="a file with a line for each")
    analyse.add_argument("--time", type=float, default=0.1, help="seconds for each ply")

    for command in (match, solve, positions):
        command.add_argument("--seeds", type=int, default=4, help="seeds in each house")
    for command in (match, solve, positions, train):
        command.add_argument("--houses", type=int, default=6, help="houses a side")
        command.add_argument("--capture", default="standard", help="standard or empty")
        command.add_argument("--sowing", default="single", help="single or relay")
        command.add_argument("--workers", type=int, help="by default as many as there is room for")
    for command, mebibytes in ((solve, 1024), (positions, 512)):
        command.add_argument(
            "--hash", type=int, default=mebibytes, dest="hash_mebibytes", help="MiB of each solver"
        )
        command.add_argument("--tablebase", help="a directory of tablebases on all machines")
    return parser


def _chosen(options: argparse.Namespace, names: str) -> dict[str, Any]:
    """The options of these names."""
    return {name: getattr(options, name) for name in names.split()}


def _match(options: argparse.Namespace) -> None:
    names = "games each openings houses seeds capture sowing seed format resign adjudicate sprt"
    settings = {"players": options.engine} | _chosen(options, names)
    with cluster(options.address):
        result = play_match(settings, options.record, **_chosen(options, "pairs workers is_quiet"))
    for name, elo, low, high in result.score.ratings():
        print(f"{name:24} {elo:+8.1f} [{low:+.1f}, {high:+.1f}]")
    if result.verdict is not None:
        print(f"{result.verdict} accepted after {result.score.games:,} games")


def _solve(options: argparse.Namespace) -> None:
    board = Board(**_chosen(options, "houses seeds capture sowing"))
    if options.board is not None:
        board = Board.from_text(options.board, **_chosen(options, "capture sowing"))
    solvers = _chosen(options, "workers threads hash_mebibytes tablebase is_quiet")
    with cluster(options.address), SolverPool(**solvers) as pool:

        def margin(board: Board) -> int:
            return pool.solve(board, **_chosen(options, "job_nodes checkpoint")).margin

        print(f"board   {board.to_text()}")
        print(f"margin  {margin(board)}")
        for move in board.legal_moves if options.moves else []:
            after = board.copy()
            after.push(move)
            sign = 1 if after.turn == board.turn else -1
            print(f"move    {move} {sign * margin(after)}")


def _positions(options: argparse.Namespace) -> None:
    if options.boards is not None:
        lines = [line.strip() for line in read_text(options.boards).split("\n")]
        texts = [line for line in lines if line and not line.startswith("#")]
    else:
        rules = _chosen(options, "houses seeds capture sowing seed")
        texts = list(random_positions(options.random, **rules))
    names = "capture sowing shard workers hash_mebibytes tablebase nodes form is_quiet"
    with cluster(options.address):
        files = label_positions(texts, options.output, **_chosen(options, names))
    print(f"{len(texts):,} boards in {len(files):,} files")


def _train(options: argparse.Namespace) -> None:
    names = "houses seeds capture sowing positions nodes generations neurons seed"
    out: Path = options.out
    folder = options.folder or out.with_name(out.name + ".training")
    require_kind(out, _NETWORK)
    with cluster(options.address):
        how = _chosen(options, "workers is_quiet")
        result = train_network(_chosen(options, names), folder, **how)
    write_whole(out, _NETWORK, lambda file: file.write(result.network))
    print(f"network  {out}, {len(result.network):,} bytes")
    if result.errors is not None:
        print("errors   training {:.2f}, validation {:.2f} seeds".format(*result.errors))


def _analyse(options: argparse.Namespace) -> None:
    games = Game.parse(read_text(options.games))
    limit = Limit(time=options.time)
    with cluster(options.address):
        analyse_games(games, options.output, limit, is_quiet=options.is_quiet)


def main() -> int:
    """Runs a command; returns the status of the process."""
    options = _parser().parse_args()
    commands = {"match": _match, "solve": _solve, "positions": _positions}
    commands |= {"train": _train, "analyse": _analyse}
    try:
        commands[options.command](options)
    except (KalahError, OSError, RuntimeError, ValueError) as error:
        # The text of an error from another machine has all of its stack.
        cause = getattr(error, "cause", None) or error
        # A note has the name of an argument, from Python 3.11 on.
        text = " ".join([str(cause), *getattr(cause, "__notes__", ())])
        sys.stderr.write(f"kalah.cluster: {text}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
