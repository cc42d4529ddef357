"""Numbers as users give them, checked."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from .errors import InputError


def real_numbers(where: str, name: str, value: Any, dimensions: Sequence[int]) -> np.ndarray:
    """An array of float64 with one of these numbers of dimensions."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise InputError(f"{where}: {name} has rows of different lengths; give an array", field=name) from None
    if array.dtype.kind not in "biuf":
        kind = "text" if array.dtype.kind in "US" else type(value).__name__ if array.dtype.kind == "O" else array.dtype
        raise InputError(f"{where}: {name} is of type {kind}; give real numbers", field=name)
    if array.ndim not in dimensions:
        expected = " or ".join(("a number", "a vector", "a matrix", "an array of three axes")[n] for n in dimensions)
        raise InputError(f"{where}: {name} has shape {array.shape}; give {expected}", field=name)
    if array.size == 0:
        raise InputError(f"{where}: {name} is empty; give one number or more", field=name)
    return array.astype(np.float64, copy=False)


def finite_numbers(where: str, name: str, array: np.ndarray) -> np.ndarray:
    """The array, which must have neither NaN nor infinity."""
    if not np.isfinite(array).all():
        at = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        index = ", ".join(map(str, at))
        raise InputError(f"{where}: {name}[{index}] is {array[at]}; give finite numbers", field=name)
    return array


def dimension(where: str, dim: Any) -> int:
    """A number of coordinates."""
    try:
        number = dim.__index__()
    except AttributeError:
        raise InputError(f"{where}: dim is {dim!r}; give a whole number", field="dim") from None
    if number < 1:
        raise InputError(f"{where}: dim is {number}; give 1 or more", field="dim")
    return int(number)
