// What Python keeps of a trained model besides its arrays: enough to write it as a folder.
#pragma once

#include <pybind11/pybind11.h>

#include "errors.hpp"
#include "lda/model/model_state.hpp"
#include "topic_arrays.hpp"

namespace tain::python {

/// What the estimator calls otherwise than the library.
inline const Keywords estimator_words{{"topics", "n_components"}, {"seed", "random_state"}};

pybind11::dict record_of(const ModelFacts& facts, const ModelTexts& texts);
ModelFacts facts_of(const pybind11::dict& record, const FloatArray& alpha);
ModelTexts texts_of(const pybind11::dict& record);

/// Topics, alpha, shares, history, perplexity, verdict and the record, by their names.
pybind11::dict model_arrays(const Model& model);
/// Draws as one array, draws x topics x words, and their shares.
void add_draws(const Model& model, pybind11::dict& result);

}  // namespace tain::python
