"""tain.LDA as an estimator of scikit-learn: its own checks, pipelines, searches."""

import functools
import warnings

import numpy as np
import pytest
import scipy.sparse
import tain
from sklearn.base import clone
from sklearn.exceptions import NotFittedError, SkipTestWarning
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

TEXTS = [
    "cats and dogs are animals that people keep in their homes",
    "a dog chases cats and other animals all day in the homes of people",
    "atoms are made of protons and electrons that quarks and fields make",
    "quarks make protons and neutrons and electrons orbit atoms in fields",
] * 20


def small():
    return tain.LDA(2)


class LDAOfRounded(tain.LDA):
    """Takes any numbers for counts, so that the checks' data, which are fractions, become counts."""

    def _validate_data(self, X, **options):
        X = super()._validate_data(X, **options)
        if scipy.sparse.issparse(X):
            X = X.copy()
            X.data = np.rint(40 * X.data)
            return X
        return np.rint(40 * X) if np.asarray(X).dtype.kind == "f" else X

    def _more_tags(self):
        return {"_xfail_checks": {}}


def checks(estimator):
    return list(check_estimator(estimator, generate_only=True))


def name_of(check):
    function = check.func if isinstance(check, functools.partial) else check
    return getattr(function, "__name__", str(function))


def test_every_check_passes_or_is_declared():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkipTestWarning)
        check_estimator(small())


@pytest.mark.parametrize("number", range(len(checks(LDAOfRounded(2)))))
def test_every_check_passes_on_counts(number):
    estimator, check = checks(LDAOfRounded(2))[number]
    check(estimator)


def test_only_checks_on_fractions_are_declared():
    declared = small()._get_tags()["_xfail_checks"]
    assert set(declared) <= {name_of(check) for _, check in checks(small())}
    for reason in declared.values():
        assert "fraction" in reason


def test_pipeline_with_count_vectorizer():
    pipeline = make_pipeline(CountVectorizer(), tain.LDA(2, passes=30)).fit(TEXTS)
    theta = pipeline.transform(["cats and dogs at homes", "electrons and protons"])
    assert theta[0].argmax() != theta[1].argmax()
    words = pipeline[0].get_feature_names_out()
    topics = pipeline[1].topics(12, vocabulary=words)
    assert ["animals" in words for words in topics] == ["atoms" not in words for words in topics]
    assert list(pipeline.get_feature_names_out()) == ["lda0", "lda1"]


def test_grid_search_over_topics():
    counts = CountVectorizer().fit_transform(TEXTS)
    search = GridSearchCV(tain.LDA(passes=20), {"n_components": [1, 2]}, cv=3).fit(counts)
    assert search.best_params_ == {"n_components": 2}
    assert (search.cv_results_["mean_test_score"] < 0).all()


def test_clone_has_the_parameters_and_no_topics():
    lda = small().set_params(alpha=0.25).fit(CountVectorizer().fit_transform(TEXTS))
    copied = clone(lda)
    assert copied.get_params() == lda.get_params()
    with pytest.raises(NotFittedError):
        copied.transform([[1]])


def test_columns_of_data_frames_are_the_words():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[3, 0, 1], [0, 2, 4]], columns=["cat", "dog", "sea"])
    lda = small().fit(frame)
    assert lda.vocabulary_ == ["cat", "dog", "sea"] and list(lda.feature_names_in_) == lda.vocabulary_
    with pytest.raises(ValueError, match="feature names"):
        lda.transform(frame[["sea", "dog", "cat"]])
    assert list(lda.set_output(transform="pandas").transform(frame).columns) == ["lda0", "lda1"]
