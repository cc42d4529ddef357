"""Everything that users see says what it is and shows how it is used."""

import doctest
import importlib
import inspect
import io
import pkgutil

import numpy as np
import pytest
import tain

# Exceptions are raised, not called: there is nothing to show.
NOTHING_TO_SHOW = {"Error", "FileError", "Interrupted"}
# What needs more than Debian's numpy to run, and what others make.
SHOWN_ELSEWHERE = {"GradientCheck", "Target", "Set", "library", "native_signature", "Result.to_inferencedata"}


def public_things():
    """(name, object) of every public name, and of what public classes define themselves."""
    for name in tain.__all__:
        if name == "__version__":
            continue
        thing = getattr(tain, name)
        yield name, thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                value = getattr(value, "__func__", value)
                if not member.startswith("_") and (inspect.isroutine(value) or isinstance(value, property)):
                    yield f"{name}.{member}", value
    for name in tain.reproduce.__all__:
        yield f"reproduce.{name}", getattr(tain.reproduce, name)


THINGS = dict(public_things())


def documented_in_class(name):
    owner, _, member = name.partition(".")
    return bool(member) and f"{member}:" in (inspect.getdoc(THINGS[owner]) or "")


def test_all_is_sorted_and_complete():
    assert tain.__all__ == sorted(tain.__all__)
    defined = {name for name, thing in vars(tain).items() if not name.startswith("_") and not inspect.ismodule(thing)}
    assert defined - {"Any", "TYPE_CHECKING", "warnings"} <= set(tain.__all__)


@pytest.mark.parametrize("name", THINGS)
def test_says_what_it_is(name):
    text = inspect.getdoc(THINGS[name]) or ""
    if not text.strip():
        assert isinstance(THINGS[name], property) and documented_in_class(name)
        return
    # Native functions begin with their signature, and say something after it.
    assert len(text.split("\n\n", 1)[-1].strip()) > 10 and (len(text.split("\n\n")) > 1 or "->" not in text)


@pytest.mark.parametrize("name", [n for n, thing in THINGS.items() if not isinstance(thing, property)])
def test_shows_how_it_is_used(name):
    owner = name.partition(".")[0]
    if name in NOTHING_TO_SHOW | SHOWN_ELSEWHERE or owner in SHOWN_ELSEWHERE:
        return
    text = inspect.getdoc(THINGS[name]) or ""
    short = not inspect.isclass(THINGS[name]) and f".{name.partition('.')[2]}(" in (inspect.getdoc(THINGS.get(owner, tain)) or "")
    assert ">>>" in text or short


def examples():
    """Every docstring with an example: of the modules, and of native classes that the package shows."""
    finder, parser, names = doctest.DocTestFinder(), doctest.DocTestParser(), {"tain": tain, "np": np}
    for found in pkgutil.iter_modules(tain.__path__, "tain."):
        if found.name != "tain._native":
            yield from finder.find(importlib.import_module(found.name), extraglobs=names)
    for name, thing in THINGS.items():
        if getattr(thing, "__module__", "") == "tain._native" and inspect.isclass(thing):
            yield parser.get_doctest(inspect.getdoc(thing) or "", dict(names), f"tain.{name}", None, 0)


@pytest.mark.parametrize("example", [e for e in examples() if e.examples], ids=lambda example: example.name)
def test_example_prints_what_it_says(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    report = io.StringIO()
    runner.run(example, out=report.write)
    assert runner.failures == 0, report.getvalue()
