#include "lda/engine/document_gibbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lda/engine/document_gibbs_walk.hpp"
#include "lda/engine/document_gibbs_words.hpp"
#include "tain/core/error.hpp"

namespace tain {

namespace {

/// Cells of topics (2 bytes each) held at a time; batches that need more go in rounds.
constexpr std::size_t most_cells = std::size_t{1} << 24;
constexpr std::uint64_t noise_positions = std::uint64_t{1} << 32;

/// From here on sparse is faster. Measured with 20 topics per document (bench/lda_gibbs.cpp,
/// AVX-512): dense 16, 24.5, 33 ns and sparse 23, 26, 29 ns a draw at K = 100, 200, 300.
constexpr std::uint32_t sparse_topics = 250;

std::uint64_t tokens_of(std::span<const GibbsDocument> documents) {
  std::uint64_t tokens = 0;
  for (const GibbsDocument& document : documents) {
    tokens += document.words.size();
  }
  return tokens;
}

void check_document(const GibbsDocument& document, const GibbsPlan& plan) {
  const std::uint64_t last_sweep = std::uint64_t{plan.first_sweep} + plan.sweeps;
  if (document.words.size() >= noise_positions / std::max<std::uint64_t>(last_sweep, 1)) {
    fail(Fault::config, fmt::format("document {}", document.number),
         fmt::format("{} sweeps of {} tokens are more draws than a visit has noise for (2^32)",
                     last_sweep, document.words.size()),
         "use fewer sweeps");
  }
  TAIN_EXPECTS(document.start.empty() || document.start.size() == document.words.size(),
               "a topic for every token to start from");
  TAIN_EXPECTS(document.last.empty() || document.last.size() == document.words.size(),
               "room for a topic of every token");
}

void check(std::span<const GibbsDocument> documents, const GibbsPlan& plan, const GibbsSums& sums,
           [[maybe_unused]] const TopicWeights& topics) {
  const bool wanted = sums.counts != nullptr || sums.documents.size() != 0;
  if (plan.sweeps == 0 || plan.burn_in > plan.sweeps || (wanted && plan.burn_in == plan.sweeps)) {
    fail(Fault::config, "Gibbs sweeps",
         fmt::format("{} sweeps, the first {} of which are not kept, leave nothing", plan.sweeps,
                     plan.burn_in),
         "use more sweeps");
  }
  if (wanted && tokens_of(documents) >= noise_positions / plan.sweeps) {
    fail(Fault::config, "batch",
         fmt::format("the topics of {} tokens over {} sweeps may pass a 32-bit count",
                     tokens_of(documents), plan.sweeps),
         "use smaller batches");
  }
  TAIN_EXPECTS(sums.documents.size() == 0 || (sums.documents.rows() == documents.size() &&
                                              sums.documents.lanes() == topics.row_length()),
               "a row of sums for every document");
  for (const GibbsDocument& document : documents) {
    check_document(document, plan);
#ifdef TAIN_CHECKED
    TAIN_EXPECTS(std::ranges::all_of(document.words, [&](auto w) { return w < topics.words(); }),
                 "words of the vocabulary");
    TAIN_EXPECTS(std::ranges::all_of(document.start, [&](auto k) { return k < topics.topics(); }),
                 "topics of the model");
#endif
  }
}

}  // namespace

struct DocumentGibbs::State {
  State(const TopicWeights& weights, const NoiseField& field, GibbsAlgorithm wanted)
      : topics(&weights),
        noise(field),
        algorithm(wanted != GibbsAlgorithm::fitting  ? wanted
                  : weights.topics() < sparse_topics ? GibbsAlgorithm::dense
                                                     : GibbsAlgorithm::sparse),
        parameters(3, weights.row_length() + row_alignment) {}

  float* alpha() { return parameters.view().row(0); }
  float* scale() { return parameters.view().row(1); }
  float* prior() { return parameters.view().row(2); }
  void prepare(Threads& threads, std::size_t longest);
  void sum_priors(std::span<const std::uint32_t> words, Threads& threads);
  void walk(std::span<const GibbsDocument> documents, std::size_t first, Threads& threads,
            const GibbsSums& sums);
  std::size_t round_end(std::span<const GibbsDocument> documents, std::size_t begin,
                        std::size_t columns) const;

  const TopicWeights* topics;
  NoiseField noise;
  GibbsAlgorithm algorithm;
  FloatBlockStorage parameters;
  gibbs::Job job;
  std::vector<gibbs::Scratch> scratch;     // per worker
  std::vector<gibbs::DocumentSlot> walks;  // longest first
  gibbs::BatchWords batch;
  std::vector<std::uint32_t> words;  // sparse without counts: the different words
  std::vector<float> prior_mass;     // by word
  std::vector<std::uint16_t> cells;  // topics of a round
};

// What a run derives from the weights as they are now.
void DocumentGibbs::State::prepare(Threads& threads, std::size_t longest) {
  const std::span<const float> inverse = topics->inverse_sums();
  std::copy(inverse.begin(), inverse.end(), scale());
  for (std::size_t k = 0; k < topics->topics(); ++k) {
    prior()[k] = alpha()[k] * scale()[k];
  }
  job.topics = {topics->weights(), topics->topics(), alpha(), scale(), prior(), nullptr};
  scratch.resize(std::max(scratch.size(), threads.count()));
  for (gibbs::Scratch& worker : scratch) {
    worker.fit(topics->row_length(), longest + 1);
  }
}

void DocumentGibbs::State::sum_priors(std::span<const std::uint32_t> found, Threads& threads) {
  prior_mass.resize(topics->words());
  job.topics.prior_mass = prior_mass.data();
  const std::size_t workers = threads.count();
  threads.for_each(workers, [&](std::size_t worker) {
    const std::size_t begin = found.size() * worker / workers;
    const std::size_t end = found.size() * (worker + 1) / workers;
    gibbs::sum_priors(job.topics, found.subspan(begin, end - begin), scratch[worker],
                      prior_mass.data());
  });
}

// One document at least, and as many as there is room for.
std::size_t DocumentGibbs::State::round_end(std::span<const GibbsDocument> documents,
                                            std::size_t begin, std::size_t columns) const {
  std::size_t end = begin, used = 0;
  do {
    used += (documents[end].words.size() + 1) * columns;
    ++end;
  } while (end < documents.size() &&
           used + (documents[end].words.size() + 1) * columns <= most_cells);
  return end;
}

// Documents [first, first + documents.size()) of the run.
void DocumentGibbs::State::walk(std::span<const GibbsDocument> documents, std::size_t first,
                                Threads& threads, const GibbsSums& sums) {
  walks.clear();
  std::size_t cell = 0;
  for (std::size_t d = 0; d < documents.size(); ++d) {
    gibbs::DocumentSlot walk{&documents[d]};
    if (sums.counts != nullptr) {
      walk.cells = cells.data() + cell * job.columns;
      cell += documents[d].words.size() + 1;
    }
    if (sums.documents.size() != 0) {
      walk.sums = sums.documents.row(first + d);
      std::fill_n(walk.sums, sums.documents.lanes(), 0U);
    }
    if (!documents[d].words.empty()) {
      walks.push_back(walk);
    }
  }
  // Long ones first: at the end, little is left that has to be walked alone.
  std::ranges::sort(walks, std::greater<>(),
                    [](const gibbs::DocumentSlot& walk) { return walk.document->words.size(); });
  std::atomic<std::size_t> next = 0;
  job.walks = walks;
  job.next = &next;
  threads.for_each(threads.count(),
                   [&](std::size_t worker) { gibbs::walk_documents(job, scratch[worker]); });
}

DocumentGibbs::DocumentGibbs(const TopicWeights& topics, std::span<const float> alpha,
                             const NoiseField& noise, GibbsAlgorithm algorithm)
    : state_(std::make_unique<State>(topics, noise, algorithm)) {
  if (topics.topics() > most_topics) {
    fail(Fault::config, "topics", fmt::format("{} of them", topics.topics()),
         fmt::format("use at most {}", most_topics));
  }
  take_alpha(alpha);
}

DocumentGibbs::~DocumentGibbs() = default;
DocumentGibbs::DocumentGibbs(DocumentGibbs&&) noexcept = default;
DocumentGibbs& DocumentGibbs::operator=(DocumentGibbs&&) noexcept = default;

void DocumentGibbs::take_alpha(std::span<const float> alpha) {
  TAIN_EXPECTS(alpha.size() == state_->topics->topics(), "an alpha for every topic");
  for (std::size_t k = 0; k < alpha.size(); ++k) {
    if (!(alpha[k] > 0) || !std::isfinite(alpha[k])) {
      fail(Fault::config, fmt::format("alpha of topic {}", k + 1),
           fmt::format("it is {}", alpha[k]), "use positive numbers");
    }
  }
  std::ranges::copy(alpha, state_->alpha());
}

GibbsAlgorithm DocumentGibbs::algorithm() const { return state_->algorithm; }

void DocumentGibbs::run(std::span<const GibbsDocument> documents, const GibbsPlan& plan,
                        std::uint64_t visit, Threads& threads, const GibbsSums& sums) {
  State& state = *state_;
  check(documents, plan, sums, *state.topics);
  std::size_t longest = 0;
  for (const GibbsDocument& document : documents) {
    longest = std::max(longest, document.words.size());
  }
  TopicCounts* const counts = sums.counts;
  state.prepare(threads, counts != nullptr ? 0 : longest);
  state.job.plan = plan;
  state.job.algorithm = state.algorithm;
  state.job.seed = state.noise.seed();
  state.job.visit = visit;
  state.job.columns = counts != nullptr ? plan.sweeps - plan.burn_in : 1;
  std::vector<std::uint32_t>& words = counts != nullptr ? counts->words : state.words;
  if (counts != nullptr || state.algorithm == GibbsAlgorithm::sparse) {
    state.batch.find(documents, state.topics->words(), words);
  }
  if (state.algorithm == GibbsAlgorithm::sparse) {
    state.sum_priors(words, threads);
  }
  if (counts == nullptr) {
    return state.walk(documents, 0, threads, sums);
  }
  counts->kept = plan.sweeps - plan.burn_in;
  const std::size_t length = state.topics->row_length();
  if (counts->sums.rows() < words.size() || counts->sums.lanes() != length) {
    counts->sums = BasicBlockStorage<std::uint32_t>(words.size() + words.size() / 4, length);
  }
  const BasicBlock<std::uint32_t> rows = counts->sums.view().slice(0, words.size());
  for (std::size_t begin = 0; begin < documents.size();) {
    const std::size_t end = state.round_end(documents, begin, state.job.columns);
    const std::span<const GibbsDocument> round = documents.subspan(begin, end - begin);
    const std::size_t cells = (tokens_of(round) + round.size()) * state.job.columns;
    state.cells.resize(std::max(state.cells.size(), cells));
    state.batch.group(round, words.size());
    state.walk(round, begin, threads, sums);
    if (begin == 0) {
      state.batch.count(state.cells, state.job.columns, threads, rows);
    } else {
      state.batch.add(state.cells, state.job.columns, threads, rows);
    }
    begin = end;
  }
}

}  // namespace tain
