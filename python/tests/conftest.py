"""What several tests need."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def program():
    """The program `kalah`, built as in the README."""
    subprocess.run(
        ["cargo", "build", "--release", "--locked", "--no-default-features", "--features", "cli"],
        cwd=ROOT,
        check=True,
    )
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return str(target / "release" / "kalah")
