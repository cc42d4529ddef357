// Draws of topics around those that a stream publishes.
#include <algorithm>
#include <cmath>

#include "lda/training/stream_training.hpp"
#include "random/gamma.hpp"

namespace tain {
namespace {

constexpr float least_weight = 1e-37F;  // as that of the samplers
constexpr double least_shape = 1e-30;

}  // namespace

TopicWeights draw_topics(const StreamTopics& published, std::uint64_t seed, std::uint32_t number,
                         Threads& threads) {
  const TopicWeights& mean = published.topics;
  TopicWeights drawn(mean.topics(), mean.words());
  const NoiseField noise(seed);
  const std::size_t length = mean.row_length(), words = mean.words();
  threads.for_each((words + block_words - 1) / block_words, [&](std::size_t block) {
    const std::size_t first = block * block_words, count = std::min(block_words, words - first);
    BlockStorage storage(count, length);
    const Block cells = storage.view();  // shapes, then logarithms
    for (std::size_t w = 0; w < count; ++w) {
      for (std::size_t k = 0; k < length; ++k) {
        const bool live = k < mean.topics();
        const double share =
            live ? double(mean.weights().at(first + w, k)) * double(mean.inverse_sums()[k]) : 0;
        cells.at(w, k) = std::max(live ? published.masses[k] * share : 1, least_shape);
      }
    }
    log_gammas(noise, {Purpose::direct, number, 0, static_cast<std::uint32_t>(first)}, cells,
               cells);
    for (std::size_t w = 0; w < count; ++w) {
      for (std::size_t k = 0; k < mean.topics(); ++k) {
        // Divided by the mass, so that no weight overflows however much stands behind a topic.
        const double share = std::exp(cells.at(w, k) - std::log(published.masses[k]));
        drawn.weights().at(first + w, k) = std::max(static_cast<float>(share), least_weight);
      }
    }
  });
  drawn.sum(threads);
  return drawn;
}

}  // namespace tain
