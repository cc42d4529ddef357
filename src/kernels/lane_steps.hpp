// Steps of the kernels, fused: one pass over state, gradient and noise. Laws: those of
// core/lanes.hpp.
#pragma once

#include "core/lanes.hpp"

namespace tain::lanes {

/// Langevin proposal (paper 3.3), diagonally preconditioned by s_i^2 (empty scale: 1):
/// out = y - beta s_i^2 grad + sqrt(2 beta) s_i xi. out must not be y or grad.
void langevin(ConstBlock y, ConstBlock grad, ConstFloatBlock xi, double beta,
              std::span<const double> scale, Block out);
/// Squared norm of the noise that would lead from `to` back to `from` in the same dynamics, over 2:
/// out[l] = sum_i (from - to + beta s_i^2 grad_to)^2 / (4 beta s_i^2).
void langevin_reverse(ConstBlock from, ConstBlock to, ConstBlock grad_to, double beta,
                      std::span<const double> scale, Out out);
/// Leapfrog kick, p in whitened units: p -= epsilon s_i grad
void kick(ConstBlock grad, double epsilon, std::span<const double> scale, Block p);
/// Leapfrog drift: y += epsilon s_i p
void drift(ConstBlock p, double epsilon, std::span<const double> scale, Block y);

}  // namespace tain::lanes
