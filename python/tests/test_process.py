"""Programs that do not speak the protocol as they should."""

from __future__ import annotations

import sys
import threading

import pytest

import kalah
import kalah.engine
from kalah import Limit
from kalah.errors import EngineError, EngineTerminatedError

GREETING = """\
import sys, time
def say(text): print(text, flush=True)
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci": say("id name Strange\\noption name Hash type spin default 16\\nuciok")
    elif word == "isready": say("readyok")
    elif word == "quit": break
"""


def start(code, timeout=30):
    return kalah.engine.popen([sys.executable, "-c", code], timeout=timeout)


def go(code):
    return GREETING + f"    elif word == 'go':\n        {code}\n"


def test_the_greeting_is_kept():
    with start(GREETING) as engine:
        assert engine.id == {"name": "Strange"}
        assert engine.options == {"Hash": "spin default 16"}


def test_programs_that_cannot_be_started():
    with pytest.raises(OSError, match="no-such-program"):
        kalah.engine.popen("no-such-program --flag")


@pytest.mark.parametrize(
    "code", ["pass", "import sys; sys.exit(3)", "print('uciok', flush=True)", "1 / 0"]
)
def test_programs_that_end_at_once(code):
    with pytest.raises(EngineTerminatedError, match="ended with status"):
        start(code)


def test_programs_that_say_nothing():
    with pytest.raises(EngineError, match="not answered within 0.3 s"):
        start("import time\nwhile True: time.sleep(1)", timeout=0.3)


def test_lines_without_an_end():
    with pytest.raises(EngineError, match="line without an end"):
        start("import sys\nwhile True: sys.stdout.write('x' * 65536)")


def test_floods_of_lines_are_no_answer():
    with pytest.raises(EngineError, match="not answered|has ended"):
        start("while True: print('info string no end', flush=True)", timeout=0.5)


def test_programs_that_end_during_a_search():
    with start(go("sys.exit(5)")) as engine, pytest.raises(EngineTerminatedError, match="status 5"):
        engine.play(kalah.Board(), Limit(depth=1))


@pytest.mark.parametrize("answer", ["bestmove a", "bestmove", "bestmove Z", "bestmove \\xff"])
def test_illegal_answers(answer):
    with start(go(f"sys.stdout.buffer.write(b'{answer}\\n'); sys.stdout.flush()")) as engine:
        if answer == "bestmove":
            assert engine.play(kalah.Board(), Limit(depth=1)).move is None
        else:
            with pytest.raises(EngineError, match="not a legal move"):
                engine.play(kalah.Board(), Limit(depth=1))


def test_searches_that_do_not_end():
    with start(go("pass"), timeout=0.3) as engine, pytest.raises(EngineError, match="not answered"):
        engine.play(kalah.Board(), Limit(time=0.01))
    with start(go("pass"), timeout=0.3) as engine:
        analysis = engine.analysis(kalah.Board())
        analysis.stop()
        with pytest.raises(EngineError, match="not answered"):
            analysis.wait()


def test_strange_lines_are_passed_over():
    lines = [
        "",
        "info",
        "info depth x score cp 5 pv A",
        "info score cp y pv A",
        "\xff\xfe",
        "info depth 3 score cp -150 upperbound nodes 7 pv B c",
    ]
    text = "\n".join([*lines, "bestmove B", ""]).encode("latin-1")
    say = f"sys.stdout.buffer.write({text!r}); sys.stdout.flush()"
    with start(go(say)) as engine:
        result = engine.play(kalah.Board(), Limit(depth=1))
    assert result.move == "B"
    (info,) = result.lines
    assert (info.margin, info.bound, info.nodes, info.pv) == (-1.5, "upper", 7, ["B", "c"])


def test_commands_are_one_line():
    with start(GREETING) as engine, pytest.raises(ValueError, match="line break"):
        engine.configure({"Hash": "1\nquit"})


@pytest.mark.skipif(sys.platform == "win32", reason="there are no process groups")
def test_what_a_program_has_started_ends_with_it():
    deaf = GREETING.replace('"quit": break', '"quit": pass') + "while True: time.sleep(1)\n"
    with kalah.engine.popen(["sh", "-c", '"$0" -c "$1"; true', sys.executable, deaf]):
        readers = [it for it in threading.enumerate() if it.name == "kalah engine output"]
    readers[-1].join(60)
    assert not readers[-1].is_alive()
