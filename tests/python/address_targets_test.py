"""Targets that are compiled functions, by their address."""

import ctypes
import weakref

import numpy as np
import pytest
import tain

rng = np.random.default_rng(20181203)


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
