"""Programs that do not speak the protocol as they should."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading

import pytest

import kalah
import kalah.engine
from kalah import Limit
from kalah.base_engine import Request
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


def started(code, timeout):
    """An engine that has all the time to start, and this much for each answer afterwards."""
    engine = start(code)
    vars(engine)["_timeout"] = timeout
    return engine


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
    with pytest.raises(EngineError, match="not answered within 0.5 s"):
        start("import sys\nwhile True: sys.stdout.write('x' * 65536)", timeout=0.5)


@pytest.mark.parametrize(
    "text",
    [
        "info string ' + 3_000_000 * 'x' + '\\nbestmove A\\n",
        "info string ' + 3_000_000 * 'x' + '\\rbestmove A\\r",
        "info depth 1 score cp 0 pv A\\rbestmove A\\r",
        "\\r\\r\\nbestmove A\\r\\n",
    ],
)
def test_lines_end_and_are_passed_over_as_in_matches(text):
    with start(go(f"sys.stdout.write('{text}'); sys.stdout.flush()")) as engine:
        for _ in range(2):
            assert engine.play(kalah.Board(), Limit(depth=1)).move == "A"


@pytest.mark.parametrize("end", ["sys.exit(3)", "time.sleep(1000)"])
def test_what_an_engine_has_said_of_its_fault_is_told(end):
    said = pytest.raises(EngineError, match=r"(status 3|within 0.5 s); it said: no memory")
    with started(go(f"say('info string error: no memory'); {end}"), 0.5) as engine, said:
        engine.play(kalah.Board(), Limit(depth=1))
    code = "print('info string error: no network', flush=True); import sys; sys.exit(4)"
    with pytest.raises(EngineTerminatedError, match="status 4; it said: no network"):
        start(code)


def test_floods_of_lines_are_no_answer():
    with pytest.raises(EngineError, match="not answered|has ended"):
        start("while True: print('info string no end', flush=True)", timeout=0.5)


def test_programs_that_end_during_a_search():
    with start(go("sys.exit(5)")) as engine, pytest.raises(EngineTerminatedError, match="status 5"):
        engine.play(kalah.Board(), Limit(depth=1))


@pytest.mark.parametrize("answer", ["bestmove G", "bestmove 0000", "bestmove Z", "bestmove \\xff"])
def test_illegal_answers(answer):
    with start(go(f"sys.stdout.buffer.write(b'{answer}\\n'); sys.stdout.flush()")) as engine:
        with pytest.raises(EngineError, match="'Strange' has answered with.* legal move"):
            engine.play(kalah.Board(), Limit(depth=1))
        # It is still there.
        engine.new_game()


def test_moves_are_read_in_either_case():
    text = "info depth 2 score cp 100 pv a B c\\nbestmove a ponder B"
    with start(go(f'say("{text}")')) as engine:
        result = engine.play(kalah.Board(), Limit(depth=1))
    assert (result.move, result.ponder, result.lines[0].pv) == ("A", "b", ["A", "b", "C"])
    # An illegal reply is left out, and a line ends before its first illegal move.
    text = "info score cp 100 pv A G\\ninfo multipv 2 score cp 0 pv G\\nbestmove A ponder G"
    with start(go(f'say("{text}")')) as engine:
        result = engine.play(kalah.Board(), Limit(depth=1))
    assert (result.move, result.ponder) == ("A", None)
    assert [info.pv for info in result.lines] == [["A"]]


def test_only_errors_of_the_protocol_are_errors():
    text = "info string error rate 0.1 %\\ninfo string no string error: none\\nbestmove A"
    with start(go(f'say("{text}")')) as engine:
        assert engine.play(kalah.Board(), Limit(depth=1)).move == "A"
    told = GREETING.replace('say("readyok")', 'say("info string error rate 0.1 %\\nreadyok")')
    with start(told) as engine:
        engine.new_game()
    # A refusal of a search that goes on all the same: the next one is answered.
    refused = go('say("info string error: no")') + "    elif word == 'stop': say('bestmove B')\n"
    with start(refused) as engine:
        for _ in range(2):
            with pytest.raises(EngineError, match="^no$"):
                engine.play(kalah.Board(), Limit(depth=1))


def test_options_are_those_that_an_engine_names():
    # As in UCI, it passes over options that it does not know.
    with start(go("say('bestmove A')")) as engine:
        board, limit = kalah.Board(), Limit(depth=1)
        assert engine.play(board, limit).move == "A"
        engine.configure({"hash": 99})
        for options in ({"Nosuch": 1}, {"Hash": 1, "Nosuch": 1}):
            with pytest.raises(EngineError, match="'Strange' has no option 'Nosuch'"):
                engine.configure(options)
        with pytest.raises(EngineError, match="option Hash takes a whole number, not 'foo'"):
            engine.configure({"Hash": "foo"})
        with pytest.raises(EngineError, match="has no option 'Capture'"):
            engine.play(kalah.Board(capture="empty"), limit)
        with pytest.raises(EngineError, match="has no option 'MultiPV'"):
            engine.analyse(board, limit, multipv=3)
        assert engine.play(board, limit).move == "A"


def test_options_that_an_engine_refuses_are_not_believed():
    capture = "option name Capture type combo default standard var standard var empty"
    refusing = (
        go("say('bestmove A')") + "    elif word == 'setoption': say('info string error: no')\n"
    )
    with start(refusing.replace("uciok", f"{capture}\\nuciok")) as engine:
        for _ in range(2):
            with pytest.raises(EngineError, match="^no$"):
                engine.play(kalah.Board(capture="empty"), Limit(depth=1))


def test_searches_that_do_not_end():
    with started(go("pass"), 0.3) as engine, pytest.raises(EngineError, match="not answered"):
        engine.play(kalah.Board(), Limit(time=0.01))
    with started(go("pass"), 0.3) as engine:
        analysis = engine.analysis(kalah.Board())
        analysis.stop()
        with pytest.raises(EngineError, match="not answered"):
            analysis.wait()


@pytest.mark.parametrize(
    "limit",
    [
        Limit(nodes=100),
        Limit(depth=4),
        Limit(depth=200),
        Limit(nodes=10**12),
        Limit(south_clock=0.1, north_clock=0.1),
        Limit(time=600, nodes=1),
        Limit(depth=1, nodes=10**15),
    ],
)
@pytest.mark.parametrize("hang", ["pass", "time.sleep(1000)"])
def test_hung_engines_are_given_up_and_named(limit, hang):
    with started(go(hang), 0.3) as engine:
        with pytest.raises(EngineError, match="'Strange' has not answered within 0.3 s"):
            engine.play(kalah.Board(), limit)
        with pytest.raises(EngineTerminatedError, match="'Strange' has ended"):
            engine.new_game()


def test_engines_that_make_no_progress_are_given_up():
    flood = "while True: say('info depth 1 score cp 0 nodes 5 pv A')"
    for limit in (Limit(nodes=100), Limit(depth=4)):
        hung = pytest.raises(EngineError, match="'Strange' has not answered")
        with started(go(flood), 0.3) as engine, hung:
            engine.play(kalah.Board(), limit)


@pytest.mark.parametrize("limit", [None, Limit(depth=200)])
def test_engines_that_give_no_sign_of_life_are_given_up(limit):
    hung = started(go("time.sleep(1000)"), 0.3)
    with hung as engine, pytest.raises(EngineError, match="not answered"):
        list(engine.analysis(kalah.Board(), limit))
    with started(go("pass"), 0.3) as engine, pytest.raises(EngineError, match="not answered"):
        list(engine.analysis(kalah.Board(), limit))


def test_engines_that_are_silent_but_alive_are_waited_for():
    # It answers a search when it is asked for a sign of life for the second time.
    code = """\
import sys
asked = None
for line in sys.stdin:
    word, answer = line.split()[0], None
    if word == "uci": answer = "uciok"
    elif word == "go": asked, answer = 0, "info depth 1 score cp 0 pv A"
    elif word == "isready":
        answer = "readyok"
        if asked is not None: asked += 1
        if asked == 2: asked, answer = None, "bestmove A\\nreadyok"
    elif word == "quit": break
    if answer: print(answer, flush=True)
"""
    with started(code, 1) as engine:
        for _ in range(2):
            assert engine.play(kalah.Board(), Limit(depth=200)).move == "A"


def test_engines_that_do_not_read_are_given_up():
    named = GREETING.replace("Hash type spin default 16", "Text type string default")
    hung = started(named + "    elif word == 'setoption': time.sleep(1000)\n", 0.3)
    with hung as engine, pytest.raises(EngineError, match="not answered"):
        engine.configure(dict.fromkeys(("Text", "text", "TEXT"), "x" * 1_000_000))


STOPS = "    elif word == 'stop': say('bestmove ' + best)\n"


def test_an_analysis_of_a_finished_game_ends():
    code = GREETING.replace("import sys, time", "import sys, time\nbest = '0000'") + STOPS
    with start(code) as engine:
        analysis = engine.analysis(kalah.Board.from_text("<3,9,0,0,0,0,2,1,0>"))
        assert list(analysis) == []
        assert analysis.wait().move is None


@pytest.mark.parametrize("multipv", [1, 2, 9])
def test_an_analysis_ends_when_all_lines_are_proven(multipv):
    # A board with two moves.
    lines = "info multipv 1 score cp 200 proven pv A\\ninfo multipv 2 score cp 0 proven pv C"
    bound = "info score cp 0 lowerbound proven pv A"
    code = go(f"say('{bound}'); best = 'A'; say('{lines}')") + STOPS
    code = code.replace(
        "name Hash", "name MultiPV type spin default 1 min 1 max 9\\noption name Hash"
    )
    with start(code) as engine:
        analysis = engine.analysis(kalah.Board.from_text("<3,0,0,1,0,1,1,1,1>"), multipv=multipv)
        assert sum(info.proven for info in analysis) == 3
        assert analysis.wait().move == "A"


def test_moves_that_are_named_twice_are_searched_once():
    line = "info score cp 200 proven pv A"
    code = go(f"best = 'A'; say('{line}')") + STOPS
    code = code.replace(
        "name Hash", "name MultiPV type spin default 1 min 1 max 9\\noption name Hash"
    )
    board = kalah.Board.from_text("<3,0,0,1,0,1,1,1,1>")
    with start(code) as engine:
        for moves in (["A", "A"], [0, "A"]):
            assert Request(board, Limit(), 2, moves).searchmoves == ("A",)
            # It ends without a stop.
            assert engine.analysis(board, multipv=2, searchmoves=moves).wait().move == "A"


def test_commands_that_are_none():
    for command, timeout in (("", 1), ([], 1), ("kalah", 0), ("kalah", -1)):
        with pytest.raises(ValueError, match="a command, and a timeout"):
            kalah.engine.popen(command, timeout=timeout)


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


@pytest.mark.parametrize("searches", [False, True])
def test_engines_that_are_dropped_are_ended(searches):
    code = go("say('info score cp 0 pv A')") + "    elif word == 'stop': say('bestmove A')\n"

    def use():
        before = set(threading.enumerate())
        engine = start(code)
        process = engine._process  # noqa: SLF001
        if searches:
            next(engine.analysis(kalah.Board()))
        del engine
        gc.collect()
        for thread in set(threading.enumerate()) - before:
            thread.join(60)
        return process

    with pytest.warns(ResourceWarning, match="was not closed"):
        process = use()
    assert process.returncode == 0
    assert process.stdin.closed
    assert process.stdout.closed


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_no_program_outlives_the_interpreter():
    deaf = GREETING.replace('"quit": break', '"quit": pass') + "while True: time.sleep(1)\n"
    code = f"""
import sys, kalah.engine
print(kalah.engine.popen([sys.executable, "-c", {deaf!r}])._process.pid)
"""
    # Its standard error would keep this open.
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)
