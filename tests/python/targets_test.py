"""Targets of the library from arrays: gradients, wrong input, the bits of the program."""

import json
import os
import pickle
import subprocess

import numpy as np
import pytest
import tain

TAIN = os.environ["TAIN"]
rng = np.random.default_rng(20181203)
X = rng.normal(size=(40, 3))
Y = (X @ [1.0, -2.0, 0.5] + rng.normal(size=40) > 0).astype(float)
COVARIANCE = np.array([[2.0, 0.5, 0.1], [0.5, 1.0, 0.0], [0.1, 0.0, 0.5]])


# ---- the library's own ---------------------------------------------------------------------------


OWN = {
    "dirichlet": (lambda: tain.dirichlet([5, 0, 2], alpha=0.3), tain.simplex(3)),
    "dirichlet vector alpha": (lambda: tain.dirichlet(alpha=[0.5, 2.0, 1.0]), tain.simplex()),
    "gaussian sd": (lambda: tain.gaussian([1.0, -1.0, 0.0], sd=[1.0, 2.0, 3.0]), None),
    "gaussian covariance": (lambda: tain.gaussian(0.5, covariance=COVARIANCE), None),
    "gaussian precision": (lambda: tain.gaussian(precision=np.linalg.inv(COVARIANCE)), None),
    "uniform": (lambda: tain.uniform(3), tain.box(0.0, 1.0, dim=3)),
    "linear regression": (lambda: tain.linear_regression(X, X[:, 0] - 1, noise_sd=0.7, prior_sd=2, intercept=True), None),
    "logistic regression": (lambda: tain.logistic_regression(X, Y, prior_sd=3.0), None),
}


@pytest.mark.parametrize("name", OWN)
def test_gradients_of_the_librarys_targets(name):
    make, domain = OWN[name]
    check = tain.check_gradient(make(), domain)
    assert check, check
    assert check.passed and check.worst_error < 1e-5 and check.explanation in str(check)


def test_values_are_the_formulas():
    x = np.array([0.2, 0.3, 0.5])
    value, gradient = tain.dirichlet([5, 0, 2], alpha=0.5)(x)
    assert value == pytest.approx(-4.5 * np.log(0.2) + 0.5 * np.log(0.3) - 1.5 * np.log(0.5), rel=1e-14)
    assert gradient == pytest.approx([-22.5, 0.5 / 0.3, -3.0], rel=1e-14)
    value, gradient = tain.gaussian([1.0, 2.0, 3.0], covariance=COVARIANCE)(x)
    off = x - [1.0, 2.0, 3.0]
    assert gradient == pytest.approx(np.linalg.solve(COVARIANCE, off), rel=1e-12)
    assert value == pytest.approx(0.5 * off @ gradient, rel=1e-12)
    target = tain.logistic_regression(X, Y, prior_sd=2.0)
    eta = X @ x
    assert target(x)[0] == pytest.approx(np.sum(np.logaddexp(0, eta) - Y * eta) + x @ x / 8, rel=1e-13)
    assert target.terms == 40 and target.dim == 3


def test_points_as_rows():
    target = tain.logistic_regression(X, Y)
    points = rng.normal(size=(301, 3))
    values, gradients = target(points)
    assert values.shape == (301,) and gradients.shape == (301, 3)
    for row in (0, 1, 255, 256, 300):
        value, gradient = target(points[row])
        assert value == values[row] and (gradient == gradients[row]).all()
    assert target(points[::2, ::1].T.copy().T)[0][3] == values[6]  # any order of the array
    assert target(np.empty((0, 3)))[1].shape == (0, 3)
    for wrong in (np.zeros(4), np.zeros((3, 4)), np.zeros((1, 1, 3)), 1.0):
        with pytest.raises(tain.InputError, match=r"target logistic-regression.*: x has shape .*; give a point of 3"):
            target(wrong)


def test_a_flat_prior_may_be_written_as_infinity():
    point = [0.5, -1.0, 2.0]
    assert tain.logistic_regression(X, Y, prior_sd=np.inf)(point)[0] == tain.logistic_regression(X, Y)(point)[0]


def test_rows_are_not_kept_with_a_run(tmp_path):
    tain.sample(tain.logistic_regression(X, Y), draws=20, warmup=20, output=tmp_path / "d.nc")
    manifest = json.loads((tmp_path / "d.nc.manifest.json").read_text())
    assert "target" not in manifest["options"] and manifest["target"] == "logistic-regression(40 rows, 3 coefficients)"
    assert not {"features", "responses", "data", "names"} & set(manifest["options"])


def test_names():
    assert tain.linear_regression(X, Y, intercept=True).names == ["(intercept)", "x[1]", "x[2]", "x[3]"]
    assert tain.linear_regression(X, Y, names=["a", "b", "c"]).names == ["a", "b", "c"]
    assert tain.target(lambda x: (0.0, x), dim=2, names=["u", "v"]).names == ["u", "v"]
    assert tain.uniform(2).names == ["x[1]", "x[2]"]

    class Frame(np.ndarray):  # what pandas offers
        columns = ["age", "dose", "weight"]

    assert tain.logistic_regression(X.view(Frame), Y).names == ["age", "dose", "weight"]


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: tain.dirichlet([1, -2, 3]), "counts?.*-2"),
        (lambda: tain.dirichlet([1, 2], alpha=[1, 2, 3]), "counts says 2 coordinates, alpha says 3"),
        (lambda: tain.dirichlet([1, 2], dim=3), "dim says 3 coordinates, counts says 2"),
        (lambda: tain.dirichlet([1, 2], alpha=0), "alpha"),
        (lambda: tain.dirichlet([[1, 2]]), r"counts has shape \(1, 2\); give a vector"),
        (lambda: tain.dirichlet(["a", "b"]), "counts is of type text; give real numbers"),
        (lambda: tain.dirichlet([1, np.nan]), "counts: number 2 is nan; give finite numbers"),
        (lambda: tain.gaussian(sd=1.0, precision=np.eye(2)), "spread is given twice; give one of sd and precision"),
        (lambda: tain.gaussian([0, 0], sd=-1.0), "-1"),
        (lambda: tain.gaussian(covariance=np.ones((2, 3))), r"shape \(2, 3\); give a square matrix"),
        (lambda: tain.gaussian(covariance=[[1.0, 2.0], [2.0, 1.0]]), "positive definite"),
        (lambda: tain.gaussian([0, 0], sd=[1 + 1j, 1]), "complex128; give real numbers"),
        (lambda: tain.uniform(0), "dim is 0; give 1 or more"),
        (lambda: tain.uniform(2.5), "dim is 2.5; give a whole number"),
        (lambda: tain.linear_regression(X, Y[:5]), "X has 40 rows, y has 5"),
        (lambda: tain.linear_regression(X, Y, noise_sd=0), "noise standard deviation is 0"),
        (lambda: tain.linear_regression(X, Y, names=["a", "b"]), "names has 2 entries for 3"),
        (lambda: tain.linear_regression(X, Y, names=["a", "b", "a"]), "'a' twice"),
        (lambda: tain.linear_regression(np.where(X > 2, np.nan, X), Y), r"X\[\d+, \d\] is nan; give finite numbers"),
        (lambda: tain.logistic_regression(X, Y * 2), r"y\[\d+\] is 2; give 0 or 1"),
        (lambda: tain.logistic_regression([[1, 2], [3]], [0, 1]), "rows of different lengths"),
        (lambda: tain.logistic_regression(X, Y, prior_sd=0), "prior standard deviation is 0"),
        (lambda: tain.logistic_regression(X, Y, prior_sd="flat"), "prior_sd: 'flat' is not a number"),
        (lambda: tain.linear_regression(X, Y, names=["a", "b", ""]), "names: entry 3 is empty"),
        (lambda: tain.linear_regression(X, Y, names=["a", "b", "(intercept)"], intercept=True), r"'\(intercept\)' twice"),
        (lambda: tain._native.built_in("guassian", {}, 1), "unknown value .guassian.; did you mean .gaussian."),
        (lambda: tain._native.built_in("gaussian", {"means": [1.0]}, 1), "means: is no option; did you mean 'mean'"),
        (lambda: tain._native.built_in("gaussian", {"covariance": "C.txt"}, 1), "'C.txt' is no array of numbers"),
        (lambda: tain.target(3.0), "float cannot be called"),
        (lambda: tain.target(lambda x: x, dim=2, names=["a"]), "names has 1 entries for 2"),
        (lambda: tain.minibatch(lambda x, i: x, terms=0, dim=1), "terms is 0"),
        (lambda: tain.minibatch(lambda x, i: x, terms=2.5, dim=1), "terms is 2.5"),
        (lambda: tain.as_target("gaussian", 2), "a str is no target"),
        (lambda: tain.as_target(lambda x: x), "nothing says how many coordinates"),
    ],
)
def test_says_what_is_wrong(make, message):
    with pytest.raises(tain.InputError, match=message):
        make()


def test_a_library_that_is_none():
    with pytest.raises(tain.FileError, match="/nonexistent.so: cannot be loaded"):
        tain.library("/nonexistent.so")


def test_open_targets_take_the_domains_dimension():
    assert repr(tain.gaussian()) == "<tain.TargetFamily gaussian>"
    assert tain.as_target(tain.gaussian(sd=2.0), 3)([0.0, 0.0, 2.0])[0] == 0.5
    assert tain.uniform()(np.zeros((5, 4)))[1].shape == (5, 4)
    assert tain.dirichlet(alpha=2.0).with_dim(4).dim == 4
    made = tain.target(lambda x: (0.0, 0 * x), name="flat")
    assert repr(made) == "<tain.TargetFamily flat>" and tain.as_target(made, 2).name == "flat"
    given = tain.uniform(2)
    assert tain.as_target(given, 7) is given


def test_pickling_says_no():
    for target in (tain.uniform(2), tain.target(lambda x: (0.0, x), dim=1)):
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(target)


# ---- the same bits as the program ----------------------------------------------------------------


def program_draws(tmp_path, *flags):
    path = tmp_path / "draws.npy"
    common = ["--chains", "4", "--draws", "60", "--warmup", "80", "--seed", "5", "--force", "-o", path]
    subprocess.run([TAIN, "sample", *map(str, flags), *map(str, common)], check=True, capture_output=True)
    return np.load(path)


def our_draws(target, domain):
    return tain.sample(target, domain, chains=4, draws=60, warmup=80, seed=5).draws


def test_bits_of_the_program(tmp_path, compiled):
    assert (
        program_draws(tmp_path, "--target", "dirichlet", "--counts", "4,0,2", "--alpha", "0.3")
        == our_draws(tain.dirichlet([4, 0, 2], alpha=0.3), tain.simplex(3))
    ).all()
    box = ["--set", "box", "--lower=-1", "--upper", "2"]
    np.save(tmp_path / "covariance.npy", COVARIANCE)
    assert (
        program_draws(tmp_path, "--target", "gaussian", "--mean", "0.3", "--covariance", tmp_path / "covariance.npy", *box)
        == our_draws(tain.gaussian(0.3, covariance=COVARIANCE), tain.box(-1.0, 2.0))
    ).all()
    assert (
        program_draws(tmp_path, "--target", "uniform", "--dim", "3", *box)
        == our_draws(tain.uniform(), tain.box(-1.0, 2.0, dim=3))
    ).all()
    table = tmp_path / "data.csv"
    np.savetxt(table, np.column_stack([X, Y]), delimiter=",", header="a,b,c,y", comments="", fmt="%.17g")
    data = ["--data", table, "--intercept", "--prior-sd", "2", *box]
    for name, make in (("linear", tain.linear_regression), ("logistic", tain.logistic_regression)):
        assert (
            program_draws(tmp_path, "--target", f"{name}-regression", *data)
            == our_draws(make(X, Y, intercept=True, prior_sd=2.0), tain.box(-1.0, 2.0))
        ).all()
    assert (
        program_draws(tmp_path, "--target", compiled, *box) == our_draws(tain.library(compiled), tain.box(-1.0, 2.0))
    ).all()


def test_dirichlet_lives_on_the_simplex_only():
    for place in (tain.box(0.0, 1.0, dim=3), tain.ball(dim=3), tain.positive(dim=3)):
        with pytest.raises(tain.InputError, match="set: dirichlet lives on the simplex only") as caught:
            tain.sample(tain.dirichlet(counts=[3, 1, 0]), place)
        assert caught.value.field == "set"
    assert tain.sample(tain.uniform(), tain.ball(dim=3), draws=20, warmup=100).finished
