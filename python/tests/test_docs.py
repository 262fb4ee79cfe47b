"""The examples of all docstrings and of the README work."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import kalah
from kalah import _native

README = Path(__file__).parents[1] / "README.md"


def modules():
    names = [module.name for module in pkgutil.walk_packages(kalah.__path__, "kalah.")]
    return [kalah, *(importlib.import_module(name) for name in names if name != "kalah._native")]


def run(text, names, name):
    test = doctest.DocTestParser().get_doctest(text, names, name, None, None)
    results = doctest.DocTestRunner().run(test, clear_globs=False)
    assert results.failed == 0
    names.update(test.globs)


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.__name__)
def test_examples_of_modules(module):
    for test in doctest.DocTestFinder().find(module):
        assert doctest.DocTestRunner().run(test).failed == 0


def documented():
    """The classes and functions of the extension module, and their public members."""
    members = []
    for name in _native.__all__:
        member = getattr(_native, name)
        members.append((name, member))
        if inspect.isclass(member):
            for attribute, value in vars(member).items():
                if not attribute.startswith("_"):
                    members.append((f"{name}.{attribute}", value))
    return members


@pytest.mark.parametrize(("name", "member"), documented(), ids=lambda value: value)
def test_examples_of_the_extension(name, member):
    assert inspect.getdoc(member), f"{name} has no documentation"
    run(inspect.getdoc(member), {**vars(_native), **vars(kalah)}, name)


def test_examples_of_the_readme():
    """The blocks of Python, one after the other."""
    names = {}
    blocks = README.read_text().split("```python\n")[1:]
    assert blocks
    for block in blocks:
        code = block.split("```")[0]
        if code.startswith(">>>"):
            run(code, names, "README")
        else:
            exec(code, names)
