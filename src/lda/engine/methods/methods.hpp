// The rows of topic_method_table(), beside their samplers.
#pragma once

#include "lda/engine/topic_sampler.hpp"

namespace tain {

std::span<const TopicMethod> expanded_methods();
std::span<const TopicMethod> dual_methods();

/// As the paper's steps fall.
constexpr Schedule falling(double first) { return {first, 1000, 0.55}; }

template <class Sampler>
std::unique_ptr<TopicSampler> make(const TopicSamplerOptions& options, const Sharding& sharding) {
  return std::make_unique<Sampler>(options, sharding);
}

}  // namespace tain
