"""What several tests need."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def program():
    """The program `kalah`: that of KALAH_PROGRAM, or that of the README's first command."""
    if built := os.environ.get("KALAH_PROGRAM"):
        return built
    command = ["cargo", "build", "--release", "--locked", "--bin", "kalah"]
    subprocess.run(command, cwd=ROOT, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return str(target / "release" / "kalah")
