"""Domains: what they contain, what they are called, what they refuse."""

import numpy as np
import pytest
import tain


@pytest.mark.parametrize(
    "domain, inside, outside",
    [
        (tain.simplex(3), [0.2, 0.3, 0.5], [0.2, 0.3, 0.6]),
        (tain.simplex(3, coordinates=2), [0.2, 0.3, 0.5], [0.7, 0.6, -0.3]),
        (tain.simplex(3, coordinates="stretched"), [0.2, 0.3, 0.5], [1.2, -0.3, 0.1]),
        (tain.box(0, 1, dim=2), [0.5, 0.5], [0.5, 1.5]),
        (tain.box([-np.inf, 0], [np.inf, 2]), [-1e9, 1], [0, 3]),
        (tain.orthant(2), [1e-9, 1e9], [1, -1]),
        (tain.ball([1, 1], 0.5), [1.3, 1.3], [1.4, 1.4]),
        (tain.ball(dim=2, form="paper"), [0.3, 0.3], [1, 1]),
        (tain.whole(2), [1e9, -1e9], [np.inf, 0]),
        (tain.product(tain.simplex(2), tain.orthant(1)), [0.4, 0.6, 7], [0.4, 0.6, -7]),
        (tain.affine(tain.box(0, 1, dim=2), [[1, 1], [0, 1]], 5), [6.5, 5.7], [5.1, 5.9]),
    ],
)
def test_what_is_inside(domain, inside, outside):
    assert domain.contains(inside) and not domain.contains(outside)
    assert domain.dim == len(inside)


def test_open_dimensions():
    for domain in [tain.simplex(), tain.box(0, 1), tain.orthant(), tain.ball(), tain.whole()]:
        assert domain.dim is None
    assert tain.box([0], [1]).dim == 1
    assert tain.sample(tain.uniform(4), tain.box(0, 1), draws=10).draws.shape == (4, 10, 4)


def test_names():
    domain = tain.product(tain.simplex(3), tain.affine(tain.ball(dim=2), np.eye(2)), tain.whole(1))
    assert repr(domain) == "<tain.Domain product(simplex(3), affine(ball(2)), whole(1))>"


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: tain.simplex(1), "at least 2 categories"),
        (lambda: tain.simplex(0), "dim is 0"),
        (lambda: tain.simplex(2.5), "dim is 2.5; give a whole number"),
        (lambda: tain.simplex(3, coordinates=4), "category 4 does not exist among 3"),
        (lambda: tain.simplex(3, coordinates="nearest"), "nearest"),
        (lambda: tain.box(1, 0, dim=2), "box coordinate 1"),
        (lambda: tain.box([0, 0], [1, 1, 1]), "box: upper: implies dimension 3, but box: lower implies 2"),
        (lambda: tain.box([0, 0], 1, dim=3), "dim: implies dimension 3"),
        (lambda: tain.box([[0]], 1), "shape"),
        (lambda: tain.box(np.nan, 1), "NaN"),
        (lambda: tain.box("a", 1), "real numbers"),
        (lambda: tain.box([[0], [1, 2]], 1), "different lengths|real numbers"),
        (lambda: tain.ball(0, -1, dim=2), "radius -1"),
        (lambda: tain.ball(np.inf, 1, dim=2), "ball"),
        (lambda: tain.ball(dim=2, form="round"), "unknown form 'round'"),
        (lambda: tain.product(), "no factor"),
        (lambda: tain.product(tain.simplex(3), 3), "3 is no domain"),
        (lambda: tain.product(tain.simplex(), tain.simplex(3)), "how many coordinates its simplex has is not known"),
        (lambda: tain.affine(3, np.eye(2)), "3 is no domain"),
        (lambda: tain.affine(tain.ball(dim=2), np.eye(3)), "implies dimension 3"),
        (lambda: tain.affine(tain.ball(dim=2), [[1, 2], [2, 4]]), "affine"),
        (lambda: tain.affine(tain.ball(dim=2), [1, 2]), "give a matrix"),
        (lambda: tain.affine(tain.affine(tain.ball(dim=2), np.eye(2)), np.eye(2)), "affine image already"),
        (lambda: tain.affine(tain.ball(dim=2), np.eye(2), [1, 2, 3]), "shift|affine"),
        (lambda: tain.simplex(3).contains([0.5, 0.5]), "a point of 2 numbers is asked for in 3 dimensions"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(tain.InputError, match=message):
        call()
