// One block of words of the methods of dual.cpp.
#pragma once

#include "lda/engine/methods/pass.hpp"

namespace tain::dual {

/// Above this y the weight e^y, or a sum of such weights, may have no float.
inline constexpr float largest_exponent = 60;

void run_smld(const TopicPass& pass, std::size_t block);
void run_preconditioned(const TopicPass& pass, std::size_t block);
void run_linear(const TopicPass& pass, std::size_t block);
void run_quadratic(const TopicPass& pass, std::size_t block);

}  // namespace tain::dual
