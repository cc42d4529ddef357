"""Corpora: documents as numbers of words, on disk and mapped into memory."""

from __future__ import annotations

import os
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Type, Union

import numpy as np

from . import _native
from ._counts import counts_of, texts_of, words_of
from ._paths import native_path
from ._progress import Progress, shown_progress

PathLike = Union[str, "os.PathLike[str]"]


class Document(NamedTuple):
    """What a document is made of.

    Attributes:
        ids: Numbers of its words: its tokens in the order of the text, or, where the corpus has no order, its
            different words, ascending.
        counts: How often each of `ids` occurs; all 1 where they are tokens.
    """

    ids: "np.ndarray[Any, Any]"
    counts: "np.ndarray[Any, Any]"


class Corpus:
    """A corpus in a folder, as `tain corpus import` writes it: opened, not read into memory.

    Args:
        folder: The folder of the corpus.

    Attributes:
        documents: How many there are; `len(corpus)` is the same.
        words: How many different words there are.
        tokens: How many words the documents have in all.
        order: "text" if the order of words is known, else "none".
        fingerprint: Of documents and words: what a model says it was trained on.
        folder: Where it is.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp() + "/corpus"
    >>> corpus = Corpus.synthesize(folder, docs=50, topics=2, vocab_size=20)
    >>> corpus
    <Corpus of 50 documents, 20 words, 4,958 tokens>
    >>> len(corpus), corpus.matrix().shape
    (50, (50, 20))
    """

    def __init__(self, folder: PathLike) -> None:
        self._native = _native.Corpus.open(native_path("folder", folder))
        self._vocabulary: Optional[List[str]] = None
        self._names: Optional[Tuple[List[str], List[str]]] = None

    @classmethod
    def read(
        cls,
        source: PathLike,
        folder: PathLike,
        *,
        overwrite: bool = False,
        progress: Union[None, bool, Progress] = None,
        **options: Any,
    ) -> "Corpus":
        """Reads text or bags of words into a corpus, as `tain corpus import` does.

        Args:
            source: A file, or a folder whose files are the documents: text (a document per line), tsv, a Wikipedia
                dump, or bags of words (uci, ldac, mm, svmlight, vw); compressed or not.
            folder: Where the corpus is to be.
            overwrite: Replace what is there.
            progress: None shows a line where someone looks, True always, False never; or a function of (text, share).
            **options: The flags of `tain corpus import` with underscores: `format`, `min_df`, `max_df`, `max_vocab`,
                `vocab`, `stop_words`, `stemmer`, `tokens`, `keep_case`, `min_length`, `max_length`, `first_id`,
                `threads`, `memory`.

        Returns:
            The corpus, opened.

        Raises:
            InputError: The source or an option is wrong.
            FileError: The source cannot be read or the folder not written.
            KeyboardInterrupt: At Ctrl-C; nothing is left then.

        >>> import os, tempfile
        >>> place = tempfile.mkdtemp()
        >>> with open(os.path.join(place, "texts.txt"), "w") as file:
        ...     _ = file.write("the cat sat\\nthe dog sat\\n")
        >>> Corpus.read(place + "/texts.txt", place + "/corpus", min_df=1, max_df=1, stop_words="none").vocabulary
        ['sat', 'the', 'cat', 'dog']
        """
        return cls._made(
            folder,
            progress,
            lambda show: _native.import_corpus(
                native_path("source", source), native_path("folder", folder), options, overwrite, show
            ),
        )

    @classmethod
    def synthesize(
        cls,
        folder: PathLike,
        *,
        overwrite: bool = False,
        progress: Union[None, bool, Progress] = None,
        **options: Any,
    ) -> "Corpus":
        """Draws a corpus from the model of latent Dirichlet allocation, as `tain corpus synthesize` does.

        Its true topics are in topics.npy of the folder.

        Args:
            folder: Where the corpus is to be.
            overwrite: Replace what is there.
            progress: As in `read`.
            **options: The flags of `tain corpus synthesize`: `docs`, `topics`, `vocab_size`, `mean_length`, `alpha`,
                `eta`, `base`, `seed`, `threads`, `proportions`.

        >>> import tempfile
        >>> Corpus.synthesize(tempfile.mkdtemp() + "/corpus", docs=10, vocab_size=30).words
        30
        """
        return cls._made(
            folder, progress, lambda show: _native.synthesize_corpus(native_path("folder", folder), options, overwrite, show)
        )

    @classmethod
    def write(
        cls,
        folder: PathLike,
        matrix: Any,
        vocabulary: Any = None,
        *,
        names: Optional[Sequence[str]] = None,
        titles: Optional[Sequence[str]] = None,
        overwrite: bool = False,
        progress: Union[None, bool, Progress] = None,
    ) -> "Corpus":
        """Keeps a matrix of counts as a corpus.

        Args:
            folder: Where the corpus is to be.
            matrix: Documents x words: a sparse matrix, an array or a data frame.
            vocabulary: The word of every column, or CountVectorizer's `vocabulary_`; None: x0, x1, ...
            names: A name for every document.
            titles: A title for every document.
            overwrite: Replace what is there.
            progress: As in `read`.

        >>> import tempfile
        >>> corpus = Corpus.write(tempfile.mkdtemp() + "/corpus", [[2, 0], [1, 3]], ["cat", "dog"])
        >>> corpus.matrix().toarray().tolist()
        [[2, 0], [1, 3]]
        """
        counts = counts_of(matrix)
        documents = len(counts.offsets) - 1
        held = _native.Corpus.over(
            counts.offsets, counts.indices, counts.counts, words_of(vocabulary, counts.columns)
        )
        given = texts_of("names", names, documents), texts_of("titles", titles, documents)
        return cls._made(folder, progress, lambda show: held.save(native_path("folder", folder), *given, overwrite, show))

    def export_to(
        self,
        file: PathLike,
        *,
        overwrite: bool = False,
        progress: Union[None, bool, Progress] = None,
        **options: Any,
    ) -> Optional[str]:
        """Writes the corpus in a format that others read, as `tain corpus export` does.

        Args:
            file: The file; its ending tells the format, and .gz, .bz2, .xz or .zst after it compresses.
            overwrite: Replace what is there.
            progress: As in `read`.
            **options: `format` (text, tsv, uci, ldac, mm, svmlight or vw) and, for svmlight, `first_id` (0 or 1).

        Returns:
            The file with the words, one per line, where a format numbers them; else None.

        >>> import os, tempfile
        >>> place = tempfile.mkdtemp()
        >>> corpus = Corpus.write(place + "/corpus", [[2, 0], [1, 3]], ["cat", "dog"])
        >>> words = corpus.export_to(place + "/corpus.ldac")
        >>> os.path.basename(words), open(place + "/corpus.ldac").read()
        ('corpus.ldac.vocab', '1 0:2\\n2 0:1 1:3\\n')
        """
        with shown_progress(progress) as line:
            return self._native.export_to(native_path("file", file), options, overwrite, line)

    def summary(self, words: int = 10, *, threads: int = 0) -> str:
        """Sizes, the most and least frequent words and the lengths of documents: what `tain corpus show` prints.

        Args:
            words: How many of the most and least frequent words.
            threads: Threads, 0 for all.

        >>> import tempfile
        >>> corpus = Corpus.write(tempfile.mkdtemp() + "/corpus", [[2, 0], [1, 3]], ["cat", "dog"])
        >>> "documents    2 (0 empty)" in corpus.summary()
        True
        """
        return self._native.summary(words, threads)

    @classmethod
    def _made(cls: "Type[Corpus]", folder: PathLike, progress: Union[None, bool, Progress], make: Any) -> "Corpus":
        with shown_progress(progress) as line:
            make(line)
        return cls(folder)

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return int(self._native.documents)

    @property
    def words(self) -> int:
        """How many different words there are."""
        return int(self._native.words)

    @property
    def tokens(self) -> int:
        """How many words the documents have in all."""
        return int(self._native.tokens)

    @property
    def order(self) -> str:
        """Whether the order of words is known: "text", or "none"."""
        return "text" if self._native.ordered else "none"

    @property
    def fingerprint(self) -> int:
        """Of documents and words: what a model says it was trained on."""
        return int(self._native.fingerprint)

    @property
    def folder(self) -> str:
        """Where it is."""
        return str(self._native.folder)

    @property
    def vocabulary(self) -> List[str]:
        """The word of every number."""
        if self._vocabulary is None:
            self._vocabulary = list(self._native.vocabulary)
        return self._vocabulary

    @property
    def names(self) -> Optional[List[str]]:
        """Names of the documents; None if the source had none."""
        return self._named(0)

    @property
    def titles(self) -> Optional[List[str]]:
        """Titles of the documents; None if the source had none."""
        return self._named(1)

    def _named(self, which: int) -> Optional[List[str]]:
        if self._names is None:
            found = self._native.names
            self._names = ([], []) if found is None else (list(found[0]), list(found[1]))
        return self._names[which] or None

    def document(self, number: int) -> Document:
        """The words of a document, by its number from 0; negative numbers count from the end.

        >>> import tempfile
        >>> corpus = Corpus.write(tempfile.mkdtemp() + "/corpus", [[2, 0], [1, 3]], ["cat", "dog"])
        >>> corpus.document(1)
        Document(ids=array([0, 1], dtype=uint32), counts=array([1, 3], dtype=uint32))
        """
        place = number + self.documents if number < 0 else number
        if not 0 <= place < self.documents:
            raise IndexError(f"there is no document {number}; there are {self.documents}")
        ids, counts = self._native.document(place)
        return Document(ids, np.ones_like(ids) if counts is None else counts)

    def matrix(self) -> Any:
        """Counts, documents x words, as a scipy.sparse.csr_matrix.

        Where the corpus has no order, the matrix is a view of the file that cannot be written to; else words are
        counted anew. `LDA.fit` takes both without copying.

        >>> import tempfile
        >>> corpus = Corpus.write(tempfile.mkdtemp() + "/corpus", [[2, 0], [1, 3]])
        >>> corpus.matrix().sum()
        6
        """
        from scipy.sparse import csr_matrix  # type: ignore[import]

        offsets, indices, counts = self._native.matrix()
        matrix = csr_matrix((counts, indices, offsets), shape=(self.documents, self.words), copy=False)
        matrix.has_sorted_indices = True
        matrix.has_canonical_format = True
        return matrix

    def __len__(self) -> int:
        return self.documents

    def __repr__(self) -> str:
        return f"<Corpus of {self.documents:,} documents, {self.words:,} words, {self.tokens:,} tokens>"

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.folder,)
