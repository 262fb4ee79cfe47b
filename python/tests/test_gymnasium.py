from __future__ import annotations

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import kalah.gymnasium
from kalah import NORTH, SOUTH, Board, Limit
from kalah.errors import IllegalMoveError, KalahError
from kalah.gymnasium import KalahEnv, KalahVectorEnv
from kalah.vector import Boards

NODES = Limit(nodes=500)


def play(env, seed, draw):
    """Plays a game at random; the observations, the sum of the rewards and the last info."""
    observation, info = env.reset(seed=seed)
    observations, total, terminated = [observation], 0, False
    while not terminated:
        action = draw.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        assert not truncated
        observations.append(observation)
        total += reward
    return np.array(observations), total, info


def first(board):
    return board.legal_moves[0]


def first_of_each(_observations, masks):
    return masks.argmax(axis=1)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"houses": 3, "seeds": 2, "capture": "empty", "side": "north", "reward": "margin"},
        {"houses": 4, "seeds": 3, "sowing": "relay"},
        {"opponent": 3, "limit": NODES},
        {"opponent": first, "side": SOUTH},
    ],
)
def test_checker(options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make("Kalah-v0", **options).unwrapped)


def test_registration():
    kalah.gymnasium.register()
    kalah.gymnasium.register()
    env = gymnasium.make("kalah.gymnasium:Kalah-v0", houses=4)
    assert env.action_space.n == 4
    assert isinstance(env.unwrapped, KalahEnv)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs = gymnasium.make_vec("Kalah-v0", num_envs=5, houses=4)
    assert isinstance(envs, KalahVectorEnv)
    assert envs.action_space.shape == (5,)
    envs = gymnasium.make_vec("Kalah-v0", num_envs=2, vectorization_mode="sync")
    assert envs.reset(seed=1)[1]["action_mask"].shape == (2, 6)


@pytest.mark.parametrize("side", ["south", "north", None])
@pytest.mark.parametrize("reward", ["result", "margin"])
def test_games_are_those_of_boards(side, reward):
    env = KalahEnv(houses=4, seeds=3, side=side, opponent=first, reward=reward)
    draw = np.random.default_rng(1)
    sides = set()
    for seed in range(40):
        observation, info = env.reset(seed=seed)
        sides.add(env.side)
        board, margin = Board(4, 3), None
        while margin is None:
            while not board.is_over() and board.turn != env.side:
                board.push(first(board))
            assert board == env.board
            if (margin := board.margin()) is None:
                assert observation.tolist() == board.observation().tolist()
                legal = np.flatnonzero(info["action_mask"])
                assert [ord(move.lower()) - ord("a") for move in board.legal_moves] == list(legal)
                action = draw.choice(legal)
                board.push(int(action))
                observation, got, terminated, _, info = env.step(action)
                assert terminated == env.board.is_over()
                assert terminated or got == 0
        margin *= 1 if env.side == SOUTH else -1
        assert info["margin"] == margin
        assert got == (margin / 24 if reward == "margin" else np.sign(margin))
        stores = [env.board.store(env.side), env.board.store(env.side.other)]
        assert observation.tolist() == [0, 0, 0, 0, stores[0], 0, 0, 0, 0, stores[1]]
        assert not info["action_mask"].any()
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(0)
    assert sides == ({SOUTH, NORTH} if side is None else {kalah.Side[side.upper()]})


def test_extra_turns_stay_with_the_agent():
    env = KalahEnv(side="south")
    env.reset(seed=1)
    env.step(2)
    assert env.board.to_text() == "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S"
    assert env.board.move_stack == ["C"]
    env.step(5)
    assert env.board.move_stack[:2] == ["C", "F"]
    assert len(env.board.move_stack) > 2
    assert env.board.turn == SOUTH


@pytest.mark.parametrize("action", [2, -1, 6])
def test_illegal_actions(action):
    env = KalahEnv(side="south")
    env.reset(seed=1)
    env.step(2)
    observation, reward, terminated, truncated, info = env.step(action)
    assert (reward, terminated, truncated, info["illegal"]) == (-1, True, False, True)
    assert observation.tolist() == env.board.observation().tolist()
    assert "margin" not in info
    env = KalahEnv(side="south", illegal="raise")
    env.reset(seed=1)
    env.step(2)
    before = env.board.copy()
    with pytest.raises(IllegalMoveError):
        env.step(action)
    assert env.board == before
    assert not env.step(5)[2]


@pytest.mark.parametrize("opponent", ["random", 0, 5])
def test_seeds_repeat_games(opponent):
    games = []
    for _ in range(2):
        env = KalahEnv(opponent=opponent, limit=NODES)
        games.append([play(env, seed, np.random.default_rng(7)) for seed in range(5)])
    for (one, total, info), (two, total_again, info_again) in zip(*games, strict=True):
        assert one.tolist() == two.tolist()
        assert (total, info["margin"]) == (total_again, info_again["margin"])
    assert len({one.tobytes() for one, _, _ in games[0]}) == 5
    one = play(env, 3, np.random.default_rng(1))[0]
    play(env, 4, np.random.default_rng(2))
    assert play(env, 3, np.random.default_rng(1))[0].tolist() == one.tolist()


def test_strong_opponents_beat_random_play():
    env = KalahEnv(opponent=10, limit=NODES)
    draw = np.random.default_rng(3)
    results = [play(env, seed, draw)[1] for seed in range(10)]
    assert sum(results) <= -9


def test_opponents_that_leave_no_turn():
    with pytest.raises(KalahError, match="before the agent's first turn"):
        KalahEnv(houses=1, seeds=2, side=NORTH).reset(seed=1)
    env = KalahEnv(houses=1, seeds=2)
    env.reset(seed=1)
    assert env.side == SOUTH
    assert env.step(0)[1] == -1


def test_opponents_that_err():
    env = KalahEnv(side="south", opponent=lambda _board: "A")
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError):
        env.step(0)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_levels_are_checked():
    with pytest.raises(ValueError, match="from 0 to 20, not '21'"):
        KalahEnv(opponent=21)


def test_rendering():
    env = gymnasium.make("Kalah-v0", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.unwrapped.board)
    env = KalahEnv(render_mode="svg")
    assert env.render().startswith("<svg")
    assert KalahEnv().render() is None
    envs = KalahVectorEnv(2, render_mode="ansi")
    assert envs.render() == (str(Board()),) * 2


@pytest.mark.parametrize(
    "options",
    [
        {"opponent": "perfect"},
        {"opponent": 3, "limit": Limit()},
        {"side": "west"},
        {"side": 0},
        {"reward": "seeds"},
        {"illegal": "pass"},
        {"render_mode": "rgb_array"},
        {"seeds": 0},
        {"houses": 13},
        {"capture": "none"},
    ],
)
def test_arguments_are_checked(options):
    with pytest.raises(ValueError, match=r"."):
        KalahEnv(**options)
    if "limit" not in options:
        with pytest.raises(ValueError, match=r"."):
            KalahVectorEnv(1, **options)


@pytest.mark.parametrize("reward", ["result", "margin"])
@pytest.mark.parametrize("side", ["south", "north", None])
@pytest.mark.parametrize(("houses", "seeds"), [(6, 4), (4, 3), (2, 1)])
def test_many_games_are_those_of_one(houses, seeds, side, reward):
    """The opponent is a function, so that games can be replayed one by one."""
    count, total = 30, 2 * houses * seeds
    envs = KalahVectorEnv(
        count, houses=houses, seeds=seeds, opponent=first_of_each, side=side, reward=reward
    )
    draw = np.random.default_rng(5)
    observations, info = envs.reset(seed=2)
    boards = [begin(houses, seeds, kalah.Side(int(side))) for side in envs.sides]
    finished = 0
    for _ in range(120):
        for board, agent, observation in zip(boards, envs.sides, observations, strict=True):
            assert board.turn == agent
            assert observation.tolist() == board.observation().tolist()
        masks = info["action_mask"]
        assert masks.dtype == np.int8
        actions = np.array([draw.choice(np.flatnonzero(mask)) for mask in masks])
        sides = envs.sides.copy()
        observations, rewards, terminated, truncated, info = envs.step(actions)
        assert not truncated.any()
        assert ("final_obs" in info) == terminated.any()
        for game, board in enumerate(boards):
            agent = kalah.Side(int(sides[game]))
            board.push(int(actions[game]))
            answer(board, agent)
            assert terminated[game] == board.is_over()
            if not board.is_over():
                assert rewards[game] == 0
                assert sides[game] == envs.sides[game]
                continue
            margin = board.margin() * (1 if agent == SOUTH else -1)
            assert rewards[game] == (margin / total if reward == "margin" else np.sign(margin))
            assert info["final_info"]["margin"][game] == margin
            assert not info["final_info"]["illegal"][game]
            last = board.observation()
            last = last if board.turn == agent else np.roll(last, houses + 1)
            assert info["final_obs"][game].tolist() == last.tolist()
            boards[game] = begin(houses, seeds, kalah.Side(int(envs.sides[game])))
            finished += 1
        if terminated.any():
            assert (info["_final_obs"] == terminated).all()
            assert (info["_final_info"] == terminated).all()
    assert finished > count


def begin(houses, seeds, agent):
    board = Board(houses, seeds)
    answer(board, agent)
    assert not board.is_over()
    return board


def answer(board, agent):
    while not board.is_over() and board.turn != agent:
        board.push(first(board))


def test_illegal_actions_in_many_games():
    envs = KalahVectorEnv(4, side="south", opponent=first_of_each)
    envs.reset(seed=1)
    envs.step([2, 2, 2, 0])
    before = envs.boards.observations()
    observations, rewards, terminated, _, info = envs.step([2, -1, 6, 3])
    assert rewards.tolist() == [-1, -1, -1, 0]
    assert terminated.tolist() == [True, True, True, False]
    assert info["final_info"]["illegal"].tolist() == terminated.tolist()
    assert not info["final_info"]["_margin"].any()
    assert [observation.tolist() for observation in info["final_obs"][:3]] == before[:3].tolist()
    assert info["final_obs"][3] is None
    start = Board().observation().tolist()
    assert observations[:3].tolist() == [start] * 3
    with pytest.raises(ValueError, match="4 games"):
        envs.step([0, 1])
    envs = KalahVectorEnv(2, side="south", illegal="raise")
    envs.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="game 1: house 6"):
        envs.step([2, 6])
    assert envs.boards[0] == envs.boards[1] == Board()
    envs.step([2, 2])


@pytest.mark.parametrize("plies", [0, 3])
def test_seeds_repeat_many_games(plies):
    def run(seed, threads):
        envs = KalahVectorEnv(300, random_plies=plies, threads=threads)
        draw = np.random.default_rng(9)
        _, info = envs.reset(seed=seed)
        sums = []
        for _ in range(60):
            actions = (info["action_mask"] * draw.random((300, 6))).argmax(axis=1)
            actions[:2] = draw.integers(6, size=2)  # some of them are illegal
            observations, rewards, _, _, info = envs.step(actions)
            sums.append((observations[:, 6].sum().item(), rewards.sum().item()))
            assert (envs.boards.turns() == envs.sides).all()
        return sums

    assert run(1, 1) == run(1, 2)
    assert run(1, 1) != run(2, 1)


def test_random_play_is_even():
    envs = KalahVectorEnv(2000, side="random")
    _, info = envs.reset(seed=1)
    draw = np.random.default_rng(4)
    total = games = 0
    for _ in range(60):
        actions = (info["action_mask"] * draw.random((2000, 6))).argmax(axis=1)
        _, rewards, terminated, _, info = envs.step(actions)
        total += rewards.sum()
        games += terminated.sum()
    assert games > 3000
    assert abs(total / games) < 0.06


def test_many_opponents_that_leave_no_turn(monkeypatch):
    monkeypatch.setattr("kalah.gymnasium.vector._MOST_PLIES", 1000)
    with pytest.raises(KalahError, match="before the agent's first turn"):
        KalahVectorEnv(2, houses=1, seeds=2, side="north").reset(seed=1)
    envs = KalahVectorEnv(20, houses=1, seeds=2)
    observations, _ = envs.reset(seed=1)
    assert (envs.sides == 0).all()
    assert envs.step([0] * 20)[1].tolist() == [-1] * 20
    assert observations.shape == (20, 4)


def test_many_opponents_that_err():
    for action in (-1, 6):
        envs = KalahVectorEnv(
            3, side="south", opponent=lambda _, masks, action=action: [action] * len(masks)
        )
        with pytest.raises(gymnasium.error.ResetNeeded):
            envs.step([0, 0, 0])
        envs.reset(seed=1)
        with pytest.raises(IllegalMoveError):
            envs.step([0, 0, 0])
        with pytest.raises(gymnasium.error.ResetNeeded):
            envs.step([0, 0, 0])


@pytest.mark.parametrize("answer", [[0], 0, [[0, 0, 0]], [0, 0, 0, 0]])
def test_many_opponents_have_an_action_for_each_game(answer):
    envs = KalahVectorEnv(3, side="north", opponent=lambda *_: answer)
    with pytest.raises(ValueError, match=r"actions of shape \(.*\) for 3 games"):
        envs.reset(seed=1)


def test_wrappers_of_gymnasium_take_the_games():
    envs = gymnasium.make_vec("Kalah-v0", num_envs=8, houses=3, seeds=2)
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    _, info = envs.reset(seed=1)
    envs.action_space.seed(1)
    episodes = []
    for _ in range(30):
        actions = envs.action_space.sample(tuple(info["action_mask"]))
        _, _, terminated, _, info = envs.step(actions)
        if terminated.any():
            episodes += info["episode"]["r"][info["_episode"]].tolist()
    assert len(episodes) > 20
    assert set(episodes) <= {-1, 0, 1}


def test_games_left_alone():
    boards = Boards(2)
    rewards, done = boards.step(np.array([-1, 2]))
    assert rewards.tolist() == [0, 0]
    assert done.tolist() == [False, False]
    assert boards[0] == Board()
    assert boards[1].to_text() == "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S"


def test_human_boards_are_printed(capsys):
    env = gymnasium.make("Kalah-v0", render_mode="human")
    env.reset(seed=1)
    env.step(0)
    assert env.render() is None
    shown = capsys.readouterr().out
    assert shown.endswith(f"{env.unwrapped.board}\n" * 2)


COPIES = [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]


@pytest.mark.parametrize("make_copy", COPIES)
@pytest.mark.parametrize("opponent", ["random", 4, 20])
def test_copies_go_on_with_the_same_game(opponent, make_copy):
    env = KalahEnv(opponent=opponent, limit=NODES)
    env.reset(seed=3)
    env.step(int(np.flatnonzero(env.board.legal_mask())[0]))
    again = make_copy(env)
    terminated = False
    for _ in range(2):
        while not terminated:
            assert again.board == env.board
            assert again.board is not env.board
            house = int(np.flatnonzero(env.board.legal_mask())[-1])
            terminated = env.step(house)[2]
            assert again.step(house)[2] == terminated
        terminated = False
        assert again.reset()[0].tolist() == env.reset()[0].tolist()


@pytest.mark.parametrize("make_copy", COPIES)
def test_copies_of_many_games_go_on(make_copy):
    envs = KalahVectorEnv(20, houses=4, random_plies=1)
    _, info = envs.reset(seed=3)
    for _ in range(10):
        _, _, _, _, info = envs.step(info["action_mask"].argmax(axis=1))
    again = make_copy(envs)
    for _ in range(20):
        actions = info["action_mask"].argmax(axis=1)
        observations, rewards, _, _, info = envs.step(actions)
        observations_again, rewards_again, *_ = again.step(actions)
        assert (observations == observations_again).all()
        assert (rewards == rewards_again).all()
