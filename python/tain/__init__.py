"""Tain: sampling from distributions on constrained sets, and topic models, by mirrored Langevin dynamics."""

from ._native import __version__
from .errors import Error, FileError, InputError

__all__ = ["Error", "FileError", "InputError", "__version__"]
