"""Efficiency of 1 to 10,000 cores, simulated: `python benches/cluster.py [--chart FILE.svg]`."""

from __future__ import annotations

import argparse
import json

import kalah
from kalah.arena import Tournament
from kalah.cluster.simulate import (
    Conditions,
    Outcome,
    measured_driver,
    simulate_match,
    simulate_solve,
)

CORES = (1, 10, 100, 1000, 10_000)
# What Ray takes of the driver for a task: empty calls of an actor took 0.6 ms each on two cores.
RAY = 0.0006


def seconds_of_pairs() -> list[float]:
    """Lengths of pairs of games at 50,000 nodes a move."""
    match = Tournament(["builtin=selective name=a", "builtin=pvs name=b"], 40, each="nodes=50000")
    records = [json.loads(line) for line in match.play(1, 1)]
    games = {record["game"]: record["time"]["seconds"] for record in records}
    return [games[game] + games[game + 1] for game in range(1, 40, 2)]


def show(name: str, cores: int, outcome: Outcome, alone: Outcome) -> float:
    """Prints a line and returns the efficiency."""
    speed = alone.seconds / outcome.seconds
    print(
        f"{name:34} {cores:6,} cores  {outcome.seconds:11,.1f} s  {speed:8,.1f} times as fast"
        f"  efficiency {speed / cores:6.1%}  work {outcome.work / alone.work:5.2f}"
        f"  busy {outcome.busy / outcome.seconds / cores:6.1%}  driver {outcome.driver:6.1%}",
        flush=True,
    )
    return speed / cores


def main() -> None:
    """Prints the table, and draws the chart."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chart", help="a file for the chart, in SVG")
    parser.add_argument("--seeds", type=int, default=4, help="Kalah(6,N) is solved")
    parser.add_argument("--jobs", type=int, nargs="+", default=[20_000, 100_000, 1_000_000])
    parser.add_argument("--hash", type=int, default=256, help="MiB of each of four real solvers")
    parser.add_argument("--cores", type=int, nargs="+", default=CORES[:4], help="for Kalah(6,N)")
    options = parser.parse_args()
    board, curves = kalah.Board(6, options.seeds), {}
    driver, rate = measured_driver(board, 100_000)
    print(f"driver {driver * 1e3:.3f} ms a job, solver {rate / 1e6:.2f} M positions a second")
    conditions = Conditions(driver=driver + RAY)
    for job_nodes in options.jobs:
        name = f"Kalah(6,{options.seeds}), jobs of {job_nodes:,}"
        solvers = {"solvers": 4, "hash_mebibytes": options.hash, "rate": rate}
        alone = simulate_solve(board, 1, conditions, job_nodes=job_nodes, **solvers)
        curves[name] = [show(name, 1, alone, alone)]
        for cores in options.cores[1:]:
            outcome = simulate_solve(board, cores, conditions, job_nodes=job_nodes, **solvers)
            curves[name].append(show(name, cores, outcome, alone))
    pairs = seconds_of_pairs()
    print(f"a pair of games takes {sum(pairs) / len(pairs):.2f} s on average")
    for games, part in ((2000, 1), (200_000, 1), (200_000, 8)):
        name = f"{games:,} games, parts of {part}"
        matches = {cores: simulate_match(games, part, pairs, cores, conditions) for cores in CORES}
        curves[name] = [show(name, c, outcome, matches[1]) for c, outcome in matches.items()]
    if options.chart:
        draw(curves, options.chart)


def draw(curves: dict[str, list[float]], file: str) -> None:
    """Draws efficiency over cores."""
    import matplotlib as mpl  # noqa: PLC0415 - only for charts

    mpl.use("svg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    plt.rcParams |= {"svg.fonttype": "none", "font.family": "sans-serif", "svg.hashsalt": "kalah"}
    figure, axes = plt.subplots(figsize=(8.4, 4.6), layout="constrained")
    colors = ("#0072b2", "#56b4e9", "#009e73", "#d55e00", "#e69f00", "#cc79a7")
    for (name, values), color, marker in zip(curves.items(), colors, "osv^Dx", strict=False):
        style = "-" if name.startswith("Kalah") else "--"
        axes.plot(CORES[: len(values)], values, style, color=color, marker=marker, label=name)
    axes.set_xscale("log")
    axes.set_xticks(CORES, [f"{cores:,}" for cores in CORES])
    axes.minorticks_off()
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "25", "50", "75", "100"])
    axes.set(ylim=(0, 1.06), xlabel="cores", ylabel="efficiency, % (times as fast ÷ cores)")
    axes.grid(axis="y", color="#dddddd", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside right center", frameon=False)
    figure.savefig(file, metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    main()
