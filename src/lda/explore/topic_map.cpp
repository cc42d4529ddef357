#include "lda/explore/topic_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lda/explore/divergence_pass.hpp"
#include "lda/explore/leading_axes.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

/// Fewer cells than this are not worth the saving.
constexpr std::uint64_t fewest_cells = 1024;

/// Rows of topics over words, rare ones merged.
struct Cells {
  FloatBlockStorage rows;
  double merged = 0;
};

/// Which cell each word belongs to.
struct Merging {
  std::vector<std::uint32_t> cell_of;
  std::size_t cells = 0, alone = 0;  ///< the first `alone` cells are single words
};

double phi(const TopicWeights& topics, std::size_t word, std::size_t topic) {
  return static_cast<double>(topics.weights().at(word, topic)) *
         static_cast<double>(topics.inverse_sums()[topic]);
}

std::vector<double> word_totals(const TopicWeights& topics) {
  std::vector<double> totals(topics.words(), 0.0);
  for (std::size_t w = 0; w < topics.words(); ++w) {
    for (std::size_t k = 0; k < topics.topics(); ++k) {
      totals[w] += phi(topics, w, k);
    }
  }
  return totals;
}

std::uint32_t home_topic(const TopicWeights& topics, std::size_t word) {
  std::uint32_t best = 0;
  for (std::uint32_t k = 1; k < topics.topics(); ++k) {
    best = phi(topics, word, k) > phi(topics, word, best) ? k : best;
  }
  return best;
}

Merging merging_of(const TopicWeights& topics, std::uint64_t most_terms) {
  const std::uint64_t words = topics.words(), count = topics.topics();
  const std::uint64_t pairs = std::max<std::uint64_t>(1, count * (count - 1) / 2);
  const std::uint64_t cells = std::max(fewest_cells, most_terms / pairs);
  Merging merging{std::vector<std::uint32_t>(words), words, words};
  if (words <= cells) {
    std::iota(merging.cell_of.begin(), merging.cell_of.end(), 0U);
    return merging;
  }
  const std::uint64_t shared = std::min(count, cells / 2);
  merging.cells = cells;
  merging.alone = cells - shared;
  std::vector<std::uint32_t> order(words);
  std::iota(order.begin(), order.end(), 0U);
  const std::vector<double> totals = word_totals(topics);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t w) { return totals[w]; });
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t home = merging.alone + home_topic(topics, order[i]) % shared;
    merging.cell_of[order[i]] = static_cast<std::uint32_t>(i < merging.alone ? i : home);
  }
  return merging;
}

Cells cells_of(const TopicWeights& topics, Threads& threads, std::uint64_t most_terms) {
  const Merging merging = merging_of(topics, most_terms);
  const std::size_t count = topics.topics(), words = topics.words();
  const std::size_t length =
      (merging.cells + log_sum_granule - 1) / log_sum_granule * log_sum_granule;
  Cells cells{FloatBlockStorage(count, length), 0};
  std::vector<double> merged(count, 0.0);
  // As many topics at a time as share a cache line.
  threads.for_each((count + row_alignment - 1) / row_alignment, [&](std::size_t group) {
    const std::size_t first = group * row_alignment, end = std::min(count, first + row_alignment);
    BasicBlockStorage<double> sums(merging.cells, row_alignment);
    for (std::size_t w = 0; w < words; ++w) {
      for (std::size_t k = first; k < end; ++k) {
        sums.view().at(merging.cell_of[w], k - first) += phi(topics, w, k);
      }
    }
    for (std::size_t k = first; k < end; ++k) {
      for (std::size_t cell = 0; cell < merging.cells; ++cell) {
        const double sum = sums.view().at(cell, k - first);
        cells.rows.view().at(k, cell) = static_cast<float>(sum);
        merged[k] += cell < merging.alone ? 0 : sum;
      }
    }
  });
  cells.merged = std::ranges::max(merged);
  return cells;
}

std::vector<double> divergences(const Cells& cells, Threads& threads) {
  const ConstFloatBlock rows = cells.rows.view();
  const std::size_t n = rows.rows();
  std::vector<double> own(n), matrix(n * n, 0.0);
  threads.for_each(
      n, [&](std::size_t i) { own[i] = mixture_log_sum(rows.row(i), rows.row(i), rows.lanes()); });
  // A row that was read from memory meets several others while it is in the cache.
  constexpr std::size_t together = 8;
  threads.for_each((n + together - 1) / together, [&](std::size_t group) {
    const std::size_t first = group * together, end = std::min(n, first + together);
    for (std::size_t j = first + 1; j < n; ++j) {
      for (std::size_t i = first; i < std::min(j, end); ++i) {
        const double mixed = mixture_log_sum(rows.row(i), rows.row(j), rows.lanes());
        matrix[i * n + j] = std::max(0.0, 0.5 * (own[i] + own[j]) - mixed);
      }
    }
  });
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      matrix[i * n + j] = matrix[j * n + i];
    }
  }
  return matrix;
}

/// -1/2 J (squares) J
std::vector<double> centred(const std::vector<double>& squares, std::size_t n) {
  std::vector<double> means(n, 0.0), matrix(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    means[i] = std::accumulate(squares.begin() + static_cast<std::ptrdiff_t>(i * n),
                               squares.begin() + static_cast<std::ptrdiff_t>((i + 1) * n), 0.0) /
               static_cast<double>(n);
  }
  const double mean = std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      matrix[i * n + j] = -0.5 * (squares[i * n + j] - means[i] - means[j] + mean);
    }
  }
  return matrix;
}

std::vector<std::uint32_t> nearest_to(std::size_t topic, const std::vector<double>& squares,
                                      std::size_t n, std::size_t count) {
  std::vector<std::uint32_t> others;
  for (std::uint32_t k = 0; k < n; ++k) {
    if (k != topic) {
      others.push_back(k);
    }
  }
  const auto distance = [&](std::uint32_t k) { return squares[topic * n + k]; };
  const auto middle = others.begin() + static_cast<std::ptrdiff_t>(std::min(count, others.size()));
  std::partial_sort(others.begin(), middle, others.end(), [&](std::uint32_t a, std::uint32_t b) {
    return distance(a) != distance(b) ? distance(a) < distance(b) : a < b;
  });
  others.erase(middle, others.end());
  return others;
}

void require_mappable(std::uint32_t topics) {
  if (topics > most_mapped_topics) {
    fail(Fault::config, "topics", fmt::format("{} of them cannot be drawn on a map", topics),
         fmt::format("train at most {}", most_mapped_topics));
  }
}

}  // namespace

std::vector<double> squared_distances(const TopicWeights& topics, Threads& threads,
                                      const TopicMapPlan& plan) {
  require_mappable(topics.topics());
  return divergences(cells_of(topics, threads, plan.most_terms), threads);
}

TopicMap map_topics(const TopicWeights& topics, Threads& threads, const TopicMapPlan& plan) {
  require_mappable(topics.topics());
  const std::size_t n = topics.topics();
  const Cells cells = cells_of(topics, threads, plan.most_terms);
  const std::vector<double> squares = divergences(cells, threads);
  TopicMap map;
  map.merged = cells.merged;
  map.places.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    map.nearest.push_back(nearest_to(k, squares, n, plan.neighbours));
  }
  const std::vector<double> matrix = centred(squares, n);
  double trace = 0;
  for (std::size_t k = 0; k < n; ++k) {
    trace += matrix[k * n + k];
  }
  if (!(trace > 0)) {
    return map;  // all topics are the same
  }
  const auto axes = leading_axes(matrix, n, threads);
  for (std::size_t axis = 0; axis < 2; ++axis) {
    map.explained[axis] = std::min(1.0, axes[axis].value / trace);
    for (std::size_t k = 0; k < n; ++k) {
      map.places[k][axis] = std::sqrt(axes[axis].value) * axes[axis].vector[k];
    }
  }
  return map;
}

}  // namespace tain
