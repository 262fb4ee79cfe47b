"""What `kalah dataset` writes, read by pyarrow."""

import subprocess

import pytest

import kalah

parquet = pytest.importorskip("pyarrow.parquet")


def test_rows_have_the_values_of_the_solver(program, tmp_path):
    command = [program, "dataset", "build", "set", "--positions", "200", "--shard", "80"]
    command += ["--houses", "4", "--seeds", "3", "--capture", "empty", "--hash", "16"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    table = parquet.read_table(tmp_path / "set" / "data")
    assert table.num_rows == 200
    assert {str(table.schema.field(name).type) for name in ("seeds", "own1", "move4")} == {"int16"}
    solver, keys = kalah.Solver(hash=16), set()
    for row in table.to_pylist():
        board = kalah.Board.from_text(row["board"], "empty")
        keys.add(board.key())
        seen = [row[f"{side}{house}"] for side in ("own", "opponent") for house in range(1, 5)]
        own, opponent = row["own_store"], row["opponent_store"]
        assert [*seen[:4], own, *seen[4:], opponent] == list(board.observation())
        solution = solver.solve(board, moves=True)
        assert row["margin"] == solution.margin
        margins = [row[f"move{house}"] for house in range(1, 5)]
        assert [margin for margin in margins if margin is not None] == list(solution.moves.values())
        best = [move for move, margin in solution.moves.items() if margin == solution.margin]
        assert row["best"] == "".join(best)
        assert row["split"] in {"train", "validation", "test"}
    assert len(keys) == 200
