// Speed of topic assignment: token draws per second on one core, by number of topics and
// algorithm, beside what their random words alone cost. Batches of 50 documents of 236 tokens, 20
// sweeps, 10 kept, counts included; words from 8,000 by Zipf's law, topics from a Dirichlet around
// it, about 20 topics in a document.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/simd.hpp"
#include "lda/engine/document_gibbs.hpp"
#include "random/philox.hpp"
#include "support/gammas.hpp"

namespace {

using namespace tain;

constexpr std::uint32_t words = 8'000;
constexpr std::size_t batch = 50, batches = 8, length = 236;
constexpr double alpha_total = 5;  // 5 log(1 + 236 / 5) = 19.4 topics are expected in a document
constexpr GibbsPlan plan{.sweeps = 20, .burn_in = 10};

struct Corpus {
  TopicWeights topics;
  std::vector<float> alpha;
  std::vector<std::vector<std::uint32_t>> documents;
};

/// Each topic's weights are gammas of shape 400 / rank / H: its most frequent words are those of
/// all topics, the rest is its own.
TopicWeights draw_topics(std::uint32_t count, const NoiseField& noise, Threads& threads) {
  TopicWeights topics(count, words);
  double harmonic = 0;
  for (std::uint32_t w = 0; w < words; ++w) {
    harmonic += 1.0 / (w + 1);
  }
  for (std::uint32_t w = 0; w < words; ++w) {
    testing::GammaSource gamma(noise, Purpose::first_topics, 0, w);
    for (std::uint32_t k = 0; k < count; ++k) {
      topics.weights().at(w, k) = static_cast<float>(gamma(400.0 / (w + 1) / harmonic) + 1e-3);
    }
  }
  topics.sum(threads);
  return topics;
}

/// Topics of all tokens first, then the words topic by topic, from its cumulated weights.
std::vector<std::vector<std::uint32_t>> draw_documents(const TopicWeights& topics,
                                                       const NoiseField& noise) {
  std::vector<std::vector<std::uint32_t>> documents(batch * batches,
                                                    std::vector<std::uint32_t>(length));
  std::vector<std::vector<std::uint32_t*>> tokens(topics.topics());
  std::vector<double> theta(topics.topics());
  for (std::size_t d = 0; d < documents.size(); ++d) {
    Stream stream(noise, Purpose::start, 0, static_cast<std::uint32_t>(d));
    testing::GammaSource gamma(noise, Purpose::start, 0, static_cast<std::uint32_t>(d));
    for (double& share : theta) {
      share = gamma(alpha_total / topics.topics());
    }
    for (std::uint32_t& word : documents[d]) {
      tokens[stream.categorical(theta)].push_back(&word);
    }
  }
  std::vector<double> sums(words);
  for (std::uint32_t k = 0; k < topics.topics(); ++k) {
    Stream stream(noise, Purpose::start, 1, k);
    double sum = 0;
    for (std::uint32_t w = 0; w < words; ++w) {
      sums[w] = sum += static_cast<double>(topics.weights().at(w, k));
    }
    for (std::uint32_t* const word : tokens[k]) {
      const auto place = std::ranges::upper_bound(sums, stream.uniform() * sum);
      *word = static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(place - sums.begin(), words - 1));
    }
  }
  return documents;
}

const Corpus& corpus(std::uint32_t count) {
  static std::map<std::uint32_t, Corpus> made;
  const auto found = made.find(count);
  if (found != made.end()) {
    return found->second;
  }
  Threads threads(1);
  const NoiseField noise(1);
  TopicWeights topics = draw_topics(count, noise, threads);
  auto documents = draw_documents(topics, noise);
  std::vector<float> alpha(count, static_cast<float>(alpha_total / count));
  return made.emplace(count, Corpus{std::move(topics), std::move(alpha), std::move(documents)})
      .first->second;
}

void count_draws(benchmark::State& state, double draws) {
  state.counters["ns_per_draw"] = benchmark::Counter(
      draws * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void gibbs(benchmark::State& state, GibbsAlgorithm algorithm) {
  const Corpus& made = corpus(static_cast<std::uint32_t>(state.range(0)));
  std::vector<GibbsDocument> documents(made.documents.size());
  for (std::uint32_t d = 0; d < documents.size(); ++d) {
    documents[d] = {.number = d, .words = made.documents[d]};
  }
  DocumentGibbs engine(made.topics, made.alpha, NoiseField(2), algorithm);
  Threads threads(1);
  TopicCounts counts;
  std::uint64_t visit = 0;
  for (auto _ : state) {
    const auto part = std::span(documents).subspan(visit % batches * batch, batch);
    engine.run(part, plan, visit++, threads, {.counts = &counts});
    benchmark::DoNotOptimize(counts.sums.view().data());
  }
  state.SetLabel(std::string(isa_name(current_isa())));
  count_draws(state, static_cast<double>(batch * length * plan.sweeps));
}

/// Philox alone, by the vector code of the noise: no draw can be faster than its word.
void philox_words(benchmark::State& state) {
  constexpr std::size_t chains = 64;
  std::vector<std::uint32_t> out(4 * chains);
  const NoiseField field(1);
  std::uint64_t step = 0;
  for (auto _ : state) {
    philox::words_of_chains(field, Purpose::assignment, step++, 0, 0, chains, out.data());
    benchmark::ClobberMemory();
  }
  state.SetLabel(std::string(isa_name(current_isa())));
  count_draws(state, static_cast<double>(out.size()));
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::RegisterBenchmark("philox_words", philox_words);
  for (const std::int64_t topics : {20, 50, 100, 200, 500, 1000, 2000}) {
    benchmark::RegisterBenchmark("dense", gibbs, GibbsAlgorithm::dense)->Arg(topics);
    benchmark::RegisterBenchmark("sparse", gibbs, GibbsAlgorithm::sparse)->Arg(topics);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
