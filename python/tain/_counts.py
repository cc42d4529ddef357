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


def _numbers(name: str, array: Any) -> "np.ndarray[Any, Any]":
    """Whole numbers of one axis, as scipy keeps places."""
    numbers = np.asarray(array)
    if numbers.dtype.kind not in "iu" or numbers.ndim != 1:
        raise InputError(f"X: its {name} is of type {numbers.dtype} with {numbers.ndim} axes; give whole numbers of one")
    return numbers


def _places(name: str, array: Any, count: int, most: int) -> "np.ndarray[Any, Any]":
    """`count` numbers, or more, from 0 to most - 1."""
    numbers = _numbers(name, array)
    if len(numbers) < count:
        raise InputError(f"X: its {name} has {len(numbers)} entries, {count} are asked for; build the matrix anew")
    wrong = (numbers[:count] < 0) | (numbers[:count] >= most)
    if wrong.any():
        first = int(np.argmax(wrong))
        raise InputError(f"X: its {name}[{first}] is {numbers[first]}, not from 0 to {most - 1}; build the matrix anew")
    return numbers


def _require_compressed(matrix: Any, major: int, minor: int) -> None:
    """Rows (or columns, or blocks) as compressed formats keep them: what scipy believes without a look."""
    indptr = _numbers("indptr", matrix.indptr)
    if len(indptr) != major + 1 or indptr[0] != 0:
        raise InputError(f"X: its indptr has {len(indptr)} entries from {indptr[:1]}, not {major + 1} from 0; build the matrix anew")
    falling = np.flatnonzero(indptr[1:] < indptr[:-1])
    if falling.size:
        at = int(falling[0])
        raise InputError(f"X: its indptr falls from {indptr[at]} to {indptr[at + 1]} at {at + 1}; build the matrix anew")
    entries = int(indptr[-1])
    _places("indices", matrix.indices, entries, minor)
    if len(matrix.data) < entries:
        raise InputError(f"X: its data has {len(matrix.data)} entries, indptr asks for {entries}; build the matrix anew")


def require_sound(matrix: Any) -> None:
    """What scipy's native code would read and write beside its arrays for. Raises InputError."""
    if len(matrix.shape) != 2 or max(matrix.shape) > _MOST:
        raise InputError(f"X: has the shape {matrix.shape}; give at most {_MOST:,} documents x as many words")
    rows, columns = matrix.shape
    if matrix.format == "csr":
        _require_compressed(matrix, rows, columns)
    elif matrix.format == "csc":
        _require_compressed(matrix, columns, rows)
    elif matrix.format == "bsr":
        height, width = matrix.data.shape[1:] if matrix.data.ndim == 3 else (0, 0)
        if not height or not width or rows % height or columns % width:
            raise InputError(f"X: has blocks of the shape {matrix.data.shape[1:]}, which do not divide {matrix.shape}; build it anew")
        _require_compressed(matrix, rows // height, columns // width)
    elif matrix.format == "coo":
        entries = len(matrix.data)
        _places("row", matrix.row, entries, rows)
        _places("col", matrix.col, entries, columns)
        if len(matrix.row) != entries or len(matrix.col) != entries:
            raise InputError("X: has more places than data; build the matrix anew")


def _in_order(indptr: "np.ndarray[Any, Any]", indices: "np.ndarray[Any, Any]") -> bool:
    """Do columns ascend in every row? What the matrix says of itself need not be so."""
    ascends = indices[1:] > indices[:-1]
    begins = indptr[(indptr > 0) & (indptr < len(indices))]
    ascends[begins - 1] = True  # from one row to the next
    return bool(ascends.all())


def _of_sparse(matrix: Any) -> Counts:
    require_sound(matrix)
    rows = matrix if matrix.format == "csr" else matrix.tocsr()

    def place(entry: int) -> Tuple[int, int]:
        return int(np.searchsorted(rows.indptr, entry, side="right")) - 1, int(rows.indices[entry])

    entries = int(rows.indptr[-1])
    counts = _whole(rows.data[:entries], place)
    if not _in_order(rows.indptr, rows.indices[:entries]):
        rows = type(rows)((counts.astype(np.int64), rows.indices[:entries].copy(), rows.indptr.copy()), shape=rows.shape)
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
