"""What all drivers share: the cluster, a live line, files that only one driver writes."""

from __future__ import annotations

import codecs
import contextlib
import json
import operator
import os
import secrets
import shutil
import sys
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, SupportsIndex, cast

import ray

from kalah import _native
from kalah.environment import whole_number
from kalah.errors import KalahError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

_INTERVAL = 1.0


@contextlib.contextmanager
def cluster(address: str) -> Iterator[None]:
    """Connects to a cluster, for a block. If Ray is connected already, it stays so.

    The address is ``ray://HOST:PORT``, ``auto`` for the cluster of this machine, or ``local`` for
    one that is started here and ends with the block.
    """
    if ray.is_initialized():
        yield
        return
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "warning"}
    if address == "local":
        options["include_dashboard"] = False
    with ray.init(address=address, **options):
        yield


@contextlib.contextmanager
def errors_of(name: str, *kinds: type[Exception]) -> Iterator[None]:
    """Errors of these kinds in this block begin with this name."""
    try:
        yield
    except kinds as error:
        message = f"{name}: {error}"
        raise type(error)(message) from None


def require_positive(**numbers: SupportsIndex | None) -> None:
    """Checks arguments; None is not checked.

    Raises:
        TypeError: One of them is not a whole number.
        ValueError: One of them is less than 1.
    """
    for name, number in numbers.items():
        if number is not None and whole_number(name, number) < 1:
            message = f"{name} is at least 1, not {number}"
            raise ValueError(message)


def cores() -> int:
    """The processors of the cluster."""
    resources: Any = ray.cluster_resources  # it has no types
    return max(1, int(resources().get("CPU", 1)))


class LiveLine:
    """Says on one line how far the work is, at most once a second."""

    def __init__(self, *, is_quiet: bool) -> None:
        self._is_quiet = is_quiet
        self._is_terminal = sys.stderr.isatty()
        self._next = 0.0

    def show(self, text: str, *, is_last: bool = False) -> None:
        """Shows a text in place of the last one."""
        now = time.monotonic()
        if self._is_quiet or (now < self._next and not is_last):
            return
        # A file does not need a line every second.
        self._next = now + (_INTERVAL if self._is_terminal else 10 * _INTERVAL)
        end = "" if self._is_terminal and not is_last else "\n"
        start = "\r\x1b[K" if self._is_terminal else ""
        sys.stderr.write(f"{start}{text}{end}")
        sys.stderr.flush()


def read_text(path: Path) -> str:
    """The text of a file, a pipe or standard input, which is ``-``, or ValueError if it is none."""
    name, read = f"'{path}'", path.read_bytes
    if path == Path("-"):
        name, read = "standard input", sys.stdin.buffer.read
    with errors_of(name, ValueError):
        return _native.decode_text(read())


def to_json(value: object) -> str:
    """JSON on one line, with the numbers of NumPy as numbers."""
    return json.dumps(value, default=operator.methodcaller("item"))


@contextlib.contextmanager
def append_to(path: Path, read: Callable[[str], object], *beginnings: bytes) -> Iterator[IO[bytes]]:
    """Opens a file of lines of JSON that only this process writes, for a block, to append to.

    `read` gets the lines that the file has, and raises KalahError or ValueError for one that does
    not belong there; the file then stays as it is. Empty lines and a byte order mark do not count.
    A last line that is incomplete, and begins as all do, is cut off. Raises RuntimeError if another
    process writes the file.
    """
    with _open(path, "a+b") as file:
        _lock(file, path)
        file.seek(0)
        lines = file.read().splitlines(keepends=True)
        is_ended = not lines or lines[-1].endswith((b"\n", b"\r"))
        is_torn = not is_ended and _is_torn(lines[-1], beginnings)
        whole = lines[:-1] if is_torn else lines
        for number, line in enumerate(whole, start=1):
            text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
            with errors_of(f"'{path}', line {number}", KalahError, ValueError):
                if text.strip():
                    read(text.decode(errors="backslashreplace"))
        if is_torn:
            file.truncate(len(b"".join(whole)))
        elif not is_ended:
            file.write(b"\n")
        yield file
        file.flush()
        os.fsync(file.fileno())


def _is_torn(line: bytes, beginnings: tuple[bytes, ...]) -> bool:
    with contextlib.suppress(ValueError, RecursionError):
        json.loads(line)
        return False
    line = line.rstrip(b"\0")  # which a crash of the system may leave
    return any(line.startswith(start) or start.startswith(line) for start in beginnings)


@contextlib.contextmanager
def only_driver(folder: Path) -> Iterator[None]:
    """Keeps other drivers away from a folder, for a block, or raises RuntimeError.

    The folder is made if there is none.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _open(folder / "driver.lock", "ab") as file:
        _lock(file, folder)
        yield


def require_kind(path: Path, kind: tuple[str, bytes]) -> None:
    """Raises an error if a file cannot be written, before the work whose result it is to have.

    A kind is a name and how such files begin: one of another kind is not replaced.
    """
    name, beginning = kind
    if not path.exists():
        with _beside(path.resolve()):
            return
    with _open(path, "r+b") as file:
        start = file.read(len(beginning))
    if start not in (b"", beginning):
        message = f"cannot write '{path}': it is not {name}, and would be lost"
        raise ValueError(message)


def write_whole(path: Path, kind: tuple[str, bytes], write: Callable[[IO[bytes]], object]) -> None:
    """Writes a file that is whole or not there; one of this kind that is there is replaced then."""
    target = path.resolve()
    with _beside(target) as part:
        write(part)
        part.flush()
        os.fsync(part.fileno())
        if target.exists():
            require_kind(target, kind)
            shutil.copymode(target, part.name)
        Path(part.name).replace(target)


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[IO[bytes]]:
    """A temporary file in the folder of another file, for a block. It is locked."""
    path.parent.stat()  # its error has no temporary name
    # Those that are not locked any more are of processes that were killed.
    for stray in path.parent.glob(".kalah-*.part"):
        with contextlib.suppress(OSError, RuntimeError), _open(stray, "rb") as file:
            if _lock(file, stray):
                stray.unlink()
    name = path.with_name(f".kalah-{secrets.token_hex(8)}.part")
    with name.open("xb") as file:
        try:
            _lock(file, name)
            yield file
        finally:
            name.unlink(missing_ok=True)


def _open(path: Path, mode: str) -> IO[bytes]:
    """Opens a regular file: another could block for ever."""
    if path.exists() and not path.is_file():
        message = f"'{path}' is not a regular file"
        raise OSError(message)
    return cast("IO[bytes]", path.open(mode))


def _lock(file: IO[bytes], path: Path) -> bool:
    """Locks an open file; raises RuntimeError if another process has it, or has replaced it."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_ours = os.path.samestat(os.fstat(file.fileno()), Path(file.name).stat())
    except (BlockingIOError, FileNotFoundError):
        is_ours = False
    except OSError:
        return False  # some file systems have no locks
    if not is_ours:
        message = f"'{path}' is being written by another process"
        raise RuntimeError(message)
    return True
