#include "run/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/lanes.hpp"
#include "tain/core/error.hpp"

namespace tain {

namespace {

// Positions of the noise used before step 0 (Purpose::start).
constexpr std::uint64_t dispersal_step = 0, signs_step = 1, power_step = 2;

// Relative step of gradient differences: rounding (1e-16/h) and truncation (h) both stay below
// 1e-4.
constexpr double difference_step = 1e-5;

void fill_lanes(const std::vector<double>& y, Block out) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    lanes::fill(y[i], {out.row(i), out.lanes()});
  }
}

// out = (grad W(y + h v) - grad W(y - h v)) / 2h: the Hessian times v, lane by lane.
void hessian_times(const AnyPotential& W, const std::vector<double>& y, ConstBlock v, Block out,
                   Workspace& ws) {
  Workspace::Scope scope(ws);
  const Block point = ws.block(v.rows(), v.lanes()), below = ws.block(v.rows(), v.lanes());
  const std::span<double> value = ws.array(v.lanes());
  fill_lanes(y, point);
  lanes::add_scaled(-difference_step, v.flat(), point.flat());
  W.evaluate(point, value, below, ws);
  lanes::add_scaled(2 * difference_step, v.flat(), point.flat());
  W.evaluate(point, value, out, ws);
  lanes::add_scaled(-1.0, below.flat(), out.flat());
  lanes::affine(out.flat(), 0.5 / difference_step, 0.0, out.flat());
}

}  // namespace

std::vector<double> dual_start(const AnyMap& map, const std::vector<double>& point) {
  if (point.size() != map.primal_dim()) {
    fail(Fault::config, Field{"start"},
         fmt::format("{} coordinates, but {} has {}", point.size(), map.text(), map.primal_dim()),
         "give one number per coordinate");
  }
  if (!map.contains(point)) {
    fail(Fault::config, Field{"start"},
         fmt::format("the point is not strictly inside {}", map.text()),
         "give an interior point, or none to let one be chosen");
  }
  Workspace ws;
  BlockStorage x(map.primal_dim(), lane_group), y(map.dual_dim(), lane_group);
  fill_lanes(point, x.view());
  map.to_dual(x.view(), y.view(), ws);
  std::vector<double> result(map.dual_dim());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = y.view().at(i, 0);
  }
  return result;
}

std::vector<double> curvature_diagonal(const AnyPotential& W, const std::vector<double>& y,
                                       const NoiseField& noise) {
  Workspace ws;
  const Block v = ws.block(y.size(), lane_group), hv = ws.block(y.size(), lane_group);
  const FloatBlock xi = ws.float_block(y.size(), lane_group);
  noise.normals(Purpose::start, signs_step, 0, xi);
  for (std::size_t k = 0; k < v.size(); ++k) {
    v.data()[k] = xi.data()[k] < 0 ? -1.0 : 1.0;
  }
  hessian_times(W, y, v, hv, ws);
  std::vector<double> result(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t l = 0; l < lane_group; ++l) {
      result[i] += v.at(i, l) * hv.at(i, l) / lane_group;
    }
  }
  return result;
}

double largest_curvature(const AnyPotential& W, const std::vector<double>& y,
                         const NoiseField& noise) {
  Workspace ws;
  const Block v = ws.block(y.size(), lane_group), hv = ws.block(y.size(), lane_group);
  const FloatBlock xi = ws.float_block(y.size(), lane_group);
  noise.normals(Purpose::start, power_step, 0, xi);
  lanes::widen(xi, v);
  const std::span<double> norm = ws.array(lane_group);
  double largest = 0;
  for (int iteration = 0; iteration < 20; ++iteration) {
    lanes::dot(v, v, norm);
    for (double& n : norm) {
      n = n > 0 ? 1 / std::sqrt(n) : 0.0;
    }
    lanes::multiply_rows(norm, v);
    hessian_times(W, y, v, hv, ws);
    lanes::dot(hv, hv, norm);
    largest = std::sqrt(*std::max_element(norm.begin(), norm.end()));
    lanes::copy(hv.flat(), v.flat());
  }
  return largest;
}

void disperse(const AnyPotential& W, std::span<const StartPlace> places, const NoiseField& noise,
              ChainBlock& chains, Workspace& ws) {
  const Block y = chains.y.view();
  const auto place_of = [&](std::size_t lane) -> const StartPlace& {
    return places[(chains.first_chain + lane) % places.size()];
  };
  for (std::size_t l = 0; l < chains.lanes(); ++l) {
    const StartPlace& place = place_of(l);
    Stream stream(noise, Purpose::start, dispersal_step,
                  chains.first_chain + static_cast<std::uint32_t>(l));
    for (std::size_t i = 0; i < y.rows(); ++i) {
      y.at(i, l) = place.y[i] + place.spread[i] * (4 * stream.uniform() - 2);
    }
  }
  evaluate(W, chains, ws);
  Workspace::Scope scope(ws);
  const std::span<double> finite = ws.array(chains.lanes());
  lanes::all_finite(chains.grad.view(), finite);
  for (std::size_t l = 0; l < chains.lanes(); ++l) {
    if (finite[l] == 0 || !std::isfinite(chains.value[l])) {
      for (std::size_t i = 0; i < y.rows(); ++i) {
        y.at(i, l) = place_of(l).y[i];
      }
    }
  }
  evaluate(W, chains, ws);
}

}  // namespace tain
