"""Topic models: latent Dirichlet allocation by mirrored Langevin dynamics, as a scikit-learn estimator."""

from __future__ import annotations

import math
import os
import tempfile
import warnings
import webbrowser
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _native
from ._counts import counts_of, is_sparse, require_sound, words_of
from ._paths import native_path
from ._estimator import CHECKS_ON_FRACTIONS, BaseEstimator, NotFittedError, TransformerMixin
from ._page import Page
from ._progress import Progress, _in_notebook, shown_progress
from ._topic_results import Evaluation, TopicWords
from .corpus import Corpus, PathLike
from .errors import InputError, Interrupted
from .verdict import Verdict

# Parameters that are flags of `tain lda train` under their own names.
_FLAGS = (
    "alpha",
    "eta",
    "method",
    "start",
    "descent",
    "descent_batch",
    "descent_rate",
    "assignments",
    "batch",
    "sweeps",
    "step_size",
    "approximation",
    "floor",
    "warmup",
    "steps",
    "passes",
    "max_seconds",
    "holdout",
    "eval_every",
    "burn_in",
    "average_every",
    "keep_draws",
    "checkpoint_every",
    "checkpoint_seconds",
    "threads",
)
# Those that have a meaning for streams.
_STREAM_FLAGS = ("alpha", "eta", "method", "descent", "batch", "sweeps", "keep_draws", "threads")
# Attributes that a stream publishes when they are asked for, not after every call of partial_fit.
_PUBLISHED = ("components_", "alpha_", "shares_", "eta_", "verdict_", "_record")
_HISTORY = (
    ("step", "<u8"),
    ("documents", "<u8"),
    ("seconds", "<f8"),
    ("perplexity", "<f8"),
    ("standard_error", "<f8"),
    ("perplexity_average", "<f8"),
)


class LDA(TransformerMixin, BaseEstimator):
    """Latent Dirichlet allocation whose topics are sampled by mirrored Langevin dynamics.

    The parameters have the names of the flags of `tain lda train` (`n_components` is its `--topics`, `random_state`
    its `--seed`) and the same defaults, and `fit` on a corpus gives the same bits as the program, for any number of
    threads.

    Args:
        n_components: Topics.
        alpha: Dirichlet parameter of a document's topics, per topic. None: 5 / n_components.
        eta: Dirichlet parameter of a topic's words, per word. None: 0.05.
        optimize_alpha: Learn an alpha for every topic in the first pass that samples.
        method: Sampler of topics: "smld-root", "smld", "smld-approximate", "smld-preconditioned", "sgrld", "sgrhmc"
            or "scir".
        start: Topics to start from: "random", "documents", "descent"; None: by method.
        descent: Documents of the descent. None: three fifths of the run.
        descent_batch: Documents of a step of the descent.
        descent_rate: First rate of the descent, up to 1.
        assignments: Topics of tokens, "fresh" or "kept"; None: by method.
        batch: Documents that a step samples.
        sweeps: Gibbs sweeps over a batch.
        step_size: A number, or (a, b, c) for a(1 + t/b)^-c at step t.
        approximation: Of smld-approximate: "linear" or "quadratic".
        floor: Of smld-approximate: least weight of a word.
        warmup: Of smld-preconditioned: steps during which it adapts.
        passes: Stop after so many passes over the documents. None: 5, more over small corpora.
        steps: Stop after so many steps instead.
        max_seconds: Stop after so many seconds instead.
        holdout: Documents kept from training to measure perplexity. None: 1000, at most a tenth of them; 0: none,
            then `perplexity_` is NaN and the verdict says so.
        eval_every: Documents between evaluations.
        burn_in: Documents before draws are averaged. None: half of the run.
        average_every: Documents between draws added to the mean.
        keep_draws: Draws of the topics to keep beside their mean. None: 10, or as many as 256 MB hold.
        online: `fit` sees every document once, in its order, as `partial_fit` does: the same bits. Only n_components,
            alpha, eta, method ("smld-root" or "scir"), batch, sweeps, descent, keep_draws and total_documents can be
            chosen then.
        total_documents: How many documents a stream has in the end. None: 1,000,000 for `partial_fit`, those of X for
            `fit`.
        vocabulary: The word of every column: a list, or CountVectorizer's `vocabulary_`. None: names of columns
            where X has some, else x0, x1, ...
        random_state: Seed, an integer; the same seed gives the same bits.
        threads: Threads, 0 for all; they never change the result.
        progress: None shows a line where someone looks, True always, False never; or a function of (text, share).
        checkpoint: A file from which an interrupted fit goes on, and a finished one with more `passes`; its draws are
            beside it, in a file that ends in .draws. Remove both to start anew.
        checkpoint_every: Documents between checkpoints.
        checkpoint_seconds: Seconds between checkpoints. None: 30.

    Attributes:
        components_: Topics x words, float32, rows sum to 1: the mean over the posterior's draws.
        draws_: Draws x topics x words: single draws of the topics. Their spread is how sure the topics are. After a
            stream they are draws given the topics of all tokens, which scatter less than the posterior.
        draw_shares_: Draws x topics: share of the training tokens of every topic in each draw; no rows where training
            did not keep the topics of tokens.
        alpha_: Dirichlet parameter of every topic.
        eta_: Dirichlet parameter of every word.
        shares_: Share of every topic of the tokens held out; where none were, of those of the first 1000 documents;
            after a stream, of all tokens with their prior. `load` gives the same numbers.
        history_: Structured array with step, documents, seconds, perplexity, standard_error, perplexity_average.
        perplexity_: Held-out perplexity of `components_`; NaN without held-out tokens.
        perplexity_standard_error_: Its standard error.
        verdict_: Whether to trust the topics, and why.
        vocabulary_: The word of every column.
        n_features_in_: Columns of X.
        feature_names_in_: Names of the columns of X, where it has some.
        n_iter_: Passes over the documents, rounded up.
        n_batch_iter_: Steps.

    >>> import numpy as np
    >>> counts = np.random.default_rng(1).poisson(0.5, size=(200, 30))
    >>> lda = LDA(n_components=3, passes=3).fit(counts)
    >>> lda.components_.shape, bool(np.allclose(lda.components_.sum(axis=1), 1))
    ((3, 30), True)
    >>> lda.transform(counts).shape
    (200, 3)
    """

    _record: Dict[str, Any]

    def __init__(
        self,
        n_components: int = 100,
        *,
        alpha: Optional[float] = None,
        eta: Optional[float] = None,
        optimize_alpha: bool = False,
        method: str = "smld-root",
        start: Optional[str] = None,
        descent: Optional[int] = None,
        descent_batch: Optional[int] = None,
        descent_rate: Optional[float] = None,
        assignments: Optional[str] = None,
        batch: Optional[int] = None,
        sweeps: Optional[int] = None,
        step_size: Union[None, float, Sequence[float]] = None,
        approximation: Optional[str] = None,
        floor: Optional[float] = None,
        warmup: Optional[int] = None,
        passes: Optional[float] = None,
        steps: Optional[int] = None,
        max_seconds: Optional[float] = None,
        holdout: Optional[int] = None,
        eval_every: Optional[int] = None,
        burn_in: Optional[int] = None,
        average_every: Optional[int] = None,
        keep_draws: Optional[int] = None,
        online: bool = False,
        total_documents: Optional[int] = None,
        vocabulary: Any = None,
        random_state: int = 1,
        threads: int = 0,
        progress: Union[None, bool, Progress] = None,
        checkpoint: Optional[PathLike] = None,
        checkpoint_every: Optional[int] = None,
        checkpoint_seconds: Optional[float] = None,
    ) -> None:
        self.n_components = n_components
        self.alpha = alpha
        self.eta = eta
        self.optimize_alpha = optimize_alpha
        self.method = method
        self.start = start
        self.descent = descent
        self.descent_batch = descent_batch
        self.descent_rate = descent_rate
        self.assignments = assignments
        self.batch = batch
        self.sweeps = sweeps
        self.step_size = step_size
        self.approximation = approximation
        self.floor = floor
        self.warmup = warmup
        self.passes = passes
        self.steps = steps
        self.max_seconds = max_seconds
        self.holdout = holdout
        self.eval_every = eval_every
        self.burn_in = burn_in
        self.average_every = average_every
        self.keep_draws = keep_draws
        self.online = online
        self.total_documents = total_documents
        self.vocabulary = vocabulary
        self.random_state = random_state
        self.threads = threads
        self.progress = progress
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.checkpoint_seconds = checkpoint_seconds

    # ------------------------------------------------------------------------------------------------------- fitting

    def fit(self, X: Any, y: Any = None) -> "LDA":
        """Trains topics.

        Args:
            X: Counts, documents x words: a sparse matrix, an array or a data frame; or a Corpus, or the folder of one.
                A matrix gives the bits of a corpus without order that has these counts.
                CSR with int32 indices (sorted, none twice) and int32 data is used in place, other types are
                converted once.
            y: Not used; there for pipelines.

        Returns:
            The estimator. Ctrl-C ends training early: the topics so far are kept, with a warning `Interrupted`.

        Raises:
            InputError: A count is negative, fractional, NaN or too large (the message has row and column), or a
                parameter is wrong.

        >>> LDA(n_components=2, passes=2).fit([[3, 0, 1], [0, 2, 4]]).components_.shape
        (2, 3)
        """
        if self.online:
            return self._begin_stream().partial_fit(X)
        corpus = self._corpus_to_fit(X)
        with shown_progress(self.progress) as line:
            found = _native.train(corpus, self._keywords(), self._checkpoint(), self._call("fit"), line)
        self._forget_stream()
        self._take(found)
        if not found["trained"] and not found["interrupted"]:
            warnings.warn(
                f"the checkpoint is already at {found['passes']:.3g} passes, which is all that was asked for; "
                "nothing was trained",
                stacklevel=2,
            )
        if found["interrupted"]:
            warnings.warn(
                f"training was stopped after {found['passes']:.3g} passes; the estimator has the topics found so far",
                Interrupted,
                stacklevel=2,
            )
        return self

    def partial_fit(self, X: Any, y: Any = None) -> "LDA":
        """Trains on more documents, each of which is seen once.

        The first call begins a stream, after `fit` without online too, whose topics it forgets with a warning.
        Topics depend on the documents and their order, not on how they are cut into calls: one call of `fit` with
        online=True, or any number of calls of `partial_fit` with the same `total_documents`, give the same bits. So
        does a copy that was pickled on the way.

        Args:
            X: As in `fit`; all calls have the same columns.
            y: Not used.

        Returns:
            The estimator. Ctrl-C keeps the documents taken so far, with a warning `Interrupted` that counts them.

        Raises:
            InputError: As `fit`, or a parameter was given that has no meaning for streams.

        >>> counts = np.random.default_rng(1).poisson(0.5, size=(200, 30))
        >>> stream = LDA(n_components=3, total_documents=200)
        >>> for begin in range(0, 200, 50):
        ...     stream = stream.partial_fit(counts[begin : begin + 50])
        >>> whole = LDA(n_components=3, online=True).fit(counts)
        >>> bool((stream.components_ == whole.components_).all())
        True
        """
        first = "_stream" not in self.__dict__
        if first and "components_" in self.__dict__:
            warnings.warn(
                "the topics that were fitted are forgotten, a stream begins with its own documents; "
                "fit with online=True to go on from there",
                stacklevel=2,
            )
            del self.components_
        corpus = self._corpus_to_fit(X) if first else self._corpus_to_go_on(X)
        if first:
            total = self.total_documents
            if total is None:
                total = corpus.documents if self.online else 1_000_000
            if total < 1:
                raise InputError(f"total_documents: is {total}; give a number from 1")
            self._stream = _native.TopicStream(corpus, self._stream_keywords(), total, self._call("partial_fit"))
        before = self._stream.documents
        with shown_progress(self.progress) as line:
            finished = self._stream.add(corpus, line)
        self._note_stream()
        if not finished:
            taken = self._stream.documents - before
            warnings.warn(f"stopped after {taken} of {corpus.documents} documents", Interrupted, stacklevel=2)
        return self

    def _validated(self, X: Any, **how: Any) -> Any:
        """What scikit-learn looks at by scipy's native code is sound then."""
        if is_sparse(X):
            require_sound(X)
        return self._validate_data(X, **how)

    def _begin_stream(self) -> "LDA":
        self._forget_stream()
        self.__dict__.pop("components_", None)
        return self

    def _forget_stream(self) -> None:
        self.__dict__.pop("_stream", None)

    def _corpus_to_go_on(self, X: Any) -> Any:
        corpus = _opened(X)
        if corpus is None:
            return _held(self._validated(X, accept_sparse="csr", reset=False), self.vocabulary_)
        if corpus.vocabulary != self.vocabulary_:
            raise InputError("X: has other words than the documents before; give corpora of one vocabulary")
        return corpus._native

    def _stream_keywords(self) -> Dict[str, Any]:
        for name in (*_FLAGS, "checkpoint"):
            if getattr(self, name) is not None and name not in _STREAM_FLAGS:
                raise InputError(f"{name}: has no meaning for a stream; leave it out")
        if self.optimize_alpha:
            raise InputError("optimize_alpha: has no meaning for a stream; leave it out")
        keywords = {name: getattr(self, name) for name in _STREAM_FLAGS}
        return {**keywords, "topics": self.n_components, "seed": self.random_state}

    def _note_stream(self) -> None:
        """What is known without work; the rest when it is asked for."""
        for name in (*_PUBLISHED, "draws_"):
            self.__dict__.pop(name, None)
        self.draw_shares_ = np.zeros((0, self.n_components))
        self.history_ = np.zeros(0, dtype=list(_HISTORY))
        self.perplexity_ = self.perplexity_standard_error_ = math.nan
        self.n_batch_iter_ = int(self._stream.steps)
        self.n_iter_ = 1
        self._dual = None

    def __getattr__(self, name: str) -> Any:
        stream = self.__dict__.get("_stream")
        if stream is not None and name in _PUBLISHED:
            found = stream.model().arrays()
            self.components_, self.alpha_, self.shares_ = found["topics"], found["alpha"], found["shares"]
            self._record = found["record"]
            self.eta_ = float(self._record["eta"])
            self.verdict_ = Verdict(found["verdict"])
            return self.__dict__[name]
        if stream is not None and name == "draws_":
            self.draws_ = stream.model().draws()
            return self.draws_
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _keywords(self) -> Dict[str, Any]:
        if self.total_documents is not None:
            raise InputError("total_documents: is for streams; leave it out, or give online=True")
        keywords = {name: getattr(self, name) for name in _FLAGS}
        keywords["topics"] = self.n_components
        keywords["seed"] = self.random_state
        keywords["optimize_alpha"] = True if self.optimize_alpha else None
        if self.checkpoint is None:
            for name in ("checkpoint_every", "checkpoint_seconds"):
                if keywords[name] is not None:
                    raise InputError(f"{name}: there is no checkpoint; give one, or leave this out")
        return keywords

    def _checkpoint(self) -> Optional[str]:
        return None if self.checkpoint is None else native_path("checkpoint", self.checkpoint)

    def _call(self, method: str) -> str:
        return f"tain.{' '.join(repr(self).split())}.{method}(X)"

    def _corpus_to_fit(self, X: Any) -> Any:
        corpus = _opened(X)
        if corpus is None:
            matrix = self._validated(X, accept_sparse="csr", reset=True)
            names = getattr(self, "feature_names_in_", None)
            self.vocabulary_ = words_of(names if self.vocabulary is None else self.vocabulary, matrix.shape[1])
            self._spelled = self.vocabulary is not None or names is not None
            return _held(matrix, self.vocabulary_)
        if self.vocabulary is not None:
            raise InputError("vocabulary: the corpus has its words; leave this out")
        self.n_features_in_ = corpus.words
        if hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.vocabulary_ = corpus.vocabulary
        self._spelled = True
        return corpus._native

    def _take(self, found: Dict[str, Any]) -> None:
        self.components_ = found["topics"]
        self.draws_ = found["draws"]
        self.draw_shares_ = found["draw_shares"]
        self._dual = found["dual"]
        self.alpha_ = found["alpha"]
        self.shares_ = found["shares"]
        self._record = found["record"]
        self.eta_ = float(self._record["eta"])
        columns = found["history"]
        self.history_ = np.zeros(len(columns["step"]), dtype=list(_HISTORY))
        for name, _ in _HISTORY:
            self.history_[name] = columns[name]
        self.perplexity_, self.perplexity_standard_error_ = found["perplexity"] or (math.nan, math.nan)
        self.verdict_ = Verdict(found["verdict"])
        self.n_batch_iter_ = int(self._record["steps"])
        self.n_iter_ = max(1, math.ceil(found["passes"]))

    # --------------------------------------------------------------------------------------------------------- using

    def _require_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet; call fit with documents, or load a model"
            )

    def _documents(self, X: Any) -> Tuple[Any, Optional[List[str]]]:
        """The documents, and the words of the topics if those of the documents go by their spelling."""
        self._require_fitted()
        corpus = _opened(X)
        if corpus is None:
            matrix = self._validated(X, accept_sparse="csr", reset=False)
            return _held(matrix, self.vocabulary_), None
        if self._spelled:
            return corpus._native, self.vocabulary_
        if corpus.words != self.n_features_in_:
            raise InputError(
                f"X: has {corpus.words} words, the topics {self.n_features_in_} without names; "
                "fit with vocabulary, so that words go by their spelling"
            )
        return corpus._native, None

    def transform(self, X: Any, *, sweeps: int = 50, seed: int = 1) -> Any:
        """Topic proportions of documents: what `tain lda infer` writes, the same bits.

        A document's proportions depend on its own words alone, whatever other documents are there.

        Args:
            X: As in `fit`. Words of a Corpus go by their spelling; those that the topics do not have are left out.
            sweeps: Gibbs sweeps over a document; the first half is forgotten.
            seed: Of the sweeps.

        Returns:
            Documents x topics, float32, rows sum to 1.

        >>> counts = [[3, 0, 1], [0, 2, 4]]
        >>> LDA(n_components=2, passes=2).fit(counts).transform(counts).sum(axis=1).round(5).tolist()
        [1.0, 1.0]
        """
        documents, words = self._documents(X)
        keywords = {"sweeps": sweeps, "seed": seed, "threads": self.threads}
        with shown_progress(self.progress) as line:
            return _native.infer(self.components_, self.alpha_, documents, words, keywords, line)

    def evaluate(self, X: Any, *, sweeps: int = 20, seed: Optional[int] = None) -> Evaluation:
        """Held-out perplexity by document completion, with its standard error: what `tain lda evaluate` prints.

        Of every document each 10th token is predicted from the others. If X is what the topics were trained on, only
        the documents held out are asked, unless none were: the figure then is of documents that were trained on.

        Args:
            X: As in `transform`.
            sweeps: Gibbs sweeps over a document; the first half is forgotten.
            seed: Of the sweeps; None: `random_state` of the training.

        Raises:
            InputError: No document has ten tokens.

        >>> counts = np.random.default_rng(1).poisson(0.5, size=(200, 30))
        >>> LDA(n_components=3, passes=3).fit(counts).evaluate(counts).documents
        20
        """
        documents, words = self._documents(X)
        trained_on = documents.fingerprint == self._record["corpus_fingerprint"]
        return Evaluation(
            *_native.evaluate(
                self.components_,
                self.alpha_,
                documents,
                words,
                self._record["held_out"] if trained_on else 0,
                self._record["seed"],
                self._record["steps"],
                {"sweeps": sweeps, "seed": seed, "threads": self.threads},
            )
        )

    def perplexity(self, X: Any) -> float:
        """The perplexity of `evaluate`: less is better.

        >>> counts = np.random.default_rng(1).poisson(0.5, size=(200, 30))
        >>> lda = LDA(n_components=3, passes=3).fit(counts)
        >>> 20 < lda.perplexity(counts) < 45
        True
        """
        return self.evaluate(X).perplexity

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log probability of a held-out token, minus the logarithm of `perplexity`: more is better.

        >>> counts = np.random.default_rng(1).poisson(0.5, size=(200, 30))
        >>> lda = LDA(n_components=3, passes=3).fit(counts)
        >>> bool(np.isclose(lda.score(counts), -np.log(lda.perplexity(counts))))
        True
        """
        return -math.log(self.perplexity(X))

    def topics(self, n_words: int = 10, vocabulary: Any = None) -> TopicWords:
        """The most probable words of every topic.

        Args:
            n_words: Words of a topic.
            vocabulary: The word of every column, where the estimator was not told: for instance
                `vectorizer.get_feature_names_out()`.

        Returns:
            A list with a list of words per topic; `print` makes it a table.

        >>> lda = LDA(n_components=2, passes=2, vocabulary=["cat", "dog", "sea"]).fit([[3, 0, 1], [0, 2, 4]])
        >>> [len(words) for words in lda.topics(2)]
        [2, 2]
        """
        self._require_fitted()
        words = self.vocabulary_ if vocabulary is None else words_of(vocabulary, self.n_features_in_)
        found = TopicWords()
        for row in self.components_:
            first = np.argsort(-row, kind="stable")[: max(0, n_words)]
            found.append([words[word] for word in first if row[word] > 0])
        return found

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of the columns that `transform` gives: lda0, lda1, ...

        >>> LDA(n_components=2, passes=1).fit([[3, 0, 1], [0, 2, 4]]).get_feature_names_out().tolist()
        ['lda0', 'lda1']
        """
        self._require_fitted()
        name = type(self).__name__.lower()
        return np.asarray([f"{name}{k}" for k in range(len(self.components_))], dtype=object)

    # ------------------------------------------------------------------------------------------------------- keeping

    def save(self, folder: PathLike, *, overwrite: bool = False) -> None:
        """Writes the model as a folder of the program: `tain lda topics`, `infer`, `report`, ... work on it.

        Args:
            folder: Where it is to be.
            overwrite: Replace the model that is there.

        >>> import tempfile
        >>> folder = tempfile.mkdtemp() + "/model"
        >>> lda = LDA(n_components=2, passes=2).fit([[3, 0, 1], [0, 2, 4]])
        >>> lda.save(folder)
        >>> bool((LDA.load(folder).components_ == lda.components_).all())
        True
        """
        self._model().save(native_path("folder", folder), overwrite)

    def _model(self) -> Any:
        self._require_fitted()
        if "_stream" in self.__dict__:
            return self._stream.model()
        last = getattr(self, "_dual", None)
        is_dual = last is not None
        if last is None:  # as kept by version 0.1
            last = getattr(self, "_last_draw", None)
        return _native.Model(
            {
                "topics": self.components_,
                "last_draw": self.draws_[-1] if last is None else last,
                "is_dual": is_dual,
                "draws": self.draws_,
                "draw_shares": self.draw_shares_,
                "alpha": self.alpha_,
                "vocabulary": self.vocabulary_,
                "record": self._record,
            }
        )

    @classmethod
    def load(cls, folder: PathLike) -> "LDA":
        """Opens a model that `save` or `tain lda train` wrote.

        Parameters that the model does not tell have their defaults.

        >>> import tempfile
        >>> folder = tempfile.mkdtemp() + "/model"
        >>> LDA(n_components=2, passes=2, random_state=7).fit([[3, 0, 1], [0, 2, 4]]).save(folder)
        >>> LDA.load(folder).random_state
        7
        """
        found = _native.open_model(native_path("folder", folder))
        record, alpha = found["record"], found["alpha"]
        model = cls(
            len(alpha),
            alpha=float(str(alpha[0])) if (alpha == alpha[0]).all() else None,
            eta=record["eta"],
            method=record["method"],
            random_state=record["seed"],
        )
        model.vocabulary_ = found["vocabulary"]
        model._spelled = True
        model.n_features_in_ = len(model.vocabulary_)
        model._take(found)
        return model

    def explore(
        self,
        path: Optional[PathLike] = None,
        X: Any = None,
        *,
        open_browser: bool = True,
        title: Optional[str] = None,
        overwrite: bool = False,
    ) -> Page:
        """Makes the page of `tain lda report`: topics, their words and documents, how sure and how far apart they are.

        Args:
            path: Where the page is to be; None: a new temporary file.
            X: Documents that the page names and judges topics by; None: those trained on, if they are in a corpus that
                is where it was.
            open_browser: Open the page; in notebooks the page is shown in their place.
            title: Of the page.
            overwrite: Replace the file that is there.

        Returns:
            The page: a path that shows itself in notebooks.

        >>> lda = LDA(n_components=3, passes=2).fit([[3, 0, 1], [0, 2, 4], [1, 1, 1]])
        >>> page = lda.explore(open_browser=False)
        >>> open(page).read().startswith("<!DOCTYPE html>")
        True
        """
        model = self._model()
        documents = None if X is None else self._documents(X)[0]
        target = os.path.join(tempfile.mkdtemp(), "topics.html") if path is None else os.path.abspath(path)
        with shown_progress(self.progress) as line:
            model.report(target, documents, self.threads, title, overwrite, line)
        if open_browser and not _in_notebook():
            webbrowser.open("file://" + target)
        return Page(target)

    # -------------------------------------------------------------------------------------------------- scikit-learn

    def __sklearn_is_fitted__(self) -> bool:
        return "components_" in self.__dict__ or "_stream" in self.__dict__

    def _more_tags(self) -> Dict[str, Any]:
        reason = "the data of this check are fractions, which are no counts"
        return {
            "requires_positive_X": True,
            "preserves_dtype": [],
            "_xfail_checks": {"check_" + name: reason for name in CHECKS_ON_FRACTIONS},
        }


def _opened(X: Any) -> Optional[Corpus]:
    """The corpus that X is or names; None: X is a matrix."""
    if isinstance(X, Corpus):
        return X
    return Corpus(X) if isinstance(X, (str, bytes, os.PathLike)) else None


def _held(matrix: Any, words: List[str]) -> Any:
    counts = counts_of(matrix)
    return _native.Corpus.over(counts.offsets, counts.indices, counts.counts, words)
