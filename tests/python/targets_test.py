"""Targets: the library's own from arrays, Python functions, addresses, mini-batches."""

import ctypes
import gc
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import traceback
import weakref

import numpy as np
import pytest
import tain

TAIN = os.environ["TAIN"]
rng = np.random.default_rng(20181203)
X = rng.normal(size=(40, 3))
Y = (X @ [1.0, -2.0, 0.5] + rng.normal(size=40) > 0).astype(float)
COVARIANCE = np.array([[2.0, 0.5, 0.1], [0.5, 1.0, 0.0], [0.1, 0.0, 0.5]])


def evaluations(target, x, times, threads):
    return tain._native.time_evaluations(target, x, times, threads)


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
        (lambda: tain.dirichlet(["a", "b"]), "counts is of type <U1; give real numbers"),
        (lambda: tain.dirichlet([1, np.nan]), "nan"),
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
    assert repr(tain.gaussian()) == "<tain.OpenTarget gaussian>"
    assert tain.as_target(tain.gaussian(sd=2.0), 3)([0.0, 0.0, 2.0])[0] == 0.5
    assert tain.uniform()(np.zeros((5, 4)))[1].shape == (5, 4)
    assert tain.dirichlet(alpha=2.0).with_dim(4).dim == 4
    made = tain.target(lambda x: (0.0, 0 * x), name="flat")
    assert repr(made) == "<tain.OpenTarget flat>" and tain.as_target(made, 2).name == "flat"
    given = tain.uniform(2)
    assert tain.as_target(given, 7) is given


def test_pickling_says_no():
    for target in (tain.uniform(2), tain.target(lambda x: (0.0, x), dim=1)):
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(target)


# ---- Python functions ----------------------------------------------------------------------------


def bend(x):
    """Of one point (d,) or many (n, d), by the same arithmetic."""
    rest = x[..., 1] - x[..., 0] * x[..., 0]
    value = 0.5 * (x[..., 0] - 1) * (x[..., 0] - 1) + 2 * rest * rest
    return value, np.stack([x[..., 0] - 1 - 8 * rest * x[..., 0], 4 * rest], axis=-1)


def test_one_point_and_many_give_the_same_bits():
    one, many = tain.target(bend, dim=2), tain.target(bend, dim=2, vectorized=True)
    points = rng.normal(size=(1000, 2))
    assert (one(points)[0] == many(points)[0]).all() and (one(points)[1] == many(points)[1]).all()
    assert (many(points)[0] == bend(points)[0]).all() and (many(points)[1] == bend(points)[1]).all()
    assert tain.check_gradient(one) and tain.check_gradient(many)
    runs = [tain.sample(t, tain.box(-2.0, 3.0), chains=3, draws=50, warmup=100).draws for t in (one, many)]
    assert (runs[0] == runs[1]).all()


@pytest.mark.parametrize("order", ["F", "C", "strided", "float32", "int", "list", "broadcast", "misaligned"])
def test_results_in_any_form(order):
    def gradient(x):
        values = np.arange(x.size, dtype=float).reshape(x.shape) % 97
        if order == "strided":
            return np.repeat(values, 2, axis=1)[:, ::2]
        if order in ("float32", "int"):
            return values.astype(order)
        if order == "list":
            return values.tolist()
        if order == "broadcast":
            return np.broadcast_to(np.arange(3.0), x.shape)
        if order == "misaligned":
            raw = np.zeros(x.size * 8 + 1, np.uint8)[1:].view(np.float64).reshape(x.shape)
            raw[:] = values
            return raw
        return np.asarray(values, order=order)

    target = tain.target(lambda x: (np.arange(2.0 * len(x))[::2], gradient(x)), dim=3, vectorized=True)
    for n in (8, 40, 256):
        values, gradients = target(np.zeros((n, 3)))
        assert (values == np.arange(0, 2.0 * n, 2)).all()
        assert (gradients == np.asarray(gradient(np.zeros((n, 3))))).all()


def test_the_function_sees_points_by_coordinate_and_cannot_change_them():
    def function(x):
        assert x.flags.f_contiguous and x.dtype == np.float64
        with pytest.raises(ValueError, match="read-only"):
            x *= 0
        return x[:, 0], x

    target = tain.target(function, dim=2, vectorized=True)
    points = rng.normal(size=(16, 2))
    values, gradients = target(points)
    assert (values == points[:, 0]).all() and (gradients == points).all()
    tain.sample(target, tain.box(-1, 1), warmup=5, draws=5)


@pytest.mark.parametrize("part", [lambda x: x, lambda x: x[:, 1], lambda x: x[3:5, 1:]], ids=["all", "column", "part"])
@pytest.mark.parametrize("threads", [1, 3])
def test_points_that_a_function_keeps_stay_as_they_were(part, threads):
    kept = []

    def function(x):
        kept.append((part(x), part(x).copy()))
        return 0.5 * (x**2).sum(axis=1), x

    target = tain.target(function, dim=2, vectorized=True)
    draws = tain.sample(target, tain.box(-1, 1), warmup=20, draws=20, chains=40, threads=threads).draws
    assert len(kept) > 40
    for view, copy in kept:
        assert (view == copy).all()
    # What it keeps changes nothing.
    free = tain.target(lambda x: (0.5 * (x**2).sum(axis=1), x), dim=2, vectorized=True)
    assert draws.tobytes() == tain.sample(free, tain.box(-1, 1), warmup=20, draws=20, chains=40).draws.tobytes()


def test_x_is_one_point_where_not_vectorized():
    shapes = set()

    def function(x):
        shapes.add(x.shape)
        return np.float32(x.sum()), np.ones(3)

    assert tain.target(function, dim=3)([1.0, 2.0, 3.0])[0] == 6.0
    assert shapes == {(3,)}


@pytest.mark.parametrize(
    "returned, vectorized, message",
    [
        (lambda x: 1.0, False, r"returned a float where \(value, gradient\) is expected"),
        (lambda x: None, False, "returned a NoneType"),
        (lambda x: (1.0, x, x), False, "returned 3 things"),
        (lambda x: (1.0, x[:1]), False, r"its gradient has shape \(1,\) where \(2,\) is expected"),
        (lambda x: (x, x), False, r"its value has shape \(2,\) where \(\) is expected"),
        (lambda x: (1.0, x + 1j), False, "its gradient is of type complex128; return real numbers"),
        (lambda x: (1j, x), False, "its value is of type complex128"),
        (lambda x: (1.0, {"a": 1}), False, "its gradient is a dict that is no array of numbers"),
        (lambda x: ("one", x), False, "its value is of type <U3"),
        (lambda x: (1.0, [object(), 2]), False, "no array of numbers"),
        (lambda x: (x[:, 0], x.T), True, r"its gradient has shape \(2, 8\) where \(8, 2\) is expected"),
        (lambda x: (x[:, :1], x), True, r"its value has shape \(8, 1\) where \(8,\) is expected"),
        (lambda x: (1.0, x), True, r"its value has shape \(\) where \(8,\) is expected"),
    ],
)
def test_wrong_results_are_told(returned, vectorized, message):
    target = tain.target(returned, dim=2, vectorized=vectorized, name="mine")
    with pytest.raises(tain.InputError, match="^target mine: .*" + message):
        target([[0.0, 1.0]])
    with pytest.raises(tain.InputError, match=message):
        tain.sample(target, tain.box(0.0, 1.0))


class Mishap(Exception):
    pass


@pytest.mark.parametrize("vectorized", [False, True])
def test_exceptions_reach_the_caller_as_they_are(vectorized):
    def function(x):
        raise Mishap("cost 42")

    target = tain.target(function, dim=2, vectorized=vectorized)
    for action in (lambda: target([0.5, 0.5]), lambda: tain.sample(target, tain.box(0.0, 1.0))):
        with pytest.raises(Mishap, match="^cost 42$") as caught:
            action()
        assert "function" in [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
        if sys.version_info >= (3, 11):  # where exceptions have notes
            (note,) = caught.value.__notes__
            assert note.startswith("in call ") and "of target function, " in note
            assert "with x of shape (8, 2)" in note if vectorized else "at x = [0." in note


@pytest.mark.parametrize("vectorized", [False, True])
def test_exceptions_of_many_threads_at_once(vectorized):
    together = threading.Barrier(4, timeout=60)

    def function(x):
        together.wait()  # four threads are in here
        raise Mishap(threading.get_ident())

    target = tain.target(function, dim=2, vectorized=vectorized)
    for _ in range(10):
        with pytest.raises(Mishap):
            evaluations(target, np.zeros((8, 2)), 1, 4)


def test_threads_evaluate_at_once():
    def function(x):
        return np.sum(x * x, axis=1) / 2, x

    target = tain.target(function, dim=50, vectorized=True)
    evaluations(target, rng.normal(size=(64, 50)), 200, 4)
    draws = [
        tain.sample(target, tain.box(-1.0, 1.0), chains=32, draws=20, warmup=30, threads=threads).draws
        for threads in (1, 2, 4)
    ]
    assert (draws[0] == draws[1]).all() and (draws[0] == draws[2]).all()


def test_values_that_are_not_finite():
    def half(x):
        return np.where(x[:, 0] > 0, x[:, 0] ** 2, np.inf), 2 * x

    result = tain.sample(tain.target(half, dim=1, vectorized=True), tain.box(-1.0, 3.0), start=[1.0], draws=100)
    assert result.draws.min() > 0  # +inf is outside the support
    nan = tain.target(lambda x: (np.nan, x), dim=1)
    with pytest.raises(tain.InputError, match="not finite at the starting point"):
        tain.sample(nan, tain.box(-1.0, 1.0))
    assert not tain.check_gradient(nan)


def test_functions_see_finite_points_only():
    seen = []

    def function(x):
        seen.append(x.copy())
        return np.sum(x, axis=-1), np.ones_like(x)

    points = np.ones((8, 2))
    points[3, 1], points[6, 0] = np.inf, np.nan
    for vectorized in (False, True):
        values, gradients = tain.target(function, dim=2, vectorized=vectorized)(points)
        lost = [3, 6]
        assert np.isnan(values[lost]).all() and np.isnan(gradients[lost]).all()
        assert (np.delete(values, lost) == 2).all() and (np.delete(gradients, lost, 0) == 1).all()
        assert all((x == 1).all() for x in seen)
        seen.clear()
        values, gradients = tain.target(function, dim=2, vectorized=vectorized)(np.full((5, 2), np.nan))
        assert np.isnan(values).all() and np.isnan(gradients).all() and not seen


# ---- Ctrl-C --------------------------------------------------------------------------------------


@pytest.mark.parametrize("vectorized", [False, True])
def test_an_interrupt_in_the_function_ends_the_run_cleanly(vectorized):
    calls = [0]

    def function(x):
        calls[0] += 1
        if calls[0] == 3000:
            if not vectorized:
                x *= np.nan  # its own; what it left of it is not what it is called with again
            signal.raise_signal(signal.SIGINT)
        return 0.5 * np.sum(x * x, axis=-1), x

    target = tain.target(function, dim=2, vectorized=vectorized)
    options = dict(chains=8, warmup=100, seed=3, threads=1)
    with pytest.warns(UserWarning):
        stopped = tain.sample(target, tain.box(-1.0, 1.0), draws=200_000, thin=1, **options)
    assert not stopped.finished and 0 < stopped.draws.shape[1] < 200_000
    calls[0] = 10**9  # the same run without an interrupt begins with the same draws
    whole = tain.sample(target, tain.box(-1.0, 1.0), draws=200, thin=1, **options)
    length = min(200, stopped.draws.shape[1])
    assert (stopped.draws[:, :length] == whole.draws[:, :length]).all()


def test_an_interrupt_outside_of_runs_is_raised_at_once():
    calls = []

    def function(x):
        calls.append(1)
        raise KeyboardInterrupt

    target = tain.target(function, dim=2)
    for action in (lambda: target([0.0, 0.0]), lambda: tain.check_gradient(target)):
        with pytest.raises(KeyboardInterrupt):
            action()
    assert len(calls) == 2


def test_a_function_that_always_interrupts_ends_the_run():
    def function(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tain.sample(tain.target(function, dim=2), tain.box(0.0, 1.0))


# ---- life ----------------------------------------------------------------------------------------


def test_a_dropped_target_frees_its_function():
    def function(x):
        return 0.0, x

    watched = weakref.ref(function)
    target = tain.target(function, dim=2)
    gone = weakref.ref(target)
    target([1.0, 2.0])
    del function
    assert watched() is not None
    del target
    assert gone() is None and watched() is None


def test_cycles_are_collected():
    class Model:
        def __init__(self):
            self.target = tain.target(self.potential, dim=1)
            self.batches = tain.minibatch(self.terms, whole=self.potential, terms=2, dim=1)

        def potential(self, x):
            return 0.0, x

        def terms(self, x, indices):
            return 0.0, x

    model = Model()
    watched = weakref.ref(model)
    model.target([1.0])
    gc.collect()
    assert model.target([1.0])[1][0] == 1.0  # what is in use stays
    del model
    assert watched() is not None
    gc.collect()
    assert watched() is None


def test_evaluations_do_not_grow_memory():
    def resident():
        with open("/proc/self/statm") as numbers:
            return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    many = tain.target(lambda x: (x[:, 0], x + 1), dim=100, vectorized=True)
    one = tain.target(lambda x: (x[0], x + 1), dim=100)
    points = np.zeros((256, 100))

    def work():
        for _ in range(1000):
            many(points)
        for _ in range(100):
            one(points)
        for _ in range(100):
            tain.target(lambda x: (x[:, 0], x), dim=100, vectorized=True)(points)

    work()
    before = resident()
    work()
    # One array per call kept would be 1000 x 200 KB.
    assert resident() - before < 20e6


# ---- addresses -----------------------------------------------------------------------------------


DOUBLES = ctypes.POINTER(ctypes.c_double)
POINT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, DOUBLES, DOUBLES, DOUBLES)
BLOCK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, DOUBLES, DOUBLES, DOUBLES)


@POINT
def half_square(context, x, value, gradient):
    scale = ctypes.cast(context, DOUBLES)[0] if context else 1.0
    if x[0] > 1:
        return 1
    if x[0] < -100:
        return 7
    value[0], gradient[0], gradient[1] = 0.5 * scale * (x[0] ** 2 + x[1] ** 2), scale * x[0], scale * x[1]
    return 0


@BLOCK
def half_squares(context, lanes, x, value, gradient):
    for lane in range(lanes):
        if x[lane] > 1:
            return 1
        value[lane] = 0.5 * (x[lane] ** 2 + x[lanes + lane] ** 2)
        gradient[lane], gradient[lanes + lane] = x[lane], x[lanes + lane]
    return 0


def test_function_pointers():
    points = np.array([[0.5, 1.0], [2.0, 1.0], [-1.0, 0.25]])
    expected = [0.625, np.inf, 0.53125]
    address = ctypes.cast(half_square, ctypes.c_void_p).value
    for target in (
        tain.native(half_square, dim=2),
        tain.native(address, dim=2),
        tain.native(block=half_squares, dim=2),
        tain.native(half_square, block=half_squares, dim=2, name="both"),
    ):
        values, gradients = target(points)
        assert values.tolist() == expected
        assert gradients.tolist() == [[0.5, 1.0], [0.0, 0.0], [-1.0, 0.25]]
    assert target.name == "both"
    with pytest.raises(tain.InputError, match="evaluation of the target returned 7; return 0, or 1 to reject"):
        tain.native(half_square, dim=2)([-1000.0, 0.0])


def test_contexts():
    scale = np.array([3.0])
    for context in (scale, scale.ctypes.data, ctypes.c_double(3.0), ctypes.pointer(ctypes.c_double(3.0))):
        assert tain.native(half_square, dim=2, context=context)([1.0, 1.0])[0] == 3.0


def test_what_pointers_need_lives_with_the_target():
    @POINT
    def local(context, x, value, gradient):
        value[0], gradient[0] = x[0], 1.0
        return 0

    context = np.zeros(1)
    watched = weakref.ref(local), weakref.ref(context)
    target = tain.native(local, dim=1, context=context)
    del local, context
    assert target([2.0])[0] == 2.0 and None not in (watched[0](), watched[1]())
    del target
    assert watched[0]() is None and watched[1]() is None


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: tain.native(dim=2), "no function is given"),
        (lambda: tain.native(POINT(0), dim=2), "address 0; give that of a function"),
        (lambda: tain.native(0, dim=2), "point has the address 0"),
        (lambda: tain.native(-5, dim=2), "point has the address -5"),
        (lambda: tain.native(lambda x: x, dim=2), "point is a function; give a numba cfunc"),
        (lambda: tain.native(half_squares, dim=2), "point takes 5 arguments; give a function of 4"),
        (lambda: tain.native(block=half_square, dim=2), "block takes 4 arguments; give a function of 5"),
        (lambda: tain.native(ctypes.CFUNCTYPE(None, *POINT._argtypes_)(half_square), dim=2), "does not return an int"),
        (lambda: tain.native(half_square, dim=0), "dim is 0"),
        (lambda: tain.native(half_square, dim=2, context=np.zeros((4, 4))[:, 1]), "context is not contiguous"),
        (lambda: tain.native(half_square, dim=2, context="text"), "context is a str"),
        (lambda: tain.target(half_square, dim=2), r"is a compiled function; give tain\.native"),
        (lambda: tain.as_target(half_square, 2), r"give tain\.native"),
    ],
)
def test_wrong_pointers(make, message):
    with pytest.raises(tain.InputError, match=message):
        make()


SOURCE = """
#include "tain/target_abi.h"
static int gauss(void* context, const double* x, double* value, double* gradient) {
  const double* scale = context;
  *value = 0.5 * (scale ? *scale : 1) * (x[0] * x[0] + x[1] * x[1]);
  gradient[0] = (scale ? *scale : 1) * x[0];
  gradient[1] = (scale ? *scale : 1) * x[1];
  return TAIN_TARGET_OK;
}
int plain(void* context, const double* x, double* value, double* gradient) { return gauss(context, x, value, gradient); }
int tain_target_open(const char* arguments, size_t dim, struct tain_target* out, char* error, size_t size) {
  (void)arguments; (void)dim; (void)error; (void)size;
  out->abi_version = TAIN_TARGET_ABI;
  out->dim = 2;
  out->name = "gauss";
  out->value_and_gradient = gauss;
  return 0;
}
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("library")
    include = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../include")
    (folder / "gauss.c").write_text(SOURCE)
    command = [compiler, "-O2", "-fPIC", "-shared", "-I", include, "-o", folder / "gauss.so", folder / "gauss.c"]
    subprocess.run(command, check=True)
    return folder / "gauss.so"


def test_a_compiled_function_by_address_and_as_library(compiled):
    function = ctypes.CDLL(str(compiled)).plain
    by_address = tain.native(function, dim=2)
    by_file = tain.library(compiled)
    points = rng.normal(size=(20, 2))
    assert by_file.name == "gauss" and by_address.name == "plain"
    assert (by_file(points)[0] == by_address(points)[0]).all()
    assert tain.check_gradient(by_file)
    runs = [tain.sample(t, tain.ball(2), chains=16, draws=50, threads=2).draws for t in (by_file, by_address)]
    assert (runs[0] == runs[1]).all()


# ---- mini-batches --------------------------------------------------------------------------------


def regression_terms(x, indices):
    """Logistic regression with a prior of sd 2, one point."""
    rows, answers = X[indices], Y[indices]
    eta = rows @ x
    prior = len(indices) / len(X) / 4
    value = np.sum(np.logaddexp(0, eta) - answers * eta) + 0.5 * prior * x @ x
    return value, (1 / (1 + np.exp(-eta)) - answers) @ rows + prior * x


def regression_terms_of_many(x, indices):
    rows, answers = X[indices], Y[indices]
    eta = np.einsum("nbd,nd->nb", rows, x)
    prior = indices.shape[1] / len(X) / 4
    value = np.sum(np.logaddexp(0, eta) - answers * eta, axis=1) + 0.5 * prior * np.sum(x * x, axis=1)
    return value, np.einsum("nb,nbd->nd", 1 / (1 + np.exp(-eta)) - answers, rows) + prior * x


BATCHES = {"one": (regression_terms, False), "many": (regression_terms_of_many, True)}


@pytest.mark.parametrize("kind", BATCHES)
def test_terms_sum_to_the_librarys_regression(kind):
    function, vectorized = BATCHES[kind]
    ours = tain.minibatch(function, terms=40, dim=3, vectorized=vectorized)
    theirs = tain.logistic_regression(X, Y, prior_sd=2.0)
    assert ours.terms == 40 and repr(ours).endswith("dim 3, 40 terms>")
    points = rng.normal(size=(11, 3))
    for mine, expected in zip(ours(points), theirs(points)):
        assert mine == pytest.approx(expected, rel=1e-12)
    check = tain.check_gradient(ours)
    assert check and "Its 40 terms sum to it." in str(check)


@pytest.mark.parametrize("kind", BATCHES)
def test_runs_on_batches_follow_the_librarys(kind):
    function, vectorized = BATCHES[kind]
    options = dict(kernel="smld", batch=10, step_size=0.01, warmup=0, draws=30, thin=1, chains=3, control_variates=4)
    ours = tain.sample(tain.minibatch(function, terms=40, vectorized=vectorized), tain.box(-3.0, 3.0, dim=3), **options)
    theirs = tain.sample(tain.logistic_regression(X, Y, prior_sd=2.0), tain.box(-3.0, 3.0), start=[0, 0, 0], **options)
    again = tain.sample(
        tain.minibatch(function, terms=40, vectorized=vectorized), tain.box(-3.0, 3.0, dim=3), start=[0, 0, 0], **options
    )
    assert ours.draws.shape == (3, 30, 3)
    # The same batches and noise; sums in another order.
    assert again.draws == pytest.approx(theirs.draws, abs=1e-9)


def test_the_whole_goes_through_all_terms_in_pieces():
    sizes = []

    def count(x, indices):
        sizes.append(len(indices))
        assert indices.dtype == np.int64 and (np.diff(indices) == 1).all()
        return float(len(indices)), np.array([indices.sum(dtype=float)])

    terms = 20_000
    value, gradient = tain.minibatch(count, terms=terms, dim=1)([0.0])
    assert value == terms and gradient[0] == terms * (terms - 1) / 2
    assert sizes[:3] == [8192, 8192, 20_000 - 2 * 8192]


def test_a_whole_that_is_not_the_sum_is_found():
    def whole(x):
        value, gradient = regression_terms(x, np.arange(40))
        return 2 * value, 2 * gradient

    target = tain.minibatch(regression_terms, whole=whole, terms=40, dim=3)
    check = tain.check_gradient(target)
    assert not check and "The 40 terms of regression_terms do not sum to the whole" in str(check)
    fine = tain.minibatch(regression_terms, whole=lambda x: regression_terms(x, np.arange(40)), terms=40, dim=3)
    assert tain.check_gradient(fine)


def test_batches_that_raise():
    def function(x, indices):
        raise Mishap("no data")

    with pytest.raises(Mishap, match="no data"):
        tain.sample(tain.minibatch(function, terms=5, dim=1), tain.box(0.0, 1.0), kernel="smld", batch=2)


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
    box = ["--map", "box", "--lower=-1", "--upper", "2"]
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
