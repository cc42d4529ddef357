"""Targets compiled by numba: called without the interpreter, by the rules of tain/target_abi.h."""

import numba
import numpy as np
import pytest
import tain

D = 3
CENTRE = np.array([1.0, -1.0, 0.5])


@numba.cfunc(tain.native_signature())
def point(context, x, value, gradient):
    centre = numba.carray(context, (D,), dtype=np.float64)
    at = numba.carray(x, (D,))
    out = numba.carray(gradient, (D,))
    total = 0.0
    for i in range(D):
        out[i] = at[i] - centre[i]
        total += 0.5 * out[i] * out[i]
    value[0] = total
    return 1 if at[0] > 2 else 0


@numba.cfunc(tain.native_signature(block=True))
def block(context, lanes, x, value, gradient):
    centre = numba.carray(context, (D,), dtype=np.float64)
    at = numba.carray(x, (D, lanes))
    out = numba.carray(gradient, (D, lanes))
    values = numba.carray(value, (lanes,))
    for lane in range(lanes):
        total = 0.0
        for i in range(D):
            out[i, lane] = at[i, lane] - centre[i]
            total += 0.5 * out[i, lane] * out[i, lane]
        values[lane] = total if at[0, lane] <= 2 else np.inf
    return 0


def test_values_gradients_and_rejections():
    points = np.random.default_rng(1).uniform(-1.9, 1.9, size=(50, D))
    points[7, 0] = 3
    expected = 0.5 * np.sum((points - CENTRE) ** 2, axis=1)
    expected[7] = np.inf
    for target in (
        tain.native(point, dim=D, context=CENTRE),
        tain.native(block=block, dim=D, context=CENTRE),
        tain.native(point, block=block, dim=D, context=CENTRE),
        tain.native(point.address, dim=D, context=CENTRE),
    ):
        values, gradients = target(points)
        assert values == pytest.approx(expected, rel=1e-14)
        assert np.delete(gradients, 7, 0) == pytest.approx(np.delete(points - CENTRE, 7, 0), rel=1e-14)
        assert tain.check_gradient(target, tain.box(-2.0, 1.9, dim=D))
    assert tain.native(point, dim=D, context=CENTRE).name == "point"


def test_threads_give_the_same_bits_and_python_the_same_law():
    compiled = tain.native(point, block=block, dim=D, context=CENTRE)
    domain = tain.box(-1.0, 1.5, dim=D)
    runs = [tain.sample(compiled, domain, chains=64, draws=100, threads=threads).draws for threads in (1, 2, 4)]
    assert (runs[0] == runs[1]).all() and (runs[0] == runs[2]).all()
    # Independent coordinates, so that the moments are those of truncated normals.
    exact = tain.sample(tain.gaussian(CENTRE), domain, chains=64, draws=100).exact()
    for i in range(D):
        row = next(row for row in exact if row.name == f"mean of x[{i + 1}]")
        # 6,400 draws, at least 1,000 of them effective; 5 standard errors: one false alarm in a million.
        assert abs(runs[0][..., i].mean() - row.exact) < 5 * runs[0][..., i].std() / np.sqrt(1000)


def test_other_signatures_are_refused():
    @numba.cfunc(numba.types.double(numba.types.double))
    def other(x):
        return x

    with pytest.raises(tain.InputError, match="point is compiled as .*; give cfunc the signature tain.native_signature"):
        tain.native(other, dim=1)
    with pytest.raises(tain.InputError, match="block is compiled as"):
        tain.native(block=point, dim=D)
    with pytest.raises(tain.InputError, match=r"give tain\.native"):
        tain.target(point, dim=D)


def test_functions_compiled_for_python_are_python_functions():
    @numba.njit
    def potential(x):
        return 0.5 * np.sum(x * x), x.copy()

    target = tain.target(potential, dim=2)
    assert target([3.0, 4.0])[0] == 12.5 and target.name == "potential"
