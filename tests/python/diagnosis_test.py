"""tain.diagnose: the figures of the program for draws of any sampler."""

import json
import os
import subprocess

import numpy as np
import pytest
import tain

TAIN = os.environ["TAIN"]


@pytest.fixture
def noise():
    return np.random.default_rng(3).normal(size=(3, 200, 2))


def test_same_figures_as_the_program(tmp_path, noise):
    np.save(tmp_path / "draws.npy", noise)
    found = json.loads(subprocess.run([TAIN, "diagnose", tmp_path / "draws.npy", "--json"], stdout=subprocess.PIPE).stdout)
    for diagnosis in [tain.diagnose(noise), tain.diagnose(tmp_path / "draws.npy"), tain.diagnose([tmp_path / "draws.npy"])]:
        columns = diagnosis._found().columns()
        assert columns["ess_bulk"].tolist() == [row["ess_bulk"] for row in found["summary"]]
        assert columns["rhat"].tolist() == [row["rhat"] for row in found["summary"]]
        assert [list(line) for line in diagnosis.verdict()] == [
            [line["passed"], line["sentence"], line.get("note", False)] for line in found["verdict"]["lines"]
        ]


def test_shapes(noise):
    assert list(tain.diagnose(noise, names=["a", "b"])._found().names) == ["a", "b"]
    one = tain.diagnose(noise[:, :, 0])
    assert one._found().columns()["mean"][0] == tain.diagnose(noise)._found().columns()["mean"][0]
    whole_numbers = tain.diagnose(np.arange(800).reshape(2, 400) % 7)
    assert whole_numbers.verdict().trust is False
    strided = np.asfortranarray(noise)
    assert str(tain.diagnose(strided)) == str(tain.diagnose(noise))


def test_not_finite_draws_are_not_trusted(noise):
    noise[1, 5, 0] = np.nan
    assert not tain.diagnose(noise).verdict()


def test_what_is_refused(tmp_path, noise):
    for draws, message in [
        (np.zeros(3), "shape"),
        (np.zeros((2, 0, 2)), "empty"),
        (noise.astype(complex), "complex"),
        ([[1, 2], [3]], "different lengths|object"),
        ("a b", "a b"),
    ]:
        with pytest.raises(tain.Error, match=message):
            tain.diagnose(draws)
    with pytest.raises(tain.InputError, match="names: 3 for 2 coordinates"):
        tain.diagnose(noise, names=["a", "b", "c"])
    np.save(tmp_path / "draws.npy", noise)
    with pytest.raises(tain.InputError, match="names: a file has its own"):
        tain.diagnose(tmp_path / "draws.npy", names=["a"])
    with pytest.raises(tain.FileError):
        tain.diagnose(tmp_path / "missing.npy")
