"""Memory stays where it was over many fits."""

import numpy as np
import scipy.sparse
import tain

# malloc keeps freed memory for each of its arenas, a few MB in all, and stops at some round. The counts of one matrix take
# 95 kB: leaking them in 150 rounds, or the topics of as many fits in Python or native code, is more than the bound.
BOUND = 6_000_000


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def growth(work):
    for _ in range(50):
        work()
    before = resident()
    for _ in range(150):
        work()
    return resident() - before


def counts():
    return scipy.sparse.csr_matrix(np.random.default_rng(1).poisson(0.5, size=(300, 100)).astype(np.int32))


def test_fits_leave_no_memory_behind():
    matrix = counts()
    assert growth(lambda: tain.LDA(50, steps=5).fit(matrix).transform(matrix)) < BOUND


def test_failed_fits_leave_no_memory_behind():
    wrong = counts().astype(float)
    wrong.data[100] = 0.5

    def fail():
        try:
            tain.LDA(50, steps=5).fit(wrong)
        except tain.InputError:
            pass

    assert growth(fail) < BOUND


def test_streams_leave_no_memory_behind():
    matrix = counts()
    assert growth(lambda: tain.LDA(50).partial_fit(matrix).partial_fit(matrix).components_) < BOUND


def test_corpora_leave_no_memory_behind(tmp_path):
    corpus = tain.Corpus.write(tmp_path / "corpus", counts())
    assert growth(lambda: tain.Corpus(corpus.folder).matrix().sum()) < BOUND
