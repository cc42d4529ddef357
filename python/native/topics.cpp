// What topics say of documents: proportions and perplexity.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <numeric>

#include "arrays.hpp"
#include "bindings.hpp"
#include "corpus.hpp"
#include "keywords.hpp"
#include "model_job.hpp"
#include "tain/lda/held_out.hpp"
#include "tain/lda/inference.hpp"
#include "tain/lda/predictive.hpp"
#include "tain/report/text.hpp"
#include "tain/text/documents.hpp"
#include "tain/text/vocabulary.hpp"
#include "topic_arrays.hpp"
#include "watch.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

/// Number in the topics of every word of a corpus, or Vocabulary::none.
using WordNumbers = std::vector<std::uint32_t>;

WordNumbers same_numbers(const Corpus& corpus) {
  WordNumbers numbers(corpus.words());
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

/// Topics that say something of these words, and of no others: then no number is out of range.
void require_words(std::size_t words, const TopicWeights& topics) {
  if (words != topics.words()) {
    fail(Fault::data, "components_",
         fmt::format("has {} columns for {} words", topics.words(), words), "fit again");
  }
}

/// By spelling; without a vocabulary of the topics the numbers are the same.
WordNumbers numbers_of(const Corpus& corpus, const TopicWeights& topics,
                       const std::optional<std::vector<std::string>>& words) {
  require_words(words ? words->size() : corpus.words(), topics);
  if (!words) {
    return same_numbers(corpus);
  }
  Vocabulary known;
  for (const std::string& word : *words) {
    known.add(word);
  }
  WordNumbers numbers;
  for (const std::string& word : corpus.vocabulary()) {
    numbers.push_back(known.find(word));
  }
  return numbers;
}

/// Of a document: as many as the longest text can have. A count may promise more than memory holds.
constexpr std::uint64_t most_tokens = max_document_bytes / 2;

class CorpusDocuments final : public DocumentSource {
 public:
  CorpusDocuments(const Corpus& corpus, WordNumbers numbers)
      : corpus_(corpus), numbers_(std::move(numbers)) {}

  bool next(KnownWords& document) override {
    if (next_ == corpus_.documents()) {
      return false;
    }
    document.name.clear();
    document.words.clear();
    document.unknown = 0;
    const DocumentWords words = corpus_.document(next_++);
    for (std::size_t i = 0; i < words.ids.size(); ++i) {
      const std::uint32_t count = words.counts.empty() ? 1 : words.counts[i];
      if (const std::uint32_t word = numbers_[words.ids[i]]; word == Vocabulary::none) {
        document.unknown += count;
      } else if (count > most_tokens - document.words.size()) {
        fail(Fault::data, "X",
             fmt::format("row {} has more than {} tokens", next_ - 1, grouped(most_tokens)),
             "check its counts");
      } else {
        document.words.insert(document.words.end(), count, word);
      }
    }
    std::ranges::sort(document.words);
    return true;
  }
  std::uint64_t consumed() const override { return next_; }
  std::optional<std::uint64_t> size() const override { return corpus_.documents(); }

 private:
  const Corpus& corpus_;
  WordNumbers numbers_;
  std::uint64_t next_ = 0;
};

double share_of(const InferenceProgress& now) {
  return now.size && *now.size > 0
             ? static_cast<double>(now.consumed) / static_cast<double>(*now.size)
             : 0.0;
}

/// Proportions, documents x topics; None if Ctrl-C stopped it.
py::object infer(const FloatArray& rows, const FloatArray& alpha, const HeldCorpus& held,
                 const std::optional<std::vector<std::string>>& vocabulary,
                 const py::dict& keywords, py::object progress) {
  const cli::Command& command = cli::find_command("lda infer");
  const cli::RawOptions raw = raw_options(command, keywords);
  const cli::Options options(command, raw);
  const InferencePlan plan = cli::inference_plan(options);
  Watch watch(std::move(progress));
  std::vector<float> proportions;
  std::optional<InferenceReport> report;
  {
    const py::gil_scoped_release unlocked;
    const TopicWeights topics = topic_weights(rows, "components_");
    require_alpha(alpha, topics.topics());
    CorpusDocuments source(held.corpus, numbers_of(held.corpus, topics, vocabulary));
    proportions.reserve(held.corpus.documents() * topics.topics());
    Threads threads(*options.count("threads"));
    report = infer_topics(topics, values_of(alpha), source, plan, threads,
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
  const cli::Command& command = cli::find_command("lda evaluate");
  const cli::RawOptions raw = raw_options(command, keywords);
  const cli::Options options(command, raw);
  const std::uint32_t sweeps = cli::sweeps_of(options);
  std::optional<py::gil_scoped_release> unlocked(std::in_place);
  const TopicWeights topics = topic_weights(rows, "components_");
  require_alpha(alpha, topics.topics());
  if (held_out_documents > 0) {  // of the corpus trained on: its words are those of the topics
    require_words(held.corpus.words(), topics);
  }
  cli::require_evaluation_memory(held.corpus, topics);
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
  Threads threads(*options.count("threads"));
  Predictive predictive(held_out, {.sweeps = sweeps, .burn_in = sweeps / 2},
                        evaluation_noise(options.count("seed").value_or(trained_seed)));
  predictive.evaluate(topics, values_of(alpha), visit, threads);
  const Perplexity found = predictive.last();
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
