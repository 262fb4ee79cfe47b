"""Efficiency of 1 to 10,000 cores, simulated, and of 1 and 2 cores, measured beside.

`python benches/cluster.py [--chart FILE.svg]` takes some ten minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path

from simulate import Conditions, Outcome, simulate_match, simulate_solve

import kalah
from kalah.arena import Score, Tournament
from kalah.cluster.match import play_match
from kalah.cluster.session import cluster
from kalah.cluster.solve import SolverPool

CORES = (1, 10, 100, 1000, 10_000)
# What Ray takes of the driver for a task: empty calls of an actor took 0.6 ms each on two cores.
RAY = 0.0006
PLAYERS = ["builtin=selective name=a", "builtin=pvs name=b"]
# Games and pairs of a part. A game of a tenth of a second is as short as games get.
MATCHES = ((2000, 8), (200_000, 8), (2_000_000, 8))


def measured_solver(board: kalah.Board, job_nodes: int) -> tuple[float, float, float]:
    """What a solver is like here, on a core that is its own: other work does not count.

    Returns:
        The driver's seconds for a job, without Ray's; positions a second of the solver; the seconds
        that it takes to make its tables before the first job.
    """
    tree, solver = kalah.JobTree(board, job_nodes=job_nodes), kalah.Solver(hash=256)
    driver, search, nodes, jobs = 0.0, 0.0, 0, 0
    start = time.process_time()
    (job,) = kalah.JobTree(board, job_nodes=1).next_jobs(1)
    solver.run_job(job)
    setup = time.process_time() - start
    while tree.margin() is None:
        start = time.process_time()
        (job,) = tree.next_jobs(1)
        middle = time.process_time()
        proven, searched = solver.run_job(job)
        end = time.process_time()
        tree.report(job.id, proven)
        driver += time.process_time() - end + middle - start
        search, nodes, jobs = search + end - middle, nodes + searched, jobs + 1
    return driver / jobs, nodes / search, setup


def measured_games(games: int, nodes: int) -> tuple[list[float], float]:
    """Seconds of each pair of games, and of the driver for each record, on an idle machine."""
    match = Tournament(PLAYERS, games, each=f"nodes={nodes}")
    start, lines = time.process_time(), match.play(1, 1)
    whole = time.process_time() - start
    seconds = {line["game"]: line["time"]["seconds"] for line in map(json.loads, lines)}
    pairs = [seconds[game] + seconds[game + 1] for game in range(1, games, 2)]
    score, start = Score(match), time.process_time()
    with tempfile.TemporaryFile("w") as file:
        for line in lines:
            score.add(line)
            file.write(line + "\n")
    record = (time.process_time() - start) / games
    # The records have the time of a clock, and without what a worker does between games.
    return [pair * whole / sum(pairs) for pair in pairs], record


def show(name: str, cores: int, outcome: Outcome, alone: Outcome) -> float:
    """Prints a line and returns the efficiency."""
    speed = alone.seconds / outcome.seconds
    print(
        f"{name:34} {cores:6,} cores  {outcome.seconds:11,.1f} s  {speed:8,.1f} times as fast"
        f"  efficiency {speed / cores:6.2%}  work {outcome.work / alone.work:5.2f}"
        f"  busy {outcome.busy / outcome.seconds / cores:6.1%}  driver {outcome.driver:6.1%}",
        flush=True,
    )
    return speed / cores


def compare(name: str, predicted: float, measured: float) -> None:
    """Prints what was predicted beside what was measured."""
    error = predicted / measured - 1
    print(
        f"{name:50} predicted {predicted:8.2f}  measured {measured:8.2f}  {error:+.1%}", flush=True
    )


def compare_with_ray(conditions: Conditions, rate: float, setup: float) -> None:
    """Runs the drivers with 1 and 2 workers here."""
    board, job_nodes, nodes, games = kalah.Board(6, 4), 100_000, 5000, 400
    pairs, record = measured_games(games, nodes)
    ours = Conditions(conditions.latency, conditions.driver, record, slow=0, losses=0)
    times = {}
    with cluster("local"), tempfile.TemporaryDirectory() as folder:
        for workers in (1, 2):
            with SolverPool(workers=workers, hash_mebibytes=256, is_quiet=True) as pool:
                pool.solve(kalah.Board(4, 2))  # the solvers are up
                solution = pool.solve(board, job_nodes=job_nodes)
            found = simulate_solve(
                board, workers, ours, job_nodes=job_nodes, rate=rate, hash_mebibytes=256
            )
            name = f"Kalah(6,4), {workers} solvers"
            compare(f"{name}: M positions", found.work / 1e6, solution.nodes / 1e6)
            compare(f"{name}: seconds", found.seconds + setup, solution.seconds)
            settings = {"players": PLAYERS, "games": games, "each": f"nodes={nodes}"}
            warm = settings | {"games": 32 * workers}
            play_match(warm, Path(folder, f"warm-{workers}"), workers=workers, is_quiet=True)
            start = time.perf_counter()
            play_match(settings, Path(folder, f"{workers}"), workers=workers, is_quiet=True)
            measured = time.perf_counter() - start
            match = simulate_match(games, 8, pairs, workers, ours)
            compare(f"{games} games, {workers} workers: seconds", match.seconds, measured)
            times[workers] = (found.seconds + setup, solution.seconds, match.seconds, measured)
    alone, both = times[1], times[2]
    compare("Kalah(6,4): times as fast with 2", alone[0] / both[0], alone[1] / both[1])
    compare("games: times as fast with 2", alone[2] / both[2], alone[3] / both[3])


def main() -> None:
    """Prints the table, and draws the chart."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chart", help="a file for the chart, in SVG")
    parser.add_argument(
        "--solve",
        nargs="+",
        default=["4:100000", "5:300000"],
        metavar="SEEDS:NODES",
        help="solve Kalah(6,SEEDS) by jobs of NODES positions",
    )
    parser.add_argument("--hash", type=int, default=512, help="MiB of each of four real solvers")
    parser.add_argument("--cores", type=int, nargs="+", default=CORES, help="for Kalah(6,N)")
    parser.add_argument("--no-ray", action="store_true", help="measure nothing with Ray")
    parser.add_argument("--no-matches", action="store_true", help="simulate no matches")
    options = parser.parse_args()
    driver, rate, setup = measured_solver(kalah.Board(6, 4), 100_000)
    load = os.getloadavg()[0]
    print(
        f"driver {driver * 1e3:.3f} ms a job, solver {rate / 1e6:.2f} M positions a second after"
        f" {setup:.1f} s, load of the machine {load:.1f}"
    )
    conditions = Conditions(driver=driver + RAY)
    if not options.no_ray:
        compare_with_ray(conditions, rate, setup)
    solves, matches = dict[str, list[float]](), dict[str, list[float]]()
    for text in options.solve:
        seeds, job_nodes = map(int, text.split(":"))
        board, outcomes = kalah.Board(6, seeds), list[Outcome]()
        name = f"Kalah(6,{seeds}), jobs of {job_nodes:,}"
        solvers = {"solvers": 4, "hash_mebibytes": options.hash, "rate": rate}
        for cores in options.cores:
            # More solvers do not help if some had nothing to do.
            if not outcomes or outcomes[-1].solvers >= options.cores[len(outcomes) - 1]:
                run = simulate_solve(board, cores, conditions, job_nodes=job_nodes, **solvers)
            outcomes.append(run)
            solves.setdefault(name, []).append(show(name, cores, run, outcomes[0]))
    if not options.no_matches:
        pairs, record = measured_games(40, 50_000)
        mean = sum(pairs) / len(pairs)
        print(f"a pair of games takes {mean:.2f} s, a record {record * 1e6:.0f} us of the driver")
        conditions = Conditions(driver=RAY, record=record)
        for games, part in MATCHES:
            name = f"{games:,} games"
            alone = simulate_match(games, part, pairs, 1, conditions)
            for cores in CORES:
                outcome = simulate_match(games, part, pairs, cores, conditions)
                matches.setdefault(name, []).append(show(name, cores, outcome, alone))
    if options.chart:
        draw(matches, solves, options.chart)


def draw(matches: dict[str, list[float]], solves: dict[str, list[float]], file: str) -> None:
    """Draws efficiency over cores: matches, and exact values."""
    import matplotlib as mpl  # noqa: PLC0415 - only for charts

    mpl.use("svg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    plt.rcParams |= {"svg.fonttype": "none", "font.family": "sans-serif", "svg.hashsalt": "kalah"}
    figure, panels = plt.subplots(1, 2, figsize=(9.6, 4.4), layout="constrained", sharey=True)
    colors = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
    titles = ("matches", "exact values, job by job")
    for axes, title, curves in zip(panels, titles, (matches, solves), strict=True):
        for (name, values), color, marker in zip(curves.items(), colors, "osv^", strict=False):
            axes.plot(CORES[: len(values)], values, "-", color=color, marker=marker, label=name)
        axes.set_xscale("log")
        axes.set_xticks(CORES, [f"{cores:,}" for cores in CORES])
        axes.minorticks_off()
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "25", "50", "75", "100"])
        axes.set(ylim=(0, 1.06), xlabel="cores", title=title)
        axes.grid(axis="y", color="#dddddd", linewidth=0.8)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), frameon=False)
    panels[0].set_ylabel("efficiency, % (times as fast ÷ cores)")
    figure.savefig(file, metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    main()
