"""Tain: sampling from distributions on constrained sets, and topic models, by mirrored Langevin dynamics."""

from typing import TYPE_CHECKING, Any

from ._native import Domain, GradientCheck, Target, __version__
from .corpus import Corpus
from .diagnosis import Diagnosis, Summary, diagnose
from .domains import affine, ball, box, orthant, product, simplex, whole
from .errors import Error, FileError, InputError, Interrupted
from .sampling import ExactRow, Result, sample
from .targets import (
    OpenTarget,
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
from .verdict import Verdict

if TYPE_CHECKING:
    from .lda import LDA

__all__ = [
    "Corpus",
    "Diagnosis",
    "Domain",
    "Error",
    "ExactRow",
    "FileError",
    "GradientCheck",
    "InputError",
    "Interrupted",
    "LDA",
    "OpenTarget",
    "Result",
    "Summary",
    "Target",
    "Verdict",
    "__version__",
    "affine",
    "as_target",
    "ball",
    "box",
    "check_gradient",
    "diagnose",
    "dirichlet",
    "gaussian",
    "library",
    "linear_regression",
    "logistic_regression",
    "minibatch",
    "native",
    "native_signature",
    "orthant",
    "product",
    "sample",
    "simplex",
    "target",
    "uniform",
    "whole",
]


def __getattr__(name: str) -> Any:
    if name == "LDA":  # scikit-learn, which it is built on, takes its time to import
        from .lda import LDA

        return LDA
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
