// One block of words of the methods that draw gammas: gibbs and scir (random/gamma.hpp). Words and
// topics are taken 16 topics at a time, whose cells then stay in the nearest cache.
#pragma once

#include "lda/engine/methods/pass.hpp"
#include "random/gamma.hpp"

namespace tain::exact {

/// theta ~ Gamma(A).
void run_draws(const TopicPass& pass, const Gammas& gammas, std::size_t block);
/// theta a step later.
void run_steps(const TopicPass& pass, const Gammas& gammas, std::size_t block);

}  // namespace tain::exact
