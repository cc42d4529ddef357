"""tain.Corpus: the same corpora as the program's."""

import contextlib
import json
import os
import pickle
import subprocess
import threading
import time

import numpy as np
import pytest
import scipy.sparse
import tain

TAIN = os.environ["TAIN"]


def program(*arguments):
    return subprocess.run([TAIN, *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def random_counts(rows, columns, seed=1):
    return np.random.default_rng(seed).poisson(0.4, size=(rows, columns))


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.tsv"
    path.write_text("a\tFirst\tthe cat sat on the mat\nb\tSecond\tthe dog sat\nc\tThird\t\n")
    return path


def test_reads_as_the_program_does(texts, tmp_path):
    ours = tain.Corpus.read(texts, tmp_path / "ours", min_df=1, max_df=1, stop_words="none")
    program("corpus", "import", texts, "-o", tmp_path / "theirs", "--min-df", 1, "--max-df", 1, "--stop-words", "none")
    theirs = tain.Corpus(tmp_path / "theirs")
    for name in ("corpus.bin", "vocab.txt", "documents.tsv"):
        assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    assert ours.fingerprint == theirs.fingerprint
    assert (ours.documents, len(ours), ours.words, ours.tokens, ours.order) == (3, 3, 6, 9, "text")
    assert ours.names == ["a", "b", "c"] and ours.titles == ["First", "Second", "Third"]
    assert ours.folder == str(tmp_path / "ours")


def test_documents_keep_the_order_of_the_text(texts, tmp_path):
    corpus = tain.Corpus.read(texts, tmp_path / "corpus", min_df=1, max_df=1, stop_words="none")
    words = [corpus.vocabulary[i] for i in corpus.document(0).ids]
    assert words == "the cat sat on the mat".split()
    assert corpus.document(0).counts.tolist() == [1] * 6
    assert corpus.document(-1).ids.size == 0
    with pytest.raises(IndexError, match="3"):
        corpus.document(3)


def test_matrix_counts_ordered_tokens(texts, tmp_path):
    corpus = tain.Corpus.read(texts, tmp_path / "corpus", min_df=1, max_df=1, stop_words="none")
    matrix = corpus.matrix()
    assert matrix.dtype == np.int32 and matrix.indices.dtype == np.int32
    assert matrix.shape == (3, 6) and matrix.sum() == corpus.tokens
    assert matrix[0, corpus.vocabulary.index("the")] == 2


def test_written_matrix_comes_back_as_a_view(tmp_path):
    counts = random_counts(40, 12)
    corpus = tain.Corpus.write(
        tmp_path / "corpus", scipy.sparse.csr_matrix(counts), [f"w{i}" for i in range(12)],
        names=[f"n{i}" for i in range(40)], titles=[f"t{i}" for i in range(40)],
    )
    matrix = corpus.matrix()
    assert (matrix.toarray() == counts).all()
    assert corpus.order == "none" and corpus.names[3] == "n3" and corpus.titles[39] == "t39"
    assert not matrix.data.flags.writeable and not matrix.indices.flags.writeable
    assert matrix.indices.ctypes.data == corpus.matrix().indices.ctypes.data
    with pytest.raises(ValueError):
        matrix.data[0] = 7
    shown = json.loads(program("corpus", "show", tmp_path / "corpus", "--json"))
    assert shown["tokens"] == counts.sum()


def test_matrix_outlives_the_corpus(tmp_path):
    counts = random_counts(40, 12)
    matrix = tain.Corpus.write(tmp_path / "corpus", counts).matrix()
    assert (matrix.toarray() == counts).all()


def test_nothing_is_overwritten_unless_asked(tmp_path):
    tain.Corpus.write(tmp_path / "corpus", [[1, 2]])
    with pytest.raises(tain.FileError, match="corpus"):
        tain.Corpus.write(tmp_path / "corpus", [[3, 4]])
    assert tain.Corpus.write(tmp_path / "corpus", [[3, 4]], overwrite=True).tokens == 7
    with pytest.raises(tain.FileError, match="corpus"):
        tain.Corpus.synthesize(tmp_path / "corpus", docs=5)
    assert tain.Corpus.synthesize(tmp_path / "corpus", docs=5, overwrite=True).documents == 5


def test_synthesizes_as_the_program_does(tmp_path):
    tain.Corpus.synthesize(tmp_path / "ours", docs=30, vocab_size=50, seed=3)
    program("corpus", "synthesize", "-o", tmp_path / "theirs", "--docs", 30, "--vocab-size", 50, "--seed", 3)
    for name in ("corpus.bin", "topics.npy"):
        assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()


@contextlib.contextmanager
def a_source_that_lasts_until(enough, folder):
    """A pipe with lines of text, until there are enough of them."""
    source = folder / "texts"
    os.mkfifo(source)

    def feed():
        with contextlib.suppress(BrokenPipeError), open(source, "wb", buffering=0) as pipe:
            while not enough():
                pipe.write(b"cat dog mat\n")

    feeder = threading.Thread(target=feed)
    feeder.start()
    try:
        yield source
    finally:
        os.close(os.open(source, os.O_RDONLY | os.O_NONBLOCK))  # should nobody have come to read
        feeder.join()


# Progress is shown when a tenth of a second has passed since it was shown, so always if that itself takes as long.
LOOKS = 0.1


def test_progress_is_reported(tmp_path):
    seen = []

    def show(text, share):
        seen.append((text, share))
        time.sleep(LOOKS)

    with a_source_that_lasts_until(lambda: seen, tmp_path) as source:
        tain.Corpus.read(source, tmp_path / "corpus", format="text", min_df=1, max_df=1, threads=1, progress=show)
    assert all(0 <= share <= 1 and "documents" in text for text, share in seen)
    phases = [text.split(",")[0] for text, _ in seen]
    assert list(dict.fromkeys(phases)) == ["copying", "counting words", "writing"]


@pytest.mark.parametrize("phase", ["copying", "writing"])
def test_an_exception_of_the_progress_function_ends_the_work(tmp_path, phase):
    seen = []

    def fail(text, share):
        seen.append(text)
        if text.startswith(phase):
            raise RuntimeError("no more")
        time.sleep(LOOKS)

    with a_source_that_lasts_until(lambda: seen, tmp_path) as source:
        with pytest.raises(RuntimeError, match="no more"):
            tain.Corpus.read(source, tmp_path / "corpus", format="text", min_df=1, max_df=1, threads=1, progress=fail)
    assert not (tmp_path / "corpus").exists()


def test_errors_are_those_of_the_program(texts, tmp_path):
    with pytest.raises(tain.FileError, match="nowhere"):
        tain.Corpus(tmp_path / "nowhere")
    with pytest.raises(tain.FileError, match="nowhere"):
        tain.Corpus.read(tmp_path / "nowhere", tmp_path / "corpus")
    with pytest.raises(tain.InputError, match=r"min_df.*did you mean|mindf"):
        tain.Corpus.read(texts, tmp_path / "corpus", mindf=1)
    with pytest.raises(tain.InputError, match="^max_df: "):
        tain.Corpus.read(texts, tmp_path / "corpus", max_df=3)
    (tmp_path / "bags.ldac").write_text("1 0:1\n")
    with pytest.raises(tain.InputError, match="^stemmer: "):
        tain.Corpus.read(tmp_path / "bags.ldac", tmp_path / "corpus", format="ldac", stemmer="english")
    assert not (tmp_path / "corpus").exists()


def test_wrong_vocabularies_and_names(tmp_path):
    for words, problem in [(["a"], "has 1 words"), (["a", "a"], "twice"), (["a", ""], "no word"), (["a", "b\n"], "line")]:
        with pytest.raises(tain.InputError, match=problem):
            tain.Corpus.write(tmp_path / "corpus", [[1, 2]], words)
    with pytest.raises(tain.InputError, match="names: 2 of them"):
        tain.Corpus.write(tmp_path / "corpus", [[1, 2]], names=["a", "b"])
    with pytest.raises(tain.InputError, match="titles: .* tab"):
        tain.Corpus.write(tmp_path / "corpus", [[1, 2]], titles=["a\tb"])


def test_pickles_by_its_folder(tmp_path):
    corpus = tain.Corpus.write(tmp_path / "corpus", [[1, 2]])
    assert pickle.loads(pickle.dumps(corpus)).fingerprint == corpus.fingerprint
    assert repr(corpus) == "<Corpus of 1 documents, 2 words, 3 tokens>"


def test_exports_and_shows_as_the_program_does(tmp_path):
    corpus = tain.Corpus.synthesize(tmp_path / "c", docs=30, vocab_size=50, seed=3)
    assert corpus.export_to(tmp_path / "ours.uci.gz") == str(tmp_path / "ours.uci.vocab")
    program("corpus", "export", tmp_path / "c", "-o", tmp_path / "theirs.uci.gz")
    for name in ("uci.gz", "uci.vocab"):
        assert (tmp_path / f"ours.{name}").read_bytes() == (tmp_path / f"theirs.{name}").read_bytes()
    assert corpus.export_to(tmp_path / "a", format="vw") is None
    corpus.export_to(tmp_path / "b", format="svmlight", first_id=0)
    assert (tmp_path / "b").read_text().split()[1].startswith("0:")
    assert corpus.summary(3) == program("corpus", "show", tmp_path / "c", "--top", 3)


def test_wrong_exports_are_told(tmp_path):
    corpus = tain.Corpus.write(tmp_path / "c", [[2, 0], [1, 3]])
    with pytest.raises(tain.InputError, match="a.xyz: does not tell the format by its ending; give format, or"):
        corpus.export_to(tmp_path / "a.xyz")
    with pytest.raises(tain.InputError, match="^first_id: mm fixes"):
        corpus.export_to(tmp_path / "a.mm", first_id=0)
    with pytest.raises(tain.InputError, match="did you mean 'format'"):
        corpus.export_to(tmp_path / "a.mm", formt="mm")
    with pytest.raises(tain.InputError, match="not their order"):
        corpus.export_to(tmp_path / "a.txt")
    with pytest.raises(tain.InputError, match="in the folder of the corpus"):
        corpus.export_to(tmp_path / "c" / "corpus.bin", format="mm", overwrite=True)
    corpus.export_to(tmp_path / "a.mm")
    with pytest.raises(tain.FileError, match="exists; give overwrite=True"):
        corpus.export_to(tmp_path / "a.mm")
