// One step of each topic sampler, over all words and topics, beside as many bare normals. One core.
// With the counts of a batch, and, for those that keep assignments, with the counts of a corpus by eta
// and instruction set.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>

#include "core/simd.hpp"
#include "lda/engine/topic_sampler.hpp"
#include "random/noise.hpp"

namespace {

using namespace tain;

constexpr double scale = 2000;  // documents of the corpus per document of the batch

/// Two words in five, and one topic in thirty of theirs: what a batch of 50 articles leaves.
TopicCounts counts(std::uint32_t topics, std::uint32_t words) {
  TopicCounts batch;
  for (std::uint32_t w = 0; w < words; ++w) {
    if (w * 2654435761U >> 16 & 1 && batch.words.size() < 12'000) {
      batch.words.push_back(w);
    }
  }
  batch.sums = BasicBlockStorage<std::uint32_t>(batch.words.size(), padded_topics(topics));
  for (std::size_t i = 0; i < batch.words.size(); ++i) {
    for (std::uint32_t k = static_cast<std::uint32_t>(i % 30); k < topics; k += 30) {
      batch.sums.view().at(i, k) = 5;
    }
  }
  batch.kept = 10;
  return batch;
}

/// 23 % of the cells, 13 tokens in each of them on average and thirty times as many in one of ten: what
/// kept assignments of 100,000 articles leave.
TopicCounts corpus_counts(std::uint32_t topics, std::uint32_t words) {
  TopicCounts batch;
  batch.sums = BasicBlockStorage<std::uint32_t>(words, padded_topics(topics));
  for (std::uint32_t w = 0; w < words; ++w) {
    batch.words.push_back(w);
    for (std::uint32_t k = 0; k < topics; ++k) {
      Stream stream(NoiseField(1), Purpose::direct, w, k);
      if (stream.uniform() < 0.23) {
        const double mean = stream.uniform() < 0.1 ? 240 : 8;
        batch.sums.view().at(w, k) =
            static_cast<std::uint32_t>(1 - mean * std::log(stream.uniform()));
      }
    }
  }
  batch.kept = 1;
  return batch;
}

void report(benchmark::State& state, std::uint32_t topics, std::uint32_t words) {
  const double cells = double(topics) * words;
  state.counters["ns_per_element"] =
      benchmark::Counter(cells * double(state.iterations()) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void update(benchmark::State& state, const std::string& method, double step_size) {
  const auto topics = static_cast<std::uint32_t>(state.range(0));
  const auto words = static_cast<std::uint32_t>(state.range(1));
  const auto sampler = make_topic_sampler(
      method, {.topics = topics, .words = words, .eta = 0.01, .seed = 1, .warmup = 20});
  const TopicCounts batch = counts(topics, words);
  Threads threads(1);
  sampler->start(threads);
  std::uint64_t t = 0;
  const auto step = [&] {
    if (sampler->advance(batch, scale, t++, step_size, threads)) {
      state.SkipWithError("a topic is lost");
    }
  };
  for (int i = 0; i < 30; ++i) {
    step();
  }
  for (auto _ : state) {
    step();
  }
  report(state, topics, words);
}

/// Arguments: instruction set, 1000 eta.
void kept(benchmark::State& state, const std::string& method, double step_size) {
  constexpr std::uint32_t topics = 100, words = 7702;
  pin_isa(static_cast<Isa>(state.range(0)));
  const auto sampler =
      make_topic_sampler(method, {.topics = topics,
                                  .words = words,
                                  .eta = static_cast<double>(state.range(1)) / 1000,
                                  .seed = 1});
  static const TopicCounts batch = corpus_counts(topics, words);
  Threads threads(1);
  sampler->start(threads);
  std::uint64_t t = 0;
  const auto step = [&] {
    if (sampler->advance(batch, 1, t++, step_size, threads)) {
      state.SkipWithError("a topic is lost");
    }
  };
  for (int i = 0; i < 50; ++i) {  // until the start is forgotten
    step();
  }
  for (auto _ : state) {
    step();
  }
  state.SetLabel(std::string(isa_name(current_isa())));
  report(state, topics, words);
  pin_isa(supported_isas().back());
}

/// NoiseField::normals into one block of words that stays in the cache, as often as it takes.
void normals(benchmark::State& state) {
  const auto topics = static_cast<std::uint32_t>(state.range(0));
  const auto words = static_cast<std::uint32_t>(state.range(1));
  FloatBlockStorage out(block_words, padded_topics(topics));
  const NoiseField noise(1);
  std::uint64_t t = 0;
  for (auto _ : state) {
    for (std::uint32_t w = 0; w < words; w += block_words) {
      noise.normals(Purpose::topics, t++, 0, out.view());
      benchmark::DoNotOptimize(out.view().data());
    }
  }
  report(state, topics, words);
}

void smld(benchmark::State& state) { update(state, "smld", 1e-6); }
void smld_approximate(benchmark::State& state) { update(state, "smld-approximate", 0.01); }
void smld_preconditioned(benchmark::State& state) { update(state, "smld-preconditioned", 0.1); }
void smld_root(benchmark::State& state) { update(state, "smld-root", 0.1); }
void sgrld(benchmark::State& state) { update(state, "sgrld", 1e-3); }
void sgrhmc(benchmark::State& state) { update(state, "sgrhmc", 1e-6); }
void gibbs(benchmark::State& state) { update(state, "gibbs", 1); }
void scir(benchmark::State& state) { update(state, "scir", 0.1); }
void kept_smld_root(benchmark::State& state) { kept(state, "smld-root", 3); }
void kept_gibbs(benchmark::State& state) { kept(state, "gibbs", 1); }
void kept_scir(benchmark::State& state) { kept(state, "scir", 3); }
void kept_scir_short(benchmark::State& state) { kept(state, "scir", 0.3); }

/// The paper's corpus, then more topics, then more words.
void sizes(benchmark::internal::Benchmark* own) {
  own->Unit(benchmark::kMillisecond)->Args({100, 7702});
  for (const int topics : {20, 500, 2000}) {
    own->Args({topics, 8000});
  }
  for (const int words : {60'000, 500'000}) {
    own->Args({100, words});
  }
}
void one_size(benchmark::internal::Benchmark* own) {
  own->Unit(benchmark::kMillisecond)->Args({100, 7702});
}

void kept_settings(benchmark::internal::Benchmark* own) {
  own->Unit(benchmark::kMillisecond);
  for (const Isa isa : supported_isas()) {
    for (const int eta : {10, 50, 300, 1000, 2000}) {
      own->Args({static_cast<int>(isa), eta});
    }
  }
}
void kept_normals(benchmark::State& state) {
  pin_isa(static_cast<Isa>(state.range(0)));
  FloatBlockStorage out(block_words, padded_topics(100));
  const NoiseField noise(1);
  std::uint64_t t = 0;
  for (auto _ : state) {
    for (std::uint32_t w = 0; w < 7702; w += block_words) {
      noise.normals(Purpose::topics, t++, 0, out.view());
      benchmark::DoNotOptimize(out.view().data());
    }
  }
  state.SetLabel(std::string(isa_name(current_isa())));
  pin_isa(supported_isas().back());
}

BENCHMARK(normals)->Apply(one_size);
BENCHMARK(smld)->Apply(one_size);
BENCHMARK(smld_approximate)->Apply(sizes);
BENCHMARK(smld_preconditioned)->Apply(one_size);
BENCHMARK(smld_root)->Apply(sizes);
BENCHMARK(sgrld)->Apply(one_size);
BENCHMARK(sgrhmc)->Apply(one_size);
BENCHMARK(gibbs)->Apply(sizes);
BENCHMARK(scir)->Apply(one_size);
BENCHMARK(kept_normals)->Unit(benchmark::kMillisecond)->Apply([](auto* own) {
  for (const Isa isa : supported_isas()) {
    own->Arg(static_cast<int>(isa));
  }
});
BENCHMARK(kept_smld_root)->Apply(kept_settings);
BENCHMARK(kept_gibbs)->Apply(kept_settings);
BENCHMARK(kept_scir)->Apply(kept_settings);
BENCHMARK(kept_scir_short)->Apply(kept_settings);

}  // namespace

BENCHMARK_MAIN();
