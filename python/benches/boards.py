"""Plies a second of random play: `kalah.vector.Boards`, OpenSpiel's mancala, and plain Python.

Each is measured several times in turn; the figures are medians, in millions of plies a second.
"""

from __future__ import annotations

import random
import statistics
import time
from typing import TYPE_CHECKING

import pyspiel

from kalah.vector import Boards

if TYPE_CHECKING:
    from collections.abc import Callable

GAMES = 10_000
ROUNDS = 5


def boards() -> int:
    """Random moves, drawn and played in Rust, on all cores."""
    games, steps = Boards(GAMES), 2000
    for _ in range(steps):
        games.step(games.random_actions())
    return GAMES * steps


def boards_with_arrays() -> int:
    """The same with what a training loop reads at every step: observations, masks and turns."""
    games, steps = Boards(GAMES), 1000
    observations, mask, turns = games.observations(), games.legal_mask(), games.turns()
    for _ in range(steps):
        games.observations(observations)
        games.legal_mask(mask)
        games.turns(turns)
        games.step(games.random_actions())
    return GAMES * steps


def open_spiel() -> int:
    """OpenSpiel's mancala, which is written in C++, in a loop in Python."""
    game, draw, plies = pyspiel.load_game("mancala"), random.Random(1), 0
    for _ in range(1000):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(draw.choice(state.legal_actions()))
            plies += 1
    return plies


def plain_python() -> int:
    """The rules on a list of pits."""
    draw, plies = random.Random(1), 0
    for _ in range(1000):
        pits, turn = ([4] * 6 + [0]) * 2, 0
        while any(pits[:6]) and any(pits[7:13]):
            first = 7 * turn
            pit = draw.choice([pit for pit in range(first, first + 6) if pits[pit]])
            plies += 1
            store, other = first + 6, 13 - first
            seeds, pits[pit] = pits[pit], 0
            while seeds:
                pit = (pit + 1) % 14
                if pit != other:
                    pits[pit] += 1
                    seeds -= 1
            if first <= pit < store and pits[pit] == 1 and pits[12 - pit]:
                pits[store] += 1 + pits[12 - pit]
                pits[pit] = pits[12 - pit] = 0
            if pit != store:
                turn = 1 - turn
    return plies


def rate(play: Callable[[], int]) -> float:
    """Millions of plies a second."""
    start = time.perf_counter()
    plies = play()
    return plies / (time.perf_counter() - start) / 1e6


def main() -> None:
    """Prints the table."""
    contestants = [boards, boards_with_arrays, open_spiel, plain_python]
    rates: dict[str, list[float]] = {play.__name__: [] for play in contestants}
    for _ in range(ROUNDS):
        for play in contestants:
            rates[play.__name__].append(rate(play))
    medians = {name: statistics.median(each) for name, each in rates.items()}
    for name, million in medians.items():
        times = medians["boards"] / million
        print(f"{name:20} {million:8.3f} million plies/s   boards are {times:6.1f} times as fast")


if __name__ == "__main__":
    main()
