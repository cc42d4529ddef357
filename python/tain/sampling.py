"""Draws from a target on a set, and what they are worth."""

from __future__ import annotations

import difflib
import os
import warnings
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _native
from ._native import Set
from ._paths import native_path, path_of
from ._progress import Progress, shown_progress
from .diagnosis import Judged
from .errors import InputError, Interrupted
from .sets import as_set
from .targets import as_target


class ExactMoment(NamedTuple):
    """A moment that the target knows, and what the draws say: z is the difference in standard errors.

    >>> ExactMoment("mean of x[1]", 0.5, 0.51, 0.01, 1.0).z
    1.0
    """

    name: str
    exact: float
    estimate: float
    mcse: float
    z: float


class Result(Judged):
    """What `tain.sample` and `tain.read_run` return.

    Attributes:
        draws: array (chain, draw, coordinate), read-only; `draws.reshape(-1, dim)` are all draws, one per row.
        dual: where the chains were in dual coordinates, y = grad h(x).
        names: of the coordinates.
        parameters: where the coordinates of each parameter are: (first, count, shape).
        log_density: array (chain, draw), of the dual density, up to a constant.
        acceptance_rate: array (chain, draw), Metropolis acceptance of the step into each draw.
        diverging: array (chain, draw) of bool.
        kernel, step_size, thin, seed: what the run used.
        acceptance: mean over all steps.
        divergences, gradients, seconds: counts of the whole run, and its time.
        finished: False where Ctrl-C ended it early; the draws are those complete until then.
        notes: what was decided on the user's behalf.

    What a file of draws does not tell is empty, 0 or NaN.

    >>> result = tain.sample(tain.dirichlet(counts=[3, 1, 0]), chains=4, draws=500)
    >>> result.draws.shape
    (4, 500, 3)
    >>> result
    <tain.Result: 4 chains of 500 draws, 3 coordinates, hmc; Trust these draws.>
    """

    def __init__(self, run: _native.Run) -> None:
        super().__init__(run.diagnosis)
        self._run = run
        self.draws: np.ndarray = run.draws
        self.dual: np.ndarray = run.dual
        self.names: List[str] = run.names
        self.parameters: Dict[str, Tuple[int, int, List[int]]] = run.parameters
        self.log_density: np.ndarray = run.log_density
        self.acceptance_rate: np.ndarray = run.acceptance_rate
        self.diverging: np.ndarray = run.diverging != 0
        facts: Dict[str, Any] = run.facts()
        self.target: str = facts["target"]
        self.map: str = facts["map"]
        self.kernel: str = facts["kernel"]
        self.step_size: float = facts["step_size"]
        self.thin: int = facts["thin"]
        self.seed: int = facts["seed"]
        self.acceptance: float = facts["acceptance"]
        self.divergences: int = facts["divergences"]
        self.gradients: int = facts["gradients"]
        self.seconds: float = facts["seconds"]
        self.finished: bool = facts["finished"]
        self.notes: List[str] = facts["notes"]

    def __getitem__(self, name: str) -> np.ndarray:
        """Draws of one parameter by its name: (chain, draw), and its own shape.

        >>> where = tain.product(w=tain.simplex(3), s=tain.positive())
        >>> result = tain.sample(tain.gaussian(), where, draws=100)
        >>> result["w"].shape, result["s"].shape
        ((4, 100, 3), (4, 100))
        """
        if name not in self.parameters:
            near = difflib.get_close_matches(str(name), self.parameters, 1)
            meant = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(self.parameters)}"
            raise KeyError(f"{name!r} is no parameter of the run; {meant}")
        first, count, shape = self.parameters[name]
        part = self.draws[:, :, first : first + count]
        return part.reshape(*part.shape[:2], *shape)

    def exact(self) -> List[ExactMoment]:
        """Means and variances of the draws beside the exact ones, where the target knows them.

        >>> rows = tain.sample(tain.dirichlet(counts=[3, 1, 0])).exact()
        >>> rows[0].name, rows[0].exact
        ('mean of x[1]', 0.5714285714285714)
        """
        return [ExactMoment(*row) for row in self._run.exact()]

    def save(self, path: Union[str, os.PathLike[str]], *, overwrite: bool = False) -> None:
        """Writes the draws as the program does: netCDF for ArviZ (.nc), Stan's CSV (.csv) or numpy (.npy).

        >>> import tempfile, pathlib
        >>> folder = tempfile.TemporaryDirectory()
        >>> tain.sample(tain.uniform(), tain.simplex(3)).save(pathlib.Path(folder.name) / "draws.npy")
        >>> np.load(pathlib.Path(folder.name) / "draws.npy").shape
        (4, 1000, 3)
        """
        self._run.save(native_path("path", path), overwrite)

    def to_netcdf(self, path: Union[str, os.PathLike[str]], *, overwrite: bool = False) -> None:
        """Writes netCDF in the layout of ArviZ: groups posterior, unconstrained_posterior and sample_stats.

        `arviz.from_netcdf` and `xarray.open_dataset(path, group="posterior")` read it, and so does `tain diagnose`.

        >>> import tempfile, pathlib
        >>> folder = tempfile.TemporaryDirectory()
        >>> path = pathlib.Path(folder.name) / "draws.nc"
        >>> tain.sample(tain.uniform(), tain.simplex(3)).to_netcdf(path)
        >>> path.exists()
        True
        """
        if not path_of("path", path).endswith(".nc"):
            raise InputError(f"to_netcdf: '{path_of('path', path)}' does not end in .nc; name it so, or use save()", field="path")
        self.save(path, overwrite=overwrite)

    def to_inferencedata(self) -> Any:
        """The draws as `arviz.InferenceData`. Needs ArviZ."""
        try:
            import arviz
        except ImportError:
            raise ImportError("to_inferencedata needs ArviZ; install it, or use to_netcdf and arviz.from_netcdf") from None
        named = self._run.named
        return arviz.from_dict(
            posterior={name: np.array(self[name]) for name in self.parameters} if named else {"x": np.array(self.draws)},
            sample_stats={
                name: np.array(values)
                for name, values in (
                    ("lp", self.log_density),
                    ("acceptance_rate", self.acceptance_rate),
                    ("diverging", self.diverging),
                )
                if values.size
            },
            coords={} if named else {"x_dim": self.names},
            dims={} if named else {"x": ["x_dim"]},
            attrs={"inference_library": "tain", "inference_library_version": _native.__version__},
        )

    def report(self, path: Union[str, os.PathLike[str]], *, overwrite: bool = False) -> None:
        """Writes the page about the run: verdict, table, traces, ranks, pairs; one HTML file.

        >>> import tempfile, pathlib
        >>> folder = tempfile.TemporaryDirectory()
        >>> tain.sample(tain.uniform(), tain.simplex(3)).report(pathlib.Path(folder.name) / "run.html")
        """
        self._run.report(native_path("path", path), overwrite)

    def __repr__(self) -> str:
        chains, draws, dim = self.draws.shape
        headline = self.verdict().headline if self._run.judged else "Stopped before there was enough to judge."
        return f"<tain.Result: {chains} chains of {draws} draws, {dim} coordinates, {self.kernel}; {headline}>"


def read_run(files: Union[str, os.PathLike[str], Sequence[Union[str, os.PathLike[str]]]], threads: int = 0) -> Result:
    """Draws in files, of `tain`, Stan or ArviZ, with their verdict and what is known of how they were made.

    Args:
        files: one (.nc, .csv, .npy), or several that are the chains of one run.
        threads: 0: all cores.

    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name) / "draws.nc"
    >>> drawn = tain.sample(tain.dirichlet(counts=[3, 1, 0]), output=path)
    >>> read = tain.read_run(path)
    >>> bool((read.draws == drawn.draws).all()), read.kernel, bool(read.verdict())
    (True, 'hmc', True)
    """
    names = list(files) if isinstance(files, (list, tuple)) else [files]
    return Result(_native.read_run([native_path("files", name) for name in names], threads))


def _path(name: str, value: Union[None, str, os.PathLike[str]]) -> Optional[str]:
    return None if value is None else path_of(name, value)


def _given(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"<{type(value).__name__}>"


def sample(
    target: Any,
    set: Union[None, Set, Mapping[str, Set]] = None,
    *,
    kernel: str = "auto",
    chains: int = 4,
    warmup: int = 1000,
    draws: int = 1000,
    thin: Union[str, int] = "auto",
    step_size: Any = "auto",
    batch: Optional[int] = None,
    replacement: bool = False,
    control_variates: Optional[int] = None,
    start: Any = None,
    names: Optional[Sequence[str]] = None,
    target_acceptance: Optional[float] = None,
    trajectory_length: Optional[float] = None,
    precondition: str = "auto",
    dual_form: str = "auto",
    on_non_finite: str = "fail",
    smoothing: Optional[float] = None,
    seed: int = 1,
    threads: int = 0,
    isa: str = "auto",
    memory: Union[None, int, str] = None,
    check_gradient: bool = True,
    output: Union[None, str, os.PathLike[str]] = None,
    report: Union[None, str, os.PathLike[str]] = None,
    resume: bool = False,
    overwrite: bool = False,
    checkpoint_every: Optional[int] = None,
    checkpoint_seconds: float = 30,
    progress: Union[None, bool, Progress] = None,
    force: Optional[bool] = None,
    domain: Union[None, Set, Mapping[str, Set]] = None,
) -> Result:
    """Draws from a law on a constrained set, by mirrored Langevin dynamics or Hamiltonian Monte Carlo in the dual.

    The keywords are the flags of `tain sample`, and so are the defaults: the same seed gives the same bits as the
    program, on any number of threads.

    Args:
        target: the density: `tain.dirichlet`, `tain.gaussian`, ... or a function that returns the value and the
            gradient of V = -log p at a point; see `tain.potential` for functions of many points at once, which are far
            faster, `tain.log_density` for those that give log p, and `tain.native` for compiled ones.
        set: `tain.simplex`, `tain.box`, `tain.ball`, `tain.product`, ..., or a dict of them, whose keys are names of
            parameters; default: the simplex for `tain.dirichlet`, else all of space.
        kernel: "hmc", "mala", "mld", "smld" (mini-batches), ...; "auto": hmc, or smld where a batch is given.
        chains: number of chains.
        warmup: steps before the first draw, in which step size, scales and trajectory length are learned.
        draws: kept per chain.
        thin: steps per draw.
        step_size: "auto", a number, "theory" (that of the paper's Theorem 4), or (a, b, c) for a(1 + t/b)^-c.
        batch: terms of the target that a step of smld looks at.
        replacement: draw the terms of a batch with replacement.
        control_variates: smld: steps between anchors, whole gradients that batches correct.
        start: point that all chains start at; default: dispersed around the target's own.
        names: of the coordinates; default: those of the set, else of the target.
        target_acceptance: that the automatic step size aims at.
        trajectory_length: of hmc; default: learned.
        precondition: "auto", "none" or "diagonal".
        dual_form: "auto", "closed" (paper 3.7) or "generic" (3.3).
        on_non_finite: mld: "fail" or "reject" a step to a point that is not finite.
        smoothing: myula: how softly the set confines.
        seed: any whole number from 0.
        threads: 0: all cores.
        isa: pins the instruction set: "auto", "baseline", "avx2" or "avx512".
        memory: refuse runs that need more, e.g. "4G".
        check_gradient: compare the gradient of a target of your own with differences first, at points of the set, and
            refuse it where they differ; targets built in are not checked.
        output: draws to a file (.nc, .csv, .npy), with checkpoints beside it while the run lasts.
        report: page about the run, an HTML file.
        resume: continue the stopped run that `output` names. A finished one with the same arguments is read back
            instead: what the file has no place for, the dual of a .csv say, is empty then.
        overwrite: output and report; discards a stopped run.
        checkpoint_every: draws between checkpoints; default: by time alone.
        checkpoint_seconds: between checkpoints.
        progress: None: a line in terminals and notebooks; True, False, or a function of (text, share).
        force, domain: old names of overwrite and set.

    Returns:
        A `Result`. Ctrl-C ends the run early: the result has the draws that are complete, and a warning says so.

    Raises:
        InputError: for whatever is wrong with the arguments; what a target raises is raised as it is.

    >>> result = tain.sample(tain.dirichlet(counts=[10, 3, 0, 0], alpha=0.1), seed=7)
    >>> bool(result.verdict())
    True

    A law of one's own, on the unit disc, many points at once:

    >>> @tain.potential(dim=2, vectorized=True)
    ... def tilted(x):
    ...     return -3 * x[:, 0], np.tile([-3.0, 0.0], (len(x), 1))
    >>> disc = tain.sample(tilted, tain.ball(), draws=500)
    >>> bool((np.linalg.norm(disc.draws, axis=2) < 1).all())
    True
    """
    if force is not None:
        overwrite = _renamed("force", force, "overwrite", overwrite or None)
    if domain is not None:
        set = _renamed("domain", domain, "set", set)
    keywords: Dict[str, Any] = dict(
        kernel=kernel,
        chains=chains,
        warmup=warmup,
        draws=draws,
        thin=thin,
        step_size=step_size,
        batch=batch,
        replacement=replacement,
        control_variates=control_variates,
        start=start,
        names=names,
        target_acceptance=target_acceptance,
        trajectory_length=trajectory_length,
        precondition=precondition,
        dual_form=dual_form,
        on_non_finite=on_non_finite,
        smoothing=smoothing,
        seed=seed,
        threads=threads,
        isa=isa,
        memory=memory,
        check_gradient=check_gradient,
        output=_path("output", output),
        report=_path("report", report),
        resume=resume,
        overwrite=overwrite,
        checkpoint_every=checkpoint_every,
        checkpoint_seconds=checkpoint_seconds,
    )
    where = as_set(set)
    chosen = as_target(target, None if where is None else where.dim)
    with shown_progress(progress) as line:
        run = _native.sample(chosen, where, keywords, _call_text(target, where, keywords), line)
    return _warned(Result(run), "call again with resume=True")


def resume(
    output: Union[str, os.PathLike[str]],
    target: Any = None,
    set: Union[None, Set, Mapping[str, Set]] = None,
    *,
    threads: int = 0,
    report: Union[None, str, os.PathLike[str]] = None,
    progress: Union[None, bool, Progress] = None,
) -> Result:
    """Goes on with the stopped run of an output as it was asked for, or gives back the finished one.

    Args:
        output: the file of draws that the run was to write.
        target: where it is a function, which no file keeps: the same again.
        set: where only the call had it.
        threads: 0: all cores.
        report: page about the run, an HTML file.
        progress: as for `tain.sample`.

    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name) / "draws.nc"
    >>> drawn = tain.sample(tain.dirichlet(counts=[3, 1, 0]), output=path)
    >>> bool((tain.resume(path).draws == drawn.draws).all())
    True
    """
    where = as_set(set)
    chosen = None if target is None else as_target(target, None if where is None else where.dim)
    keywords = dict(threads=threads, report=_path("report", report))
    with shown_progress(progress) as line:
        run = _native.resume(native_path("output", output), chosen, where, keywords, f"tain.resume({str(output)!r})", line)
    return _warned(Result(run), "call again")


def _renamed(old: str, value: Any, new: str, given: Any) -> Any:
    """What an argument says by the name it had."""
    if given is not None:
        raise InputError(f"{old}: is an old name of {new}; give {new} only", field=old)
    warnings.warn(f"{old}= is an old name; write {new}=", DeprecationWarning, stacklevel=3)
    return value


def _warned(result: Result, again: str) -> Result:
    if not result.finished:
        facts = result._run.facts()
        remedy = f"{again} to go on" if facts["resumable"] else "give output= to be able to go on"
        text = f"interrupted after {result.draws.shape[1]} of {facts['planned']} draws; {remedy}"
        warnings.warn(text, Interrupted, stacklevel=3)
    return result


def _call_text(target: Any, where: Optional[Set], keywords: Mapping[str, Any]) -> str:
    """The call as one could write it again; for reports."""
    defaults = sample.__kwdefaults__ or {}
    given = [f"{name}={_given(value)}" for name, value in keywords.items() if value is not None and value is not defaults[name]]
    name = str(getattr(target, "name", None) or getattr(target, "__name__", type(target).__name__))
    place = [] if where is None else [repr(where)[len("<tain.Set ") : -1]]
    return f"tain.sample({', '.join([name, *place, *given])})"
