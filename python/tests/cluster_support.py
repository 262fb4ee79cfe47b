"""What the tests of the cluster share."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import threading
import time

import ray
from ray.cluster_utils import Cluster

from kalah.training import SelfPlayer, TrainingRun

MATCH = {
    "players": ["builtin=selective name=new", "builtin=negascout name=old"],
    "games": 160,
    "each": "nodes=3000",
}

TRAINING = {
    "houses": 4,
    "seeds": [3, 4],
    "positions": 6000,
    "nodes": 200,
    "generations": 2,
    "neurons": 64,
    "seed": 3,
}

# A machine with much else to do may take longer than Ray waits for its own processes.
_ATTEMPTS = 5


def start_cluster():
    """A head without processors, and two nodes with one each."""
    os.environ["RAY_AUTH_MODE"] = "disabled"
    # Otherwise its workers wait for everything else that the machine does.
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112
    for attempt in range(_ATTEMPTS):
        cluster = None
        try:
            head = {"num_cpus": 0, "include_dashboard": False}
            cluster = Cluster(initialize_head=True, head_node_args=head)
            added = [cluster.add_node(num_cpus=1) for _ in range(2)]
            ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
            cluster.wait_for_nodes()
        except BaseException:
            if attempt == _ATTEMPTS - 1:
                raise
            stop_cluster(cluster)
        else:
            return cluster, added
    raise AssertionError


def stop_cluster(cluster):
    ray.shutdown()
    if cluster is not None:
        with contextlib.suppress(Exception):
            cluster.shutdown()


def without_times(lines):
    records = [json.loads(line) for line in lines]
    for record in records:
        record.pop("time", None)
        for move in record["moves"]:
            move.pop("time", None)
            move.pop("ms", None)
    return sorted(records, key=lambda record: record["game"])


def when(happened, then):
    """Does something on a thread of its own once something has happened."""

    def wait():
        while not happened():
            time.sleep(0.005)
        then()

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


def train_here(folder, settings):
    """The network that this process trains."""
    run = TrainingRun(folder, **settings)
    of_games = {name: settings[name] for name in ("houses", "seeds", "nodes", "seed")}
    player = SelfPlayer(**of_games)
    while run.generation is not None:
        while not run.is_played:
            for job in run.next_jobs(1):
                run.report([(job, player.play(run.generation, job, run.network))])
        run.fit()
    return run.network


def train_alone(program, folder, out):
    """What one machine trains."""
    words = [f"--{name}={value}" for name, value in TRAINING.items() if name != "seeds"]
    words += ["--seeds=3,4", "--games=0", f"--folder={folder}", f"--out={out}"]
    subprocess.run([program, "train", *words], check=True, stdout=subprocess.DEVNULL)
    return out.read_bytes()


def files(folder):
    """The files of a training run with their bytes."""
    paths = [path for path in folder.iterdir() if path.suffix != ".lock"]
    return {path.name: path.read_bytes() for path in paths}


def has_lines(path, count):
    return lambda: path.exists() and path.read_text().count("\n") >= count
