"""Tain: sampling from distributions on constrained sets, and topic models, by mirrored Langevin dynamics."""

import warnings
from typing import TYPE_CHECKING, Any

from . import _native

_native._require_first_interpreter()  # before numpy, which says less

from ._native import GradientCheck, Set, Target, __version__
from .corpus import Corpus
from .diagnosis import Diagnosis, Summary, diagnose
from .errors import Error, FileError, InputError, Interrupted
from .sampling import ExactMoment, Result, read_run, resume, sample
from . import reproduce, sets as _sets
from .sets import *
from . import targets as _targets
from .targets import *
from .verdict import Verdict

if TYPE_CHECKING:
    from .lda import LDA

__all__ = [
    "Corpus",
    "Diagnosis",
    "Error",
    "ExactMoment",
    "FileError",
    "GradientCheck",
    "InputError",
    "Interrupted",
    "LDA",
    "Result",
    "Set",
    "Summary",
    "Target",
    "Verdict",
    "__version__",
    "diagnose",
    "read_run",
    "resume",
    "sample",
]
__all__ += _sets.__all__ + _targets.__all__
__all__.sort()


#: Names of one version ago.
_FORMER = {
    "Domain": "Set",
    "ExactRow": "ExactMoment",
    "OpenTarget": "TargetFamily",
    "orthant": "positive",
    "whole": "real",
}


def __getattr__(name: str) -> Any:
    if name == "LDA":  # scikit-learn, which it is built on, takes its time to import
        from .lda import LDA

        return LDA
    if name in _FORMER:
        warnings.warn(f"tain.{name} is an old name; write tain.{_FORMER[name]}", DeprecationWarning, stacklevel=2)
        return globals()[_FORMER[name]]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
