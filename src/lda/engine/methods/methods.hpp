// The samplers behind make_topic_sampler.
#pragma once

#include <memory>

#include "lda/engine/topic_sampler.hpp"

namespace tain {

std::unique_ptr<TopicSampler> make_smld(const TopicSamplerOptions& options,
                                        const Sharding& sharding);
std::unique_ptr<TopicSampler> make_smld_approximate(const TopicSamplerOptions& options,
                                                    const Sharding& sharding);
std::unique_ptr<TopicSampler> make_smld_preconditioned(const TopicSamplerOptions& options,
                                                       const Sharding& sharding);
std::unique_ptr<TopicSampler> make_smld_root(const TopicSamplerOptions& options,
                                             const Sharding& sharding);
std::unique_ptr<TopicSampler> make_sgrld(const TopicSamplerOptions& options,
                                         const Sharding& sharding);
std::unique_ptr<TopicSampler> make_sgrhmc(const TopicSamplerOptions& options,
                                          const Sharding& sharding);
std::unique_ptr<TopicSampler> make_scir(const TopicSamplerOptions& options,
                                        const Sharding& sharding);

}  // namespace tain
