#!/usr/bin/env python3
"""A small engine for the protocol of protocol.md: alpha-beta with iterative deepening, standard library only."""
import re, sys, threading, time  # noqa: E401
LETTERS, INFINITY = "ABCDEFGHIJKL", 1 << 60
EXTRA_TURN, OTHER, OVER = range(3)
NUMBERS = "depth nodes movetime stime ntime wtime btime sinc ninc winc binc movestogo".split()
VALUES = {"houses": [*map(str, range(1, 13))], "seeds": [*map(str, range(1, 512))], "capture": ["standard", "empty"]}
REPLIES = {"isready": "readyok", "uci": """id name Tiny\nid author the authors of kalah
option name Houses type spin default 6 min 1 max 12\noption name Seeds type spin default 4 min 1 max 511
option name Capture type combo default standard var standard var empty\nuciok"""}
options = {"houses": "6", "seeds": "4", "capture": "standard"}

def play(position, house):
    """Sows a house of `own` in (own, other), rows with their stores last. Returns the next position and who moves."""
    own, other = list(position[0]), list(position[1])
    store = len(own) - 1
    seeds, own[house], row, at = own[house], 0, own, house
    while seeds:
        at += 1
        if at > store or (at == store and row is other):  # the opponent's store is skipped
            row, at = (other if row is own else own), 0
        row[at] += 1
        seeds -= 1
    opposite = store - 1 - at
    if row is own and at < store and own[at] == 1 and (other[opposite] or options["capture"] == "empty"):
        own[store] += 1 + other[opposite]
        own[at] = other[opposite] = 0
    if not any(own[:store]) or not any(other[:store]):
        return ([0] * store + [sum(own)], [0] * store + [sum(other)]), OVER
    return ((own, other), EXTRA_TURN) if row is own and at == store else ((other, own), OTHER)

def legal(position):
    own, other = position
    return [house for house in reversed(range(len(own) - 1)) if own[house]] if any(other[:-1]) else []

class Search:
    """One `go`, in a thread of its own."""
    def __init__(self, position, side, limits, seconds):
        self.position, self.side, self.limits, self.is_infinite = position, side, limits, "infinite" in limits
        self.nodes, self.start, self.stop, self.is_over = 0, time.monotonic(), threading.Event(), False
        self.deadline = self.start + seconds
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
    def run(self):
        best = legal(self.position)[:1]
        for depth in range(1, min(self.limits.get("depth", 255), 255) + 1 if best else 1):
            try:
                score, best = self.value(self.position, depth, -INFINITY, INFINITY, best[0])
            except TimeoutError:
                break
            work = f"nodes {self.nodes} time {int(1000 * (time.monotonic() - self.start))}"
            say(f"info depth {depth} score cp {100 * score} {work} pv {self.letters(best)}")
        if self.is_infinite:
            self.stop.wait()
        self.is_over = True
        say("bestmove " + (self.letters(best[:1]) or "0000"))
    def letters(self, line):
        position, side, text = self.position, self.side, []
        for house in line:
            text.append(LETTERS[house] if side == "S" else LETTERS[house].lower())
            position, following = play(position, house)
            side = "SN"[side == "S"] if following == OTHER else side
        return " ".join(text)
    def value(self, position, depth, alpha, beta, first=None):
        """The margin that the player to move expects, and the moves that lead to it."""
        self.nodes += 1
        is_late = self.nodes > self.limits.get("nodes", INFINITY) or time.monotonic() >= self.deadline
        if is_late or self.stop.is_set():
            raise TimeoutError
        houses = sorted(legal(position), key=lambda house: house != first)
        if not depth or not houses:
            return position[0][-1] - position[1][-1], []
        best = -INFINITY, []
        for house in houses:
            after, following = play(position, house)
            sign, window = (-1, (-beta, -alpha)) if following == OTHER else (1, (alpha, beta))
            score, line = self.value(after, depth - 1, *window)
            best = max(best, (sign * score, [house] + line), key=lambda found: found[0])
            alpha = max(alpha, best[0])
            if alpha >= beta:
                break
        return best

def read_position(words):
    base, _, moves = " ".join(words).partition(" moves")
    if base == "startpos":
        base = f"fen <{options['houses']},0,0{2 * int(options['houses']) * (',' + options['seeds'])}>"
    match = re.fullmatch(r"fen <(\d+(?:,\d+)*)>(?: ([SN]))?", base)
    houses, *seeds = map(int, match[1].split(",")) if match else [0]
    if not 1 <= houses <= 12 or len(seeds) != 2 + 2 * houses or sum(seeds) > 1023:
        raise ValueError("not a board")
    side = match[2] or "S"
    position = (seeds[2 : 2 + houses] + seeds[:1], seeds[2 + houses :] + seeds[1:2])[:: 1 if side == "S" else -1]
    for letter in moves.replace(" ", "").upper():
        if LETTERS.find(letter) not in legal(position):
            raise ValueError(f"the move {letter} is illegal")
        position, following = play(position, LETTERS.find(letter))
        side = "SN"[side == "S"] if following == OTHER else side
    return position, side

def start_search(position, side, words):
    words = ["infinite", "1"] if words == ["infinite"] else words
    limits = dict(zip(words[::2], map(int, words[1::2])))
    if len(words) != 2 * len(limits) or not limits.keys() <= {*NUMBERS, "infinite"}:
        raise ValueError("this 'go' is not supported")
    names = ("stime", "wtime") if side == "S" else ("ntime", "btime")
    times = [max(limits[name] - 20, 0) / 20 for name in names if name in limits]
    return Search(position, side, limits, min(times + [limits.get("movetime", INFINITY)]) / 1000)

def set_option(words):
    if words[3] not in VALUES.get(words[1].lower(), ()):
        raise ValueError("no such option or value")
    options[words[1].lower()] = words[3]

def say(line):
    print(line + "\n", end="", flush=True)  # in one piece: two threads write

def main():
    base, (position, side), search = ["startpos"], read_position(["startpos"]), None
    for line in iter(sys.stdin.buffer.readline, b"quit"):
        try:
            command, *words = line.decode().split() or [""]
            is_busy = search is not None and not search.is_over
            if command == "quit" or not line:
                break
            if command in REPLIES:
                say(REPLIES[command])
            elif command == "position":
                (position, side), base = read_position(words), words
            elif command == "d":
                south, north = position if side == "S" else position[::-1]
                numbers = [len(south) - 1, south[-1], north[-1], *south[:-1], *north[:-1]]
                say(f"Fen: <{','.join(map(str, numbers))}> {side}")
            elif command == "stop" and is_busy:
                search.stop.set()
                search.thread.join()
            elif command == "go" and not is_busy:
                search and search.thread.join()
                search = start_search(position, side, words)
            elif command == "setoption" and not is_busy:
                set_option(words)
                position, side = read_position(base)
            elif command and (is_busy or command not in ("ucinewgame", "debug")):
                raise ValueError(f"'{command}' is not possible")
        except (ValueError, IndexError) as error:
            say(f"info string error: {str(error)[:200]}")
    if search:  # at the end of the input a search with limits is finished
        line == b"" and search.limits and not search.is_infinite or search.stop.set()
        search.thread.join()
main()
