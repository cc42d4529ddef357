"""Sets that a law lives on. Where nothing says how many coordinates there are, the target does."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _native
from ._native import Domain
from ._numbers import dimension, real_numbers
from .errors import InputError


def _bounds(where: str, name: str, value: Any, dimensions: Sequence[int] = (0, 1)) -> np.ndarray:
    """Real numbers, infinite ones among them, but no NaN."""
    array = real_numbers(where, name, value, dimensions)
    if np.isnan(array).any():
        raise InputError(f"{where}: {name} has a NaN; give numbers")
    return array


def _dim(where: str, dim: Any) -> Optional[int]:
    return None if dim is None else dimension(where, dim)


def simplex(dim: Optional[int] = None, *, coordinates: Union[str, int] = "auto") -> Domain:
    """Probabilities of categories: x_i > 0, summing to 1.

    Args:
        dim: number of categories.
        coordinates: of the dual: "auto" chooses by where the mass of the target is; "symmetric"; "stretched" for
            sparse Dirichlet laws; "last" (the paper's) or the number of a category, from 1, as reference.

    >>> tain.simplex(11)
    <tain.Domain simplex(11)>
    >>> tain.simplex(3).contains([0.2, 0.3, 0.5])
    True
    """
    return _native.simplex(_dim("simplex", dim), str(coordinates))


def box(lower: Any, upper: Any, dim: Optional[int] = None) -> Domain:
    """lower_i < x_i < upper_i; bounds may be infinite, and one number stands for all coordinates.

    >>> tain.box([0, -1], [1, np.inf])
    <tain.Domain box(2)>
    """
    return _native.box(_bounds("box", "lower", lower), _bounds("box", "upper", upper), _dim("box", dim))


def orthant(dim: Optional[int] = None) -> Domain:
    """x_i > 0.

    >>> tain.orthant(2).contains([1e300, 1e-300])
    True
    """
    return _native.orthant(_dim("orthant", dim))


def ball(centre: Any = 0.0, radius: float = 1.0, dim: Optional[int] = None, *, form: str = "tanh") -> Domain:
    """Points nearer to the centre than the radius.

    Args:
        centre: one number for all coordinates, or one each.
        radius: of the ball.
        dim: number of coordinates, where the centre does not say it.
        form: of the radial map: "tanh", or "paper".

    >>> tain.ball([0, 0, 0], radius=2).contains([1, 1, 1])
    True
    """
    return _native.ball(
        _bounds("ball", "centre", centre), float(_bounds("ball", "radius", radius, (0,))), _dim("ball", dim), form
    )


def whole(dim: Optional[int] = None) -> Domain:
    """All of space: no constraint.

    >>> tain.whole(2)
    <tain.Domain whole(2)>
    """
    return _native.whole(_dim("whole", dim))


def product(*domains: Domain) -> Domain:
    """Domains beside each other, each with coordinates of its own, in this order.

    >>> tain.product(tain.simplex(3), tain.box(0, 1, dim=2))
    <tain.Domain product(simplex(3), box(2))>
    """
    for domain in domains:
        if not isinstance(domain, Domain):
            raise InputError(f"product: {domain!r} is no domain; give such as tain.simplex(3)")
    return _native.product(list(domains))


def affine(domain: Domain, matrix: Any, shift: Any = 0.0) -> Domain:
    """The image {matrix z + shift : z in domain}: parallelepipeds, ellipsoids, simplices with any corners.

    >>> tain.affine(tain.ball(dim=2), [[2, 0], [0, 1]]).contains([1.9, 0])
    True
    """
    if not isinstance(domain, Domain):
        raise InputError(f"affine: {domain!r} is no domain; give such as tain.ball(dim=2)")
    return _native.affine(domain, _bounds("affine", "matrix", matrix, (2,)), _bounds("affine", "shift", shift))
