"""Ray on this machine: nodes, solvers and drivers that are lost in the middle of the work."""

from __future__ import annotations

import json
import subprocess
import sys
import threading

import numpy as np
import pytest
from cluster_support import (
    MATCH,
    TRAINING,
    files,
    has_lines,
    start_cluster,
    stop_cluster,
    train_here,
    when,
    without_times,
)

import kalah
from kalah.arena import Tournament
from kalah.cluster.match import play_match
from kalah.cluster.positions import analyse_games, label_positions, random_positions
from kalah.cluster.solve import SolverPool
from kalah.cluster.train import train_network

pytestmark = pytest.mark.deep


@pytest.fixture
def nodes():
    cluster, added = start_cluster()
    yield cluster, added
    stop_cluster(cluster)


@pytest.fixture(scope="module")
def records():
    """What one machine plays."""
    return without_times(Tournament(**MATCH).play(1, 1))


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """What one machine trains: its network and its files."""
    folder = tmp_path_factory.mktemp("alone")
    return train_here(folder, TRAINING), files(folder)


def test_a_match_is_that_of_one_machine_when_a_node_is_lost(nodes, records, tmp_path):
    cluster, (_, second) = nodes
    record = tmp_path / "record.jsonl"
    loss = when(has_lines(record, 8), lambda: cluster.remove_node(second, allow_graceful=False))
    result = play_match(MATCH, record, pairs=2, is_quiet=True)
    loss.join()
    assert result.is_complete
    assert without_times(record.read_text().splitlines()) == records


def test_values_are_found_when_a_node_is_lost(nodes):
    cluster, (_, second) = nodes
    texts = list(random_positions(60, seeds=3, seed=1))
    boards = [kalah.Board.from_text(text) for text in texts]
    solver = kalah.Solver(hash=256)
    known = [solver.solve(board).margin for board in boards]
    with SolverPool(workers=2, hash_mebibytes=64, is_quiet=True) as pool:

        def solve(boards):
            return [pool.solve(board, job_nodes=30_000).margin for board in boards]

        assert solve(boards[:20]) == known[:20]
        loss = threading.Thread(
            target=cluster.remove_node, args=(second,), kwargs={"allow_graceful": False}
        )
        loss.start()
        assert pool.solve(kalah.Board(6, 4), job_nodes=100_000).margin == 8
        loss.join()
        assert solve(boards[20:]) == known[20:]


def test_labels_are_made_when_a_node_is_lost(nodes, tmp_path):
    cluster, (_, second) = nodes
    texts = list(random_positions(200, houses=4, seeds=3, seed=3))
    loss = when(
        lambda: any(tmp_path.glob("*.npz")),
        lambda: cluster.remove_node(second, allow_graceful=False),
    )
    files = label_positions(texts, tmp_path, shard=5, hash_mebibytes=16, is_quiet=True)
    loss.join()
    margins = np.concatenate([np.load(file)["margins"] for file in files])
    solver = kalah.Solver(hash=16)
    assert margins.tolist() == [solver.solve(kalah.Board.from_text(text)).margin for text in texts]
    assert sorted(tmp_path.glob("*.npz")) == files


def test_a_driver_that_was_killed_continues(records, tmp_path):
    record = tmp_path / "record.jsonl"
    words = [f"--engine={player}" for player in MATCH["players"]]
    words += [f"--each={MATCH['each']}", f"--games={MATCH['games']}", f"--record={record}"]
    command = [sys.executable, "-m", "kalah.cluster", "--quiet", "match", *words, "--pairs=2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as driver:
        begun = has_lines(record, 8)
        when(lambda: begun() or driver.poll() is not None, driver.kill).join()
    with record.open("a") as file:
        file.write('{"game":1')  # as if it had been killed while it wrote
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "new" in done.stdout
    assert without_times(record.read_text().splitlines()) == records


def test_a_solve_whose_driver_was_killed_continues(tmp_path):
    checkpoint = tmp_path / "checkpoint"
    command = [sys.executable, "-m", "kalah.cluster", "--quiet", "solve", "--hash=64"]
    command += [f"--checkpoint={checkpoint}", "--job-nodes=50000"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as driver:
        begun = lambda: checkpoint.exists() and checkpoint.stat().st_size > 1000  # noqa: E731
        when(lambda: begun() or driver.poll() is not None, driver.kill).join()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1] == "margin  8"


def test_a_network_is_that_of_one_machine_when_a_node_is_lost(nodes, trained, tmp_path):
    cluster, (_, second) = nodes
    loss = when(
        lambda: (
            len(list(tmp_path.glob("generation-1-000-*.csv"))) >= 3
            or (tmp_path / "generation-1.knn").exists()
        ),
        lambda: cluster.remove_node(second, allow_graceful=False),
    )
    result = train_network(TRAINING, tmp_path, workers=2, is_quiet=True)
    loss.join()
    assert (result.network, files(tmp_path)) == trained


@pytest.mark.parametrize("pattern", ["generation-1-000-*.csv", "generation-2-000-*.csv"])
def test_a_training_whose_driver_was_killed_continues(pattern, trained, tmp_path):
    out, folder = tmp_path / "network.knn", tmp_path / "network.knn.training"
    words = [f"--{name}={value}" for name, value in TRAINING.items() if name != "seeds"]
    command = [sys.executable, "-m", "kalah.cluster", "--quiet", "train", "--seeds=3,4"]
    command += [*words, f"--out={out}"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as driver:
        done = lambda: len(list(folder.glob(pattern))) >= 3  # noqa: E731
        when(lambda: done() or driver.poll() is not None, driver.kill).join()
    jobs = {path: path.stat().st_mtime_ns for path in folder.glob("generation-*")}
    assert jobs
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert (out.read_bytes(), files(folder)) == trained
    kept = {path: path.stat().st_mtime_ns for path in jobs if path.exists()}
    assert kept.items() <= jobs.items()


def test_games_are_analysed_when_a_node_is_lost(nodes, tmp_path):
    cluster, (_, second) = nodes
    games = []
    for seed in range(60):
        board, draw = kalah.Board(4, 3), np.random.default_rng(seed)
        while board.legal_moves:
            board.push(draw.choice(board.legal_moves).item())
        games.append(kalah.Game(board))
    output, limit = tmp_path / "analysis.jsonl", kalah.Limit(depth=6)
    loss = when(has_lines(output, 5), lambda: cluster.remove_node(second, allow_graceful=False))
    analyse_games(games, output, limit, is_quiet=True)
    loss.join()
    lines = sorted(map(json.loads, output.read_text().splitlines()), key=lambda line: line["game"])
    assert [line["game"] for line in lines] == list(range(1, 61))
    for game, line in zip(games, lines, strict=True):
        assert [ply["move"] for ply in line["plies"]] == game.moves
    engine = kalah.Engine()
    for ply, found in enumerate(lines[7]["plies"]):
        info = engine.analyse(games[7].board(ply), limit)
        assert found["best"] == info.pv[0]
