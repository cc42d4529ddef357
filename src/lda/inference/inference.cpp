#include "lda/inference/inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/checksum.hpp"
#include "core/failpoint.hpp"
#include "lda/engine/document_gibbs.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

/// Enough for all threads to be busy, few enough to stay in the caches.
constexpr std::size_t batch_tokens = std::size_t{1} << 18;
constexpr std::size_t batch_cells = std::size_t{1} << 22;  // documents times topics
constexpr std::uint64_t noise_addresses = std::uint64_t{1} << 32;

/// Noise of inference: apart from that of training with the same seed.
NoiseField inference_noise(std::uint64_t seed) {
  return NoiseField(seed ^ 0x0000'696e'6665'7200);  // "infer"
}

/// A document's place in the noise: by its words, so that it is the same wherever it stands.
std::uint32_t noise_number(std::span<const std::uint32_t> words) {
  Checksum checksum;
  checksum.add(std::as_bytes(words));
  return static_cast<std::uint32_t>(checksum.value() ^ (checksum.value() >> 32));
}

std::string name_of(const KnownWords& document, std::uint64_t number) {
  return document.name.empty() ? fmt::format("document {}", number)
                               : fmt::format("document {}", document.name);
}

class Batch {
 public:
  Batch(const TopicWeights& topics, std::span<const float> alpha, const InferencePlan& plan,
        Threads& threads)
      : topics_(topics),
        alpha_(alpha),
        plan_{.sweeps = plan.sweeps, .burn_in = plan.sweeps / 2},
        threads_(threads),
        gibbs_(topics_, alpha_, inference_noise(plan.seed)),
        documents_(std::clamp<std::size_t>(batch_cells / topics_.row_length(), 16, 4096)),
        sums_(documents_.size(), topics_.row_length()),
        prior_(std::accumulate(alpha_.begin(), alpha_.end(), 0.0)),
        theta_(topics_.topics()),
        counts_(topics_.topics()) {}

  bool full() const { return size_ == documents_.size() || tokens_ >= batch_tokens; }
  std::size_t size() const { return size_; }
  /// Place of the next document.
  KnownWords& slot() { return documents_[size_]; }
  void take(std::uint64_t number) {
    const KnownWords& document = documents_[size_];
    if (document.words.size() >= noise_addresses / plan_.sweeps - batch_tokens) {
      fail(Fault::config, name_of(document, number),
           fmt::format("has {} tokens, which {} sweeps cannot go over", document.words.size(),
                       plan_.sweeps),
           Phrase("use fewer ", Field{"sweeps"}, ", or cut the document"));
    }
    tokens_ += document.words.size();
    ++size_;
  }

  /// Gives the results of all documents and empties the batch.
  void finish(std::uint64_t first_number, const InferenceObserver& observer,
              InferenceReport& report) {
    std::vector<GibbsDocument> places(size_);
    for (std::size_t d = 0; d < size_; ++d) {
      places[d] = {.number = noise_number(documents_[d].words), .words = documents_[d].words};
    }
    const BasicBlock<std::uint32_t> sums = sums_.view().slice(0, size_);
    gibbs_.run(places, plan_, 0, threads_, {.counts = nullptr, .documents = sums});
    for (std::size_t d = 0; d < size_; ++d) {
      give(d, first_number + d, sums, observer);
      report.documents += 1;
      report.tokens += documents_[d].words.size();
      report.unknown_tokens += documents_[d].unknown;
      report.without_words += documents_[d].words.empty() ? 1 : 0;
    }
    size_ = tokens_ = 0;
  }

 private:
  void give(std::size_t d, std::uint64_t number, const BasicBlock<std::uint32_t>& sums,
            const InferenceObserver& observer) {
    const KnownWords& document = documents_[d];
    const double kept = plan_.sweeps - plan_.burn_in;
    const double length = static_cast<double>(document.words.size()) + prior_;
    for (std::size_t k = 0; k < theta_.size(); ++k) {
      counts_[k] = static_cast<double>(sums.at(d, k)) / kept;
      theta_[k] = static_cast<float>((counts_[k] + static_cast<double>(alpha_[k])) / length);
    }
    observer.result({.number = number,
                     .name = document.name,
                     .tokens = document.words.size(),
                     .unknown = document.unknown,
                     .topics = theta_,
                     .counts = counts_});
  }

  const TopicWeights& topics_;
  std::span<const float> alpha_;
  GibbsPlan plan_;
  Threads& threads_;
  DocumentGibbs gibbs_;
  std::vector<KnownWords> documents_;
  BasicBlockStorage<std::uint32_t> sums_;
  double prior_;
  std::vector<float> theta_;
  std::vector<double> counts_;
  std::size_t size_ = 0, tokens_ = 0;
};

}  // namespace

void describe_sweeps(Fields& fields, std::uint32_t& sweeps) {
  std::optional<std::uint64_t> wide = sweeps;
  describe_sweeps(fields, wide);
  sweeps = static_cast<std::uint32_t>(*wide);
}

void describe_sweeps(Fields& fields, std::optional<std::uint64_t>& sweeps) {
  fields.field("sweeps", sweeps);
  if (sweeps && (*sweeps < 2 || *sweeps > most_inference_sweeps)) {
    fields.refuse("sweeps", fmt::format("is {}", *sweeps),
                  fmt::format("give 2 to {}; the first half is forgotten", most_inference_sweeps));
  }
}

void InferencePlan::describe(Fields& fields) {
  describe_sweeps(fields, sweeps);
  fields.field("seed", seed);
}

std::optional<InferenceReport> infer_topics(const ModelData& model, DocumentSource& source,
                                            const InferencePlan& plan, Threads& threads,
                                            const InferenceObserver& observer) {
  return infer_topics(model.topics(), model.facts().alpha, source, plan, threads, observer);
}

std::optional<InferenceReport> infer_topics(const TopicWeights& topics,
                                            std::span<const float> alpha, DocumentSource& source,
                                            const InferencePlan& plan, Threads& threads,
                                            const InferenceObserver& observer) {
  require_in_range(plan);
  Batch batch(topics, alpha, plan, threads);
  InferenceReport report;
  bool more = true;
  while (more) {
    more = source.next(batch.slot());
    if (more) {
      batch.take(report.documents + batch.size() + 1);
    }
    if (batch.size() > 0 && (batch.full() || !more)) {
      batch.finish(report.documents + 1, observer, report);
      failpoint_count("documents", report.documents);
      if (observer.progress({"inferring topics", report.documents, source.consumed(), source.size(),
                             source.unit()}) == Next::stop) {
        return std::nullopt;
      }
    }
  }
  return report;
}

}  // namespace tain
