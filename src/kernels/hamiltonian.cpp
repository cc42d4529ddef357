#include "kernels/hamiltonian.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/lane_steps.hpp"

namespace tain {

namespace {

constexpr double divergence_threshold = 1000;  // energy error beyond which a trajectory is lost

// Slope of C / sqrt(tau) in log tau, times sqrt(tau), for one trajectory of duration t = u tau:
//   t dC/dt - C/2,  C = growth^2 / 4,  dC/dt = growth <z', p'>,  z = (y - m)/s.  Warm-up only.
void length_slope(const Tuning& tuning, double u, ConstBlock y, ConstBlock next_y, ConstBlock p,
                  std::span<double> out, Workspace& ws) {
  Workspace::Scope scope(ws);
  const std::size_t lanes = y.lanes();
  const std::span<double> growth = ws.array(lanes), along = ws.array(lanes);
  std::fill(growth.begin(), growth.end(), 0.0);
  std::fill(along.begin(), along.end(), 0.0);
  for (std::size_t i = 0; i < y.rows(); ++i) {
    const double m = tuning.centre[i];
    const double weight = tuning.scale.empty() ? 1.0 : 1.0 / tuning.scale[i];
    const double *from = y.row(i), *to = next_y.row(i), *velocity = p.row(i);
    for (std::size_t l = 0; l < lanes; ++l) {
      const double z = (from[l] - m) * weight, next_z = (to[l] - m) * weight;
      growth[l] += next_z * next_z - z * z;
      along[l] += next_z * velocity[l];
    }
  }
  for (std::size_t l = 0; l < lanes; ++l) {
    out[l] = growth[l] * (u * tuning.trajectory_length * along[l] - growth[l] / 8);
  }
}

}  // namespace

double Hamiltonian::jitter(std::uint64_t t) {
  double value = 0.25, digit = 0.375;
  for (std::uint64_t n = t + 1; n != 0; n >>= 1, digit /= 2) {
    value += (n & 1) != 0 ? digit : 0.0;
  }
  return value;
}

std::uint64_t Hamiltonian::gradients(std::uint64_t t, const Tuning& tuning) const {
  const double steps = std::ceil(jitter(t) * tuning.trajectory_length / tuning.step_size);
  return static_cast<std::uint64_t>(std::clamp(steps, 1.0, double(tuning.max_leapfrogs)));
}

void Hamiltonian::advance(const AnyPotential& W, const NoiseField& noise, std::uint64_t t,
                          const Tuning& tuning, ChainBlock& chains, StepInfo& info,
                          Workspace& ws) const {
  Workspace::Scope scope(ws);
  const std::size_t dim = chains.y.rows(), lanes = chains.lanes();
  const double epsilon = tuning.step_size, u = jitter(t);
  const std::uint64_t steps = gradients(t, tuning);

  const FloatBlock xi = ws.float_block(dim, lanes);
  const Block p = ws.block(dim, lanes);
  noise.normals(Purpose::proposal, t, chains.first_chain, xi);
  lanes::widen(xi, p);
  const std::span<double> kinetic = ws.array(lanes), next_kinetic = ws.array(lanes);
  lanes::dot(p, p, kinetic);

  const Block y = chains.next_y.view(), grad = chains.next_grad.view();
  lanes::copy(chains.y.view().flat(), y.flat());
  lanes::kick(chains.grad.view(), 0.5 * epsilon, tuning.scale, p);
  for (std::uint64_t s = 0; s < steps; ++s) {
    lanes::drift(p, epsilon, tuning.scale, y);
    W.evaluate(y, chains.next_value, grad, ws);
    lanes::kick(grad, s + 1 < steps ? epsilon : 0.5 * epsilon, tuning.scale, p);
  }
  lanes::dot(p, p, next_kinetic);

  const std::span<double> log_ratio = ws.array(lanes), chosen = ws.array(lanes);
  for (std::size_t l = 0; l < lanes; ++l) {
    log_ratio[l] =
        chains.value[l] - chains.next_value[l] + 0.5 * kinetic[l] - 0.5 * next_kinetic[l];
  }
  if (!tuning.centre.empty()) {
    length_slope(tuning, u, chains.y.view(), y, p, info.length_slope, ws);
  }
  metropolis(noise, t, chains.first_chain, log_ratio, info, chosen);
  for (std::size_t l = 0; l < lanes; ++l) {
    if (!(log_ratio[l] > -divergence_threshold)) {
      info.divergent[l] = 1.0;
    }
  }
  take_proposal(chosen, chains);
}

}  // namespace tain
