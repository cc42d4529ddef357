"""What LDA is built on: scikit-learn's base classes, or as much of them as it takes where there is none."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Dict, List, Tuple, Type

if TYPE_CHECKING:

    class BaseEstimator:
        """Parameters are the arguments of the constructor, kept under their names."""

        def get_params(self, deep: bool = True) -> Dict[str, Any]: ...
        def set_params(self, **params: Any) -> "BaseEstimator": ...
        def _validate_data(self, X: Any, *, accept_sparse: str, reset: bool) -> Any: ...

    class TransformerMixin:
        """Adds fit_transform."""

        def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any: ...

    class NotFittedError(ValueError, AttributeError):
        """Something was asked of an estimator before it was fitted."""

else:
    try:
        from sklearn.base import BaseEstimator, TransformerMixin
        from sklearn.exceptions import NotFittedError
    except ImportError:
        import numpy as np

        from ._counts import is_sparse
        from .errors import InputError

        class NotFittedError(ValueError, AttributeError):
            """Something was asked of an estimator before it was fitted."""

        class BaseEstimator:
            """Parameters are the arguments of the constructor, kept under their names."""

            @classmethod
            def _parameters(cls: Type["BaseEstimator"]) -> List[Tuple[str, Any]]:
                signature = inspect.signature(cls.__init__)
                return [(name, p.default) for name, p in signature.parameters.items() if name != "self"]

            def get_params(self, deep: bool = True) -> Dict[str, Any]:
                """Parameters by their names."""
                return {name: getattr(self, name) for name, _ in self._parameters()}

            def set_params(self, **params: Any) -> "BaseEstimator":
                """Changes parameters; returns self."""
                known = self.get_params()
                for name, value in params.items():
                    if name not in known:
                        raise ValueError(f"{name}: is no parameter of {type(self).__name__}; see get_params()")
                    setattr(self, name, value)
                return self

            def __repr__(self) -> str:
                changed = [
                    f"{name}={getattr(self, name)!r}"
                    for name, default in self._parameters()
                    if repr(getattr(self, name)) != repr(default)
                ]
                return f"{type(self).__name__}({', '.join(changed)})"

            def _validate_data(self, X: Any, *, accept_sparse: str, reset: bool) -> Any:
                matrix = X.asformat(accept_sparse) if is_sparse(X) else np.asarray(X)
                if matrix.ndim != 2 or 0 in matrix.shape:
                    raise InputError(f"X: has the shape {matrix.shape}; give documents x words, at least one of each")
                if reset:
                    self.n_features_in_ = int(matrix.shape[1])
                elif matrix.shape[1] != self.n_features_in_:
                    raise InputError(
                        f"X: has {matrix.shape[1]} features, but {type(self).__name__} is expecting "
                        f"{self.n_features_in_} features as input; give the words it was fitted on"
                    )
                return matrix

        class TransformerMixin:
            """Adds fit_transform."""

            def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
                """Fits to X and transforms it."""
                return self.fit(X, y, **fit_params).transform(X)


# Checks of scikit-learn whose data are refused; they pass on counts.
CHECKS_ON_FRACTIONS = (
    "dict_unchanged",
    "dont_overwrite_parameters",
    "dtype_object",
    "estimator_sparse_data",
    "estimators_dtypes",
    "estimators_fit_returns_self",
    "estimators_nan_inf",
    "estimators_overwrite_params",
    "estimators_pickle",
    "fit2d_1feature",
    "fit2d_1sample",
    "fit2d_predict1d",
    "fit_check_is_fitted",
    "fit_idempotent",
    "fit_score_takes_y",
    "methods_sample_order_invariance",
    "methods_subset_invariance",
    "n_features_in",
    "pipeline_consistency",
    "transformer_data_not_an_array",
    "transformer_general",
)

__all__ = ["CHECKS_ON_FRACTIONS", "BaseEstimator", "NotFittedError", "TransformerMixin"]
