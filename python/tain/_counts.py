"""Matrices of counts as native code takes them: compressed rows, nothing copied that is right already."""

from __future__ import annotations

from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from .errors import InputError

_MOST = 2**31 - 1


class Counts(NamedTuple):
    """Row d has the columns indices[offsets[d]:offsets[d + 1]], ascending, with counts from 1."""

    offsets: "np.ndarray[Any, Any]"  # int64
    indices: "np.ndarray[Any, Any]"  # int32
    counts: "np.ndarray[Any, Any]"  # int32
    columns: int


Place = Callable[[int], Tuple[int, int]]


def _refuse(values: "np.ndarray[Any, Any]", wrong: "np.ndarray[Any, Any]", place: Place, problem: str) -> None:
    if wrong.any():
        first = int(np.argmax(wrong))
        row, column = place(first)
        raise InputError(
            f"X: row {row}, column {column} holds {values[first]}, {problem}; "
            "give counts, whole numbers from 0 to 2,147,483,647"
        )


def _whole(values: "np.ndarray[Any, Any]", place: Place) -> "np.ndarray[Any, Any]":
    """int32, the same array where it is that already."""
    if values.dtype.kind == "b":
        return values.astype(np.int32)
    if values.dtype.kind not in "iuf":
        raise InputError(f"X: holds {values.dtype} values; give counts, whole numbers from 0 to 2,147,483,647")
    if values.size == 0:
        return values.astype(np.int32)
    if values.dtype.kind == "f":
        _refuse(values, ~np.isfinite(values), place, "which is NaN or infinity")
        _refuse(values, values != np.floor(values), place, "which is no whole number")
    if values.min() < 0:
        _refuse(values, values < 0, place, "which is negative")
    if values.max() > _MOST:
        _refuse(values, values > _MOST, place, "which is too much")
    return np.ascontiguousarray(values.astype(np.int32, copy=False))


def _without_zeros(rows: Counts) -> Counts:
    kept = rows.counts != 0
    before = np.concatenate([[0], np.cumsum(kept, dtype=np.int64)])
    return Counts(before[rows.offsets], rows.indices[kept], rows.counts[kept], rows.columns)


def _of_sparse(matrix: Any) -> Counts:
    rows = matrix if matrix.format == "csr" else matrix.tocsr()

    def place(entry: int) -> Tuple[int, int]:
        return int(np.searchsorted(rows.indptr, entry, side="right")) - 1, int(rows.indices[entry])

    entries = int(rows.indptr[-1])
    counts = _whole(rows.data[:entries], place)
    if not rows.has_canonical_format:
        rows = type(rows)((counts.astype(np.int64), rows.indices.copy(), rows.indptr.copy()), shape=rows.shape)
        rows.sum_duplicates()
        entries = int(rows.indptr[-1])
        counts = _whole(rows.data[:entries], place)
    indices = np.ascontiguousarray(rows.indices[:entries].astype(np.int32, copy=False))
    found = Counts(rows.indptr.astype(np.int64), indices, counts, int(rows.shape[1]))
    return found if entries == 0 or counts.min() > 0 else _without_zeros(found)


def _of_dense(array: "np.ndarray[Any, Any]") -> Counts:
    columns = array.shape[1]
    whole = _whole(np.ascontiguousarray(array).reshape(-1), lambda entry: (entry // columns, entry % columns))
    whole = whole.reshape(array.shape)
    row, column = np.nonzero(whole)
    offsets = np.zeros(len(array) + 1, dtype=np.int64)
    np.cumsum(np.bincount(row, minlength=len(array)), out=offsets[1:])
    return Counts(offsets, column.astype(np.int32), whole[row, column], columns)


def is_sparse(X: Any) -> bool:
    return hasattr(X, "tocsr") and hasattr(X, "format")


def counts_of(X: Any) -> Counts:
    """Counts of a sparse matrix, an array or a data frame. Raises InputError that names row and column."""
    if is_sparse(X):
        return _of_sparse(X)
    array = np.asarray(X)
    if array.ndim != 2:
        raise InputError(f"X: has {array.ndim} dimensions; give documents x words, a row per document")
    return _of_dense(array)


def words_of(vocabulary: Any, columns: int) -> List[str]:
    """One word per column, from a list or from CountVectorizer's dict of column numbers; None: x0, x1, ..."""
    if vocabulary is None:
        return [f"x{i}" for i in range(columns)]
    words: Sequence[Any]
    if hasattr(vocabulary, "items"):
        words = sorted(vocabulary, key=vocabulary.__getitem__)
    else:
        words = list(vocabulary)
    if len(words) != columns:
        raise InputError(f"vocabulary: has {len(words)} words; give one for each of the {columns} columns")
    texts = [str(word) for word in words]
    for word in texts:
        if not word or "\n" in word:
            raise InputError(f"vocabulary: {word!r} is no word; words are one line each")
    if len(set(texts)) != columns:
        seen = set()
        twice = next(word for word in texts if word in seen or seen.add(word))  # type: ignore[func-returns-value]
        raise InputError(f"vocabulary: {twice!r} is there twice; give every column a word of its own")
    return texts


def texts_of(name: str, texts: Optional[Sequence[Any]], count: int) -> List[str]:
    """One line of text per document; none: no texts."""
    if texts is None:
        return []
    found = [str(text) for text in texts]
    if len(found) != count:
        raise InputError(f"{name}: {len(found)} of them; give one for each of the {count} documents")
    for text in found:
        if "\n" in text or "\t" in text:
            raise InputError(f"{name}: {text!r} has a tab or an end of line; leave them out")
    return found
