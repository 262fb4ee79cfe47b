"""What every engine does: the one in this process, and the program."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import threading
import time

import pytest

import kalah
import kalah.engine
from kalah import Limit
from kalah.base_engine import Request
from kalah.errors import EngineError, IllegalMoveError, NotationError

# South to move loses by 8 seeds, which the engine proves within milliseconds.
LOST = "<6,9,17,0,3,0,1,4,0,1,0,0,0,0,1>"


@pytest.fixture(params=["here", "process"])
def engine(request):
    if request.param == "here":
        engine = kalah.Engine()
    else:
        engine = kalah.engine.popen([request.getfixturevalue("program")])
    with engine:
        yield engine


def test_values_are_proven(engine):
    board = kalah.Board.from_text(LOST)
    info = engine.analyse(board, Limit(time=60))
    assert (info.margin, info.proven, info.pv[0], info.bound) == (-8, True, "E", "exact")
    assert engine.play(board, Limit(time=60)).move == "E"
    assert board.to_text() == LOST + " S"


def test_several_lines_are_ranked(engine):
    lines = engine.analyse(kalah.Board(), Limit(depth=6), multipv=3)
    assert [line.multipv for line in lines] == [1, 2, 3]
    assert lines[0].margin >= lines[1].margin >= lines[2].margin
    assert len({line.pv[0] for line in lines}) == 3
    assert [line.depth for line in lines] == [6] * 3
    # The number of lines is that of one search.
    assert len(engine.play(kalah.Board(), Limit(depth=4)).lines) == 1


def test_limits_are_kept(engine):
    engine.configure({"OwnBook": False, "Exact": False})
    engine.new_game()
    info = engine.analyse(kalah.Board(6, 6), Limit(nodes=5000))
    assert info.nodes <= 5000
    clock = Limit(south_clock=60, north_clock=60, south_inc=0.1, remaining_moves=2)
    assert engine.play(kalah.Board(6, 6), Limit(depth=3)).lines[0].depth == 3
    assert engine.play(kalah.Board.from_text(LOST), clock).move in "BDEFH"
    for moves in (["A"], iter(["A"])):
        assert engine.play(kalah.Board(), Limit(depth=4), searchmoves=moves).move == "A"


def test_only_bools_are_words_of_the_protocol(engine):
    engine.configure({"OwnBook": False})
    # A file of this name; as a bool it would be `true`.
    with pytest.raises(EngineError, match="'True'"):
        engine.configure({"Book": "True"})


def test_results_repeat_after_a_new_game(engine):
    def nodes():
        engine.new_game()
        return engine.analyse(kalah.Board(7, 5, "empty"), Limit(depth=9)).nodes

    assert nodes() == nodes()


def test_rules_are_those_of_the_board(engine):
    # With one seed each and `empty` capture, the lone seed in B goes to the store.
    for capture, margin in [("standard", 2), ("empty", 2)]:
        assert engine.analyse(kalah.Board(6, 1, capture), Limit(time=60)).margin == margin
    for capture, margin in [("standard", 6), ("empty", 10)]:
        assert engine.analyse(kalah.Board(6, 2, capture), Limit(time=60)).margin == margin


def test_an_analysis_goes_on_until_it_is_stopped(engine):
    depths = []
    with engine.analysis(kalah.Board(6, 6)) as analysis:
        for info in analysis:
            depths.append(info.depth)
            if info.depth >= 5:
                break
        with pytest.raises(EngineError, match="searching"):
            engine.play(kalah.Board(), Limit(depth=1))
        with pytest.raises(EngineError, match="searching"):
            engine.configure({"Hash": 1})
    assert depths == sorted(depths)
    assert analysis.wait().move in kalah.Board(6, 6).legal_moves
    assert analysis.lines[0].depth >= 5
    assert [info.depth for info in analysis][:1] >= depths[-1:] or not list(analysis)
    assert engine.play(kalah.Board(), Limit(depth=1)).move is not None


def test_an_analysis_ends_when_the_value_is_proven(engine):
    analysis = engine.analysis(kalah.Board.from_text(LOST))
    assert [info.margin for info in analysis if info.proven] == [-8]
    assert analysis.wait().move == "E"


@pytest.mark.parametrize(
    ("text", "multipv"),
    [("<3,9,0,0,0,0,2,1,0>", 1), ("<3,9,0,0,0,0,2,1,0>", 3), (LOST, 3), ("<2,3,3,0,1,1,0>", 2)],
)
def test_an_analysis_of_what_is_known_ends(engine, text, multipv):
    board = kalah.Board.from_text(text)
    for _ in range(2):
        analysis = engine.analysis(board, multipv=multipv)
        for _ in analysis:
            pass
        assert (analysis.wait().move is None) == board.is_over()


def test_an_analysis_can_be_stopped_before_it_begins(engine):
    for _ in range(20):
        analysis = engine.analysis(kalah.Board(6, 6))
        analysis.stop()
        analysis.stop()
        assert analysis.wait().move in [*kalah.Board(6, 6).legal_moves, None]


def test_an_analysis_can_be_awaited(engine):
    async def analyse():
        analysis = engine.analysis(kalah.Board(), Limit(depth=7))
        infos = [info async for info in analysis]
        return infos, await analysis

    infos, result = asyncio.run(analyse())
    assert infos[-1].depth == 7
    assert result.lines[0].pv[0] == result.move


def test_an_awaited_analysis_can_be_cancelled(engine):
    async def analyse():
        analysis = engine.analysis(kalah.Board(6, 6))
        # Something else runs while the analysis does, and the wait ends without it.
        task = asyncio.ensure_future(analysis.__anext__())
        await task
        waiting = asyncio.create_task(_outcome(analysis))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        analysis.stop()
        return await analysis

    assert asyncio.run(analyse()).move is not None


async def _outcome(analysis):
    return await analysis


def play_when_idle(engine):
    """Plays as soon as an earlier search has ended."""
    end = time.monotonic() + 60
    while True:
        try:
            return engine.play(kalah.Board(), Limit(depth=1)).move
        except EngineError:
            assert time.monotonic() < end
            time.sleep(0.01)


def test_an_analysis_ends_when_the_wait_for_its_result_is_cancelled(engine):
    async def analyse():
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(engine.analysis(kalah.Board(6, 6)), 0.05)

    asyncio.run(analyse())
    assert play_when_idle(engine) is not None


@pytest.mark.parametrize(
    "then",
    [
        lambda engine: engine.play(kalah.Board(), Limit(depth=1)),
        lambda engine: engine.analyse(kalah.Board(), Limit(depth=1)),
        lambda engine: engine.analysis(kalah.Board(), Limit(depth=1)).wait(),
        lambda engine: engine.configure({"Hash": 1}),
        lambda engine: engine.new_game(),
    ],
)
def test_an_analysis_that_is_dropped_ends(engine, then):
    for _ in engine.analysis(kalah.Board(6, 6)):
        break
    gc.collect()
    then(engine)


def test_an_analysis_ends_when_its_engine_is_closed(engine):
    analysis = engine.analysis(kalah.Board(6, 6))
    next(analysis)
    engine.close()
    waiting = threading.Thread(target=analysis.join, daemon=True)
    waiting.start()
    waiting.join(60)
    assert not waiting.is_alive()


def test_errors_of_a_search_are_raised_where_its_result_is_asked_for(engine):
    engine.configure({"Search": "mcts"})
    analysis = engine.analysis(kalah.Board(), Limit(depth=1))
    with pytest.raises(EngineError, match="does not support"):
        analysis.wait()
    with pytest.raises(EngineError, match="does not support"):
        list(analysis)
    engine.configure({"Search": "selective"})
    assert engine.play(kalah.Board(), Limit(depth=1)).move is not None


def test_what_is_asked_for_is_checked(engine):
    board, limit = kalah.Board(), Limit(depth=1)
    for ask in (engine.play, engine.analyse, engine.analysis):
        for move in ("a", "L", 6):
            with pytest.raises(IllegalMoveError):
                ask(board, limit, searchmoves=["A", move])
        with pytest.raises(NotationError):
            ask(board, limit, searchmoves=["?"])
    for ask in (engine.analyse, engine.analysis):
        for number in (-1, 0, 13, 1000):
            with pytest.raises(ValueError, match="from 1 to 12"):
                ask(board, limit, multipv=number)
        for number in (True, 1.5, "2"):
            with pytest.raises(TypeError):
                ask(board, limit, multipv=number)
    assert len(engine.analyse(board, limit, multipv=12)) == 6


def test_buttons_have_no_value(engine):
    engine.configure({"Clear Hash": None})
    engine.configure({"clear hash": ""})
    for value in (1, True, "now"):
        with pytest.raises(EngineError, match="Clear Hash is a button"):
            engine.configure({"Clear Hash": value})
    with pytest.raises(EngineError, match="Hash takes a whole number"):
        engine.configure({"Hash": None})


def test_a_game_that_is_over_has_no_move(engine):
    board = kalah.Board.from_text("<3,9,0,0,0,0,2,1,0>")
    assert engine.play(board, Limit(depth=3)).move is None
    assert engine.analyse(board, Limit(depth=3), multipv=2) == []
    with pytest.raises(EngineError, match="the game is over"):
        engine.analyse(board, Limit(depth=3))


def test_what_cannot_be_searched_is_refused(engine):
    with pytest.raises(ValueError, match="without an end"):
        engine.play(kalah.Board(), Limit())
    engine.configure({"MultiPV": 3})
    assert len(engine.play(kalah.Board(), Limit(depth=2)).lines) == 1
    with pytest.raises(EngineError, match="option 'Nonsense'"):
        engine.configure({"Nonsense": 1})
    with pytest.raises(EngineError, match="Hash"):
        engine.configure({"Hash": "many"})
    assert engine.play(kalah.Board(), Limit(depth=1)).move is not None


def test_a_closed_engine_is_refused(engine):
    engine.close()
    engine.close()
    with pytest.raises(EngineError):
        engine.play(kalah.Board(), Limit(depth=1))


def test_levels_play_worse_and_repeat_with_their_seed():
    def moves(level):
        engine = kalah.Engine(level=level, options={"Random Seed": 7})
        board = kalah.Board(6, 6)
        while board.legal_moves and len(board.move_stack) < 30:
            board.push(engine.play(board, Limit(time=60)).move)
        return board.move_stack

    assert moves(2) == moves(2)


def test_an_exception_of_a_report_ends_the_search():
    def complain(_info):
        message = "enough"
        raise RuntimeError(message)

    engine = kalah.Engine()
    stop = engine._new_stop()  # noqa: SLF001
    with pytest.raises(RuntimeError, match="enough"):
        engine._search(Request(kalah.Board(6, 6), Limit()), complain, stop)  # noqa: SLF001
    assert engine.play(kalah.Board(), Limit(depth=1)).move is not None


def test_engines_search_beside_each_other():
    results = []

    def search(engine):
        results.append(engine.play(kalah.Board(6, 5), Limit(nodes=20_000)).lines[0].margin)

    threads = [threading.Thread(target=search, args=(kalah.Engine(),)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(results)) == 1
    assert len(results) == 6


def test_the_interpreter_ends_while_a_search_runs():
    code = "import kalah; a = kalah.Engine().analysis(kalah.Board(6, 6)); next(a); print('leaving')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "leaving\n", "")
