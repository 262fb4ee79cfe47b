"""Engines that run as processes and speak the protocol of this project, which is close to UCI."""

from __future__ import annotations

import contextlib
import itertools
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

from kalah.analysis import Info, PlayResult
from kalah.engine import BaseEngine, Request
from kalah.errors import EngineError, EngineTerminatedError
from kalah.side import NORTH, SOUTH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from os import PathLike

    from kalah.analysis import Stop

__all__ = ["ProcessEngine"]

# A longer line is not one of the protocol.
_MAX_LINE = 1 << 20
# Lines that may wait to be read; more stop the engine, not this process.
_MAX_LINES = 10_000
# How often a thread that waits looks for signals, on systems where waiting is not interrupted.
_INTERVAL = 0.1


class _Stop:
    """Stops a search by a command, which waits for the search to begin."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._send: Callable[[str], None] | None = None
        self.time: float | None = None

    def stop(self) -> None:
        with self._lock:
            if self.time is None:
                self.time = time.monotonic()
                self._command()

    def attach(self, send: Callable[[str], None] | None) -> None:
        """The search has begun; with None it has ended."""
        with self._lock:
            self._send = send
            if self.time is not None:
                self._command()

    def _command(self) -> None:
        if self._send is not None:
            # The thread that reads the answers finds out that the process has ended.
            with contextlib.suppress(EngineError):
                self._send("stop")


class ProcessEngine(BaseEngine):
    """An engine that runs as a process, started by :func:`kalah.engine.popen`.

    Attributes:
        id: What the engine says about itself, such as its ``"name"``.
        options: The names of its options, with what they take.

    Example:
        Needs the program ``kalah`` on the path::

            with kalah.engine.popen("kalah") as engine:
                print(engine.id["name"], engine.play(kalah.Board(), kalah.Limit(time=0.1)).move)
    """

    _new_stop = _Stop

    def __init__(
        self, command: str | PathLike[str] | Sequence[str | PathLike[str]], *, timeout: float = 10
    ) -> None:
        arguments = shlex.split(command) if isinstance(command, str) else command
        self._timeout = timeout
        self._process = subprocess.Popen(  # noqa: S603 - the caller names the program
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        assert self._process.stdin is not None
        self._stdin = self._process.stdin
        # None is the end of the output.
        self._lines: queue.Queue[str | None] = queue.Queue(_MAX_LINES)
        self._idle = threading.Lock()
        # The options that searches set, as they are.
        self._current = {"MultiPV": "1"}
        self._error: EngineError | None = None
        self.id: dict[str, str] = {}
        self.options: dict[str, str] = {}
        reader = threading.Thread(target=self._read, name="kalah engine output", daemon=True)
        reader.start()
        try:
            self._send("uci")
            for line in self._until("uciok"):
                kind, _, rest = line.partition(" ")
                if kind == "id":
                    key, _, value = rest.partition(" ")
                    self.id[key] = value
                elif kind == "option":
                    name, _, takes = rest.removeprefix("name ").partition(" type ")
                    self.options[name] = takes
            self._synchronise()
        except BaseException:
            self.close()
            raise

    def _read(self) -> None:
        """Moves lines from the process to the queue, until it ends."""
        stdout = self._process.stdout
        assert stdout is not None
        # Closed here: elsewhere that would wait for a read to end.
        with stdout, contextlib.suppress(OSError, ValueError):
            while line := stdout.readline(_MAX_LINE):
                if not line.endswith(b"\n") and len(line) == _MAX_LINE:
                    self._error = EngineError("the engine has sent a line without an end")
                    break
                self._lines.put(line.decode(errors="replace").strip())
        self._lines.put(None)

    def _send(self, line: str) -> None:
        try:
            self._stdin.write(line.encode() + b"\n")
            self._stdin.flush()
        except (OSError, ValueError):
            raise self._ended() from None

    def _ended(self) -> EngineError:
        self.close()
        status = self._process.returncode
        return self._error or EngineTerminatedError(f"the engine has ended with status {status}")

    def _next_line(self, deadline: Callable[[], float | None]) -> str:
        """The next line.

        Raises:
            EngineError: There was none before the deadline, or the process has ended.
        """
        while True:
            end = deadline()
            if end is not None and time.monotonic() > end:
                self.close()
                message = f"the engine has not answered within {self._timeout} s"
                raise EngineError(message)
            with contextlib.suppress(queue.Empty):
                line = self._lines.get(timeout=_INTERVAL)
                if line is None:
                    raise self._ended()
                return line

    def _until(self, last: str) -> Iterator[str]:
        """The lines before the one that begins with this word."""
        end = time.monotonic() + self._timeout
        while not (line := self._next_line(lambda: end)).startswith(last):
            yield line

    def _synchronise(self) -> None:
        """Waits until the engine has carried out all commands.

        Raises:
            EngineError: One of them was refused.
        """
        self._send("isready")
        errors = [line for line in self._until("readyok") if "string error" in line]
        if errors:
            raise EngineError(errors[0].removeprefix("info string error: "))

    @contextlib.contextmanager
    def _searching(self) -> Iterator[None]:
        if not self._idle.acquire(blocking=False):
            message = "the engine is searching"
            raise EngineError(message)
        try:
            yield
        finally:
            self._idle.release()

    def _set_options(self, options: dict[str, str]) -> None:
        with self._searching():
            for name, value in options.items():
                self._send(f"setoption name {_word(name)} value {_word(value)}")
            self._synchronise()

    def new_game(self) -> None:  # noqa: D102
        with self._searching():
            self._send("ucinewgame")
            self._synchronise()

    def close(self) -> None:
        """Ends the process: it is asked first, and killed if it does not listen."""
        if self._process.poll() is None:
            with contextlib.suppress(OSError, ValueError):
                self._stdin.write(b"quit\n")
                self._stdin.close()
            try:
                self._process.wait(1)
            except subprocess.TimeoutExpired:
                self._kill()
                self._process.wait()
        with contextlib.suppress(queue.Empty):
            # So that the thread that reads comes to the end of the output.
            while True:
                self._lines.get_nowait()
        with contextlib.suppress(OSError):
            self._stdin.close()

    def _kill(self) -> None:
        """Kills the process and, where the system has groups, what it has started."""
        if sys.platform == "win32":
            self._process.kill()
        else:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def _search(
        self, request: Request, report: Callable[[Info], None] | None, stop: Stop
    ) -> PlayResult:
        assert isinstance(stop, _Stop)
        with self._searching():
            self._prepare(request)
            self._send(_go(request))
            stop.attach(self._send)
            try:
                result = self._collect(request, report, stop)
            except EngineError:
                raise
            except BaseException:
                # Ctrl-C, or an error of the caller: the engine must be idle for what comes next.
                stop.stop()
                list(self._until("bestmove"))
                raise
            finally:
                stop.attach(None)
            if stop.time is not None:
                # The stop may have come too late, and been refused.
                self._send("isready")
                list(self._until("readyok"))
            return result

    def _prepare(self, request: Request) -> None:
        """Sets what the search needs."""
        wanted = {"Capture": request.board.capture, "MultiPV": str(request.multipv)}
        for name, value in wanted.items():
            if self._current.get(name) != value:
                self._send(f"setoption name {name} value {value}")
                self._current[name] = value
        self._send(f"position fen {request.board.to_text()}")
        self._synchronise()

    def _collect(
        self, request: Request, report: Callable[[Info], None] | None, stop: _Stop
    ) -> PlayResult:
        """Reads what a search says until its best move."""
        board, limit = request.board, request.limit
        lines: dict[int, Info] = {}
        # There is nothing more to find than an exact value.
        is_endless = limit.is_endless(board.turn) and request.multipv == 1
        end = None if limit.time is None else time.monotonic() + limit.time + self._timeout

        def deadline() -> float | None:
            return end if stop.time is None else stop.time + self._timeout

        while True:
            line = self._next_line(deadline)
            if line.startswith("bestmove"):
                words = line.split()
                move = words[1] if len(words) > 1 else "0000"
                ponder = words[3] if words[2:3] == ["ponder"] and len(words) > 3 else None  # noqa: PLR2004
                if move != "0000" and move not in board.legal_moves:
                    message = f"the engine has answered with '{move}', which is not a legal move"
                    raise EngineError(message)
                ranked = [lines[rank] for rank in sorted(lines)]
                return PlayResult(None if move == "0000" else move, ponder, ranked)
            if "string error" in line:
                raise EngineError(line.removeprefix("info string error: "))
            if (info := _parse_info(line)) is not None:
                lines[info.multipv] = info
                if report is not None:
                    report(info)
                if info.proven and is_endless:
                    stop.stop()


def _word(text: str) -> str:
    """A text that does not end the line of its command."""
    if "\n" in text or "\r" in text:
        message = f"{text!r} has a line break"
        raise ValueError(message)
    return text


def _go(request: Request) -> str:
    """The command that searches as requested."""
    limit, words = request.limit, ["go"]
    for side, name in ((SOUTH, "s"), (NORTH, "n")):
        if (clock := limit.clock(side)) is not None:
            words += [f"{name}time {round(clock[0] * 1000)}", f"{name}inc {round(clock[1] * 1000)}"]
    numbers = {
        "movestogo": limit.remaining_moves,
        "movetime": None if limit.time is None else round(limit.time * 1000),
        "depth": limit.depth,
        "nodes": limit.nodes,
    }
    words += [f"{name} {number}" for name, number in numbers.items() if number is not None]
    if limit.is_endless(request.board.turn):
        words.append("infinite")
    if request.searchmoves:
        words.append("searchmoves " + _word(" ".join(request.searchmoves)))
    return " ".join(words)


def _parse_info(line: str) -> Info | None:
    """A line of play; None if this is another line."""
    words = line.split()
    if words[:1] != ["info"] or "score" not in words or "pv" not in words:
        return None
    start = words.index("pv")
    numbers: dict[str, int] = {}
    for name, value in itertools.pairwise(words[1:start]):
        with contextlib.suppress(ValueError):
            numbers[name] = int(value)
    if "cp" not in numbers:
        return None
    names = ("depth", "seldepth", "nodes", "nps", "hashfull", "tbhits")
    return Info(
        margin=numbers["cp"] / 100,
        pv=words[start + 1 :],
        proven="proven" in words,
        bound="lower" if "lowerbound" in words else "upper" if "upperbound" in words else "exact",
        multipv=numbers.get("multipv", 1),
        time=numbers.get("time", 0) / 1000,
        **{name: numbers.get(name, 0) for name in names},
    )
