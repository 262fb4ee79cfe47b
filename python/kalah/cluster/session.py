"""What all drivers share: the cluster, a live line, files that only one driver writes."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import ray

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
    ray.init(address=address, **options)
    try:
        yield
    finally:
        ray.shutdown()


def require_positive(**numbers: int | None) -> None:
    """Raises ValueError if one of these arguments is less than 1; None is not checked."""
    for name, number in numbers.items():
        if number is not None and number < 1:
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


@contextlib.contextmanager
def append_to(path: Path) -> Iterator[tuple[list[str], IO[str]]]:
    """Opens a file of lines that only this process writes, for a block.

    Returns the lines that it has, and the file, to append to. A last line that was not completely
    written is cut off. Raises RuntimeError if another process writes it.
    """
    with path.open("a+", encoding="utf-8", newline="\n") as file:
        _lock(file, path)
        file.seek(0)
        text = file.read()
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            file.truncate(len(whole.encode()))
        yield whole.splitlines(), file
        file.flush()
        os.fsync(file.fileno())


@contextlib.contextmanager
def only_driver(folder: Path) -> Iterator[None]:
    """Keeps other drivers away from a folder, for a block, or raises RuntimeError.

    The folder is made if there is none.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "driver.lock").open("a", encoding="utf-8") as file:
        _lock(file, folder)
        yield


def require_writable(path: Path) -> None:
    """Raises OSError if a file cannot be written, before the work whose result it is to have."""
    is_new = not path.exists()
    path.open("ab").close()
    if is_new:
        path.unlink()


def write_whole(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Writes a file that is whole or not there; one that is there is replaced then."""
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as part:
        try:
            write(part)
            part.flush()
            os.fsync(part.fileno())
            Path(part.name).replace(path)
        except BaseException:
            Path(part.name).unlink()
            raise


def _lock(file: IO[str], path: Path) -> None:
    try:
        import fcntl  # noqa: PLC0415 - some systems have none
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        message = f"'{path}' is being written by another process"
        raise RuntimeError(message) from None
