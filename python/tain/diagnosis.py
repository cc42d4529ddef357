"""What draws are worth: the table, and the verdict."""

from __future__ import annotations

import os
import shutil
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from . import _native
from ._numbers import real_numbers
from ._paths import native_path
from .errors import InputError
from .verdict import Verdict


class Summary(Mapping[str, np.ndarray]):
    """The table of a run: columns by name, one row per coordinate; prints as people read it.

    What `summary()` returns where pandas is not installed.

    >>> table = Summary(["a", "b"], {"mean": np.array([1.0, 2.0])}, "...")
    >>> table["mean"]
    array([1., 2.])
    >>> list(table)
    ['mean']
    """

    def __init__(self, names: Sequence[str], columns: Mapping[str, np.ndarray], text: str) -> None:
        self.names = list(names)
        self._columns = dict(columns)
        self._text = text

    def __getitem__(self, column: str) -> np.ndarray:
        return self._columns[column]

    def __iter__(self) -> Any:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return self._text


class Judged:
    """Draws with a table and a verdict: what `Result` and `Diagnosis` have in common."""

    def __init__(self, found: Callable[[], _native.Diagnosis]) -> None:
        self._found = found  # raises InputError where there are too few draws

    def summary(self) -> Any:
        """Mean, its Monte Carlo error, standard deviation, quantiles, effective sample sizes and R-hat;
        nested R-hat (of 32 chains or more) and the Pareto k of the tails.

        Returns:
            A pandas DataFrame, one row per coordinate; a `Summary` where pandas is not installed.

        >>> table = tain.sample(tain.dirichlet(counts=[3, 1, 0]), draws=500).summary()
        >>> list(table)
        ['mean', 'mcse', 'sd', 'q5', 'q50', 'q95', 'ess_bulk', 'ess_tail', 'rhat', 'nested_rhat', 'pareto_k']
        >>> bool(table["rhat"].max() < 1.01)
        True
        """
        found = self._found()
        try:
            import pandas
        except ImportError:
            return Summary(found.names, found.columns(), self._table())
        return pandas.DataFrame(found.columns(), index=found.names)

    def verdict(self) -> Verdict:
        """Whether to trust the draws, and why: true where every gate was passed.

        >>> print(tain.sample(tain.dirichlet(counts=[3, 1, 0]), draws=10).verdict().trust)
        False
        """
        return Verdict(self._found().verdict())

    def _table(self) -> str:
        text: str = self._found().table(30, shutil.get_terminal_size((100, 24)).columns)
        return text.rstrip("\n")

    def __str__(self) -> str:
        try:
            return f"{self._table()}\n\n{self.verdict()}"
        except InputError:
            return repr(self)

    def _repr_html_(self) -> str:
        from html import escape

        try:
            return f"<pre>{escape(self._table())}</pre>{self.verdict()._repr_html_()}"
        except InputError:
            return f"<p>{escape(repr(self))}</p>"


class Diagnosis(Judged):
    """What `tain.diagnose` returns: a table and a verdict, printed as the program does.

    >>> print(tain.diagnose(np.random.default_rng(1).normal(size=(4, 1000))).verdict().headline)
    Trust these draws.
    """

    def __repr__(self) -> str:
        return f"<tain.Diagnosis: {len(self._found().names)} coordinates; {self.verdict().headline}>"


def diagnose(
    draws: Union[Any, str, os.PathLike[str], Sequence[Union[str, os.PathLike[str]]]],
    names: Optional[Sequence[str]] = None,
    *,
    threads: int = 0,
) -> Diagnosis:
    """Judges draws of any sampler, as `tain diagnose` does.

    Args:
        draws: array (chain, draw, coordinate), or (chain, draw) of one quantity; or a file, or one file per chain:
            netCDF of ArviZ, CSV of Stan, .npy.
        names: of the coordinates of an array.
        threads: 0: all cores.

    >>> noise = np.random.default_rng(1).normal(size=(4, 1000, 2))
    >>> tain.diagnose(noise, names=["a", "b"])
    <tain.Diagnosis: 2 coordinates; Trust these draws.>
    >>> noise[0] += 1
    >>> bool(tain.diagnose(noise).verdict())
    False
    """
    files = [draws] if isinstance(draws, (str, bytes, os.PathLike)) else draws
    if isinstance(files, (list, tuple)) and files and all(isinstance(file, (str, bytes, os.PathLike)) for file in files):
        if names is not None:
            raise InputError("names: a file has its own; leave them out")
        found = _native.diagnose_files([native_path("draws", file) for file in files], threads)
    else:
        found = _native.diagnose_array(_draws_of(draws), _names_of(names, draws), threads)
    return Diagnosis(lambda: found)


def _draws_of(draws: Any) -> np.ndarray:
    array = real_numbers("draws", "the array", draws, (2, 3))
    return array.reshape(*array.shape[:2], -1)


def _names_of(names: Optional[Sequence[str]], draws: Any) -> Sequence[str]:
    if names is None:
        return []
    expected = _draws_of(draws).shape[2]
    if len(names) != expected:
        raise InputError(f"names: {len(names)} for {expected} coordinates; give one each")
    return [str(name) for name in names]
