"""Annotations are right: those of the package, those of the extension module, and for a program that uses them."""

import inspect
import subprocess
import sys

import pytest
import tain

pytest.importorskip("mypy")
# numpy's own annotations know arrays without parameters; scipy, scikit-learn, numba and pandas have none in Debian.
MYPY = [sys.executable, "-m", "mypy", "--strict", "--allow-any-generics", "--ignore-missing-imports", "--no-warn-unused-ignores"]

PROGRAM = '''
from typing import Tuple

import numpy as np
import tain


def tilted(x: np.ndarray) -> Tuple[float, np.ndarray]:
    return float(0.5 * np.sum(x**2) - x[0]), x - 1.0


def first_mean(chains: int) -> float:
    result = tain.sample(tilted, tain.ball(dim=3), chains=chains, step_size="auto", progress=False)
    verdict: tain.Verdict = result.verdict()
    if not verdict:
        raise RuntimeError(verdict.headline)
    return float(result.draws[..., 0].mean())


@tain.target(dim=2, vectorized=True)
def bowl(x: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    return 0.5 * np.sum(x**2, axis=1), x


check: tain.GradientCheck = tain.check_gradient(bowl)
where: tain.Set = tain.product(tain.simplex(3), tain.box([0.0], [1.0]))
names: str = ", ".join(tain.sample(bowl, tain.box(-1, 1)).names)
lda = tain.LDA(n_components=5, random_state=1).fit(tain.Corpus("articles"))
words: str = lda.topics(3)[0][0]
'''


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache")

    def run(folder, *arguments):
        return subprocess.run([*MYPY, "--cache-dir", cache, *arguments], capture_output=True, text=True, cwd=folder)

    return run


def test_package(mypy, tmp_path):
    done = mypy(tmp_path, "-p", "tain")
    assert done.returncode == 0, done.stdout + done.stderr


def test_program_of_a_user(mypy, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    done = mypy(tmp_path, "program.py")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "line",
    [
        'first_mean("four")',
        'tain.sample(tilted, tain.ball(dim=3), chains="four")',
        "tain.sample(tilted, 3)",
        "tain.simplex(3).volume()",
        "tain.sample(tilted).verdicts()",
    ],
)
def test_mistakes_are_found(mypy, tmp_path, line):
    (tmp_path / "program.py").write_text(PROGRAM + line + "\n")
    done = mypy(tmp_path, "program.py")
    assert done.returncode == 1 and f"program.py:{len(PROGRAM.splitlines()) + 1}: error" in done.stdout, done.stdout


def test_annotations_of_the_module(tmp_path):
    # Of native classes: that their metaclass is pybind11's, and the constructor of those that have none.
    classes = "|".join(sorted(name for name, thing in vars(tain._native).items() if inspect.isclass(thing)))
    (tmp_path / "allowed").write_text(rf"tain\._native\.({classes})(\.__init__)?" + "\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "tain._native", "--allowlist", "allowed", "--ignore-unused-allowlist"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout + done.stderr
