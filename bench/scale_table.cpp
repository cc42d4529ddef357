// Predictions of scale_model.hpp for ranks and corpora that are not at hand, as the table of
// docs/explanation/scale.md. Constants are those measured there.
//
// usage: tain_bench_scale_table [CORPUS]
//
// With a corpus: steps of one thread per rank on this machine, to be compared with what
// bench/lda_ranks.py measures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "scale_model.hpp"

namespace {

using namespace tain;
using namespace tain::scale;

// One core of the machine of docs/explanation/scale.md.
constexpr Core one_core{
    .dense_draw = 0.15, .sparse_draw = 60, .prior = 0.28, .tell = 35, .hear = 15, .update = 2.5};
constexpr double threads = 32, sweeps = 2;
constexpr Network this_machine{.seconds = 5e-6, .bytes_per_second = 5e9};
constexpr Network ethernet{.seconds = 30e-6, .bytes_per_second = 25e9 / 8};
constexpr Network infiniband{.seconds = 2e-6, .bytes_per_second = 200e9 / 8};

/// All threads of a rank together.
Core rank_of(Core core) {
  for (double* const cost :
       {&core.dense_draw, &core.sparse_draw, &core.prior, &core.tell, &core.hear, &core.update}) {
    *cost /= threads;
  }
  return core;
}

struct Case {
  const char* name;
  double documents, topics;
  std::uint64_t words;
};

/// Constants by the number of topics, between those that were measured at 100, 300 and 1,000.
Constants constants_for(double topics) {
  Constants constants;
  const double decades = std::log10(topics / 100);
  constants.changed = std::min(0.49 + 0.01 * decades, 0.52);
  constants.topics = 27 * std::pow(125.0 / 27, decades);
  constants.growth = 0.25 + 0.37 * std::min(decades, 1.0);
  constants.explained = 8;
  return constants;
}

std::string bytes_text(double bytes) {
  static constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit < 5; ++unit) {
    bytes /= 1000;
  }
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string time_text(double seconds) {
  if (seconds < 1) {
    return fmt::format("{:.3g} ms", 1000 * seconds);
  }
  return seconds < 600     ? fmt::format("{:.3g} s", seconds)
         : seconds < 36000 ? fmt::format("{:.3g} min", seconds / 60)
         : seconds < 4e5   ? fmt::format("{:.3g} h", seconds / 3600)
                           : fmt::format("{:.3g} d", seconds / 86400);
}

void print(const Case& problem, const WordLaw& law, Layout layout, int ranks, double per_rank) {
  const Constants constants = constants_for(problem.topics);
  Step step{.layout = layout,
            .ranks = ranks,
            .topics = problem.topics,
            .words = static_cast<double>(problem.words),
            .batch = std::min(per_rank * ranks, problem.documents),
            .pieces = 4};
  if (layout == Layout::sharded) {
    const double rows = 4 * problem.topics * law.entries * step.batch / ranks;
    step.pieces = std::clamp(std::ceil(rows / (64 << 20)), 4.0, step.batch / ranks);
  }
  const double bytes = sampling_bytes(law, constants, step).total();
  const Time slow = sampling_time(law, constants, rank_of(one_core), ethernet, sweeps, step);
  const Time fast = sampling_time(law, constants, rank_of(one_core), infiniband, sweeps, step);
  const double steps = problem.documents / step.batch;
  fmt::print("| {} | {} | {:L} | {} | {} | {} + {} + {} | {} | {} | {} | {} |\n", problem.name,
             layout == Layout::replicated ? "replicated" : "sharded", ranks,
             bytes_text(memory(law, problem.documents, step)), bytes_text(bytes),
             time_text(fast.documents), time_text(fast.counts), time_text(fast.update),
             time_text(slow.network), time_text(fast.network), time_text(steps * slow.total()),
             time_text(steps * fast.total()));
}

void compare(const Corpus& corpus) {
  const WordLaw law = WordLaw::of(corpus);
  fmt::print("milliseconds of a step: documents + counts + update + network\n");
  for (const auto& [topics, own_sweeps] :
       {std::pair{48.0, 20.0}, {100.0, 2.0}, {100.0, 10.0}, {500.0, 2.0}, {500.0, 10.0}}) {
    double alone = 0;
    for (const int ranks : {1, 2}) {
      const Step step{.layout = Layout::replicated,
                      .ranks = ranks,
                      .topics = topics,
                      .words = double(corpus.words()),
                      .batch = 4000,
                      .pieces = ranks == 1 ? 1.0 : 4.0};
      const Time time =
          sampling_time(law, constants_for(topics), one_core, this_machine, own_sweeps, step);
      alone = ranks == 1 ? time.total() : alone;
      fmt::print(
          "K = {:<4} {:>2} sweeps {} ranks: {:7.1f} + {:5.1f} + {:5.1f} + {:4.1f} = {:7.1f}, "
          "{:.2f} times one\n",
          topics, own_sweeps, ranks, 1e3 * time.documents, 1e3 * time.counts, 1e3 * time.update,
          1e3 * time.network, 1e3 * time.total(), alone / time.total());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {
    compare(Corpus::open(argv[1]));
    return 0;
  }
  const std::vector<Case> cases{{"7 million, K = 1,000, W = 200,000", 7e6, 1000, 200'000},
                                {"100 million, K = 10,000, W = 1,000,000", 1e8, 1e4, 1'000'000},
                                {"1 billion, K = 100,000, W = 1,000,000", 1e9, 1e5, 1'000'000}};
  for (const Case& problem : cases) {
    WordLaw law = WordLaw::mandelbrot(problem.words, 236, 134);
    law.spread = 2.6;  // of the articles
    for (const Layout layout : {Layout::replicated, Layout::sharded}) {
      for (const int ranks : {1, 64, 1024}) {
        if (layout == Layout::sharded && ranks == 1) {
          continue;
        }
        print(problem, law, layout, ranks, 1000);
      }
    }
  }
}
