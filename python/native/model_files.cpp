// Models that estimators hold: as folders, and as pages.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "arrays.hpp"
#include "bindings.hpp"
#include "corpus.hpp"
#include "errors.hpp"
#include "lda_record.hpp"
#include "unlocked.hpp"
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

/// What an estimator holds of a model: arrays and the record. `last_draw`: probabilities, or their
/// logarithms where `is_dual`.
Model model_of(const py::dict& parts) {
  const auto topics = parts["topics"].cast<FloatArray>(),
             last = parts["last_draw"].cast<FloatArray>(),
             draws = parts["draws"].cast<FloatArray>(), alpha = parts["alpha"].cast<FloatArray>();
  const auto shares =
      parts["draw_shares"].cast<py::array_t<double, py::array::c_style | py::array::forcecast>>();
  auto vocabulary = parts["vocabulary"].cast<std::vector<std::string>>();
  const bool is_dual = parts["is_dual"].cast<bool>();
  const py::dict record = parts["record"];
  const ModelFacts facts = facts_of(record, alpha);
  ModelTexts texts = texts_of(record);
  const Unlocked unlocked;
  TopicWeights mean = topic_weights(topics, "components_");
  require_alpha(alpha, mean.topics());
  require_shapes(mean, last, draws, shares, vocabulary, facts);
  std::vector<float> dual(values_of(last).begin(), values_of(last).end());
  if (!is_dual) {
    std::ranges::transform(dual, dual.begin(), [](float phi) {
      return static_cast<float>(std::log(static_cast<double>(phi)));
    });
  }
  const auto kept =
      std::make_shared<std::optional<TopicDraws>>(draws_of(draws, shares, facts, mean));
  return tain::model_of(
      facts, std::move(vocabulary), std::move(mean), std::move(dual),
      [kept] { return std::move(*kept); }, std::move(texts));
}

py::dict open_model(const std::string& folder) {
  std::optional<Unlocked> unlocked(std::in_place);
  const Model model = Model::open(folder);
  std::vector<float> dual = model.state().data().read_dual();
  unlocked.reset();
  py::dict result = model_arrays(model);
  add_draws(model, result);
  const auto rows = static_cast<py::ssize_t>(model.topics());
  result["dual"] = owned_array(std::move(dual), {rows, py::ssize_t(model.vocabulary().size())});
  result["vocabulary"] =
      std::vector<std::string>(model.vocabulary().begin(), model.vocabulary().end());
  return result;
}

void save(const Model& model, const std::string& folder, bool force) {
  const Unlocked unlocked;
  in_words_of(folder_words, [&] { model.save(folder, force ? Overwrite::yes : Overwrite::no); });
}

void report(const Model& model, const std::string& page, const HeldCorpus* given,
            std::size_t thread_count, const std::optional<std::string>& title, bool force,
            py::object progress) {
  ProgressWatch watch(std::move(progress));
  const Unlocked unlocked;
  in_words_of({{"output", "path"}}, [&] {
    model.report(page,
                 {.corpus = given ? std::optional(given->corpus) : std::nullopt,
                  .title = title,
                  .threads = thread_count,
                  .progress = watch.work()},
                 force ? Overwrite::yes : Overwrite::no);
  });
}

}  // namespace

void bind_model_files(py::module_& m) {
  py::class_<Model>(m, "Model")
      .def(py::init(&model_of), py::arg("parts"))
      .def("arrays", model_arrays)
      .def("draws",
           [](const Model& model) {
             py::dict result;
             add_draws(model, result);
             return py::object(result["draws"]);
           })
      .def("save", save, py::arg("folder"), py::arg("force"))
      .def("report", report, py::arg("page"), py::arg("corpus").none(true), py::arg("threads"),
           py::arg("title"), py::arg("force"), py::arg("progress"));
  m.def("open_model", open_model);
}

}  // namespace tain::python
