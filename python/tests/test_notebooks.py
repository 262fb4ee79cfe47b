"""The notebooks run from top to bottom."""

import sys
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
manager = pytest.importorskip("jupyter_client.manager")
kernelspec = pytest.importorskip("jupyter_client.kernelspec")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")
pytest.importorskip("pyarrow")

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


class ThisPython(kernelspec.KernelSpecManager):
    """Starts every kernel with the interpreter that runs the tests."""

    def get_kernel_spec(self, kernel_name):
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return kernelspec.KernelSpec(argv=command, display_name=kernel_name, language="python")


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.deep
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, tmp_path, program, monkeypatch):
    monkeypatch.setenv("KALAH_PROGRAM", program)
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    kernel = manager.AsyncKernelManager(kernel_spec_manager=ThisPython())
    client = nbclient.NotebookClient(
        notebook, km=kernel, timeout=900, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
