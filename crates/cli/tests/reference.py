#!/usr/bin/env python3
"""Compares perft, recorded games and reviews of the program with the rules, played seed by seed on plain lists.

  reference.py PROGRAM [GAMES]   GAMES of each size, an even number (1,000), and for perft 100 times as many boards
"""

import functools
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

RULES = ["standard", "empty", "relay"]
SIDES = "SN"
LETTERS = ["ABCDEFGHIJKL", "abcdefghijkl"]


class Board:
    def __init__(self, rules, houses, stores, side):
        self.rules, self.side = rules, side
        self.houses = [list(row) for row in houses]
        self.stores = list(stores)

    @staticmethod
    def read(fen, rules):
        counts, side = fen.split()
        houses, south, north, *rows = map(int, counts.strip("<>").split(","))
        return Board(rules, [rows[:houses], rows[houses:]], [south, north], SIDES.index(side))

    def __str__(self):
        counts = [len(self.houses[0]), *self.stores, *self.houses[0], *self.houses[1]]
        return f"<{','.join(map(str, counts))}> {SIDES[self.side]}"

    def is_over(self):
        return not all(map(any, self.houses))

    def moves(self):
        houses = zip(LETTERS[self.side], self.houses[self.side])
        return [] if self.is_over() else [letter for letter, seeds in houses if seeds]

    def after(self, move):
        board = Board(self.rules, self.houses, self.stores, self.side)
        mover, place = self.side, LETTERS[self.side].index(move)
        row, has_extra_turn = mover, False
        hand, board.houses[row][place] = board.houses[row][place], 0
        while hand:
            place += 1
            hand -= 1
            has_extra_turn = False
            if place == len(board.houses[row]):
                if row == mover:
                    board.stores[mover] += 1
                    has_extra_turn = True
                    row, place = 1 - row, -1
                    continue
                row, place = mover, 0
            board.houses[row][place] += 1
            if self.rules == "relay" and hand == 0 and board.houses[row][place] > 1:
                hand, board.houses[row][place] = board.houses[row][place], 0
        if self.rules != "relay" and not has_extra_turn and row == mover and board.houses[row][place] == 1:
            across = len(board.houses[row]) - 1 - place
            if board.houses[1 - row][across] or self.rules == "empty":
                board.stores[mover] += 1 + board.houses[1 - row][across]
                board.houses[row][place] = board.houses[1 - row][across] = 0
        if not has_extra_turn:
            board.side = 1 - mover
        return board

    def lead(self):
        """South's lead once each side has its own seeds."""
        south, north = (self.stores[side] + sum(self.houses[side]) for side in (0, 1))
        return south - north

    def value(self):
        rows = tuple(map(tuple, self.houses))
        return self.stores[0] - self.stores[1] + gain(self.rules, rows, self.side)

    def perft(self, depth):
        if depth == 0 or self.is_over():
            return 1
        return sum(self.after(move).perft(depth - 1) for move in self.moves())


@functools.cache
def gain(rules, rows, side):
    """What South gains over North from here on."""
    board = Board(rules, rows, [0, 0], side)
    if board.is_over():
        return board.lead()
    return [max, min][side](board.after(move).value() for move in board.moves())


def options(rules):
    return ["--sowing", "relay"] if rules == "relay" else ["--capture", rules]


def check_perft(program, rules, number, rng):
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        name, value = ("Sowing", rules) if rules == "relay" else ("Capture", rules)
        print(f"setoption name {name} value {value}", file=engine.stdin)
        for _ in range(number):
            houses, most = rng.randint(1, 12), rng.choice([2, 4, 8, 20])
            rows = [[rng.randint(0, most) * (rng.random() < 0.8) for _ in range(houses)] for _ in SIDES]
            board = Board(rules, rows, [rng.randint(0, 20) for _ in SIDES], rng.randint(0, 1))
            depth = rng.randint(1, 3 if houses < 7 else 2)
            print(f"position fen {board}\ngo perft {depth}", file=engine.stdin, flush=True)
            lines = list(itertools.takewhile(lambda line: line != "bestmove 0000\n", engine.stdout))
            leaves = int(lines[-1].removeprefix("info nodes").split()[0])
            assert leaves == board.perft(depth), (rules, str(board), depth, leaves)
        print("quit", file=engine.stdin, flush=True)
    return number


def play(program, rules, houses, seeds, games, path):
    players = ["--engine", "builtin=negascout name=one", "--engine", "builtin=mcts name=other"]
    each = ["--each", "nodes=30", "--openings", "random=1", "--games", str(games), "--quiet"]
    board = ["--houses", str(houses), "--seeds", str(seeds), *options(rules)]
    command = [program, "match", *players, *each, *board, "--record", path]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def check_record(path, rules):
    boards = 0
    with open(path, encoding="utf-8") as lines:
        for game in filter(lambda game: "moves" in game, map(json.loads, lines)):
            board = Board.read(game["opening"], rules)
            for ply in game["moves"]:
                assert ply["move"] in board.moves(), (rules, game["game"], str(board), ply)
                board = board.after(ply["move"])
                boards += 1
            assert board.is_over() and board.lead() == game["margin"], (rules, game["game"], str(board))
    return boards


def check_review(program, path, rules):
    boards = 0
    reviews = subprocess.run([program, "review", "--exact", "--json", "--quiet", path], check=True, stdout=subprocess.PIPE)
    for review in map(json.loads, reviews.stdout.splitlines()):
        board = Board.read(review["start"], rules)
        for ply in review["moves"]:
            values = {move: board.after(move).value() for move in board.moves()}
            value, after = board.value(), values[ply["move"]]
            best = sorted(move for move in values if values[move] == value)
            expected = [str(board), value, after, abs(value - after), best]
            found = [ply["board"], ply["value"], ply["after"], ply["loss"], sorted(ply["best"])]
            end = functools.reduce(Board.after, ply["line"].split(), board)
            assert found == expected and end.is_over() and end.lead() == value, (rules, ply, expected)
            board = board.after(ply["move"])
            boards += 1
    return boards


def main(program, games=1000):
    rng = random.Random(1)
    for rules in RULES:
        perft = check_perft(program, rules, 100 * games, rng)
        records = reviews = 0
        with tempfile.TemporaryDirectory() as folder:
            for houses, seeds in itertools.product(range(2, 11), (2, 3, 5)):
                path = os.path.join(folder, f"{houses}-{seeds}.jsonl")
                play(program, rules, houses, seeds, games, path)
                records += check_record(path, rules)
                if houses * seeds <= 9:
                    reviews += check_review(program, path, rules)
                    gain.cache_clear()
        print(f"{rules}: boards with equal perft {perft}, in records {records}, in reviews {reviews}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], *map(int, sys.argv[2:]))
