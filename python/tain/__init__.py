"""Tain: sampling from distributions on constrained sets, and topic models, by mirrored Langevin dynamics."""

from ._native import __version__
from .errors import Error, FileError, InputError
from .targets import (
    GradientCheck,
    OpenTarget,
    Target,
    as_target,
    check_gradient,
    dirichlet,
    gaussian,
    library,
    linear_regression,
    logistic_regression,
    minibatch,
    native,
    native_signature,
    target,
    uniform,
)

__all__ = [
    "Error",
    "FileError",
    "GradientCheck",
    "InputError",
    "OpenTarget",
    "Target",
    "__version__",
    "as_target",
    "check_gradient",
    "dirichlet",
    "gaussian",
    "library",
    "linear_regression",
    "logistic_regression",
    "minibatch",
    "native",
    "native_signature",
    "target",
    "uniform",
]
