#!/usr/bin/env python3
"""A Kalah agent to begin with: it plays on a server of the Kalah Game Protocol.

Run it as  python3 agent.py [HOST [PORT]]. A server that starts it itself sets KGP_HOST, KGP_PORT, TOKEN and NAME.
It answers within the time by deepening a minimax search: DEPTHS and `value` are the places for ideas of your own.
"""
import os
import re
import socket
import sys
import threading
import time

NAME = os.environ.get("NAME", "Python starter")
THINK = 0.5  # seconds for a move; the server allows 5 unless it says otherwise
DEPTHS = range(1, 30)


class Board:
    """Seen from the player to move: own houses and store, then those of the opponent, in the order of sowing."""

    def __init__(self, own, own_store, other, other_store):
        self.own, self.own_store, self.other, self.other_store = own, own_store, other, other_store

    @staticmethod
    def parse(text):
        """<houses,own store,other store,own houses...,other houses...>"""
        houses, own_store, other_store, *pits = map(int, text.strip("<>").split(","))
        return Board(pits[:houses], own_store, pits[houses:], other_store)

    def is_over(self):
        half = (sum(self.own) + sum(self.other) + self.own_store + self.other_store) / 2
        return not any(self.own) or not any(self.other) or max(self.own_store, self.other_store) > half

    def moves(self):
        return [] if self.is_over() else [house for house, seeds in enumerate(self.own) if seeds]

    def play(self, house):
        """The board after a move, from the view of the same player, and whether that player moves again."""
        size = len(self.own)
        pits = self.own + [self.own_store] + self.other  # the opponent's store is left out
        seeds, pits[house] = pits[house], 0
        last = house
        for _ in range(seeds):
            last = (last + 1) % len(pits)
            pits[last] += 1
        opposite = 2 * size - last
        if last < size and pits[last] == 1 and pits[opposite] > 0:  # a capture
            pits[size] += 1 + pits[opposite]
            pits[last] = pits[opposite] = 0
        return Board(pits[:size], pits[size], pits[size + 1:], self.other_store), last == size

    def turned(self):
        return Board(self.other, self.other_store, self.own, self.own_store)

    def margin(self):
        """Seeds that the player to move is ahead; at the end of the game everybody keeps his own."""
        margin = self.own_store - self.other_store
        return margin + sum(self.own) - sum(self.other) if self.is_over() else margin


class TimeOver(Exception):
    """The search has no more time."""


def value(board, depth, end):
    """The margin that the player to move can reach, looking `depth` moves ahead."""
    if time.monotonic() > end:
        raise TimeOver
    if depth == 0 or board.is_over():
        return board.margin()
    return max(value_of_move(board, move, depth, end) for move in board.moves())


def value_of_move(board, move, depth, end):
    after, moves_again = board.play(move)
    if moves_again:
        return value(after, depth - 1, end)
    return -value(after.turned(), depth - 1, end)


class Agent:
    def __init__(self, host, port):
        self.connection = socket.create_connection((host, port))
        self.lock = threading.Lock()
        self.open = set()  # requests that still want a move

    def send(self, line):
        with self.lock:  # two threads write
            self.connection.sendall((line + "\r\n").encode())

    def search(self, request, board):
        """Sends better and better moves, counted from 1, and yields."""
        end = time.monotonic() + THINK
        try:
            for depth in DEPTHS:
                best = max(board.moves(), key=lambda move: value_of_move(board, move, depth, end))
                if request not in self.open:
                    return
                self.send(f"@{request} move {best + 1}")
        except TimeOver:
            pass
        self.send(f"@{request} yield")

    def run(self):
        for line in self.connection.makefile(encoding="utf-8", newline="\n"):
            match = re.match(r"(?:(\d+))?(?:@(\d+))? ?(\w+) ?(.*)", line.strip())
            if not match:
                continue
            number, reference, command, rest = match.groups()
            if command == "kgp":
                if token := os.environ.get("TOKEN"):
                    self.send(f'set auth:token "{token}"')
                self.send(f'set info:name "{NAME}"')
                self.send("mode freeplay")
            elif command == "ping":
                self.send(f"@{number} pong")
            elif command == "state":
                self.open.add(number)
                threading.Thread(target=self.search, args=(number, Board.parse(rest)), daemon=True).start()
            elif command == "stop":
                self.open.discard(reference)
            elif command == "error":
                print("server:", rest, file=sys.stderr)
            elif command == "goodbye":
                return


if __name__ == "__main__":
    host = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("KGP_HOST", "localhost")
    port = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("KGP_PORT", "2671")
    Agent(host, int(port)).run()
