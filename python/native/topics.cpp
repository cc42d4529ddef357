// What topics say of documents: proportions and perplexity.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <numeric>

#include "arrays.hpp"
#include "bindings.hpp"
#include "corpus.hpp"
#include "fields.hpp"
#include "lda/inference/evaluate.hpp"
#include "lda/inference/inference.hpp"
#include "report/text.hpp"
#include "topic_arrays.hpp"
#include "watch.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

/// Topics that say something of these words, and of no others: then no number is out of range.
void require_words(std::size_t words, const TopicWeights& topics) {
  if (words != topics.words()) {
    fail(Fault::data, "components_",
         fmt::format("has {} columns for {} words", topics.words(), words), "fit again");
  }
}

/// By spelling; without a vocabulary of the topics the numbers are the same.
std::vector<std::uint32_t> numbers_of(const Corpus& corpus, const TopicWeights& topics,
                                      const std::optional<std::vector<std::string>>& words) {
  require_words(words ? words->size() : corpus.words(), topics);
  if (words) {
    return known_words(*words, corpus.vocabulary());
  }
  std::vector<std::uint32_t> numbers(corpus.words());
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

double share_of(const InferenceProgress& now) {
  return now.size && *now.size > 0
             ? static_cast<double>(now.consumed) / static_cast<double>(*now.size)
             : 0.0;
}

/// Proportions, documents x topics; None if Ctrl-C stopped it.
py::object infer(const FloatArray& rows, const FloatArray& alpha, const HeldCorpus& held,
                 const std::optional<std::vector<std::string>>& vocabulary,
                 const py::dict& keywords, py::object progress) {
  InferencePlan plan;
  const std::size_t thread_count = fill(plan, keywords);
  ProgressWatch watch(std::move(progress));
  std::vector<float> proportions;
  std::optional<InferenceReport> report;
  {
    const py::gil_scoped_release unlocked;
    const TopicWeights topics = topic_weights(rows, "components_");
    require_alpha(alpha, topics.topics());
    const std::unique_ptr<DocumentSource> source =
        read_corpus(held.corpus, numbers_of(held.corpus, topics, vocabulary));
    proportions.reserve(held.corpus.documents() * topics.topics());
    Threads threads(thread_count);
    report = infer_topics(topics, values_of(alpha), *source, plan, threads,
                          {.result =
                               [&](const InferredDocument& document) {
                                 proportions.insert(proportions.end(), document.topics.begin(),
                                                    document.topics.end());
                               },
                           .progress =
                               [&](const InferenceProgress& now) {
                                 return watch.look(share_of(now), [&] {
                                   return fmt::format("inferring topics, {} documents",
                                                      grouped(now.documents));
                                 });
                               }});
  }
  if (!report) {
    return py::none();
  }
  return owned_array(std::move(proportions),
                     {static_cast<py::ssize_t>(held.corpus.documents()), rows.shape(0)});
}

/// `held_out`: how many documents of the corpus were kept from training; 0: all are asked. (value,
/// standard error, test tokens, documents, unknown tokens)
py::tuple evaluate(const FloatArray& rows, const FloatArray& alpha, const HeldCorpus& held,
                   const std::optional<std::vector<std::string>>& vocabulary,
                   std::uint64_t held_out_documents, std::uint64_t trained_seed,
                   std::uint64_t visit, const py::dict& keywords) {
  EvaluatePlan plan;
  const std::size_t thread_count = fill(plan, keywords);
  std::optional<py::gil_scoped_release> unlocked(std::in_place);
  const TopicWeights topics = topic_weights(rows, "components_");
  require_alpha(alpha, topics.topics());
  if (held_out_documents > 0) {  // of the corpus trained on: its words are those of the topics
    require_words(held.corpus.words(), topics);
  }
  require_evaluation_memory(held.corpus, topics);
  const NoiseField field(trained_seed);
  const HeldOut held_out =
      held_out_documents > 0
          ? HeldOut(held.corpus, held_out_documents, field)
          : HeldOut(held.corpus, numbers_of(held.corpus, topics, vocabulary), field);
  if (held_out.test_tokens() == 0) {
    fail(Fault::data, "X",
         fmt::format("no document has {} tokens, so that there is nothing to predict",
                     test_token_interval),
         "give longer documents");
  }
  Threads threads(thread_count);
  const Perplexity found = evaluate_topics(topics, values_of(alpha), held_out, plan,
                                           {.seed = trained_seed, .steps = visit}, threads);
  unlocked.reset();
  return py::make_tuple(found.value, found.standard_error, held_out.test_tokens(),
                        held_out.documents().size(), held_out.dropped_tokens());
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
