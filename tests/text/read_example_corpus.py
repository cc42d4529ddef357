"""Opens what write_example_corpus wrote with the libraries users have, and compares it with the text.

Usage: read_example_corpus.py FOLDER scipy|sklearn|gensim; exits with 77, saying why, where the library is missing."""
import collections
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
library = sys.argv[2]
words = (folder / "example.mm.vocab").read_text().split("\n")[:-1]
number = {word: i for i, word in enumerate(words)}
text = (folder / "example.txt").read_text().split("\n")[:-1]
bags = [sorted(collections.Counter(number[word] for word in line.split()).items()) for line in text]
assert len(words) == 50 and len(bags) == 60 and any(not bag for bag in bags)


def same(matrix):
    rows = matrix.tocsr()
    assert rows.shape == (60, 50), rows.shape
    for d, bag in enumerate(bags):
        row = rows[d]
        assert sorted(zip(row.indices.tolist(), row.data.tolist())) == bag, d


try:
    if library == "scipy":
        import numpy
        import scipy.io

        for name in ["example.mm", "example.mm.gz"]:
            same(scipy.io.mmread(str(folder / name)))
        topics = numpy.load(folder / "corpus" / "topics.npy")
        assert topics.shape == (4, 50) and topics.dtype == "<f4"
        assert abs(topics.sum(axis=1, dtype=float) - 1).max() < 50 * 2**-24
        proportions = numpy.load(folder / "corpus" / "proportions.npy")
        assert proportions.shape == (60, 4) and abs(proportions.sum(axis=1) - 1).max() < 1e-6
        assert (folder / "vocab.example.txt").read_text().split("\n")[:-1] == words
    elif library == "sklearn":
        import sklearn.datasets

        for name, zero_based in [("one.svmlight", False), ("zero.svmlight", True)]:
            same(sklearn.datasets.load_svmlight_file(str(folder / name), n_features=50, zero_based=zero_based)[0])
    elif library == "gensim":
        import gensim.corpora

        assert [sorted(bag) for bag in gensim.corpora.MmCorpus(str(folder / "example.mm"))] == bags
        ldac = gensim.corpora.BleiCorpus(str(folder / "example.ldac"), str(folder / "example.ldac.vocab"))
        assert [sorted(bag) for bag in ldac] == bags and ldac.id2word[7] == words[7]
        uci = gensim.corpora.UciCorpus(str(folder / "docword.example.txt"), str(folder / "vocab.example.txt"))
        assert [sorted(bag) for bag in uci if bag] == [bag for bag in bags if bag]
        svmlight = gensim.corpora.SvmLightCorpus(str(folder / "one.svmlight"))
        assert [sorted(bag) for bag in svmlight] == bags
    else:
        sys.exit(f"no library {library}")
except ModuleNotFoundError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)
