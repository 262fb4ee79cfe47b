"""Engines that run as processes and speak the protocol of this project, which is close to UCI."""

from __future__ import annotations

import contextlib
import math
import os
import queue
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
import warnings
import weakref
from typing import IO, TYPE_CHECKING, Any

from kalah import _native
from kalah.analysis import Info, PlayResult
from kalah.base_engine import BaseEngine, Request
from kalah.errors import EngineError, EngineTerminatedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from io import BufferedReader
    from os import PathLike

    from kalah.analysis import Report, Stop

__all__ = ["ProcessEngine"]

# Longer lines are ignored.
_MAX_LINE = 1 << 20
# Lines that may wait to be read; more stop the engine, not this process.
_MAX_LINES = 10_000
# How often a thread that waits looks for signals, on systems where waiting is not interrupted.
_INTERVAL = 0.1
# Characters of the name of an engine in messages.
_MAX_NAME = 80
# What an engine without these options does.
_DEFAULTS = {"Capture": "standard", "Sowing": "single", "MultiPV": "1"}


class _Stop:
    """Stops a search by a command, which waits for the search to begin."""

    def __init__(self) -> None:
        # The collector of garbage may stop a search in the middle of either method.
        self._lock = threading.RLock()
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


class _SearchWatchdog:
    """How long a search is waited for.

    A search has to end in time if its limit says when. Otherwise it has to report a line soon, and
    then progress. An engine that is silent for long is asked for a sign of life.
    """

    def __init__(
        self, request: Request, stop: _Stop, timeout: float, ask: Callable[[], None]
    ) -> None:
        limit, self._stop, self._timeout, self._ask = request.limit, stop, timeout, ask
        left, _ = limit.clock(request.board.turn) or (math.inf, 0)
        self._time = left if limit.time is None else min(limit.time, left)
        # More than any engine needs without progress.
        self._pause = min(limit.nodes or math.inf, 3.0 ** (limit.depth or math.inf)) / 1000
        self._first = timeout if self._time == math.inf else math.inf
        self._begun = self._moved = self._heard = time.monotonic()
        self._reached = (0, 0)
        self.questions = 0

    def on_message(self, kind: str, info: Info | None) -> None:
        """A message has come, perhaps with a line of play."""
        self._heard = time.monotonic()
        self.questions -= kind == "readyok"
        if kind == "info":
            self._first = math.inf
        if info is not None:
            reached = max(self._reached[0], info.depth), max(self._reached[1], info.nodes)
            if reached != self._reached:
                self._reached, self._moved = reached, self._heard

    def deadline(self) -> float:
        """When the engine is given up, unless it says something before; now it may be asked."""
        if self._stop.time is not None:
            return self._stop.time + self._timeout
        if not self.questions and time.monotonic() > self._heard + self._timeout:
            self.questions += 1
            self._ask()
        silence = self._heard + self._timeout if self.questions else math.inf
        begun = self._begun + min(self._time, self._first)
        return min(begun, self._moved + self._pause, silence) + self._timeout


class ProcessEngine(BaseEngine):
    """An engine that runs as a process, started by `kalah.engine.popen`.

    Attributes:
        id: What the engine says about itself, such as its ``"name"``.
        options: The names of its options, with what they take.

    Examples:
        Needs the program ``kalah`` on the path::

            with kalah.engine.popen("kalah") as engine:
                print(engine.id["name"], engine.play(kalah.Board(), kalah.Limit(time=0.1)).move)
    """

    _new_stop = _Stop

    def __init__(
        self, command: str | PathLike[str] | Sequence[str | PathLike[str]], *, timeout: float = 10
    ) -> None:
        if isinstance(command, (str, os.PathLike)):
            command = shlex.split(command) if isinstance(command, str) else [command]
        if not command or not timeout > 0:
            message = "an engine needs a command, and a timeout above 0"
            raise ValueError(message)
        super().__init__()
        self._program = os.fspath(command[0])
        self._timeout = timeout
        self._process = subprocess.Popen(  # noqa: S603 - the caller names the program
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        # None is the end, of both.
        self._commands: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._lines: queue.Queue[str | None] = queue.Queue(_MAX_LINES)
        self._parts = self._process, self._commands, self._lines, timeout
        # Also at the exit of the interpreter: an engine may go on without its input.
        self._finalizer = weakref.finalize(self, _end, *self._parts, self._program)
        self._idle = threading.Lock()
        # The options that searches set, as they are; none of them is known once they were set.
        self._current = dict(_DEFAULTS)
        # What messages add: the last error that the engine has reported since the last call.
        self._said = ""
        self.id: dict[str, str] = {}
        self.options: dict[str, str] = {}
        # The threads do not keep the engine alive.
        output = (_read, (self._process.stdout, self._lines), "kalah engine output")
        commands = (_write, (self._process.stdin, self._commands), "kalah engine input")
        for target, args, name in (output, commands):
            threading.Thread(target=target, args=args, name=name, daemon=True).start()
        try:
            self._send("uci")
            told = {"id": self.id, "option": self.options}
            for kind, value in self._until("uciok"):
                if kind in told:
                    told[kind].update([value])
            self._synchronise()
        except BaseException:
            self.close()
            raise

    def _send(self, line: str) -> None:
        if not self._finalizer.alive:
            raise self._ended()
        self._commands.put(line)

    @property
    def _name(self) -> str:
        """The engine, for messages."""
        return f"the engine {self.id.get('name', self._program)[:_MAX_NAME]!r}"

    def _ended(self) -> EngineError:
        self.close()
        status = f"status {self._process.returncode}{self._said}"
        return EngineTerminatedError(f"{self._name} has ended with {status}")

    def _next_line(self, deadline: Callable[[], float]) -> str:
        """The next line.

        Raises:
            EngineError: There was none before the deadline, or the process has ended.
        """
        while True:
            if time.monotonic() > deadline():
                self.close()
                message = f"{self._name} has not answered within {self._timeout} s{self._said}"
                raise EngineError(message)
            with contextlib.suppress(queue.Empty):
                line = self._lines.get(timeout=_INTERVAL)
                if line is None:
                    raise self._ended()
                return line

    def _until(self, last: str) -> Iterator[tuple[str, Any]]:
        """The messages before one of this kind."""
        end = time.monotonic() + self._timeout
        while (message := self._message(self._next_line(lambda: end)))[0] != last:
            yield message

    def _message(self, line: str, board: _native.Board | None = None) -> tuple[str, Any]:
        """What a line says; errors are those of this engine."""
        try:
            kind, value = _native.read_message(line, board)
        except EngineError as error:
            message = f"{self._name} {error}"
            raise EngineError(message) from None
        if kind == "error":
            self._said = f"; it said: {value}"
        return kind, value

    def _synchronise(self) -> None:
        """Waits until the engine has carried out all commands.

        Raises:
            EngineError: One of them was refused.
        """
        self._send("isready")
        errors = [value for kind, value in self._until("readyok") if kind == "error"]
        if errors:
            raise EngineError(errors[0])

    @contextlib.contextmanager
    def _searching(self) -> Iterator[None]:
        if not self._idle.acquire(blocking=False):
            message = f"{self._name} is searching"
            raise EngineError(message)
        self._said = ""
        try:
            yield
        finally:
            self._idle.release()

    def _set_options(self, options: dict[str, str]) -> None:
        with self._searching():
            self._current.clear()
            for command in [self._option(*option) for option in options.items()]:
                self._send(command)
            self._synchronise()

    def _option(self, name: str, value: str) -> str:
        """The command that sets an option, if the engine has it and takes the value."""
        if "\n" in value or "\r" in value:
            message = f"{value!r} has a line break"
            raise ValueError(message)
        own = next((own for own in self.options if own.lower() == name.lower()), None)
        if own is None:
            message = f"{self._name} has no option {name!r}"
            raise EngineError(message)
        return _native.option_command(own, self.options[own], value)

    def new_game(self) -> None:  # noqa: D102
        self._await_dropped()
        with self._searching():
            self._send("ucinewgame")
            self._synchronise()

    def close(self) -> None:
        """Ends the process: asks, then kills it. Dropping the engine does so with a warning."""
        self._finalizer.detach()
        _end(*self._parts)

    def _search(self, request: Request, report: Report | None, stop: Stop) -> PlayResult:
        assert isinstance(stop, _Stop)
        go = _native.go_command(request.board, request.limit, request.searchmoves)
        with self._searching():
            self._prepare(request)
            self._send(go)
            watchdog = _SearchWatchdog(request, stop, self._timeout, lambda: self._send("isready"))
            stop.attach(self._send)
            try:
                return self._collect(request, report, stop, watchdog)
            except EngineError:
                # A refusal, or an illegal move: it may search or not.
                stop.stop()
                raise
            except BaseException:
                # Ctrl-C, or an error of the caller.
                stop.stop()
                list(self._until("bestmove"))
                raise
            finally:
                stop.attach(None)
                if self._finalizer.alive:
                    self._drain(stop, watchdog.questions)

    def _drain(self, stop: _Stop, questions: int) -> None:
        """Takes what is still to come of a search, so that the next one does not."""
        if stop.time is not None:
            # The stop may have come too late, and be refused.
            self._send("isready")
            questions += 1
        for _ in range(questions):
            list(self._until("readyok"))

    def _prepare(self, request: Request) -> None:
        """Sets what the search needs."""
        known = {name.lower() for name in self.options}
        board = request.board
        wanted = {"Capture": board.capture, "Sowing": board.sowing, "MultiPV": str(request.multipv)}
        for name, value in wanted.items():
            is_needed = name.lower() in known or value != _DEFAULTS[name]
            if is_needed and self._current.get(name) != value:
                self._send(self._option(name, value))
        # What the engine may refuse is not known.
        self._current.clear()
        self._send(f"position fen {request.board.to_text()}")
        self._synchronise()
        self._current |= wanted

    def _collect(
        self, request: Request, report: Report | None, stop: _Stop, watchdog: _SearchWatchdog
    ) -> PlayResult:
        """Reads what a search says until its best move."""
        board = request.board
        lines: dict[int, Info] = {}
        # There is nothing more to find than exact values.
        is_endless = request.limit.is_endless(board.turn)
        wanted = min(request.multipv, len(request.searchmoves or board.legal_moves))
        while True:
            exact = [info for info in lines.values() if info.proven and info.bound == "exact"]
            if is_endless and len(exact) >= wanted:
                stop.stop()
            kind, value = self._message(self._next_line(watchdog.deadline), board)
            info = Info(*value) if kind == "info" and value is not None else None
            watchdog.on_message(kind, info)
            if kind == "bestmove":
                move, ponder = value
                return PlayResult(move, ponder, [lines[rank] for rank in sorted(lines)])
            if kind == "error":
                raise EngineError(value)
            if info is not None:
                lines[info.multipv] = info
                if report is not None:
                    report(info)


def _read(output: BufferedReader, lines: queue.Queue[str | None]) -> None:
    """Moves the lines of a process, which end with LF, CR or both, to a queue until they end."""
    rest = b""
    # Closed here: elsewhere that would wait for a read to end.
    with output, contextlib.suppress(OSError, ValueError):
        while part := output.read1(1 << 16):
            *ended, rest = re.split(rb"[\r\n]", rest + part)
            for line in ended:
                if len(line) <= _MAX_LINE:
                    lines.put(line.decode(errors="replace").strip())
            rest = rest[: _MAX_LINE + 1]
        lines.put(rest.decode(errors="replace").strip())
    lines.put(None)


def _write(stdin: IO[bytes], commands: queue.SimpleQueue[str | None]) -> None:
    """Moves commands from a queue to a process, which may be slow to read them."""
    with contextlib.suppress(OSError, ValueError), stdin:
        while (line := commands.get()) is not None:
            stdin.write(line.encode() + b"\n")
            stdin.flush()


def _end(
    process: subprocess.Popen[bytes],
    commands: queue.SimpleQueue[str | None],
    lines: queue.Queue[str | None],
    timeout: float,
    dropped: str | None = None,
) -> None:
    """Ends a process: it is asked first, and killed if it does not listen."""
    commands.put("quit")
    commands.put(None)
    try:
        process.wait(1)
    except subprocess.TimeoutExpired:
        # And, where the system has groups, what it has started.
        if sys.platform == "win32":
            process.kill()
        else:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        # A process that the system cannot end yet is left behind.
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout)
    with contextlib.suppress(queue.Empty):
        # So that the thread that reads comes to the end of the output.
        while True:
            lines.get_nowait()
    if dropped is not None:
        warnings.warn(f"the engine {dropped!r} was not closed", ResourceWarning, stacklevel=2)
