// Models as folders of the program: writing, reading, and the page about them.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "arrays.hpp"
#include "bindings.hpp"
#include "corpus.hpp"
#include "errors.hpp"
#include "lda_record.hpp"
#include "watch.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

std::optional<TopicDraws> draws_of(const FloatArray& draws,
                                   const py::array_t<double, py::array::c_style>& shares,
                                   const ModelFacts& facts, const TopicWeights& topics) {
  if (facts.draw_documents.empty()) {
    return std::nullopt;
  }
  const std::span<const float> values = values_of(draws);
  return TopicDraws({values.begin(), values.end()}, topics.topics(), topics.words(),
                    facts.draw_documents, {shares.data(), shares.data() + shares.size()});
}

void require_shapes(const TopicWeights& mean, const FloatArray& last, const FloatArray& draws,
                    const py::array_t<double, py::array::c_style>& shares,
                    const std::vector<std::string>& vocabulary, const ModelFacts& facts) {
  const std::size_t count = facts.draw_documents.size(), topics = mean.topics();
  const std::size_t cells = topics * mean.words();
  const bool fits =
      vocabulary.size() == mean.words() && static_cast<std::size_t>(last.size()) == cells &&
      static_cast<std::size_t>(draws.size()) == count * cells &&
      (shares.size() == 0 || static_cast<std::size_t>(shares.size()) == count * topics);
  if (!fits) {
    fail(Fault::data, "components_", "does not go with the draws or the vocabulary", "fit again");
  }
}

/// `last`: the last draw, as probabilities or as their logarithms.
void save_model(const std::string& name, const FloatArray& topics, const FloatArray& last,
                bool is_dual, const FloatArray& draws,
                const py::array_t<double, py::array::c_style>& draw_shares, const FloatArray& alpha,
                const std::vector<std::string>& vocabulary, const py::dict& record, bool force) {
  const ModelFacts facts = facts_of(record, alpha);
  ModelTexts texts = texts_of(record);
  const py::gil_scoped_release unlocked;
  TopicWeights mean = topic_weights(topics, "components_");
  require_alpha(alpha, mean.topics());
  require_shapes(mean, last, draws, draw_shares, vocabulary, facts);
  std::vector<float> dual(values_of(last).begin(), values_of(last).end());
  if (!is_dual) {
    std::ranges::transform(dual, dual.begin(), [](float phi) {
      return static_cast<float>(std::log(static_cast<double>(phi)));
    });
  }
  std::optional<TopicDraws> kept = draws_of(draws, draw_shares, facts, mean);
  const Model model = model_of(facts, vocabulary, std::move(mean), std::move(dual), std::move(kept),
                               std::move(texts));
  in_words_of(folder_words, [&] { model.save(name, force ? Overwrite::yes : Overwrite::no); });
}

py::dict open_model(const std::string& folder) {
  std::optional<py::gil_scoped_release> unlocked(std::in_place);
  const Model model = Model::open(folder);
  std::vector<float> dual = model.state().data().read_dual();
  unlocked.reset();
  py::dict result = model_arrays(model);
  const auto rows = static_cast<py::ssize_t>(model.topics());
  result["shares"] = owned_array(std::vector<double>(model.record().shares), {rows});
  result["dual"] = owned_array(std::move(dual), {rows, py::ssize_t(model.vocabulary().size())});
  result["vocabulary"] =
      std::vector<std::string>(model.vocabulary().begin(), model.vocabulary().end());
  return result;
}

void page(const std::string& folder, const std::string& path, const HeldCorpus* given,
          std::size_t thread_count, const std::optional<std::string>& title, bool force,
          py::object progress) {
  ProgressWatch watch(std::move(progress));
  const py::gil_scoped_release unlocked;
  in_words_of({{"output", "path"}}, [&] {
    Model::open(folder).report(path,
                               {.corpus = given ? std::optional(given->corpus) : std::nullopt,
                                .title = title,
                                .threads = thread_count,
                                .progress = watch.work()},
                               force ? Overwrite::yes : Overwrite::no);
  });
}

}  // namespace

void bind_model_files(py::module_& m) {
  m.def("save_model", save_model);
  m.def("open_model", open_model);
  m.def("topics_page", page, py::arg("folder"), py::arg("path"), py::arg("corpus").none(true),
        py::arg("threads"), py::arg("title"), py::arg("overwrite"), py::arg("progress"));
}

}  // namespace tain::python
