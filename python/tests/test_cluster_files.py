"""The files that the drivers write: what others have written stays as it is."""

from __future__ import annotations

import io
import json
import os
import stat
import sys
from pathlib import Path

import numpy as np
import pytest
from cluster_support import MATCH
from ray.exceptions import RaySystemError

import kalah
from kalah.arena import Tournament
from kalah.cluster.match import play_match
from kalah.cluster.positions import analyse_games, label_positions
from kalah.cluster.session import append_to, read_text, require_kind, write_whole
from kalah.errors import ArenaError

NETWORK = ("a network", b"\x89KNN")
BOARD = "<3,0,0,1,2,3,1,2,3>"


def match(path):
    play_match(MATCH, path, workers=1, is_quiet=True)


def analyse(path):
    game = kalah.Game()
    game.push("C")
    analyse_games([game], path, kalah.Limit(depth=1), is_quiet=True)


def label(path):
    label_positions([BOARD], path.parent, workers=1, is_quiet=True)


@pytest.fixture(autouse=True)
def _no_cluster(monkeypatch):
    """What is refused is refused without one."""
    monkeypatch.setattr("ray._private.auto_init_hook.enable_auto_connect", False)


WRITERS = {"record.jsonl": match, "analysis.jsonl": analyse, "positions.json": label}
FOREIGN = {
    "notes": b"my notes, line 1\nline 2 without an end",
    "a line": b"my notes",
    "an object": b'{"a": 1}',
    "a network": b"\x89KNN\r\n\x1a\n\0\1",
    "Latin-1": '{"game":1, "größe"\n'.encode("latin-1"),
    "UTF-16": "<3,0,0,1,2,3,1,2,3>".encode("utf-16"),
    "two bytes": b"{ ",
    "brackets": b"[" * 100_000,
    "carriage returns": b'{"game":1\r{"game": 1\r{"boards": 1\r{"',
}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("kind", FOREIGN)
def test_a_foreign_file_stays_as_it_is(kind, name, tmp_path):
    path = tmp_path / name
    path.write_bytes(FOREIGN[kind])
    with pytest.raises((ArenaError, ValueError), match=name):
        WRITERS[name](path)
    assert path.read_bytes() == FOREIGN[kind]


@pytest.fixture(scope="module")
def records():
    return Tournament(**MATCH).play(1, 80)


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("name", WRITERS)
def test_a_record_of_something_else_stays_as_it_is(name, end, records, tmp_path):
    path = tmp_path / name
    other = records[0].replace('"seed":1', '"seed":2') + end
    path.write_text(other)
    with pytest.raises((ArenaError, ValueError), match=f"{name}', line 1: "):
        WRITERS[name](path)
    assert path.read_text() == other


@pytest.mark.parametrize("name", WRITERS)
def test_only_regular_files_are_written(name, tmp_path):
    path = tmp_path / name
    for make in (path.mkdir, lambda: os.mkfifo(path)):
        make()
        with pytest.raises(OSError, match="is not a regular file"):
            WRITERS[name](path)
        path.rmdir() if path.is_dir() else path.unlink()


def read_lines(path):
    """The lines that `append_to` reads, and the file after another one."""
    lines = []
    with append_to(path, lambda text: lines.append(json.loads(text)), b'{"n":') as file:
        file.write(b'{"n":9}\n')
    return lines, path.read_bytes()


@pytest.mark.parametrize(
    ("before", "kept"),
    [
        (b"", b""),
        (b'{"n":1}\n{"n":2}\n', None),
        (b'\xef\xbb\xbf{"n":1}\n\n  \n{"n":2}\n', None),
        (b'{"n":1}\r\n\r\n{"n":2}\r\n', None),
        (b'{"n":1}\r{"n":2}\r', None),
        (b'{"n":1}\n{"n":2}', b'{"n":1}\n{"n":2}\n'),
        (b'{"n":1,"a":"\xe2\x80\xa8"}\n{"n":2,"a":"\xe2\x80', b'{"n":1,"a":"\xe2\x80\xa8"}\n'),
        (b'{"n":1}\n{"\0\0', b'{"n":1}\n'),
        (b'{"n":1,"a":"\\\xff"}\n{"n":2', b'{"n":1,"a":"\\\xff"}\n'),
    ],
)
def test_lines_are_read_as_by_other_commands(before, kept, tmp_path):
    path = tmp_path / "lines"
    path.write_bytes(before)
    lines, after = read_lines(path)
    assert after == (before if kept is None else kept) + b'{"n":9}\n'
    assert [line["n"] for line in lines] == [1, 2][: after.count(b'"n":') - 1]


def test_a_file_that_another_process_replaces_is_not_written(tmp_path, monkeypatch):
    path = tmp_path / "lines"
    fcntl = pytest.importorskip("fcntl")

    def flock(*_):
        path.unlink()
        path.write_text("new")

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(RuntimeError, match="is being written by another process"):
        read_lines(path)
    assert path.read_text() == "new"


@pytest.mark.parametrize("name", ["positions-000000.npz", "positions-000007.npz"])
def test_shards_without_settings_are_not_taken(name, tmp_path):
    (tmp_path / name).write_bytes(b"PK\3\4")
    with pytest.raises(ValueError, match="has shards of other boards or settings"):
        label(tmp_path / "positions.json")


def test_a_file_of_another_kind_is_not_a_shard(tmp_path):
    with pytest.raises(RaySystemError):  # there is no cluster
        label(tmp_path / "positions.json")
    shard = tmp_path / "positions-000000.npz"
    shard.write_text("notes")
    with pytest.raises(ValueError, match="npz': it is not a file of NumPy"):
        label(tmp_path / "positions.json")
    assert shard.read_text() == "notes"


def test_numbers_and_forms_are_checked_before_the_work(tmp_path, monkeypatch):
    def label(**how):
        label_positions([BOARD], tmp_path, is_quiet=True, **how)

    with pytest.raises(ValueError, match="form is one of npz, parquet, jsonl, not 'csv'"):
        label(form="csv")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match="pyarrow"):
        label(form="parquet")
    for number in (True, 1.5):
        for name in ("nodes", "shard", "workers"):
            with pytest.raises(TypeError):
                label(**{name: number})
    # There is no cluster.
    with pytest.raises(RaySystemError):
        label(nodes=np.int64(100))
    with pytest.raises(RaySystemError):
        play_match(MATCH | {"games": np.int64(2)}, tmp_path / "record.jsonl", is_quiet=True)


def test_text_is_read_as_by_other_commands(tmp_path, monkeypatch):
    path, text = tmp_path / "text", "a\r\nb\rä"
    path.write_bytes(text.encode("utf-8-sig"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert read_text(path) == read_text(Path("-")) == "a\nb\nä"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-16"))))
    with pytest.raises(ValueError, match="standard input: text in UTF-16, expected UTF-8"):
        read_text(Path("-"))
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match="text': not text in UTF-8"):
        read_text(path)


@pytest.mark.parametrize("contents", [b'{"game":1}\n', b"text", b"\x89KB", b"\x89KBK\r\n"])
def test_an_output_of_another_kind_is_not_replaced(contents, tmp_path):
    path = tmp_path / "network.knn"
    path.write_bytes(contents)
    for attempt in (
        lambda: require_kind(path, NETWORK),
        lambda: write_whole(path, NETWORK, lambda file: file.write(b"\x89KNN new")),
    ):
        with pytest.raises(ValueError, match="knn': it is not a network, and would be lost"):
            attempt()
        assert path.read_bytes() == contents
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_files_have_the_modes_of_other_new_files(tmp_path):
    stray, target, link = (tmp_path / name for name in (".kalah-1.part", "target", "link"))
    stray.write_bytes(b"left by a process that was killed")
    link.symlink_to(target)
    mask = os.umask(0o027)
    try:
        for mode in (0o640, 0o604):
            require_kind(link, NETWORK)
            write_whole(link, NETWORK, lambda file: file.write(b"\x89KNN"))
            assert stat.S_IMODE(target.stat().st_mode) == mode
            target.chmod(0o604)
    finally:
        os.umask(mask)
    assert link.is_symlink()
    assert sorted(tmp_path.iterdir()) == [link, target]
