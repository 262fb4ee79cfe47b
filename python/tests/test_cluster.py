"""The drivers, on a cluster of three nodes on this machine."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import numpy as np
import psutil
import pytest
from cluster_support import (
    MATCH,
    TRAINING,
    files,
    has_lines,
    start_cluster,
    stop_cluster,
    train_alone,
    train_here,
    when,
)
from pyarrow import parquet

import kalah
from kalah.arena import Score, Tournament
from kalah.cluster.__main__ import main
from kalah.cluster.crew import max_actors
from kalah.cluster.match import play_match
from kalah.cluster.positions import ILLEGAL, analyse_games, label_positions, random_positions
from kalah.cluster.solve import SolverPool
from kalah.cluster.train import train_network
from kalah.errors import ArenaError, EngineError, SolverError, TrainingError


@pytest.fixture(scope="module")
def nodes():
    cluster, _ = start_cluster()
    yield
    stop_cluster(cluster)


@pytest.mark.usefixtures("nodes")
def test_a_match_ends_when_it_is_decided(tmp_path):
    record = tmp_path / "record.jsonl"
    settings = MATCH | {"games": 100_000, "sprt": "elo0=0 elo1=50"}
    result = play_match(settings, record, pairs=2, is_quiet=True)
    assert result.verdict == "H1"
    assert not result.is_complete
    with record.open("a") as file:
        file.write('{"game":1')  # as if the driver had been killed while it wrote
    again = play_match(settings, record, pairs=2, is_quiet=True)
    assert again.score.games == result.score.games
    with pytest.raises(ArenaError, match="another tournament"):
        play_match(MATCH | {"seed": 2}, record, is_quiet=True)


@pytest.mark.usefixtures("nodes")
def test_only_one_driver_writes_a_record(tmp_path):
    record = tmp_path / "record.jsonl"
    errors = []

    def second():
        try:
            play_match(MATCH, record, is_quiet=True)
        except RuntimeError as error:
            errors.append(str(error))

    attempt = when(has_lines(record, 4), second)
    play_match(MATCH, record, pairs=2, is_quiet=True)
    attempt.join()
    assert errors == [f"'{record}' is being written by another process"]


def test_parts_are_the_whole():
    match = Tournament(**MATCH)
    numbers = [number for part in range(1, 8) for number in match.numbers(part, 7)]
    assert sorted(numbers) == list(range(1, match.games + 1))
    score = Score(match)
    for line in match.play(3, 40):
        assert score.add(line)
        assert not score.add(line)
    assert score.games == 4
    with pytest.raises(ArenaError):
        score.add("{}")
    (line, *_) = match.play(1, 40)
    for change in ({"seed": 2}, {"each": "nodes=2000"}, {"games": 162, "openings": "plies=2"}):
        with pytest.raises(ArenaError, match="another tournament"):
            Score(Tournament(**MATCH | change)).add(line)
    for part in ((0, 2), (3, 2)):
        with pytest.raises(ValueError, match="PART/OF"):
            match.play(*part)


@pytest.mark.usefixtures("nodes")
def test_solvers_for_which_there_is_no_room_get_no_jobs():
    with SolverPool(workers=5, hash_mebibytes=64, is_quiet=True) as pool:
        assert pool.solve(kalah.Board(6, 3), job_nodes=5000).margin == 2
    assert max_actors(1, 64) == 2
    assert max_actors(2, 64) == 1
    assert max_actors(1, 10**7) == 1


def solver_processes():
    names = ("ray::_SolverActor", "ray::_SolverActo")
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if process.info["cmdline"] and process.info["cmdline"][0].startswith(names)
    ]


@pytest.mark.usefixtures("nodes")
def test_a_solver_that_runs_out_of_memory_is_started_again():
    """The system ends the process that takes too much."""

    def kill_one():
        solver_processes()[0].send_signal(signal.SIGKILL)

    with SolverPool(workers=2, hash_mebibytes=64, is_quiet=True) as pool:
        assert pool.solve(kalah.Board(6, 2), job_nodes=500).margin == 6
        kill = when(lambda: len(solver_processes()) == 2, kill_one)
        solution = pool.solve(kalah.Board(6, 4), job_nodes=100_000)
        kill.join()
    assert solution.margin == 8


@pytest.mark.usefixtures("nodes")
def test_a_solve_continues_from_its_checkpoint(tmp_path):
    checkpoint = tmp_path / "checkpoint"
    with SolverPool(workers=2, hash_mebibytes=64, is_quiet=True) as pool:
        first = pool.solve(kalah.Board(6, 3), job_nodes=5000, checkpoint=checkpoint)
        second = pool.solve(kalah.Board(6, 3), job_nodes=5000, checkpoint=checkpoint)
        assert (first.margin, second.margin, second.jobs) == (2, 2, 0)
        with pytest.raises(SolverError, match="rules|houses"):
            pool.solve(kalah.Board(5, 3), checkpoint=checkpoint)


@pytest.mark.usefixtures("nodes")
@pytest.mark.parametrize("form", ["npz", "parquet"])
def test_labels_are_exact_and_made_once(tmp_path, form):
    texts = list(random_positions(60, houses=4, seeds=3, seed=2))
    files = label_positions(texts, tmp_path, shard=25, form=form, hash_mebibytes=16, is_quiet=True)
    assert [file.name for file in files] == [f"positions-00000{n}.{form}" for n in range(3)]
    if form == "npz":
        shards = [np.load(file) for file in files]
    else:
        tables = [parquet.read_table(file) for file in files]
        assert [text for table in tables for text in table["text"].to_pylist()] == texts
        shards = [
            {name: np.array(table[name].to_pylist()) for name in table.column_names}
            for table in tables
        ]
    margins, moves, seen = (
        np.concatenate([shard[name] for shard in shards])
        for name in ("margins", "moves", "observations")
    )
    solver = kalah.Solver(hash=16)
    for row, text in enumerate(texts):
        board = kalah.Board.from_text(text)
        solution = solver.solve(board, moves=True)
        assert margins[row] == solution.margin
        assert moves[row][moves[row] != ILLEGAL].tolist() == list(solution.moves.values())
        assert ((moves[row] != ILLEGAL) == board.legal_mask()).all()
        assert seen[row].tolist() == board.observation().tolist()
    for change in ({"capture": "empty"}, {"nodes": 5}, {"shard": 20}):
        how = {"shard": 25, "form": form, "is_quiet": True} | change
        with pytest.raises(ValueError, match="shards of other boards or settings"):
            label_positions(texts, tmp_path, **how)
    with pytest.raises(ValueError, match="shards of other boards or settings"):
        label_positions(texts[1:], tmp_path, shard=25, form=form, is_quiet=True)
    written = [file.stat().st_mtime_ns for file in files]
    files[1].unlink()
    label_positions(texts, tmp_path, shard=25, form=form, hash_mebibytes=16, is_quiet=True)
    kept = [file.stat().st_mtime_ns for file in files]
    assert [a == b for a, b in zip(written, kept, strict=True)] == [True, False, True]


@pytest.mark.usefixtures("nodes")
def test_what_a_cluster_has_solved_a_server_answers_as_proven(tmp_path, program, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = "positions --random 30 --houses 4 --seeds 3 --form jsonl --shard 20 --hash 16"
    monkeypatch.setattr(
        sys, "argv", ["kalah.cluster", "--quiet", *words.split(), "--output", "labels"]
    )
    assert main() == 0
    files = sorted(Path("labels").glob("*.jsonl"))
    solved = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    # One of them is false in a file from elsewhere.
    false = solved[0] | {"moves": {move: margin - 2 for move, margin in solved[0]["moves"].items()}}
    Path("false.jsonl").write_text(json.dumps(false))
    files[0].write_text("".join(files[0].read_text().splitlines(keepends=True)[1:]))
    add = [program, "store", "add", "store", *files, "false.jsonl", "--hash", "16"]
    added = subprocess.run(add, capture_output=True, text=True, check=False)
    assert (added.returncode, added.stdout.split()[0]) == (1, "29"), added
    assert f"'false.jsonl', line 1: {false['fen']}, move" in added.stderr
    serve = [
        program,
        "serve",
        "--store",
        "store",
        "--listen",
        "127.0.0.1:0",
        "--max-time",
        "600000",
    ]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:
        positions = [{"board": line["fen"]} for line in solved]
        body = json.dumps({"positions": positions, "time": 600_000}).encode()
        try:
            with urlopen(server.stdout.readline().strip() + "v1/positions", body) as reply:
                values = json.load(reply)["positions"]
        finally:
            server.terminate()
    assert [value["source"] for value in values] == ["search"] + 29 * ["store"]
    for line, value in zip(solved, values, strict=True):
        assert value["proven"]
        assert {move["move"]: move["margin"] for move in value["moves"]} == line["moves"]


def test_more_random_positions_than_there_are(monkeypatch):
    monkeypatch.setattr("kalah.cluster.positions._STEPS_IN_VAIN", 500)
    with pytest.raises(ValueError, match="of 17 different boards, random games gave only 16"):
        list(random_positions(17, houses=2, seeds=2))


@pytest.mark.usefixtures("nodes")
def test_commands_know_how_seeds_are_sown(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rules = "--houses 4 --seeds 3 --sowing relay"

    def run(words):
        monkeypatch.setattr(sys, "argv", ["kalah.cluster", "--quiet", *words.split()])
        assert main() == 0

    def lines(path):
        return [json.loads(line) for line in path.read_text().splitlines()]

    start, solver = kalah.Board(4, 3, sowing="relay"), kalah.Solver(hash=16)
    run(f"solve {rules} --hash 16")
    assert f"margin  {solver.solve(start).margin}\n" in capsys.readouterr().out
    run(f"positions --random 5 {rules} --form jsonl --hash 16 --output .")
    for line in lines(Path("positions-000000.jsonl")):
        board = kalah.Board.from_text(line["fen"], sowing="relay")
        assert line["sowing"] == "relay"
        assert solver.solve(board, moves=True).moves == line["moves"]
    players = "--engine builtin=pvs --engine builtin=mtdf --each depth=1"
    run(f"match {players} --games 2 {rules} --record record.jsonl")
    assert {line["conditions"]["sowing"] for line in lines(Path("record.jsonl"))} == {"relay"}
    run(f"train {rules} --positions 100 --nodes 20 --generations 1 --out network")
    assert "relay" in Path("network.training/course.json").read_text()
    game = kalah.Game(start)
    game.push(start.legal_moves[0])
    Path("games").write_text(game.to_text())
    run("analyse games --time 0.01 --output analysis.jsonl")
    assert [line["sowing"] for line in lines(Path("analysis.jsonl"))] == ["relay"]


@pytest.mark.usefixtures("nodes")
def test_an_engine_labels_what_takes_too_long_to_solve(tmp_path):
    texts = list(random_positions(40, seeds=6, seed=4))
    over = ["<6,9,3,0,0,0,0,0,0,0,0,0,0,0,0> S", "<6,9,3,0,0,0,0,0,0,0,0,0,0,0,1> N"]
    with pytest.raises(EngineError, match="board 42: no line was found in time"):
        label_positions(
            [over[0]] * 41 + texts[:1], tmp_path / "few", shard=20, nodes=1, is_quiet=True
        )
    files = label_positions([*texts, *over], tmp_path, shard=21, nodes=2000, is_quiet=True)
    shards = [np.load(file) for file in files]
    assert sorted(shards[0]) == ["margins", "observations", "proven"]
    margins = np.concatenate([shard["margins"] for shard in shards])
    assert margins[-2:].tolist() == [6, -5]
    assert shards[-1]["proven"][-2:].all()
    engine, limit = kalah.Engine(), kalah.Limit(nodes=2000)
    for text, margin in zip(texts, margins[:-2], strict=True):
        engine.new_game()
        assert engine.analyse(kalah.Board.from_text(text), limit).margin == margin


@pytest.mark.deep
@pytest.mark.usefixtures("nodes")
def test_a_network_is_that_of_one_machine(program, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    network = train_alone(program, here, tmp_path / "network.knn")
    result = train_network(TRAINING, there, is_quiet=True)
    assert result.network == network
    assert files(there) == files(here)
    assert result.jobs >= 2 * 16
    again = train_network(TRAINING, there, is_quiet=True)
    assert (again.network, again.jobs, again.errors) == (network, 0, None)

    # Each goes on with what the other has begun.
    for name in ("generation-2.knn", "generation-2-errors.csv", "generation-2-000.csv"):
        (here / name).unlink()
    assert train_network(TRAINING, here, is_quiet=True).network == network
    for name in ("generation-2.knn", "generation-2-000.csv"):
        (there / name).unlink()
    assert train_alone(program, there, tmp_path / "again.knn") == network
    assert files(there) == files(here)

    with pytest.raises(TrainingError, match="other settings"):
        train_network(TRAINING | {"seed": 4}, there, is_quiet=True)


@pytest.mark.usefixtures("nodes")
def test_only_one_driver_uses_a_folder(tmp_path):
    """Its network is that of one machine."""
    settings = TRAINING | {"positions": 1500, "generations": 1, "neurons": 32}
    here, there, errors = tmp_path / "here", tmp_path / "there", []

    def second():
        try:
            train_network(settings, there, is_quiet=True)
        except RuntimeError as error:
            errors.append(str(error))

    attempt = when(lambda: any(there.glob("generation-*")), second)
    result = train_network(settings, there, is_quiet=True)
    attempt.join()
    assert errors == [f"'{there}' is being written by another process"]
    assert result.network == train_here(here, settings)
    assert files(there) == files(here)


@pytest.mark.usefixtures("nodes")
def test_games_are_analysed_once(tmp_path):
    games = [kalah.Game() for _ in range(3)]
    for moves, game in zip(("CF", "Aa", "Fa"), games, strict=True):
        for move in moves:
            game.push(move)
    output = tmp_path / "analysis.jsonl"
    analyse_games(games[:2], output, kalah.Limit(depth=np.int64(3)), is_quiet=True)
    analyse_games(games, output, kalah.Limit(depth=3), is_quiet=True)
    lines = sorted(map(json.loads, output.read_text().splitlines()), key=lambda line: line["game"])
    assert [line["game"] for line in lines] == [1, 2, 3]
    assert [[ply["move"] for ply in line["plies"]] for line in lines] == [
        game.moves for game in games
    ]
    written = output.read_bytes()
    other = kalah.Game()
    other.push("D")
    tagged = kalah.Game.parse(games[0].to_text())
    tagged[0].set_tag("South", "Ann")
    for changed, depth in (
        ([other, *games[1:]], 3),
        ([*tagged, *games[1:]], 3),
        (games[:2], 3),
        (games, 4),
    ):
        with pytest.raises(ValueError, match="jsonl', line [1-3]: not the analysis"):
            analyse_games(changed, output, kalah.Limit(depth=depth), is_quiet=True)
        assert output.read_bytes() == written


@pytest.mark.usefixtures("nodes")
@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("match --engine builtin=nothing --games 2 --record NEW", "builtin"),
        ("match --engine builtin=pvs --games 2 --each depth=1 --record NEW", "two players"),
        ("match PLAYERS --games 3 --record NEW", "even number"),
        ("match PLAYERS --games 4 --record NEW --pairs 0", "pairs is at least 1, not 0"),
        ("match PLAYERS --games 4 --record WRONG", "WRONG', line 1: "),
        ("match PLAYERS --engine cmd=/nowhere --games 4 --record NEW", "cannot start '/nowhere'"),
        ("solve --seeds 100", "1200 seeds"),
        ("solve --workers -1", "workers is at least 1, not -1"),
        ("solve --job-nodes 0", "job_nodes is at least 1, not 0"),
        ("positions --boards WRONG --output NEW", "board 1: a board begins with '<'"),
        ("positions --boards MIXED --output NEW", "boards of [3, 4] houses a side"),
        ("positions --boards WIDE --output NEW", "'WIDE': text in UTF-16, expected UTF-8"),
        ("positions --random 5 --shard 0 --output NEW", "shard is at least 1, not 0"),
        ("positions --random 5 --nodes 9 --form jsonl --output NEW", "does not go with nodes"),
        ("train --out NEW --positions 0", "positions is at least 1, not 0"),
        ("train --out NEW --workers 0", "workers is at least 1, not 0"),
        ("train --out NEW --houses 0", "0 is not a whole number from 1 to 12"),
        ("solve --hash -1", "hash_mebibytes is at least 1, not -1"),
        ("train --out NEW --seeds 0", "a game begins with at least 1"),
        ("train --out NOWHERE/NEW", "NOWHERE"),
        ("train --out NEW --folder WRONG", "WRONG"),
        ("train --out WRONG", "cannot write 'WRONG': it is not a network, and would be lost"),
        ("analyse WIDE --output NEW", "'WIDE': text in UTF-16, expected UTF-8"),
        ("analyse MISSING --output NEW", "MISSING"),
        ("analyse WRONG --output NEW", "line 1, column 1"),
    ],
)
def test_the_command_line_says_what_is_wrong(words, text, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "WRONG").write_text("nonsense\n")
    boards = "# two boards\n<3,0,0,1,2,3,1,2,3>\n\n<4,0,0,1,2,3,1,2,3,1,1> S"
    (tmp_path / "MIXED").write_bytes(boards.replace("\n", "\r\n").encode("utf-8-sig"))
    (tmp_path / "WIDE").write_text(boards, "utf-16")
    players = "--engine builtin=pvs --engine builtin=selective --each depth=1"
    arguments = words.replace("PLAYERS", players).split()
    monkeypatch.setattr(sys, "argv", ["kalah.cluster", "--quiet", *arguments])
    assert main() == 1
    error = capsys.readouterr().err.strip()
    assert text in error
    assert "\n" not in error
    assert (tmp_path / "WRONG").read_text() == "nonsense\n"


def test_seeds_are_whole_numbers(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["kalah.cluster", "train", "--out", "NEW", "--seeds", "3,x"])
    with pytest.raises(SystemExit):
        main()
    assert "--seeds: not whole numbers with commas between them: '3,x'" in capsys.readouterr().err
