// What Python keeps of a trained model besides its arrays: enough to write it as a folder.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "errors.hpp"
#include "lda/model/history.hpp"
#include "lda/model/model.hpp"
#include "topic_arrays.hpp"

namespace tain::python {

/// Texts of the files of a model.
struct ModelTexts {
  std::string details;  ///< as in ModelFiles
  std::string history;
  std::string card;  ///< with `name_mark` where the name of the folder belongs
};
inline constexpr std::string_view name_mark = "\x1a";

/// What the estimator calls otherwise than the library.
inline const Keywords estimator_words{{"topics", "n_components"}, {"seed", "random_state"}};

pybind11::dict record_of(const ModelFacts& facts, const ModelTexts& texts);
ModelFacts facts_of(const pybind11::dict& record, const FloatArray& alpha);
ModelTexts texts_of(const pybind11::dict& record);

/// Columns by their names.
pybind11::dict history_arrays(const History& history);
/// Views of draws as one array: draws x topics x words.
pybind11::array_t<float> draws_array(const DrawFiles& kept, std::uint32_t topics,
                                     std::uint32_t words);

}  // namespace tain::python
