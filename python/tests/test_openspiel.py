from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import evaluate_bots, mcts, minimax
from open_spiel.python.observation import make_observation

import kalah
from kalah import NORTH, SOUTH, Board, Limit, openspiel
from kalah.errors import IllegalMoveError

NODES = Limit(nodes=2000)
MANCALA = pyspiel.load_game("mancala")


def load(**parameters):
    return pyspiel.load_game("python_kalah", parameters)


def mcts_bot(game, simulations, seed):
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed))
    state = np.random.RandomState(seed + 1)
    return mcts.MCTSBot(game, 2, simulations, evaluator, random_state=state)


@pytest.mark.parametrize("games", [200, pytest.param(3000, marks=pytest.mark.deep)])
def test_mancala_is_kalah(games):
    """Every ply of random games."""
    draw = random.Random(1)
    results = {-1: 0, 0: 0, 1: 0}
    for _ in range(games):
        state, board = MANCALA.new_initial_state(), Board()
        while True:
            assert openspiel.board_from_state(state) == board
            actions = state.legal_actions()
            first = 1 if board.turn == SOUTH else 8
            assert actions == [ord(move.lower()) - ord("a") + first for move in board.legal_moves]
            if not actions:
                break
            assert state.current_player() == board.turn
            action = draw.choice(actions)
            board.push(openspiel.move_from_action(state, action))
            state.apply_action(action)
        assert state.is_terminal()
        assert board.is_over()
        result = int(np.sign(board.margin()))
        assert state.returns() == [result, -result]
        results[result] += 1
    assert all(results.values())


def test_actions_are_moves():
    state = MANCALA.new_initial_state()
    for moves in ("ABCDEF", "abcdef"):
        assert [openspiel.move_from_action(state, action) for action in state.legal_actions()] == [
            *moves
        ]
        for action in state.legal_actions():
            move = openspiel.move_from_action(state, action)
            assert openspiel.action_from_move(state, move) == action
        state.apply_action(state.legal_actions()[0])
    for action in (0, 7, 8, 14, -1):
        with pytest.raises(IllegalMoveError):
            openspiel.move_from_action(MANCALA.new_initial_state(), action)
    for move in ("a", "G", ""):
        with pytest.raises(IllegalMoveError):
            openspiel.action_from_move(MANCALA.new_initial_state(), move)
    state = load(houses=3).new_initial_state()
    state.apply_action(0)
    assert openspiel.move_from_action(state, 2) == "c"
    assert openspiel.action_from_move(state, "c") == 2


def test_other_games_are_refused():
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    with pytest.raises(ValueError, match="tic_tac_toe"):
        openspiel.board_from_state(state)
    with pytest.raises(ValueError, match="tic_tac_toe"):
        openspiel.move_from_action(state, 0)
    with pytest.raises(ValueError, match="tic_tac_toe"):
        openspiel.KalahBot(limit=NODES).step(state)


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("mancala", [0, 1, 0, 1]),
        pytest.param("python_kalah", [0, 1, 0, 1], marks=pytest.mark.deep),
        ("python_kalah(houses=4,seeds=3)", [0, 0]),  # North loses against the best play
    ],
)
def test_bot_beats_mcts(name, players):
    game = pyspiel.load_game(name)
    for seed, ours in enumerate(players):
        bots = [mcts_bot(game, 20, seed), mcts_bot(game, 20, seed)]
        bots[ours] = openspiel.KalahBot(kalah.Engine(hash=1), NODES, ours)
        assert evaluate_bots.evaluate_bots(game.new_initial_state(), bots, None)[ours] == 1


def test_bot_finds_the_value():
    game = load(houses=3, seeds=2, reward="margin")
    value = kalah.Solver().solve(Board(3, 2)).margin
    assert minimax.alpha_beta_search(game, maximum_depth=100)[0] == value
    bots = [openspiel.KalahBot(limit=Limit(depth=40)), openspiel.KalahBot(limit=Limit(depth=40))]
    assert pyspiel.evaluate_bots(game.new_initial_state(), bots, 1) == [value, -value]


def test_bot_repeats_itself_after_a_restart():
    bot = openspiel.KalahBot(limit=NODES)

    def play():
        state, bots = MANCALA.new_initial_state(), [bot, pyspiel.make_uniform_random_bot(1, 3)]
        evaluate_bots.evaluate_bots(state, bots, None)
        return state.history()

    assert play() == play()
    bot.restart()


def test_bot_tells_its_policy():
    bot = openspiel.KalahBot(limit=NODES, player_id=0)
    state = MANCALA.new_initial_state()
    policy, action = bot.step_with_policy(state)
    assert [each for each, _ in policy] == state.legal_actions()
    assert dict(policy)[action] == sum(share for _, share in policy) == 1
    bot.inform_action(state, 1, 3)
    state.apply_action(1)
    with pytest.raises(ValueError, match="turn of player 0"):
        bot.step(state)
    with pytest.raises(ValueError, match="a player is 0 or 1"):
        openspiel.KalahBot(player_id=2)
    state = load(houses=1, seeds=1).new_initial_state()
    state.apply_action(0)
    with pytest.raises(ValueError, match="over"):
        openspiel.KalahBot().step(state)


@pytest.mark.parametrize("reward", ["result", "margin"])
@pytest.mark.parametrize(
    "rules", [("standard", "single"), ("empty", "single"), ("standard", "relay")]
)
@pytest.mark.parametrize(("houses", "seeds"), [(1, 3), (3, 2), (6, 4), (12, 6)])
def test_games_are_those_of_boards(houses, seeds, rules, reward):
    capture, sowing = rules
    game = load(houses=houses, seeds=seeds, capture=capture, sowing=sowing, reward=reward)
    draw = random.Random(2)
    for _ in range(10):
        state, board = game.new_initial_state(), Board(houses, seeds, capture, sowing)
        while not board.is_over():
            assert openspiel.board_from_state(state) == board == state.board
            assert state.current_player() == board.turn
            assert str(state) == board.to_text()
            assert not state.is_terminal()
            assert state.returns() == [0, 0]
            actions = state.legal_actions()
            moves = [state.action_to_string(board.turn, action) for action in actions]
            assert moves == board.legal_moves
            assert state.legal_actions(1 - board.turn) == []
            for player in (SOUTH, NORTH):
                seen = [*board.seeds(player), board.store(player)]
                seen += [*board.seeds(player.other), board.store(player.other)]
                assert state.observation_tensor(player) == [*seen, board.turn == player]
                assert state.observation_string(player) == board.to_text()
            action = draw.choice(actions)
            child = state.clone()
            child.apply_action(action)
            assert state.board == board
            state.apply_action(action)
            board.push(action)
            assert child.board == board
            assert child.history() == state.history()
        assert state.is_terminal()
        assert state.current_player() == pyspiel.PlayerId.TERMINAL
        assert state.legal_actions() == []
        assert openspiel.board_from_state(state) == board
        margin = board.margin()
        south = margin if reward == "margin" else np.sign(margin)
        assert state.returns() == [south, -south]
        assert game.min_utility() <= south <= game.max_utility()
        assert state.move_number() <= game.max_game_length()


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"houses": 1, "seeds": 1},
        {"houses": 4, "seeds": 3, "capture": "empty", "reward": "margin"},
        {"houses": 3, "sowing": "relay"},
    ],
)
def test_openspiel_simulates_games(parameters):
    pyspiel.random_sim_test(load(**parameters), num_sims=10, serialize=True, verbose=False)


def test_game_has_its_parameters():
    game = load(houses=4, reward="margin")
    expected = {
        "houses": 4,
        "seeds": 4,
        "capture": "standard",
        "sowing": "single",
        "reward": "margin",
    }
    assert game.get_parameters() == expected
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert game.max_utility() == 32
    assert game.num_distinct_actions() == 4
    assert game.observation_tensor_shape() == [11]
    assert "python_kalah" in pyspiel.registered_names()
    for parameters in ({"houses": 0}, {"seeds": 0}, {"capture": "x"}, {"reward": "x"}):
        with pytest.raises(ValueError, match=r"."):
            load(**parameters)


def test_whole_numbers_of_numpy_are_parameters():
    game = openspiel.KalahGame({"houses": np.int64(4), "seeds": np.uint8(3)})
    assert str(pyspiel.load_game(str(game))) == str(game)


def test_states_begin_with_any_board():
    game = load(houses=3, seeds=2, reward="margin")
    board = Board.from_text("<3,2,1,0,1,2,3,0,3> N")
    state = game.new_initial_state(board)
    assert state.board == board
    assert state.current_player() == NORTH
    state.apply_action(0)
    assert board.to_text() == "<3,2,1,0,1,2,3,0,3> N"
    again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1]
    assert again.board == state.clone().board == state.board
    value, _ = minimax.alpha_beta_search(
        game, state=game.new_initial_state(board), maximizing_player_id=1, maximum_depth=50
    )
    assert value == kalah.Solver().solve(board).margin
    for other in (Board(4, 1), Board(3, 2, "empty"), Board(3, 3)):
        with pytest.raises(ValueError, match="does not suit"):
            game.new_initial_state(other)


def test_illegal_actions():
    state = load().new_initial_state()
    state.apply_action(2)
    for action in (2, 6, -1):
        with pytest.raises(Exception, match=r"."):
            state.apply_action(action)
    assert state.board.move_stack == ["C"]


def test_observers():
    game = load(houses=3)
    state = game.new_initial_state()
    observation = make_observation(game)
    observation.set_from(state, 1)
    assert observation.dict["board"].tolist() == [4, 4, 4, 0] * 2
    assert observation.dict["is_to_move"].tolist() == [0]
    assert observation.string_from(state, 1) == str(state)
    state.apply_action(1)
    assert "1" in state.information_state_string(0)
    with pytest.raises(ValueError, match="no parameters"):
        make_observation(game, params={"depth": 3})


def test_environments_of_openspiel_take_the_game():
    environment = rl_environment.Environment(load(houses=3, seeds=2))
    draw = random.Random(4)
    step = environment.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = environment.step([draw.choice(step.observations["legal_actions"][player])])
    assert sum(step.rewards) == 0


@pytest.mark.parametrize(
    "make_copy", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))]
)
def test_copies(make_copy):
    game = openspiel.KalahGame({"houses": 3, "seeds": 2, "reward": "margin"})
    assert str(make_copy(game)) == str(game)
    assert (make_copy(game).total, make_copy(game).is_reward_margin) == (12, True)
    state = game.new_initial_state(kalah.Board.from_text("<3,0,0,3,2,1,2,2,2>"))
    state.apply_action(1)
    again = make_copy(state)
    assert (str(again), again.board.move_stack) == (str(state), ["B"])
    again.apply_action(again.legal_actions()[0])
    assert str(again) != str(state)
    with pytest.raises(TypeError, match="cannot pickle 'KalahBot'"):
        make_copy(openspiel.KalahBot())
