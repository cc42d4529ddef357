// One block of words of the methods of expanded.cpp.
#pragma once

#include "lda/engine/methods/pass.hpp"

namespace tain::expanded {

/// theta keeps to this and above.
inline constexpr float least_theta = 1e-37F;

void run_root(const TopicPass& pass, std::size_t block);
void run_sgrld(const TopicPass& pass, std::size_t block);
void run_sgrhmc(const TopicPass& pass, std::size_t block);

}  // namespace tain::expanded
