#!/usr/bin/env python3
"""A tiny Kalah engine, written from protocol.md alone: alpha-beta with iterative deepening, in a thread."""
import os, re, sys, threading, time
from typing import NamedTuple

LETTERS, MAX_SEEDS, HUGE = ["ABCDEFGHIJKL", "abcdefghijkl"], 1023, 1 << 63
UCI = """id name Tiny\nid author the authors of kalah
option name Houses type spin default 6 min 1 max 12\noption name Seeds type spin default 4 min 1 max 511
option name Capture type combo default standard var standard var empty\nuciok"""
OPTIONS = {"houses": [*map(str, range(1, 13))], "seeds": [*map(str, range(1, 512))], "capture": ["standard", "empty"]}
ALIASES = {"wtime": "stime", "btime": "ntime", "winc": "sinc", "binc": "ninc"}
LOW = dict.fromkeys(ALIASES.values(), -HUGE) | {"infinite": 1, "depth": 1, "nodes": 1, "movetime": 0, "movestogo": 1}

def say(text):
    os.write(1, f"{text}\n".encode())  # at once, and whole, whichever thread it is

class Board(NamedTuple):
    rows: list  # South's houses and store, North's houses and store
    side: int  # to move: 0 for South, 1 for North
    capture: str

    def __str__(self):
        (*south, south_store), (*north, north_store) = self.rows
        fields = [len(south), south_store, north_store, *south, *north]
        return f"<{','.join(map(str, fields))}> {'SN'[self.side]}"

    def moves(self):
        is_over = not all(any(row[:-1]) for row in self.rows)
        return [LETTERS[self.side][i] for i, seeds in enumerate(self.rows[self.side][:-1]) if seeds and not is_over]

    def play(self, letter):
        letter = letter.lower() if self.side else letter.upper()
        if letter not in self.moves():
            raise ValueError(f"{letter} is not a legal move")
        rows, row, houses = [row[:] for row in self.rows], self.side, len(self.rows[0]) - 1
        at = LETTERS[row].index(letter)
        seeds, rows[row][at] = rows[row][at], 0
        for _ in range(seeds):
            at += 1
            if at > houses or at == houses and row != self.side:
                row, at = 1 - row, 0
            rows[row][at] += 1
        if row == self.side and at < houses and rows[row][at] == 1:
            opposite = rows[1 - row][houses - 1 - at]
            if opposite or self.capture == "empty":
                rows[row][-1] += 1 + opposite
                rows[row][at] = rows[1 - row][houses - 1 - at] = 0
        if all(any(row[:-1]) for row in rows):
            return Board(rows, self.side if at == houses else 1 - self.side, self.capture)
        return Board([[0] * houses + [sum(row)] for row in rows], self.side, self.capture)

def read_position(text, options):
    match = re.fullmatch("(?:startpos|fen <([0-9]+(?:,[0-9]+){4,26})>(?: ([SN]))?)(?: moves((?: [A-La-l]+)*))?", text)
    if not match:
        raise ValueError("expected 'startpos' or 'fen' and a board, then perhaps 'moves' and letters")
    board, side, moves = match.groups()
    start = ",".join([options["houses"], "0", "0"] + [options["seeds"]] * 2 * int(options["houses"]))
    houses, south, north, *seeds = map(int, (board or start).split(","))
    rows = [[*seeds[:houses], south], [*seeds[houses:], north]]
    if not len(rows[0]) == len(rows[1]) in range(2, 14) or sum(map(sum, rows)) > MAX_SEEDS:
        raise ValueError("a wrong number of houses or seeds")
    position = Board(rows, int(side == "N"), options["capture"])
    for letter in (moves or "").replace(" ", ""):
        position = position.play(letter)
    return position

class Search(threading.Thread):
    def __init__(self, board, words):
        super().__init__(daemon=True)
        self.limits, words = {}, iter(words)
        for word in words:
            name, value = ALIASES.get(word, word), word == "infinite" or int(next(words, ""))
            if name in self.limits or not LOW.get(name, HUGE) <= value <= (255 if name == "depth" else HUGE - 1):
                raise ValueError(f"unexpected {word[:99]!a}")
            self.limits[name] = value
        self.board, self.nodes, self.is_running = board, 0, True
        self.stopped, self.start_time = threading.Event(), time.monotonic()
        clock = self.limits.get("sn"[board.side] + "time", HUGE)
        share = clock / min(self.limits.get("movestogo", 25), 25) + self.limits.get("sn"[board.side] + "inc", 0) / 2
        spend = min(share, clock / 2, self.limits.get("movetime", HUGE))  # in milliseconds
        if clock < HUGE and len(board.moves()) == 1: spend = 0  # a forced move
        self.end_time = self.start_time + (HUGE if "infinite" in self.limits else spend) / 1000
        self.start()

    def value(self, board, depth, alpha, beta, first=None):
        """The margin for the player to move, and the best line. The move `first` is tried before the others."""
        if self.stopped.is_set() or time.monotonic() >= self.end_time or self.nodes >= self.limits.get("nodes", HUGE):
            raise TimeoutError
        self.nodes, moves = self.nodes + 1, board.moves()
        if depth == 0 or not moves:
            self.is_proven &= not moves
            return board.rows[board.side][-1] - board.rows[1 - board.side][-1], []
        best, line = -HUGE, []
        for letter in sorted(moves[::-1], key=lambda letter: letter != first):
            after, alpha = board.play(letter), max(alpha, best)
            sign, window = (1, (alpha, beta)) if after.side == board.side else (-1, (-beta, -alpha))
            value, rest = self.value(after, depth - 1, *window)
            if sign * value > best:
                best, line = sign * value, [letter, *rest]
            if best >= beta: break
        return best, line

    def run(self):
        line, depth, self.is_proven = self.board.moves()[:1] or ["0000"], 0, not self.board.moves()
        try:
            while not self.is_proven and depth < self.limits.get("depth", 255):
                depth, self.is_proven = depth + 1, True  # until a game is not seen to its end
                value, line = self.value(self.board, depth, -HUGE, HUGE, line[0])
                say(f"info depth {depth} score cp {100 * value}{' proven' * self.is_proven} nodes {self.nodes} "
                    f"time {1000 * (time.monotonic() - self.start_time):.0f} pv {' '.join(line)}")
        except TimeoutError: pass
        if "infinite" in self.limits: self.stopped.wait()
        self.is_running = False  # before the answer, after which the next 'go' may come at once
        say(f"bestmove {line[0]}" + (f" ponder {line[1]}" if line[1:] else ""))

def main():
    options, position, search, words = {"houses": "6", "seeds": "4", "capture": "standard"}, "startpos", None, []
    board = read_position(position, options)
    for line in sys.stdin.buffer:
        try:
            words = re.findall("[^ \t\r\n]+", line.decode())
            if search and not search.is_running: search = search.join()
            match words:
                case ["quit"]: break
                case ["uci"]: say(UCI)
                case ["isready"]: say("readyok")
                case ["d"]: say(f"Fen: {board}")
                case ["go" | "setoption" | "ucinewgame", *_] if search: raise ValueError("not during a search")
                case [] | ["ucinewgame"] | ["debug", "on" | "off"]: pass
                case ["stop"] if search:
                    search.stopped.set()
                    search = search.join()
                case ["position", *rest]: board, position = read_position(" ".join(rest), options), " ".join(rest)
                case ["setoption", "name", name, "value", value] if value in OPTIONS.get(name.lower(), ""):
                    changed = {**options, name.lower(): value}
                    start, options = read_position("startpos", changed), changed
                    try:
                        board = read_position(position, options)
                    except ValueError as error:
                        board, position = start, "startpos"
                        say(f"info string the position is now startpos: {error}")
                case ["go", *rest]: search = Search(board, rest)
                case _: raise ValueError(f"unknown or impossible: {' '.join(words)[:99]!a}")
        except ValueError as error: say(f"info string error: {error}")
        except OSError: return  # the output is closed
    if search and (words == ["quit"] or "infinite" in search.limits or not search.limits):
        search.stopped.set()  # other searches are finished at the end of the input
    if search: search.join()

if __name__ == "__main__": main()
