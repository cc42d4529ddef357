"""Targets that are sums of terms, on mini-batches."""

import numpy as np
import pytest
import tain

rng = np.random.default_rng(20181203)
X = rng.normal(size=(40, 3))
Y = (X @ [1.0, -2.0, 0.5] + rng.normal(size=40) > 0).astype(float)


def regression_terms(x, indices):
    """Logistic regression with a prior of sd 2, one point."""
    rows, answers = X[indices], Y[indices]
    eta = rows @ x
    prior = len(indices) / len(X) / 4
    value = np.sum(np.logaddexp(0, eta) - answers * eta) + 0.5 * prior * x @ x
    return value, (1 / (1 + np.exp(-eta)) - answers) @ rows + prior * x


def regression_terms_of_many(x, indices):
    rows, answers = X[indices], Y[indices]
    eta = np.einsum("nbd,nd->nb", rows, x)
    prior = indices.shape[1] / len(X) / 4
    value = np.sum(np.logaddexp(0, eta) - answers * eta, axis=1) + 0.5 * prior * np.sum(x * x, axis=1)
    return value, np.einsum("nb,nbd->nd", 1 / (1 + np.exp(-eta)) - answers, rows) + prior * x


BATCHES = {"one": (regression_terms, False), "many": (regression_terms_of_many, True)}


@pytest.mark.parametrize("kind", BATCHES)
def test_terms_sum_to_the_librarys_regression(kind):
    function, vectorized = BATCHES[kind]
    ours = tain.minibatch(function, terms=40, dim=3, vectorized=vectorized)
    theirs = tain.logistic_regression(X, Y, prior_sd=2.0)
    assert ours.terms == 40 and repr(ours).endswith("dim 3, 40 terms>")
    points = rng.normal(size=(11, 3))
    for mine, expected in zip(ours(points), theirs(points)):
        assert mine == pytest.approx(expected, rel=1e-12)
    check = tain.check_gradient(ours)
    assert check and "Its 40 terms sum to it." in str(check)


@pytest.mark.parametrize("kind", BATCHES)
def test_runs_on_batches_follow_the_librarys(kind):
    function, vectorized = BATCHES[kind]
    options = dict(kernel="smld", batch=10, step_size=0.01, warmup=0, draws=30, thin=1, chains=3, control_variates=4)
    ours = tain.sample(tain.minibatch(function, terms=40, vectorized=vectorized), tain.box(-3.0, 3.0, dim=3), **options)
    theirs = tain.sample(tain.logistic_regression(X, Y, prior_sd=2.0), tain.box(-3.0, 3.0), start=[0, 0, 0], **options)
    again = tain.sample(
        tain.minibatch(function, terms=40, vectorized=vectorized), tain.box(-3.0, 3.0, dim=3), start=[0, 0, 0], **options
    )
    assert ours.draws.shape == (3, 30, 3)
    # The same batches and noise; sums in another order.
    assert again.draws == pytest.approx(theirs.draws, abs=1e-9)


def test_the_whole_goes_through_all_terms_in_pieces():
    sizes = []

    def count(x, indices):
        sizes.append(len(indices))
        assert indices.dtype == np.int64 and (np.diff(indices) == 1).all()
        return float(len(indices)), np.array([indices.sum(dtype=float)])

    terms = 20_000
    value, gradient = tain.minibatch(count, terms=terms, dim=1)([0.0])
    assert value == terms and gradient[0] == terms * (terms - 1) / 2
    assert sizes[:3] == [8192, 8192, 20_000 - 2 * 8192]


def test_a_whole_that_is_not_the_sum_is_found():
    def whole(x):
        value, gradient = regression_terms(x, np.arange(40))
        return 2 * value, 2 * gradient

    target = tain.minibatch(regression_terms, whole=whole, terms=40, dim=3)
    check = tain.check_gradient(target)
    assert not check and "The 40 terms of regression_terms do not sum to the whole" in str(check)
    fine = tain.minibatch(regression_terms, whole=lambda x: regression_terms(x, np.arange(40)), terms=40, dim=3)
    assert tain.check_gradient(fine)


def test_batches_that_raise():
    def function(x, indices):
        raise ArithmeticError("no data")

    with pytest.raises(ArithmeticError, match="no data"):
        tain.sample(tain.minibatch(function, terms=5, dim=1), tain.box(0.0, 1.0), kernel="smld", batch=2)
