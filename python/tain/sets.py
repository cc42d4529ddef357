"""Sets that a law lives on. Where nothing says how many coordinates there are, the target does."""

from __future__ import annotations

from typing import Any, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _native
from ._native import Set
from ._numbers import dimension, real_numbers
from .errors import InputError


__all__ = ["affine", "ball", "box", "positive", "product", "real", "simplex"]


def _bounds(where: str, name: str, value: Any, dimensions: Sequence[int] = (0, 1)) -> np.ndarray:
    """Real numbers, infinite ones among them, but no NaN."""
    array = real_numbers(where, name, value, dimensions)
    if np.isnan(array).any():
        raise InputError(f"{where}: {name} has a NaN; give numbers", field=name)
    return array


def _dim(where: str, dim: Any) -> Optional[int]:
    return None if dim is None else dimension(where, dim)


def simplex(dim: Optional[int] = None, *, coordinates: Union[str, int] = "auto") -> Set:
    """Probabilities of categories: x_i > 0, summing to 1.

    Args:
        dim: number of categories.
        coordinates: of the dual: "auto" chooses by where the mass of the target is; "symmetric"; "stretched" for
            sparse Dirichlet laws; "last" (the paper's) or the number of a category, from 1, as reference.

    >>> tain.simplex(11)
    <tain.Set simplex(11)>
    >>> tain.simplex(3).contains([0.2, 0.3, 0.5])
    True
    """
    return _native.simplex(_dim("simplex", dim), str(coordinates))


def box(lower: Any, upper: Any, dim: Optional[int] = None) -> Set:
    """lower_i < x_i < upper_i; bounds may be infinite, and one number stands for all coordinates.

    >>> tain.box([0, -1], [1, np.inf])
    <tain.Set box(2)>
    """
    return _native.box(_bounds("box", "lower", lower), _bounds("box", "upper", upper), _dim("box", dim))


def positive(dim: Optional[int] = None) -> Set:
    """x_i > 0.

    >>> tain.positive(2).contains([1e300, 1e-300])
    True
    """
    return _native.positive(_dim("positive", dim))


def ball(dim: Optional[int] = None, radius: float = 1.0, centre: Any = 0.0, *, form: str = "tanh") -> Set:
    """Points nearer to the centre than the radius.

    Args:
        dim: number of coordinates, where the centre does not say it.
        radius: of the ball.
        centre: one number for all coordinates, or one each.
        form: of the radial map: "tanh", or "paper".

    >>> tain.ball(radius=2, centre=[0, 0, 0]).contains([1, 1, 1])
    True
    """
    return _native.ball(
        _dim("ball", dim), float(_bounds("ball", "radius", radius, (0,))), _bounds("ball", "centre", centre), form
    )


def real(dim: Optional[int] = None) -> Set:
    """All of space: no constraint.

    >>> tain.real(2)
    <tain.Set real(2)>
    """
    return _native.real(_dim("real", dim))


def product(*sets: Union[Set, Mapping[str, Set]], **named: Set) -> Set:
    """Sets beside each other, each with coordinates of its own, in this order.

    Parts may have names, by keywords or in a dict: then tables, files and results show `w[1]`, and `result["w"]` is an
    array. A named part without dim is a number.

    >>> tain.product(tain.simplex(3), tain.box(0, 1, dim=2))
    <tain.Set product(simplex(3), box(2))>
    >>> tain.product(w=tain.simplex(4), sigma=tain.positive())
    <tain.Set product(w = simplex(4), sigma = positive)>
    """
    if len(sets) == 1 and isinstance(sets[0], Mapping) and not named:
        named = dict(sets[0])
        sets = ()
    if len(sets) == 1 and isinstance(sets[0], (list, tuple)):
        sets = tuple(sets[0])
    if sets and named:
        raise InputError("product: some parts have names and others have none; name all of them, or none", field="name")
    for name in named:
        if not (isinstance(name, str) and name.isascii() and name.isidentifier()):
            problem = f"product: {name!r} is no name of a parameter; give letters, digits and single underscores"
            raise InputError(problem, field="name")
    parts: List[Any] = list(named.values()) if named else list(sets)
    for part in parts:
        if not isinstance(part, Set):
            raise InputError(f"product: {part!r} is no set; give such as tain.simplex(3)", field="set")
    return _native.product(list(named), parts)


def as_set(given: Any) -> Optional[Set]:
    """A set, a dict of named parts, or None where the target decides."""
    if isinstance(given, Mapping):
        return product(given)
    if given is not None and not isinstance(given, Set):
        raise InputError(f"set: a {type(given).__name__} is no set; give such as tain.simplex(3)", field="set")
    return given


def affine(inner: Set, matrix: Any, shift: Any = 0.0) -> Set:
    """The image {matrix z + shift : z in inner}: parallelepipeds, ellipsoids, simplices with any corners.

    >>> tain.affine(tain.ball(dim=2), [[2, 0], [0, 1]]).contains([1.9, 0])
    True
    """
    if not isinstance(inner, Set):
        raise InputError(f"affine: {inner!r} is no set; give such as tain.ball(dim=2)")
    return _native.affine(inner, _bounds("affine", "matrix", matrix, (2,)), _bounds("affine", "shift", shift))
