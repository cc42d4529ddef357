// Draws of topics around those that a stream publishes.
#include <algorithm>
#include <cmath>

#include "lda/training/stream_training.hpp"
#include "random/noise.hpp"

namespace tain {
namespace {

/// Positions of a Stream that no draw of a gamma passes.
constexpr std::uint32_t noise_per_word = 256;
constexpr float least_weight = 1e-37F;  // as that of the samplers

}  // namespace

TopicWeights draw_topics(const StreamTopics& published, std::uint64_t seed, std::uint32_t number,
                         Threads& threads) {
  const TopicWeights& mean = published.topics;
  TopicWeights drawn(mean.topics(), mean.words());
  const NoiseField noise(seed);
  threads.for_each(mean.topics(), [&](std::size_t k) {
    const double mass = published.masses[k] * static_cast<double>(mean.inverse_sums()[k]);
    for (std::uint32_t w = 0; w < mean.words(); ++w) {
      Stream stream(noise, Purpose::direct, number, static_cast<std::uint32_t>(k),
                    noise_per_word * w);
      const double shape = mass * static_cast<double>(mean.weights().at(w, k));
      // Divided by the mass, so that no weight overflows however much stands behind a topic.
      const double log_share = stream.log_gamma(std::max(shape, 1e-30)) - std::log(mass);
      drawn.weights().at(w, k) = std::max(static_cast<float>(std::exp(log_share)), least_weight);
    }
  });
  drawn.sum(threads);
  return drawn;
}

}  // namespace tain
