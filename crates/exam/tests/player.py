"""A player without a search: player.py HOW, where HOW is what it does when it is asked for a move."""

import os
import random
import sys
import time

how = sys.argv[1]
board, side = [], "S"


def move():
    houses = (len(board) - 3) // 2
    own = board[3 : 3 + houses] if side == "S" else board[3 + houses :]
    # The same answer to the same position in every process.
    house = random.Random(str((board, side))).choice([n for n, seeds in enumerate(own) if seeds])
    return chr(ord("A" if side == "S" else "a") + house)


for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print("id name Player\nid author Nobody")
        if how != "one-rule":
            print("option name Capture type combo default standard var standard var empty")
        print("uciok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        board, side = [int(seeds) for seeds in words[2].strip("<>").split(",")], words[3]
    elif words[:1] == ["go"]:
        if how == "crash":
            os._exit(3)
        if how == "slow":
            time.sleep(1000)
        if how != "hang":
            print("bestmove", "L" if how == "illegal" else move(), flush=True)
    elif words[:1] == ["quit"]:
        break
