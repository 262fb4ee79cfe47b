"""What several tests need."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def program():
    """The program `kalah`, with no more than the tests need."""
    command = ["cargo", "build", "--release", "--locked", "--no-default-features"]
    command += ["--features", "cli,arena,charts,training"]
    subprocess.run(command, cwd=ROOT, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return str(target / "release" / "kalah")
