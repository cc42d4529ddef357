"""The paper's studies, repeated: which of its claims hold."""

from __future__ import annotations

import os
import warnings
from typing import Any, List, NamedTuple, Optional, Union

from . import _native
from ._page import Page
from ._paths import native_path, path_of
from ._progress import Progress, shown_progress
from .corpus import Corpus, PathLike
from .errors import Interrupted

__all__ = ["Finding", "Study", "lda", "synthetic"]


class Finding(NamedTuple):
    """What a study says to a claim, or to a question.

    Attributes:
        claim: The paper's claim, or the question asked.
        source: Where it is from, e.g. "paper, section 5.1", or "beyond the paper".
        holds: "holds", "holds in part" or "does not hold"; None: it is a question.
        sentences: What was found.

    >>> Finding("MLD outperforms SGRLD.", "paper", "holds", ["By far."]).holds
    'holds'
    """

    claim: str
    source: str
    holds: Optional[str]
    sentences: List[str]


class Study(NamedTuple):
    """What came out of a study; `print` shows its findings.

    Attributes:
        page: The page in its folder, beside figures and data; in notebooks it shows itself.
        finished: Else `resume=True` goes on with it, and there are no findings yet.
        seconds: What all its parts took.
        findings: A `Finding` for every claim and question.
        text: The findings as people read them.

    >>> print(Study(Page("index.html"), True, 1.0, [], "MLD outperforms SGRLD: holds"))
    MLD outperforms SGRLD: holds
    """

    page: Page
    finished: bool
    seconds: float
    findings: List[Finding]
    text: str

    def __str__(self) -> str:
        return self.text


def synthetic(
    folder: PathLike,
    *,
    resume: bool = False,
    overwrite: bool = False,
    progress: Union[None, bool, Progress] = None,
    **options: Any,
) -> Study:
    """Repeats the paper's synthetic study, as `tain reproduce synthetic` does.

    Args:
        folder: Where page, figures and data are to be.
        resume: Go on with the stopped study of the folder.
        overwrite: Replace the study in the folder.
        progress: None shows a line where someone looks, True always, False never; or a function of (text, share).
        **options: The flags of `tain reproduce synthetic`: `quick`, `chains`, `grid_chains`, `further_chains`,
            `iterations`, `seed`, `isa`, `threads`.

    Returns:
        The findings, and where the page is. Ctrl-C ends the study early, with a warning `Interrupted`.

    >>> few = dict(chains=1000, grid_chains=1000, further_chains=1000, iterations=100)
    >>> study = tain.reproduce.synthetic("study", **few)
    >>> study.findings[0].source
    'paper, section 5.1, figure 1a'
    """
    with shown_progress(progress) as line:
        command = _call("synthetic", folder, options)
        found = _native.reproduce_synthetic(native_path("folder", folder), options, resume, overwrite, command, line)
    return _study(found)


def lda(
    folder: PathLike,
    corpus: Union[None, Corpus, PathLike] = None,
    *,
    resume: bool = False,
    overwrite: bool = False,
    progress: Union[None, bool, Progress] = None,
    **options: Any,
) -> Study:
    """Repeats the paper's study of topic models, as `tain reproduce lda` does.

    Args:
        folder: Where page, figures and data are to be.
        corpus: Documents to train on: a corpus, or its folder; None: a synthetic one, for the quick study.
        resume: Go on with the stopped study of the folder.
        overwrite: Replace the study in the folder.
        progress: As in `synthetic`.
        **options: The flags of `tain reproduce lda`: `quick`, `topics`, `methods`, `docs`, `holdout`, `eval_every`,
            `runs`, `sweeps`, `alpha`, `eta`, `seed`, `isa`, `threads`.

    Returns:
        As `synthetic`.

    >>> corpus = tain.Corpus.synthesize("corpus", docs=200, topics=4, vocab_size=100, mean_length=40)
    >>> few = dict(topics=4, methods=["smld-approximate", "sgrld"], docs=50, holdout=30, eval_every=50, runs=1, sweeps=2)
    >>> tain.reproduce.lda("study", corpus, **few).finished
    True
    """
    held = Corpus(corpus) if isinstance(corpus, (str, bytes, os.PathLike)) else corpus
    with shown_progress(progress) as line:
        command = _call("lda", folder, {} if held is None else {"corpus": held.folder}, options)
        native = None if held is None else held._native
        found = _native.reproduce_lda(native_path("folder", folder), options, resume, overwrite, command, line, native)
    return _study(found)


def _call(name: str, folder: PathLike, *options: Any) -> str:
    given = [f"{key}={value!r}" for group in options for key, value in group.items()]
    return f"tain.reproduce.{name}({', '.join([repr(path_of("folder", folder)), *given])})"


def _study(found: Any) -> Study:
    page, finished, seconds, findings, text = found
    if not finished:
        warnings.warn("the study was stopped; call again with resume=True to go on", Interrupted, stacklevel=3)
    return Study(Page(page), finished, seconds, [Finding(*finding) for finding in findings], text)
