// What topics say of documents: proportions and perplexity.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "corpus.hpp"
#include "fields.hpp"
#include "lda/model/model_state.hpp"
#include "topic_arrays.hpp"
#include "unlocked.hpp"
#include "watch.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

/// Topics that say something of these words, and of no others. Without a vocabulary words have the
/// numbers that they have in the corpus.
Model model_of(const FloatArray& rows, const FloatArray& alpha, const Corpus& corpus,
               const std::optional<std::vector<std::string>>& vocabulary, ModelFacts facts) {
  TopicWeights topics = topic_weights(rows, "components_");
  require_alpha(alpha, topics.topics());
  std::vector<std::string> words =
      vocabulary ? *vocabulary
                 : std::vector<std::string>(corpus.vocabulary().begin(), corpus.vocabulary().end());
  if (words.size() != topics.words()) {
    fail(Fault::data, "components_",
         fmt::format("has {} columns for {} words", topics.words(), words.size()), "fit again");
  }
  facts.alpha.assign(values_of(alpha).begin(), values_of(alpha).end());
  return tain::model_of(std::move(facts), std::move(words), std::move(topics), {}, {}, {});
}

/// Proportions, documents x topics.
py::object infer(const FloatArray& rows, const FloatArray& alpha, const HeldCorpus& held,
                 const std::optional<std::vector<std::string>>& vocabulary,
                 const py::dict& keywords, py::object progress) {
  InferPlan plan;
  plan.threads = fill(plan, keywords);
  ProgressWatch watch(std::move(progress));
  plan.progress = watch.work();
  std::optional<Unlocked> unlocked(std::in_place);
  Inferred found = model_of(rows, alpha, held.corpus, vocabulary, {}).infer(held.corpus, plan);
  unlocked.reset();
  return owned_array(std::move(found.proportions),
                     {static_cast<py::ssize_t>(found.documents), rows.shape(0)});
}

/// `held_out`: how many documents of the corpus were kept from training; 0: all are asked. (value,
/// standard error, test tokens, documents, unknown tokens)
py::tuple evaluate(const FloatArray& rows, const FloatArray& alpha, const HeldCorpus& held,
                   const std::optional<std::vector<std::string>>& vocabulary,
                   std::uint64_t held_out, std::uint64_t trained_seed, std::uint64_t visit,
                   const py::dict& keywords) {
  EvaluatePlan plan{.seen = true};
  plan.threads = fill(plan, keywords);
  std::optional<Unlocked> unlocked(std::in_place);
  ModelFacts facts;
  facts.seed = trained_seed;
  facts.steps = visit;
  facts.held_out = held_out;
  facts.corpus_fingerprint = held_out > 0 ? held.corpus.fingerprint() : 0;
  const Evaluated found =
      model_of(rows, alpha, held.corpus, vocabulary, std::move(facts)).evaluate(held.corpus, plan);
  unlocked.reset();
  return py::make_tuple(found.perplexity.value, found.perplexity.standard_error, found.test_tokens,
                        found.documents, found.unknown_tokens);
}

}  // namespace

void bind_topics(py::module_& m) {
  m.def("infer", infer, py::arg("topics"), py::arg("alpha"), py::arg("corpus"),
        py::arg("vocabulary"), py::arg("keywords"), py::arg("progress"));
  m.def("evaluate", evaluate, py::arg("topics"), py::arg("alpha"), py::arg("corpus"),
        py::arg("vocabulary"), py::arg("held_out"), py::arg("trained_seed"), py::arg("visit"),
        py::arg("keywords"));
}

}  // namespace tain::python
