"""The build: maturin, told to put the types of the extension module into every wheel."""

import os

from maturin import *  # noqa: F403

os.environ["MATURIN_PEP517_ARGS"] = os.environ.get("MATURIN_PEP517_ARGS", "") + " --generate-stubs"
