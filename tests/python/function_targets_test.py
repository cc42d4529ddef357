"""Targets that are Python functions: what they see and return, exceptions, Ctrl-C, their life."""

import ctypes
import gc
import math
import os
import re
import signal
import sys
import threading
import traceback
import weakref

import numpy as np
import pytest
import tain

rng = np.random.default_rng(20181203)


def evaluations(target, x, times, threads):
    return tain._native.time_evaluations(target, x, times, threads)


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
    tain.sample(target, tain.box(-1, 1), warmup=5, draws=5, check_gradient=False)


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
        (lambda x: (x[:, 0], x.T), True, r"its gradient has shape \(2, \d+\) where \(\d+, 2\) is expected"),
        (lambda x: (x[:, :1], x), True, r"its value has shape \(\d+, 1\) where \(\d+,\) is expected"),
        (lambda x: (1.0, x), True, r"its value has shape \(\) where \(\d+,\) is expected"),
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
            assert re.search(r"with x of shape \((8|16), 2\)" if vectorized else r"at x = \[0\.", note)


@pytest.mark.parametrize("vectorized", [False, True])
def test_exceptions_of_many_threads_at_once(vectorized):
    together = threading.Barrier(4, timeout=300)

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
    with pytest.raises(tain.InputError, match="not a number at every point"):
        tain.sample(nan, tain.box(-1.0, 1.0))
    with pytest.raises(tain.InputError, match="not finite at the starting point"):
        tain.sample(nan, tain.box(-1.0, 1.0), check_gradient=False)
    assert not tain.check_gradient(nan)


def wrong(x):
    return 2 * np.sum(x**2, axis=-1), -4 * x


def left_out(x):
    return 2 * np.sum(x**2, axis=-1), 4 * x * (np.arange(x.shape[-1]) != 1)


@pytest.mark.parametrize("vectorized", [False, True])
@pytest.mark.parametrize("kernel", ["hmc", "mld"])
def test_wrong_gradients_are_refused(vectorized, kernel):
    options = dict(kernel=kernel, warmup=50, draws=20, step_size=0.01)
    cube = tain.box(-1.0, 1.0, dim=3)
    with pytest.raises(tain.InputError, match=r"(?s)give V = -log p.*check_gradient=False"):
        tain.sample(tain.target(wrong, vectorized=vectorized, dim=3), cube, **options)
    target = tain.target(left_out, vectorized=vectorized, dim=3)
    with pytest.raises(tain.InputError, match="target left_out: .*coordinate 2 is 0 as given and"):
        tain.sample(target, cube, **options)
    assert tain.sample(target, cube, check_gradient=False, **options).finished


def log_bend(x):
    value, gradient = bend(x)
    return -value, -gradient


def test_log_densities_are_their_potentials():
    cube = tain.box([-2, -1], [2, 3])
    options = dict(warmup=50, draws=20)
    expected = tain.sample(tain.potential(bend), cube, **options).draws
    double_p = ctypes.POINTER(ctypes.c_double)

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, double_p, double_p, double_p)
    def native(context, x, value, gradient):
        value[0], (gradient[0], gradient[1]) = log_bend(np.array([x[0], x[1]]))
        return 0

    decorated = tain.log_density(dim=2, vectorized=True, name="curved")(log_bend)
    assert repr(decorated) == "<tain.Target curved, dim 2>"
    for target in (tain.target(bend), tain.log_density(log_bend), decorated, tain.native(native, dim=2, log_density=True)):
        assert (tain.sample(target, cube, **options).draws == expected).all()
    outside = tain.log_density(lambda x: (-np.inf, x), dim=1)
    assert outside([1.0])[0] == np.inf
    with pytest.raises(tain.InputError, match="differences of log p"):
        tain.sample(tain.log_density(left_out), tain.box(-1.0, 1.0, dim=3))


def test_sums_may_be_of_log_densities():
    data = rng.normal(size=50)

    def terms(x, indices):
        rest = x[0] - data[indices]
        return -0.5 * np.sum(rest**2), np.array([-np.sum(rest)])

    def minus(x, indices):
        value, gradient = terms(x, indices)
        return -value, -gradient

    options = dict(kernel="smld", batch=10, step_size=1e-3, draws=20, warmup=10)
    place = tain.box(-3.0, 3.0, dim=1)
    ours = tain.sample(tain.minibatch(terms, terms=50, log_density=True), place, **options)
    assert (ours.draws == tain.sample(tain.minibatch(minus, terms=50), place, **options).draws).all()


def test_functions_that_are_not_defined_far_out_are_sampled():
    def steep(x):
        return math.exp(x[0] ** 2), np.array([2 * x[0] * math.exp(x[0] ** 2)])  # OverflowError beyond 26

    assert tain.sample(tain.target(steep, dim=1), kernel="mld", step_size=0.01, draws=20, warmup=20).finished


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
    calls, last = [0], [0]

    def function(x):
        calls[0] += 1
        if calls[0] == last[0]:
            if not vectorized:
                x *= np.nan  # its own; what it left of it is not what it is called with again
            signal.raise_signal(signal.SIGINT)
        return 0.5 * np.sum(x * x, axis=-1), x

    target = tain.target(function, dim=2, vectorized=vectorized)
    options = dict(chains=8, warmup=100, seed=3, threads=1)
    whole = tain.sample(target, tain.box(-1.0, 1.0), draws=200, thin=1, **options)
    # The same run again, for longer, with an interrupt where the other ended: the warm-up is over, whatever the machine.
    calls[0], last[0] = 0, calls[0]
    with pytest.warns(UserWarning):
        stopped = tain.sample(target, tain.box(-1.0, 1.0), draws=200_000, thin=1, **options)
    assert not stopped.finished and 199 <= stopped.draws.shape[1] < 200_000
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
