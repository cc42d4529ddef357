"""tain.LDA: the same bits as the program, whatever the documents come in."""

import copy
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
import scipy.sparse
import tain

TAIN = os.environ["TAIN"]


def program(*arguments):
    return subprocess.run([TAIN, *map(str, arguments), "-q"], check=True, capture_output=True, text=True).stdout


def random_counts(rows=120, columns=30, seed=1):
    return np.random.default_rng(seed).poisson(0.8, size=(rows, columns)).astype(np.int32)


@pytest.fixture(scope="module")
def ordered(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ordered") / "corpus"
    return tain.Corpus.synthesize(folder, docs=300, topics=4, vocab_size=200, mean_length=60, seed=5)


@pytest.fixture(scope="module")
def bags(tmp_path_factory, ordered):
    folder = tmp_path_factory.mktemp("bags") / "corpus"
    return tain.Corpus.write(folder, ordered.matrix(), ordered.vocabulary)


@pytest.fixture(scope="module")
def fitted(bags):
    return tain.LDA(4, passes=6).fit(bags)


# ------------------------------------------------------------------------------------------------------- the same bits


@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"passes": 3, "random_state": 11, "optimize_alpha": True, "keep_draws": 4},
        {"method": "scir", "steps": 20, "alpha": 0.3, "eta": 0.02, "holdout": 40, "threads": 1},
        {"method": "gibbs", "passes": 2, "eta": 0.3, "optimize_alpha": True},
        {"method": "sgrld", "steps": 15, "batch": 20, "step_size": [0.01, 100, 0.6], "sweeps": 6, "burn_in": 100},
        {"method": "smld-approximate", "steps": 5, "approximation": "quadratic", "start": "documents", "holdout": 0},
    ],
)
@pytest.mark.parametrize("kind", ["ordered", "bags"])
def test_fit_on_a_corpus_gives_the_bits_of_the_program(kind, keywords, tmp_path, request):
    corpus = request.getfixturevalue(kind)
    flags = []
    for name, value in keywords.items():
        flag = "--" + {"random_state": "seed"}.get(name, name).replace("_", "-")
        text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
        flags += [flag] if value is True else [flag, text]
    program("lda", "train", corpus.folder, "-k", 4, "-o", tmp_path / "model", *flags)
    lda = tain.LDA(4, **keywords).fit(corpus)
    assert lda.components_.tobytes() == np.load(tmp_path / "model" / "topics.npy").tobytes()
    manifest = json.loads((tmp_path / "model" / "manifest.json").read_text())
    assert lda.alpha_.tolist() == [np.float32(a) for a in manifest["alpha"]]
    assert lda.n_batch_iter_ == manifest["steps"]
    assert lda.shares_.tolist() == manifest["shares"]
    assert lda.verdict_.headline == manifest["verdict"]["headline"]
    if (tmp_path / "model" / "draws.npy").exists():
        assert lda.draws_.tobytes() == np.load(tmp_path / "model" / "draws.npy").tobytes()
    if keywords.get("holdout") != 0:
        assert lda.perplexity_ == manifest["perplexity_topics"]
        assert lda.history_["perplexity"][-1] == manifest["perplexity"]


def test_matrix_path_and_corpus_give_the_same_bits(bags, fitted):
    for X in (bags.matrix(), bags.folder, bags.matrix().toarray(), bags.matrix().tocsc()):
        assert tain.LDA(4, passes=6).fit(X).components_.tobytes() == fitted.components_.tobytes()


def test_saved_model_is_the_model_of_the_program(bags, fitted, tmp_path):
    program("lda", "train", bags.folder, "-k", 4, "--passes", 6, "-o", tmp_path / "theirs")
    fitted.save(tmp_path / "ours")
    for name in ("topics.npy", "dual.npy", "draws.npy", "draw_shares.npy", "vocab.txt"):
        assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    ours = json.loads((tmp_path / "ours" / "manifest.json").read_text())
    theirs = json.loads((tmp_path / "theirs" / "manifest.json").read_text())
    assert ours["options"] == theirs["options"] and ours["corpus"] == theirs["corpus"]
    assert "tain.LDA(n_components=4, passes=6).fit(X)" in ours["command"]
    assert (tmp_path / "ours" / "README.md").read_text().startswith("# ours: 4 topics")
    assert "\x1a" not in (tmp_path / "ours" / "README.md").read_text()
    with pytest.raises(tain.FileError, match="ours"):
        fitted.save(tmp_path / "ours")
    fitted.save(tmp_path / "ours", overwrite=True)


def test_commands_of_the_program_work_on_a_saved_model(bags, fitted, tmp_path):
    fitted.save(tmp_path / "model")
    shown = json.loads(program("lda", "topics", tmp_path / "model", "--json"))
    assert [[word["word"] for word in topic["words"]] for topic in shown["topics"]] == fitted.topics()
    program("lda", "infer", tmp_path / "model", bags.folder, "-o", tmp_path / "theta.npy")
    assert fitted.transform(bags).tobytes() == np.load(tmp_path / "theta.npy").tobytes()
    assert fitted.transform(bags.matrix()).tobytes() == np.load(tmp_path / "theta.npy").tobytes()
    evaluated = json.loads(program("lda", "evaluate", tmp_path / "model", bags.folder, "--json"))
    found = fitted.evaluate(bags)
    assert found.perplexity == evaluated["perplexity"] == fitted.perplexity(bags.matrix())
    assert found.standard_error == evaluated["standard_error"]
    assert (found.test_tokens, found.documents) == (evaluated["test_tokens"], evaluated["documents"])
    assert fitted.score(bags) == pytest.approx(-np.log(found.perplexity))
    program("lda", "report", tmp_path / "model", "-o", tmp_path / "page.html")


def test_other_corpora_go_by_the_spelling_of_words(fitted, bags, tmp_path):
    other = tain.Corpus.synthesize(tmp_path / "other", docs=40, vocab_size=300, mean_length=60, seed=8)
    fitted.save(tmp_path / "model")
    program("lda", "infer", tmp_path / "model", other.folder, "-o", tmp_path / "theta.npy", "--sweeps", 30, "--seed", 4)
    assert fitted.transform(other, sweeps=30, seed=4).tobytes() == np.load(tmp_path / "theta.npy").tobytes()
    evaluated = json.loads(program("lda", "evaluate", tmp_path / "model", other.folder, "--json"))
    found = fitted.evaluate(other)
    assert found.perplexity == evaluated["perplexity"]
    assert found.unknown_tokens == evaluated["unknown_tokens"] > 0


def test_load_opens_what_the_program_trained(bags, fitted, tmp_path):
    program("lda", "train", bags.folder, "-k", 4, "--passes", 6, "-o", tmp_path / "model")
    lda = tain.LDA.load(tmp_path / "model")
    assert lda.components_.tobytes() == fitted.components_.tobytes()
    assert lda.draws_.tobytes() == fitted.draws_.tobytes()
    assert lda.get_params()["n_components"] == 4 and lda.alpha == 1.25 and lda.random_state == 1
    assert lda.perplexity_ == fitted.perplexity_ and lda.verdict_ == fitted.verdict_
    assert lda.n_iter_ == fitted.n_iter_ and lda.vocabulary_ == fitted.vocabulary_
    assert (lda.history_["perplexity"] == fitted.history_["perplexity"]).all()
    assert lda.transform(bags).tobytes() == fitted.transform(bags).tobytes()
    lda.save(tmp_path / "again")
    assert (tmp_path / "again" / "topics.npy").read_bytes() == (tmp_path / "model" / "topics.npy").read_bytes()
    with pytest.raises(tain.FileError, match="nowhere"):
        tain.LDA.load(tmp_path / "nowhere")


def test_load_and_save_without_draws(bags, tmp_path):
    lda = tain.LDA(3, steps=5, keep_draws=0, holdout=0).fit(bags)
    assert lda.draws_.shape == (0, 3, 200) and np.isnan(lda.perplexity_) and not lda.verdict_.trust
    lda.save(tmp_path / "model")
    again = tain.LDA.load(tmp_path / "model")
    again.save(tmp_path / "again")
    assert (tmp_path / "again" / "dual.npy").read_bytes() == (tmp_path / "model" / "dual.npy").read_bytes()


@pytest.mark.parametrize("keep", [0, 1, 4])
@pytest.mark.parametrize("method", ["smld-root", "gibbs", "sgrld", "scir"])
def test_the_dual_is_that_of_the_program(bags, method, keep, tmp_path):
    flags = ["--method", method, "--steps", 8, "--burn-in", 0, "--keep-draws", keep]
    program("lda", "train", bags.folder, "-k", 3, "-o", tmp_path / "theirs", *flags)
    ours = tain.LDA(3, method=method, steps=8, burn_in=0, keep_draws=keep).fit(bags)
    ours.save(tmp_path / "ours")
    pickle.loads(pickle.dumps(ours)).save(tmp_path / "pickled")
    tain.LDA.load(tmp_path / "theirs").save(tmp_path / "again")
    for name in ("ours", "pickled", "again"):
        assert (tmp_path / name / "dual.npy").read_bytes() == (tmp_path / "theirs" / "dual.npy").read_bytes(), name


@pytest.mark.parametrize("keywords", [{}, {"holdout": 0}, {"method": "scir", "steps": 8}, {"online": True}])
def test_shares_are_the_same_after_loading(bags, keywords, tmp_path):
    lda = tain.LDA(4, **keywords).fit(bags)
    lda.save(tmp_path / "model")
    again = tain.LDA.load(tmp_path / "model")
    assert again.shares_.tolist() == lda.shares_.tolist()
    assert again.shares_.sum() == pytest.approx(1) and len(set(again.shares_)) == 4  # not those of the prior
    again.save(tmp_path / "again")
    assert tain.LDA.load(tmp_path / "again").shares_.tolist() == lda.shares_.tolist()


def test_an_output_without_its_folder_is_refused(bags, fitted, tmp_path):
    missing = tmp_path / "no"
    line = f"{missing / 'it'}: folder {missing} does not exist; create it first"
    calls = {
        "folder": [
            lambda: fitted.save(missing / "it"),
            lambda: tain.Corpus.read(bags.folder + "/vocab.txt", missing / "it"),
            lambda: tain.Corpus.synthesize(missing / "it"),
            lambda: tain.Corpus.write(missing / "it", [[1, 2]]),
        ],
        "path": [lambda: fitted.explore(missing / "it", open_browser=False)],
        "checkpoint": [lambda: tain.LDA(2, checkpoint=missing / "it").fit(bags)],
    }
    for field, asked in calls.items():
        for ask in asked:
            with pytest.raises(tain.FileError) as raised:
                ask()
            assert str(raised.value) == f"{field} {line}" and raised.value.field == field
    assert not missing.exists()


def test_what_is_in_the_way_is_told_with_what_the_call_can_do(bags, fitted, tmp_path):
    fitted.save(tmp_path / "model")
    with pytest.raises(tain.FileError) as raised:
        fitted.save(tmp_path / "model")
    assert str(raised.value) == f"folder {tmp_path / 'model'}: holds a model; give overwrite=True to replace it"
    tain.Corpus.synthesize(tmp_path / "corpus", docs=3)
    with pytest.raises(tain.FileError) as raised:
        tain.Corpus.synthesize(tmp_path / "corpus", docs=3)
    assert str(raised.value) == f"folder {tmp_path / 'corpus'}: exists; give overwrite=True to replace it"


def test_a_checkpoint_that_has_all_that_is_asked_for_says_so(bags, tmp_path):
    first = tain.LDA(3, steps=9, checkpoint=tmp_path / "c").fit(bags)
    with pytest.warns(UserWarning, match="^the checkpoint is already at .* passes, .*; nothing was trained$"):
        again = tain.LDA(3, steps=4, checkpoint=tmp_path / "c").fit(bags)
    assert again.components_.tobytes() == first.components_.tobytes() and again.n_batch_iter_ == 9


# ------------------------------------------------------------------------------------------------------------ matrices


def test_csr_of_int32_is_used_in_place():
    matrix = scipy.sparse.csr_matrix(random_counts())
    counts = tain._counts.counts_of(matrix)
    assert counts.indices.ctypes.data == matrix.indices.ctypes.data
    assert counts.counts.ctypes.data == matrix.data.ctypes.data
    held = tain._native.Corpus.over(counts.offsets, counts.indices, counts.counts, tain._counts.words_of(None, 30))
    _, indices, data = held.matrix()
    assert indices.ctypes.data == matrix.indices.ctypes.data and data.ctypes.data == matrix.data.ctypes.data


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "uint16", "int64", "uint32", "uint64", "float32", "float64"])
def test_other_types_are_converted(dtype):
    counts = random_counts()
    if dtype == "bool":
        counts = (counts > 0).astype(np.int32)
    expected = tain.LDA(2, steps=3).fit(counts).components_
    for X in (counts.astype(dtype), scipy.sparse.csr_matrix(counts.astype(dtype)), np.asfortranarray(counts.astype(dtype))):
        assert (tain.LDA(2, steps=3).fit(X).components_ == expected).all()


def test_unsorted_double_and_zero_entries():
    counts = random_counts()
    exact = scipy.sparse.csr_matrix(counts)
    data, indices, indptr = [], [], [0]
    for row in counts:
        columns = np.flatnonzero(row)[::-1]
        for column in columns:  # in descending order, one count at a time, with a zero between
            data += [1] * row[column] + [0]
            indices += [column] * (row[column] + 1)
        indptr.append(len(data))
    odd = scipy.sparse.csr_matrix((np.array(data, np.int8), indices, indptr), shape=counts.shape)
    before = odd.data.copy(), odd.indices.copy()
    assert (tain.LDA(2, steps=3).fit(odd).components_ == tain.LDA(2, steps=3).fit(exact).components_).all()
    assert (odd.data == before[0]).all() and (odd.indices == before[1]).all()


def test_stored_zeros_are_no_words():
    counts = random_counts()
    exact = scipy.sparse.csr_matrix(counts)
    zeros = scipy.sparse.csr_matrix(counts + 1)
    zeros.data -= 1
    assert zeros.nnz == counts.size > exact.nnz
    held = tain._counts.counts_of(zeros)
    assert held.counts.min() == 1 and len(held.counts) == exact.nnz
    assert (tain.LDA(2, steps=3).fit(zeros).components_ == tain.LDA(2, steps=3).fit(exact).components_).all()


def test_int64_indices_and_read_only_arrays():
    exact = scipy.sparse.csr_matrix(random_counts())
    expected = tain.LDA(2, steps=3).fit(exact).components_
    wide = exact.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    assert (tain.LDA(2, steps=3).fit(wide).components_ == expected).all()
    for array in (exact.data, exact.indices, exact.indptr):
        array.setflags(write=False)
    assert (tain.LDA(2, steps=3).fit(exact).components_ == expected).all()


@pytest.mark.parametrize("value, problem", [(-1, "negative"), (0.5, "no whole number"), (2.0**31, "too much")])
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_matrix, scipy.sparse.csc_matrix])
def test_wrong_counts_are_named(form, value, problem):
    counts = random_counts().astype(float)
    counts[7, 3] = value
    with pytest.raises(tain.InputError, match=f"^X: row 7, column 3 holds {value}.*{problem}"):
        tain.LDA(2, steps=1).fit(form(counts))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_matrix])
def test_nan_and_infinity_are_refused(form, value):
    counts = random_counts().astype(float)
    counts[7, 3] = value
    with pytest.raises(ValueError, match="NaN|inf"):
        tain.LDA(2, steps=1).fit(form(counts))
    with pytest.raises(tain.InputError, match="row 7, column 3"):
        tain._counts.counts_of(form(counts))


@pytest.mark.parametrize(
    "X", [[1, 2, 3], [[[1]]], np.zeros((0, 5)), np.zeros((5, 0)), np.zeros((5, 4)), [["a", "b"]], [[1j]], None, 7, object()]
)
def test_wrong_shapes_are_refused(X):
    with pytest.raises((ValueError, TypeError)):
        tain.LDA(2, steps=1).fit(X)


def test_other_columns_are_refused(fitted):
    with pytest.raises(ValueError, match="199 features"):
        fitted.transform(random_counts(5, 199))


def test_broken_sparse_matrices_are_refused():
    matrix = scipy.sparse.csr_matrix(random_counts())
    matrix.indices[5] = 1000
    matrix.has_sorted_indices = matrix.has_canonical_format = True
    with pytest.raises(ValueError):
        tain.LDA(2, steps=1).fit(matrix)


def test_one_document_and_empty_ones():
    assert tain.LDA(3, steps=3).fit([[2, 0, 1]]).transform([[0, 0, 0], [1, 0, 0]]).shape == (2, 3)
    counts = random_counts()
    counts[::2] = 0
    lda = tain.LDA(3, passes=2).fit(counts)
    assert np.isfinite(lda.components_).all()
    prior = lda.transform(np.zeros((1, 30)))[0]
    assert prior == pytest.approx(lda.alpha_ / lda.alpha_.sum())


def test_too_short_documents_have_no_perplexity():
    lda = tain.LDA(2, steps=3).fit(random_counts())
    with pytest.raises(tain.InputError, match="10 tokens"):
        lda.perplexity(np.eye(30))


def test_counts_beyond_memory_are_refused():
    lda = tain.LDA(3, steps=3).fit(random_counts())
    much = np.zeros((200, 30), np.int32)
    much[:] = 2**31 - 1
    for use in (lda.transform, lda.perplexity, tain.LDA(3).fit):
        with pytest.raises(tain.InputError):
            use(much)


def test_random_matrices_of_any_kind_never_crash():
    random = np.random.default_rng(4)
    forms = [
        np.asarray, np.asfortranarray, scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.coo_matrix,
        scipy.sparse.lil_matrix, scipy.sparse.dok_matrix, lambda a: np.repeat(a, 2, axis=1)[:, ::2], lambda a: a[::-1],
        lambda a: a.T.copy().T, scipy.sparse.csr_array if hasattr(scipy.sparse, "csr_array") else np.asarray,
    ]  # fmt: skip
    for _ in range(60):
        shape = random.integers(0, 9, size=2)
        array = random.poisson(1, size=shape).astype(random.choice(["i1", "u2", "i4", "i8", "f2", "f4", "f8", "?"]))
        if random.random() < 0.3 and array.size:
            array.flat[random.integers(array.size)] = random.choice([-1, 0.5, np.nan, 100]) if array.dtype.kind == "f" else 1
        form = forms[random.integers(len(forms))]
        try:
            lda = tain.LDA(int(random.integers(1, 5)), steps=2).fit(form(array))
            assert np.isfinite(lda.components_).all()
            assert np.isfinite(lda.transform(form(array))).all()
        except (ValueError, TypeError):
            pass


def test_topics_that_do_not_go_with_the_words_are_refused(tmp_path):
    lda = tain.LDA(3, passes=2).fit(random_counts(60, 30))
    with pytest.raises(tain.InputError):
        lda.set_params(method="magic").fit(random_counts(60, 50))
    for use in (lda.transform, lda.perplexity, lambda X: lda.save(tmp_path / "model")):
        with pytest.raises(tain.InputError, match="fit again"):
            use(random_counts(60, 50))
    lda = tain.LDA(3, passes=2).fit(random_counts(60, 30))
    lda.alpha_ = lda.alpha_[:2]
    for use in (lda.transform, lda.perplexity, lambda X: lda.save(tmp_path / "model")):
        with pytest.raises(tain.InputError, match="^alpha_: "):
            use(random_counts(60, 30))
    lda.components_ = lda.components_ - 1
    with pytest.raises(tain.InputError, match="^components_: "):
        lda.transform(random_counts(60, 30))
    assert not (tmp_path / "model").exists()


# ---------------------------------------------------------------------------------------------------------- parameters


@pytest.mark.parametrize(
    "keywords, message",
    [
        ({"n_components": 0}, "^n_components: "),
        ({"n_components": "many"}, "^n_components: "),
        ({"random_state": -1}, "^random_state: "),
        ({"alpha": -1.0}, "^alpha: "),
        ({"method": "magic"}, "^method: "),
        ({"steps": 1, "passes": 2}, "steps, passes, max_seconds: "),
        ({"approximation": "linear"}, "^approximation: .*method='smld-approximate'"),
        ({"holdout": 5000}, "^holdout: "),
        ({"checkpoint_seconds": 3}, "^checkpoint_seconds: "),
        ({"vocabulary": ["a"]}, "^vocabulary: "),
    ],
)
def test_wrong_parameters_are_named(keywords, message):
    with pytest.raises(tain.InputError, match=message):
        tain.LDA(**keywords).fit(random_counts())


def test_words_of_topics():
    counts = np.zeros((60, 6), int)
    counts[:30, :3] = [5, 4, 3]
    counts[30:, 3:] = [3, 4, 5]
    words = ["cat", "dog", "mouse", "atom", "proton", "quark"]
    lda = tain.LDA(2, passes=20, vocabulary=words).fit(counts)
    assert sorted(map(sorted, lda.topics(3))) == [["atom", "proton", "quark"], ["cat", "dog", "mouse"]]
    assert {words[0] for words in lda.topics(1)} == {"cat", "quark"}
    assert str(lda.topics(2)).splitlines()[0].startswith("0  ")
    by_number = {word: number for number, word in enumerate(words)}
    assert tain.LDA(2, passes=2, vocabulary=by_number).fit(counts).vocabulary_ == words
    nameless = tain.LDA(2, passes=20).fit(counts)
    assert nameless.vocabulary_[5] == "x5"
    assert nameless.topics(3, vocabulary=words) == lda.topics(3)
    with pytest.raises(tain.InputError, match="vocabulary: has 1"):
        nameless.topics(3, vocabulary=["a"])


def test_draws_scatter_about_their_mean(fitted):
    assert fitted.draws_.shape == (10, 4, 200)
    assert np.allclose(fitted.draws_.sum(axis=2), 1, atol=1e-5)
    assert fitted.draw_shares_.shape == (10, 4) and np.allclose(fitted.draw_shares_.sum(axis=1), 1)
    spread = fitted.draws_.std(axis=0)
    # The mean over all draws lies within a few standard deviations of that of ten of them.
    often = fitted.components_ > 0.01
    assert (np.abs(fitted.draws_.mean(axis=0) - fitted.components_)[often] <= 5 * spread[often]).all()


def test_pickles_and_copies(bags, fitted):
    for other in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted)):
        assert other.components_.tobytes() == fitted.components_.tobytes()
        assert other.transform(bags).tobytes() == fitted.transform(bags).tobytes()
        assert other.perplexity(bags) == fitted.perplexity(bags) and other.verdict_ == fitted.verdict_


def test_page(bags, fitted, tmp_path):
    page = fitted.explore(tmp_path / "page.html", open_browser=False, title="My topics")
    text = (tmp_path / "page.html").read_text()
    assert os.fspath(page) == str(page) == str(tmp_path / "page.html")
    assert "My topics" in text and fitted.topics(1)[0][0] in text
    assert page._repr_html_().startswith("<iframe")
    with pytest.raises(tain.FileError, match="page.html: exists"):
        fitted.explore(tmp_path / "page.html", open_browser=False)
    fitted.explore(tmp_path / "page.html", open_browser=False, overwrite=True)
    nameless = tain.LDA(3, passes=3).fit(random_counts())
    with_documents = nameless.explore(X=random_counts(), open_browser=False)
    assert "document 1" in open(with_documents).read()


# ------------------------------------------------------------------------------------------- progress, Ctrl-C, restart


ENDLESS = 10**6  # passes


def test_progress_is_a_function_of_text_and_share(bags):
    seen = []

    def show(text, share):
        seen.append((text, share))
        if len(seen) == 3:
            signal.raise_signal(signal.SIGINT)

    with pytest.warns(tain.Interrupted):
        tain.LDA(4, passes=ENDLESS, progress=show).fit(bags)
    assert len(seen) == 3 and all("passes" in text or "pass" in text for text, _ in seen)
    assert all(0 <= share <= 1 for _, share in seen)


def test_ctrl_c_keeps_the_topics_so_far(bags, python_with_failpoint):
    code = f"""
import warnings
import numpy as np
import tain
bags = tain.Corpus({str(bags.folder)!r})
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    lda = tain.LDA(4, passes={ENDLESS}).fit(bags)
assert [warning.category for warning in caught] == [tain.Interrupted]
assert "stopped after" in str(caught[0].message)
assert lda.n_batch_iter_ >= 30 and np.allclose(lda.components_.sum(axis=1), 1, atol=1e-5)
assert lda.transform(bags).shape == (300, 4)
print("stopped")
"""
    done = python_with_failpoint("steps:30=int", code)
    assert (done.returncode, done.stdout) == (0, "stopped\n"), done.stderr


def test_other_threads_run_while_it_trains(bags, tmp_path, interrupt_at):
    interrupt_at(tmp_path / "training.bin")  # written in native code
    with pytest.warns(tain.Interrupted):
        tain.LDA(4, passes=ENDLESS, checkpoint=tmp_path / "training.bin").fit(bags)


def test_an_exception_of_the_progress_function_leaves_the_checkpoint(bags, tmp_path):
    def stop(text, share):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        tain.LDA(4, passes=ENDLESS, checkpoint=tmp_path / "training.bin", progress=stop).fit(bags)
    assert (tmp_path / "training.bin").exists()


def test_checkpoint_goes_on(bags, tmp_path, python_with_failpoint):
    whole = tain.LDA(4, passes=6).fit(bags)
    file = tmp_path / "training.bin"
    fit = f"tain.LDA(4, passes=6, checkpoint={str(file)!r}, checkpoint_every=1).fit(tain.Corpus({str(bags.folder)!r}))"
    done = python_with_failpoint("documents:700", f"import tain\n{fit}")  # of 1800
    assert done.returncode == -signal.SIGKILL, done.stderr
    again = tain.LDA(4, passes=6, checkpoint=file).fit(bags)
    assert again.components_.tobytes() == whole.components_.tobytes()
    assert again.draws_.tobytes() == whole.draws_.tobytes()
    assert tain.LDA(4, passes=6, checkpoint=file).fit(bags).components_.tobytes() == whole.components_.tobytes()
    more = tain.LDA(4, passes=8, checkpoint=file).fit(bags)
    assert more.n_batch_iter_ > whole.n_batch_iter_
    with pytest.raises(tain.InputError, match="topics"):
        tain.LDA(5, passes=6, checkpoint=file).fit(bags)
    with pytest.raises(tain.InputError, match="^checkpoint: "):
        tain.LDA(4, passes=6, checkpoint=tmp_path / "x.draws").fit(bags)


def test_works_without_scikit_learn(bags, fitted):
    code = f"""
import sys
sys.modules["sklearn"] = None
import numpy, tain
assert "pandas" not in sys.modules
lda = tain.LDA(4, passes=6).fit(tain.Corpus({bags.folder!r}))
print(repr(lda), lda.get_params()["passes"], lda.set_params(passes=7).passes, lda.components_.sum())
theta = tain.LDA(2, steps=2).fit_transform([[1, 2, 0], [0, 3, 4]])
assert theta.shape == (2, 2)
for X, message in [([1, 2], "shape"), ([[1.5]], "row 0, column 0"), ([[1, 2]], "features")]:
    try:
        lda.transform(X) if message == "features" else tain.LDA(2, steps=2).fit(X)
    except tain.InputError as error:
        assert message in str(error), error
    else:
        assert False, message
try:
    tain.LDA().transform([[1]])
except ValueError as error:
    assert "not fitted" in str(error)
try:
    lda.set_params(color=1)
except ValueError as error:
    assert "color" in str(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["LDA(n_components=4,", "passes=6)", "6", "7", str(fitted.components_.sum())]


def test_import_is_light():
    code = "import sys, tain; assert 'sklearn' not in sys.modules and 'scipy' not in sys.modules; tain.LDA; dir(tain)"
    subprocess.run([sys.executable, "-c", code], check=True)
