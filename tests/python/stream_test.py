"""tain.LDA on streams: the same topics however documents come in."""

import copy
import json
import os
import pickle
import subprocess

import numpy as np
import pytest
import tain

TAIN = os.environ["TAIN"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stream") / "corpus"
    return tain.Corpus.synthesize(folder, docs=3000, topics=4, vocab_size=100, mean_length=60, eta=0.02, seed=5)


@pytest.fixture(scope="module")
def whole(corpus):
    return tain.LDA(4, online=True).fit(corpus.matrix())


def pieces(matrix, seed):
    random = np.random.default_rng(seed)
    begin = 0
    while begin < matrix.shape[0]:
        end = begin + int(random.choice([1, 7, 100, 900]))
        yield matrix[begin:end]
        begin = end


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_any_cuts_threads_and_pickles_give_the_bits_of_one_fit(corpus, whole, seed):
    stream = tain.LDA(4, total_documents=3000)
    for number, piece in enumerate(pieces(corpus.matrix(), seed)):
        stream.set_params(threads=1 + number % 3)
        stream.partial_fit(piece)
        if number % 3 == 0:
            stream = pickle.loads(pickle.dumps(stream))
        if number % 4 == 0:
            stream = copy.deepcopy(stream)
        if number % 5 == 0:
            stream.components_  # looking changes nothing
    assert stream.components_.tobytes() == whole.components_.tobytes()
    assert stream.draws_.tobytes() == whole.draws_.tobytes()
    assert stream.shares_.tobytes() == whole.shares_.tobytes()
    assert stream.n_batch_iter_ == whole.n_batch_iter_ > 1


def test_a_corpus_streams_like_its_matrix(corpus, whole):
    assert tain.LDA(4, online=True).fit(corpus).components_.tobytes() == whole.components_.tobytes()


def test_fit_begins_anew_and_partial_fit_goes_on(corpus, whole):
    matrix = corpus.matrix()
    lda = tain.LDA(4, online=True, total_documents=3000)
    lda.fit(matrix[:500]).fit(matrix[:2000]).partial_fit(matrix[2000:])
    assert lda.components_.tobytes() == whole.components_.tobytes()


def test_total_documents_counts(corpus, whole):
    assert tain.LDA(4).partial_fit(corpus).get_params()["total_documents"] is None
    few = tain.LDA(4, online=True, total_documents=100).fit(corpus)
    assert few.components_.tobytes() != whole.components_.tobytes()


def test_topics_of_a_synthetic_stream_are_found(corpus, whole):
    true = np.load(os.path.join(corpus.folder, "topics.npy"))
    distance = np.abs(true[:, None, :] - whole.components_[None, :, :]).sum(axis=2) / 2
    # 180,000 tokens over 400 probabilities: their sampling error in total variation is about 0.01.
    assert (distance.min(axis=1) < 0.1).all() and len(set(distance.argmin(axis=1))) == 4


def test_topics_are_published_when_they_are_asked_for(corpus):
    stream = tain.LDA(4).partial_fit(corpus.matrix()[:600])
    assert "components_" not in vars(stream)
    assert stream.transform(corpus.matrix()[:5]).shape == (5, 4)
    assert "components_" in vars(stream) and "draws_" not in vars(stream)
    stream.partial_fit(corpus.matrix()[600:700])
    assert "components_" not in vars(stream)
    assert not stream.verdict_ and np.isnan(stream.perplexity_) and len(stream.history_) == 0


def test_draws_scatter_about_the_topics(whole):
    assert whole.draws_.shape == (10, 4, 100) and np.allclose(whole.draws_.sum(axis=2), 1, atol=1e-5)
    # Dirichlet(mass phi): variance phi (1 - phi) / (mass + 1), mass at most all tokens; five deviations.
    mass = 60 * 3000 * whole.shares_[:, None]
    deviation = np.sqrt(whole.components_ * (1 - whole.components_) / mass)
    often = whole.components_ > 0.01
    assert (np.abs(whole.draws_.mean(axis=0) - whole.components_)[often] < 5 * deviation[often]).all()
    assert (whole.draws_.std(axis=0)[often] > 0).all()


def test_saved_streams_are_models_of_the_program(corpus, tmp_path):
    named = tain.LDA(4, online=True).fit(corpus)
    named.save(tmp_path / "named")
    model, theta = str(tmp_path / "named"), str(tmp_path / "theta.npy")
    subprocess.run([TAIN, "lda", "infer", model, corpus.folder, "-o", theta, "-q"], check=True, capture_output=True)
    assert named.transform(corpus).tobytes() == np.load(tmp_path / "theta.npy").tobytes()
    shown = subprocess.run([TAIN, "lda", "topics", model, "--json", "-q"], check=True, capture_output=True)
    words = [[word["word"] for word in topic["words"]] for topic in json.loads(shown.stdout)["topics"]]
    assert words == named.topics()
    assert "topics of a stream" in (tmp_path / "named" / "README.md").read_text()
    loaded = tain.LDA.load(tmp_path / "named")
    assert loaded.components_.tobytes() == named.components_.tobytes()
    assert loaded.draws_.tobytes() == named.draws_.tobytes() and len(loaded.draws_) == 10
    page = named.explore(tmp_path / "page.html", X=corpus, open_browser=False)
    assert os.path.getsize(page) > 10_000


def test_perplexity_is_that_of_other_documents(corpus, tmp_path):
    stream = tain.LDA(4).partial_fit(corpus.matrix()[:2000])
    found = stream.evaluate(corpus.matrix()[2000:])
    assert found.documents == 1000 and found.perplexity < tain.LDA(1).partial_fit(corpus.matrix()[:2000]).perplexity(
        corpus.matrix()[2000:]
    )


@pytest.mark.parametrize(
    "keywords",
    [{"passes": 2}, {"step_size": 0.1}, {"checkpoint": "x"}, {"optimize_alpha": True}, {"holdout": 10}, {"start": "random"}],
)
def test_parameters_without_meaning_are_refused(corpus, keywords):
    with pytest.raises(tain.InputError, match=f"^{next(iter(keywords))}: has no meaning"):
        tain.LDA(4, **keywords).partial_fit(corpus)


def test_wrong_use_is_told(corpus, whole, tmp_path):
    matrix = corpus.matrix()
    with pytest.warns(UserWarning, match="forgotten"):
        anew = tain.LDA(4, steps=2).fit(matrix).set_params(steps=None, total_documents=3000).partial_fit(matrix)
    assert anew.components_.tobytes() == whole.components_.tobytes()
    with pytest.raises(tain.InputError, match="^total_documents: "):
        tain.LDA(4, steps=2, total_documents=5).fit(matrix)
    with pytest.raises(tain.InputError, match="^total_documents: "):
        tain.LDA(4, total_documents=0).partial_fit(matrix)
    with pytest.raises(tain.InputError, match="sgrld"):
        tain.LDA(4, method="sgrld").partial_fit(matrix)
    stream = tain.LDA(4).partial_fit(corpus)
    with pytest.raises(ValueError, match="99 features"):
        stream.partial_fit(matrix[:, :99])
    other = tain.Corpus.write(tmp_path / "other", matrix[:10])
    with pytest.raises(tain.InputError, match="other words"):
        stream.partial_fit(other)


def test_nothing_but_empty_documents_has_no_topics():
    stream = tain.LDA(2).partial_fit(np.zeros((5, 3)))
    with pytest.raises(tain.InputError):
        stream.components_
    assert np.isfinite(stream.partial_fit([[1, 0, 2]]).components_).all()


def test_damaged_state_is_refused(corpus):
    stream = tain.LDA(4).partial_fit(corpus.matrix()[:100])
    kept = pickle.dumps(stream)
    place = kept.index(stream._stream.__getstate__()) + 100
    with pytest.raises(tain.InputError):
        pickle.loads(kept[:place] + bytes([kept[place] ^ 1]) + kept[place + 1 :])
