"""Targets: densities known up to a constant, as their potential V = -log p, or as log p.

The library's own, from arrays; Python functions of a point or of many points at once; compiled functions by address;
sums of terms for mini-batches.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple, Union, overload

import numpy as np

from . import _native
from ._native import GradientCheck, Set, Target
from ._numbers import dimension, finite_numbers, real_numbers
from ._paths import path_of
from .errors import InputError
from .sets import as_set

__all__ = [
    "TargetFamily",
    "as_target",
    "check_gradient",
    "dirichlet",
    "gaussian",
    "library",
    "linear_regression",
    "log_density",
    "logistic_regression",
    "minibatch",
    "native",
    "native_signature",
    "potential",
    "target",
    "uniform",
]

#: A function that gives the value and the gradient of V, or of log p: see `potential` and `log_density`.
Function = Callable[..., Tuple[Any, Any]]


class TargetFamily:
    """A target that takes its number of coordinates from the set it is sampled on.

    The functions of this module return one where nothing says how many coordinates there are.

    >>> import tain
    >>> tain.gaussian(sd=2.0)
    <tain.TargetFamily gaussian>
    >>> tain.gaussian(sd=2.0).with_dim(3)
    <tain.Target gaussian(3), dim 3>
    """

    def __init__(self, name: str, make: Callable[[int], Target]) -> None:
        self.name = name
        self._make = make

    def with_dim(self, dim: int) -> Target:
        """The target in `dim` coordinates."""
        return self._make(dimension(self.name, dim))

    def __call__(self, x: Any) -> Tuple[Any, Any]:
        """Value and gradient at a point (d,) or at points as rows (n, d)."""
        points = np.asarray(x)
        return self.with_dim(points.shape[-1] if points.ndim else 1)(points)

    def __repr__(self) -> str:
        return f"<tain.TargetFamily {self.name}>"


AnyTarget = Union[Target, TargetFamily]


# ---- what users give, checked --------------------------------------------------------------------


def _agreed(where: str, dim: Optional[int], sizes: Iterable[Tuple[str, Optional[int]]]) -> Optional[int]:
    """The dimension that everything given implies; None where nothing does."""
    agreed: Optional[Tuple[str, int]] = None
    for name, size in [("dim", None if dim is None else dimension(where, dim)), *sizes]:
        if size is None:
            continue
        if agreed is not None and agreed[1] != size:
            raise InputError(
                f"{where}: {agreed[0]} says {agreed[1]} coordinates, {name} says {size}; give both the same number"
            )
        agreed = agreed or (name, size)
    return agreed and agreed[1]


def _length(array: np.ndarray) -> Optional[int]:
    """A vector's; a single number stands for any dimension."""
    return int(array.shape[0]) if array.ndim else None


def _open_or_made(name: str, dim: Optional[int], make: Callable[[int], Target]) -> AnyTarget:
    return TargetFamily(name, make) if dim is None else make(dim)


def _built_in(kind: str, dim: Optional[int], **numbers: Any) -> AnyTarget:
    """A kind of the library with its numbers by name; in as many coordinates as the set has, where dim is None."""
    return _open_or_made(kind, dim, lambda dim: _native.built_in(kind, numbers, dim))


def _function_name(function: Any, name: Optional[str]) -> str:
    return name or getattr(function, "__name__", None) or type(function).__name__


def _coordinate_names(where: str, names: Optional[Iterable[str]], dim: int) -> List[str]:
    if names is None:
        return []
    chosen = [str(name) for name in names]
    if len(chosen) != dim:
        raise InputError(f"{where}: names has {len(chosen)} entries for {dim} coordinates; give one per coordinate")
    if len(set(chosen)) < dim:
        twice = next(name for i, name in enumerate(chosen) if name in chosen[:i])
        raise InputError(f"{where}: names has '{twice}' twice; give every coordinate its own")
    return chosen


# ---- the library's own -----------------------------------------------------------------------------


def dirichlet(counts: Any = None, alpha: Any = 1.0, dim: Optional[int] = None) -> AnyTarget:
    """The posterior of category probabilities: counts of observations under a Dirichlet(alpha) prior.

    Without counts it is the Dirichlet law itself. Whole counts make it a sum of terms, one per observation.

    Args:
        counts: observations per category.
        alpha: of the prior, one for all categories or one each.
        dim: number of categories, where neither of them says it.

    >>> import tain
    >>> target = tain.dirichlet(counts=[10, 0, 3], alpha=0.5)
    >>> target
    <tain.Target dirichlet(3), dim 3, 13 terms>
    >>> value, gradient = target([0.5, 0.2, 0.3])
    >>> gradient
    array([-19.        ,   2.5       ,  -8.33333333])
    """
    prior = real_numbers("dirichlet", "alpha", alpha, (0, 1))
    observed = None if counts is None else real_numbers("dirichlet", "counts", counts, (1,))
    sizes = [("counts", None if observed is None else _length(observed)), ("alpha", _length(prior))]

    return _built_in("dirichlet", _agreed("dirichlet", dim, sizes), counts=observed, alpha=prior)


def gaussian(
    mean: Any = 0.0, *, sd: Any = None, covariance: Any = None, precision: Any = None, dim: Optional[int] = None
) -> AnyTarget:
    """A normal law, restricted to the set it is sampled on.

    Args:
        mean: one number for all coordinates or one each.
        sd: standard deviations of independent coordinates, likewise; 1 where no spread is given.
        covariance: matrix, instead of sd.
        precision: matrix, the inverse of the covariance, instead of sd.
        dim: number of coordinates, where nothing else says it.

    >>> import tain
    >>> tain.gaussian([1.0, 2.0], sd=0.5)([1.0, 2.5])
    (0.5, array([0., 2.]))
    """
    given = [(kind, m) for kind, m in (("sd", sd), ("covariance", covariance), ("precision", precision)) if m is not None]
    if len(given) > 1:
        raise InputError(f"gaussian: the spread is given twice; give one of {given[0][0]} and {given[1][0]}")
    kind, value = given[0] if given else ("sd", 1.0)
    centre = real_numbers("gaussian", "mean", mean, (0, 1))
    spread = real_numbers("gaussian", kind, value, (0, 1) if kind == "sd" else (2,))
    if spread.ndim == 2 and spread.shape[0] != spread.shape[1]:
        raise InputError(f"gaussian: {kind} has shape {spread.shape}; give a square matrix")

    agreed = _agreed("gaussian", dim, [("mean", _length(centre)), (kind, _length(spread))])
    return _built_in("gaussian", agreed, mean=centre, **{kind: spread})


def uniform(dim: Optional[int] = None) -> AnyTarget:
    """The uniform law on the set it is sampled on.

    >>> import tain
    >>> tain.uniform(dim=2)([0.1, 0.2])
    (0.0, array([0., 0.]))
    """
    return _built_in("uniform", _agreed("uniform", dim, []))


def _regression(
    where: str, X: Any, y: Any, names: Optional[Iterable[str]], intercept: Any, prior_sd: Optional[float]
) -> Dict[str, Any]:
    """What both take, by the names of the library."""
    columns = getattr(X, "columns", None)
    features = finite_numbers(where, "X", real_numbers(where, "X", X, (2,)))
    responses = finite_numbers(where, "y", real_numbers(where, "y", y, (1,)))
    rows, width = features.shape
    if responses.shape[0] != rows:
        raise InputError(f"{where}: X has {rows} rows, y has {responses.shape[0]}; give one response per row")
    chosen = _coordinate_names(where, columns if names is None else names, width)
    return {
        "features": features,
        "responses": responses,
        "names": chosen,
        "intercept": bool(intercept),
        "prior_sd": None if prior_sd == np.inf else prior_sd,
    }


def linear_regression(
    X: Any,
    y: Any,
    *,
    noise_sd: float = 1.0,
    prior_sd: Optional[float] = None,
    intercept: bool = False,
    names: Optional[Iterable[str]] = None,
) -> Target:
    """The posterior of linear regression coefficients; a sum of terms, one per row.

    Args:
        X: features, one row per observation; the columns of a pandas frame name the coefficients.
        y: responses.
        noise_sd: standard deviation of the noise.
        prior_sd: standard deviation of the normal prior of every coefficient, the intercept included; None: flat.
        intercept: put a column of ones in front.
        names: of the coefficients, one per column of X.

    >>> import tain
    >>> target = tain.linear_regression([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]], [1.0, 2.0, 3.0], names=["level", "slope"])
    >>> target.names
    ['level', 'slope']
    >>> value, gradient = target([1.0, 2.0])  # the best fit is (1, 1)
    >>> round(value, 6), gradient.round(6)
    (2.5, array([3., 5.]))
    """
    numbers = _regression("linear_regression", X, y, names, intercept, prior_sd)
    return _native.built_in("linear-regression", {**numbers, "noise_sd": noise_sd}, 0)


def logistic_regression(
    X: Any,
    y: Any,
    *,
    prior_sd: Optional[float] = None,
    intercept: bool = False,
    names: Optional[Iterable[str]] = None,
) -> Target:
    """The posterior of logistic regression coefficients; a sum of terms, one per row.

    Args:
        X: features, one row per observation; the columns of a pandas frame name the coefficients.
        y: responses, 0 or 1 (or False and True).
        prior_sd: standard deviation of the normal prior of every coefficient, the intercept included; None: flat.
        intercept: put a column of ones in front.
        names: of the coefficients, one per column of X.

    >>> import tain
    >>> target = tain.logistic_regression([[0.0], [1.0], [2.0]], [0, 0, 1], intercept=True, prior_sd=10.0)
    >>> target
    <tain.Target logistic-regression(3 rows, 2 coefficients), dim 2, 3 terms>
    """
    numbers = _regression("logistic_regression", X, y, names, intercept, prior_sd)
    responses = numbers["responses"]
    wrong = np.flatnonzero((responses != 0) & (responses != 1))
    if wrong.size:
        raise InputError(f"logistic_regression: y[{wrong[0]}] is {responses[wrong[0]]:g}; give 0 or 1")
    return _native.built_in("logistic-regression", numbers, 0)


def library(path: Union[str, "os.PathLike[str]"], arguments: str = "", dim: int = 0) -> Target:
    """A target in a shared library, by the C interface of tain/target_abi.h.

    Args:
        path: the file.
        arguments: text that the library is opened with.
        dim: of the set, 0 if the library is to decide.
    """
    return _native.library(path_of("path", path), arguments, dim)


# ---- Python functions ------------------------------------------------------------------------------


def _function_target(
    function: Optional[Function], log_density: bool, dim: Optional[int], vectorized: bool, name: Optional[str], names: Any
) -> Union[AnyTarget, Callable[[Function], AnyTarget]]:
    if function is None:
        return lambda given: _function_target(given, log_density, dim, vectorized, name, names)  # type: ignore[return-value]
    if not callable(function):
        raise InputError(f"target: a {type(function).__name__} cannot be called; give a function of x")
    _refuse_pointer(function)
    called = _function_name(function, name)

    def make(dim: int) -> Target:
        chosen = _coordinate_names(called, names, dim)
        return _native.function_target(function, dim, vectorized, called, chosen, log_density)

    return _open_or_made(called, _agreed(called, dim, []), make)


@overload
def potential(
    function: Function,
    *,
    dim: Optional[int] = ...,
    vectorized: bool = ...,
    name: Optional[str] = ...,
    names: Optional[Iterable[str]] = ...,
) -> AnyTarget: ...


@overload
def potential(
    function: None = ...,
    *,
    dim: Optional[int] = ...,
    vectorized: bool = ...,
    name: Optional[str] = ...,
    names: Optional[Iterable[str]] = ...,
) -> Callable[[Function], AnyTarget]: ...


def potential(
    function: Optional[Function] = None,
    *,
    dim: Optional[int] = None,
    vectorized: bool = False,
    name: Optional[str] = None,
    names: Optional[Iterable[str]] = None,
) -> Union[AnyTarget, Callable[[Function], AnyTarget]]:
    """A Python function that gives the potential V = -log p as target; also a decorator.

    V, up to a constant, is least where x is likely; the gradient is that of V. Whoever has log p, as in Stan, gives it
    by `tain.log_density`. On the simplex the gradient is that in all coordinates, as if they were free. A value of inf
    says that the point is outside the support.

    Args:
        function: function(x) -> (value, gradient). Of one point: x and gradient of shape (d,), value a number.
            With vectorized: x and gradient of shape (n, d), a point per row, value of shape (n,). This is what makes
            Python targets fast: one call serves all chains. x is laid out coordinate by coordinate (Fortran order),
            and gradients that come back in that order, as elementwise arithmetic gives them, are copied fastest.
            x cannot be written to, stays as it is where the function keeps it, and is always finite. Rows must not
            depend on each other; there may be more of them than chains.
        dim: number of coordinates; None: that of the set.
        vectorized: the function takes many points at once.
        name: for reports; None: the function's.
        names: of the coordinates.

    Exceptions that the function raises reach the caller of `tain.sample`.

    >>> import tain
    >>> @tain.potential(dim=2, vectorized=True)
    ... def banana(x):
    ...     bend = x[:, 1] - x[:, 0] ** 2
    ...     value = 0.5 * (x[:, 0] - 1) ** 2 + 2 * bend**2
    ...     return value, np.stack([x[:, 0] - 1 - 8 * bend * x[:, 0], 4 * bend], axis=1)
    >>> banana([0.0, 1.0])
    (2.5, array([-1.,  4.]))
    >>> print(tain.check_gradient(banana))  # doctest: +ELLIPSIS
    The gradient of banana agrees with its differences: worst relative error ...
    """
    return _function_target(function, False, dim, vectorized, name, names)


@overload
def log_density(
    function: Function,
    *,
    dim: Optional[int] = ...,
    vectorized: bool = ...,
    name: Optional[str] = ...,
    names: Optional[Iterable[str]] = ...,
) -> AnyTarget: ...


@overload
def log_density(
    function: None = ...,
    *,
    dim: Optional[int] = ...,
    vectorized: bool = ...,
    name: Optional[str] = ...,
    names: Optional[Iterable[str]] = ...,
) -> Callable[[Function], AnyTarget]: ...


def log_density(
    function: Optional[Function] = None,
    *,
    dim: Optional[int] = None,
    vectorized: bool = False,
    name: Optional[str] = None,
    names: Optional[Iterable[str]] = None,
) -> Union[AnyTarget, Callable[[Function], AnyTarget]]:
    """A Python function that gives log p as target, the density on a log scale; also a decorator.

    log p, up to a constant, is greatest where x is likely, as in Stan or scipy's logpdf; the gradient is that of log p.
    A value of -inf says that the point is outside the support. All else is as for `tain.potential`. The target itself,
    when it is called, gives V = -log p and the gradient of V, as every target does.

    Args:
        function: function(x) -> (value, gradient), as for `tain.potential`.
        dim: number of coordinates; None: that of the set.
        vectorized: the function takes many points at once.
        name: for reports; None: the function's.
        names: of the coordinates.

    >>> import tain
    >>> @tain.log_density(dim=1)
    ... def normal(x):
    ...     return -0.5 * np.sum(x**2), -x
    >>> normal([3.0])
    (4.5, array([3.]))
    """
    return _function_target(function, True, dim, vectorized, name, names)


@overload
def target(
    function: Function,
    *,
    dim: Optional[int] = ...,
    vectorized: bool = ...,
    name: Optional[str] = ...,
    names: Optional[Iterable[str]] = ...,
) -> AnyTarget: ...


@overload
def target(
    function: None = ...,
    *,
    dim: Optional[int] = ...,
    vectorized: bool = ...,
    name: Optional[str] = ...,
    names: Optional[Iterable[str]] = ...,
) -> Callable[[Function], AnyTarget]: ...


def target(
    function: Optional[Function] = None,
    *,
    dim: Optional[int] = None,
    vectorized: bool = False,
    name: Optional[str] = None,
    names: Optional[Iterable[str]] = None,
) -> Union[AnyTarget, Callable[[Function], AnyTarget]]:
    """The same as `tain.potential`, by its older name.

    Args:
        function: function(x) -> (value, gradient) of V = -log p.
        dim: number of coordinates; None: that of the set.
        vectorized: the function takes many points at once.
        name: for reports; None: the function's.
        names: of the coordinates.

    >>> import tain
    >>> tain.target(lambda x: (0.5 * np.sum(x**2), x), dim=2, name="normal")
    <tain.Target normal, dim 2>
    """
    return _function_target(function, False, dim, vectorized, name, names)


def minibatch(
    function: Function,
    *,
    terms: int,
    whole: Optional[Function] = None,
    dim: Optional[int] = None,
    vectorized: bool = False,
    log_density: bool = False,
    name: Optional[str] = None,
    names: Optional[Iterable[str]] = None,
) -> AnyTarget:
    """A potential that is a sum V = V_0 + ... + V_(N-1), for kernels on mini-batches (smld).

    What is no data, a prior say, is to be shared evenly among the terms: V_i includes 1/N of it.

    Args:
        function: function(x, indices) -> (value, gradient) of the sum of V_i over the indices. Of one point: x and
            gradient of shape (d,), indices of shape (b,). With vectorized: x and gradient of shape (n, d), value
            (n,), indices of shape (n, b), since every chain has a batch of its own.
        terms: N.
        whole: function(x) -> (value, gradient) of all terms, as for `target`. The whole potential is needed at the
            start, where the bias of mini-batches is measured, at the anchors of control variates, and by other
            kernels. None: the function is called with all indices, point by point, 8192 at a time, and summed.
        dim: number of coordinates; None: that of the set.
        vectorized: the functions take many points at once.
        log_density: the functions give log p and its gradient, not V = -log p.
        name: for reports; None: the function's.
        names: of the coordinates.

    >>> import tain
    >>> data = np.array([1.0, 2.0, 6.0])
    >>> def misfit(x, indices):
    ...     rest = x - data[indices]
    ...     return 0.5 * np.sum(rest**2), np.sum(rest, keepdims=True)
    >>> target = tain.minibatch(misfit, terms=3, dim=1)
    >>> target
    <tain.Target misfit, dim 1, 3 terms>
    >>> target([2.0])
    (8.5, array([-3.]))
    """
    if not callable(function) or not (whole is None or callable(whole)):
        raise InputError("minibatch: a function cannot be called; give a function of x and indices")
    called = _function_name(function, name)
    try:
        count = terms.__index__()
    except AttributeError:
        raise InputError(f"{called}: terms is {terms!r}; give the number of terms") from None
    if not 1 <= count < 2**63:
        raise InputError(f"{called}: terms is {count}; give 1 or more")

    def make(dim: int) -> Target:
        chosen = _coordinate_names(called, names, dim)
        return _native.batch_target(function, whole, count, dim, vectorized, called, chosen, log_density)

    return _open_or_made(called, _agreed(called, dim, []), make)


# ---- compiled functions ----------------------------------------------------------------------------


def _is_pointer(value: Any) -> bool:
    return isinstance(value, ctypes._CFuncPtr) or isinstance(getattr(value, "address", None), int)  # type: ignore[attr-defined]


def _value(pointer: Any) -> int:
    """Where a pointer of ctypes points to; ctypes.cast would leave a cycle of references behind."""
    return ctypes.c_void_p.from_buffer(pointer).value or 0


def _refuse_pointer(value: Any) -> None:
    if _is_pointer(value):
        raise InputError(
            f"target: a {type(value).__name__} is a compiled function; give tain.native(point=..., dim=...) instead"
        )


def native_signature(block: bool = False) -> Any:
    """The signature that numba's cfunc is to compile a target with; needs numba.

    Args:
        block: of a function of many points at once.
    """
    from numba import types

    array = types.CPointer(types.double)
    arguments = [types.voidptr, *([types.uintp] if block else []), array, array, array]
    return types.intc(*arguments)


def _check_signature(where: str, role: str, function: Any) -> None:
    """As far as the object tells what it is."""
    block = role == "block"
    signature = getattr(function, "_sig", None)  # numba's
    if signature is not None and signature != native_signature(block):
        raise InputError(
            f"{where}: {role} is compiled as {signature}; give cfunc the signature tain.native_signature({block or ''})"
        )
    if isinstance(function, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        declared = function.argtypes
        if declared is not None and len(declared) != 4 + block:
            raise InputError(
                f"{where}: {role} takes {len(declared)} arguments; give a function of {4 + block}, as in target_abi.h"
            )
        if function.restype is not ctypes.c_int:
            raise InputError(f"{where}: {role} does not return an int; give a function as in target_abi.h")


def _address(where: str, role: str, function: Any) -> int:
    if function is None:
        return 0
    if isinstance(function, bool) or not (_is_pointer(function) or isinstance(function, int)):
        raise InputError(
            f"{where}: {role} is a {type(function).__name__}; give a numba cfunc, a ctypes function pointer or an address"
        )
    _check_signature(where, role, function)
    if isinstance(function, int):
        address = function
    elif isinstance(function, ctypes._CFuncPtr):  # type: ignore[attr-defined]
        address = _value(function)
    else:
        address = function.address
    if not 0 < address < 2**64:
        raise InputError(f"{where}: {role} has the address {address}; give that of a function")
    return address


def _context_address(where: str, context: Any) -> int:
    if context is None:
        return 0
    if isinstance(context, int) and not isinstance(context, bool) and 0 <= context < 2**64:
        return context
    if isinstance(context, np.ndarray):
        if not context.flags.c_contiguous:
            raise InputError(f"{where}: context is not contiguous; give numpy.ascontiguousarray(context)")
        return int(context.ctypes.data)
    if isinstance(context, (ctypes._Pointer, ctypes.c_void_p)):
        return _value(context)
    if isinstance(context, (ctypes.Structure, ctypes.Union, ctypes.Array, ctypes._SimpleCData)):
        return ctypes.addressof(context)
    raise InputError(
        f"{where}: context is a {type(context).__name__}; give an array, a ctypes object or an address"
    )


def native(
    point: Any = None,
    *,
    block: Any = None,
    dim: int,
    context: Any = None,
    log_density: bool = False,
    name: Optional[str] = None,
    names: Optional[Iterable[str]] = None,
) -> Target:
    """Compiled functions as target, called without the interpreter and from several threads at once.

    Their signatures are those of tain/target_abi.h:

        int point(void* context, const double* x, double* value, double* gradient);
        int block(void* context, size_t lanes, const double* x, double* value, double* gradient);

    with coordinate i of point l at x[i * lanes + l]. They return 0, or 1 to reject a point. One of the two is enough.

    Args:
        point: numba cfunc, ctypes function pointer, or address.
        block: likewise.
        dim: number of coordinates.
        context: what the functions get first: a numpy array (its data), a ctypes object, or an address.
        log_density: the functions give log p and its gradient, not V = -log p.
        name: for reports; None: the function's.
        names: of the coordinates.

    The objects given are kept alive by the target; what an address points to is not. A ctypes callback into Python
    works, takes the lock at every call, and cannot raise: use `target` for Python functions.

    >>> import tain
    >>> import ctypes
    >>> double_p = ctypes.POINTER(ctypes.c_double)
    >>> @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, double_p, double_p, double_p)
    ... def half_square(context, x, value, gradient):
    ...     value[0], gradient[0] = 0.5 * x[0] ** 2, x[0]
    ...     return 0
    >>> tain.native(half_square, dim=1)([3.0])
    (4.5, array([3.]))
    """
    given = block if point is None else point
    if given is None:
        raise InputError("native: no function is given; give point or block")
    if name is None:
        name = getattr(given, "__name__", None) or "native"
    where = f"target {name}"
    size = dimension(where, dim)
    addresses = _address(where, "point", point), _address(where, "block", block), _context_address(where, context)
    return _native.pointer_target(
        *addresses, size, name, (point, block, context), _coordinate_names(where, names, size), log_density
    )


# ---- for sample ------------------------------------------------------------------------------------


def as_target(value: Any, dim: Optional[int] = None) -> Target:
    """Whatever can be sampled, as a Target: a target, or a function of a point.

    Args:
        value: a Target or TargetFamily as it is; a function, of V = -log p, as by `potential`.
        dim: coordinates of the set, for those that leave it to the set.

    >>> import tain
    >>> tain.as_target(tain.uniform(), dim=3)
    <tain.Target uniform(3), dim 3>
    """
    if isinstance(value, Target):
        return value
    if not isinstance(value, TargetFamily):
        _refuse_pointer(value)
        if not callable(value):
            raise InputError(
                f"target: a {type(value).__name__} is no target; give tain.gaussian(...) and the like, or a function"
            )
        value = target(value)
    if dim is None:
        raise InputError(f"target {value.name}: nothing says how many coordinates it has; give dim")
    made: Target = value.with_dim(dim)
    return made


def check_gradient(target: Any, set: Union[None, Set, Mapping[str, Set]] = None, seed: int = 1) -> GradientCheck:
    """Compares a target's gradient with differences of its values, at random points.

    Of a sum of terms it also checks that the terms sum to the whole.

    Args:
        target: as for `tain.sample`.
        set: where the points are; None: normal points in all of space.
        seed: of the points.

    Returns:
        An object that is true if they agree, prints what was found, and has the fields passed, worst_error, point and
        explanation.

    >>> import tain
    >>> def wrong(x):
    ...     return 0.5 * np.sum(x**2), 2 * x
    >>> check = tain.check_gradient(tain.target(wrong, dim=2))
    >>> bool(check)
    False
    """
    where = as_set(set)
    chosen = as_target(target, None if where is None else where.dim)
    return _native.check_gradient(chosen, where, seed)
