#include "run/descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "targets/undefined.hpp"

namespace tain {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t pairs_kept = 6, most_steps = 200, most_refusals = 30;
constexpr double sufficient = 1e-4;  // Armijo: share of the promised decrease
constexpr double settled_nats = 1e-9;
constexpr std::size_t lanes_at_once = 64;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

struct Evaluated {
  double value = infinity;
  std::vector<double> grad;
};

/// W and its gradient at a few points: a block of lanes.
void evaluate_at(const AnyPotential& W, std::span<const std::vector<double>* const> points,
                 std::span<Evaluated> out, Workspace& ws) {
  Workspace::Scope scope(ws);
  ws.use_lanes(points.size());
  const std::size_t lanes = padded_lanes(points.size()), dim = W.dim();
  const Block y = ws.block(dim, lanes), grad = ws.block(dim, lanes);
  const std::span<double> value = ws.array(lanes);
  for (std::size_t l = 0; l < lanes; ++l) {
    const std::vector<double>& point = *points[std::min(l, points.size() - 1)];
    for (std::size_t i = 0; i < dim; ++i) {
      y.at(i, l) = point[i];
    }
  }
  evaluate_where_defined(W, y, value, grad, ws);
  for (std::size_t l = 0; l < points.size(); ++l) {
    out[l].grad.resize(dim);
    bool finite = std::isfinite(value[l]);
    for (std::size_t i = 0; i < dim; ++i) {
      out[l].grad[i] = grad.at(i, l);
      finite = finite && std::isfinite(out[l].grad[i]);
    }
    out[l].value = finite ? value[l] : infinity;
  }
}

void evaluate_all(const AnyPotential& W, const std::vector<const std::vector<double>*>& points,
                  std::vector<Evaluated>& out, Workspace& ws) {
  out.resize(points.size());
  for (std::size_t first = 0; first < points.size(); first += lanes_at_once) {
    const std::size_t count = std::min(lanes_at_once, points.size() - first);
    evaluate_at(W, std::span(points).subspan(first, count), std::span(out).subspan(first, count),
                ws);
  }
}

/// One descent, told W at the points that it asks for.
class Lane {
 public:
  Lane(std::vector<double> start, Evaluated at_start)
      : y_(std::move(start)), here_(std::move(at_start)) {
    done_ = !std::isfinite(here_.value);
    if (!done_) {
      turn();
    }
  }

  bool done() const { return done_; }
  const std::vector<double>& trial() const { return trial_; }

  void take(Evaluated there) {
    const bool down = there.value <= here_.value + sufficient * length_ * slope_;
    if (!down) {
      // The parabola through what is known, kept within a tenth and a half.
      const double bend = there.value - here_.value - slope_ * length_;
      const double vertex =
          std::isfinite(bend) ? -slope_ * length_ * length_ / (2 * bend) : 0.1 * length_;
      length_ = std::clamp(vertex, 0.1 * length_, 0.5 * length_);
      settled_ = done_ = ++refusals_ == most_refusals;
      place_trial();
      return;
    }
    Pair pair;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      pair.step.push_back(trial_[i] - y_[i]);
      pair.change.push_back(there.grad[i] - here_.grad[i]);
    }
    pair.curvature = dot(pair.step, pair.change);
    const double lengths = dot(pair.step, pair.step) * dot(pair.change, pair.change);
    const bool convex = pair.curvature > 1e-10 * std::sqrt(lengths);
    stretch_ = convex ? 1.0 : 4 * stretch_;  // no end of the slope in sight: longer steps
    if (convex) {
      if (pairs_.size() == pairs_kept) {
        pairs_.erase(pairs_.begin());
      }
      pairs_.push_back(std::move(pair));
    }
    y_ = trial_;
    here_ = std::move(there);
    refusals_ = 0;
    turn();
  }

  Descent result(std::vector<double> start) const {
    return {std::move(start), y_, entry_, here_.value, settled_};
  }

 private:
  struct Pair {
    std::vector<double> step, change;
    double curvature = 0;
  };

  /// The next direction, by the two loops of algorithm 7.4.
  void turn() {
    direction_ = here_.grad;
    std::vector<double> weight(pairs_.size());
    for (std::size_t j = pairs_.size(); j-- > 0;) {
      weight[j] = dot(pairs_[j].step, direction_) / pairs_[j].curvature;
      add(-weight[j], pairs_[j].change);
    }
    const double steepness = std::sqrt(dot(here_.grad, here_.grad));
    const double scale =
        pairs_.empty() ? std::min(1.0, 1 / steepness)
                       : pairs_.back().curvature / dot(pairs_.back().change, pairs_.back().change);
    for (double& d : direction_) {
      d *= scale;
    }
    for (std::size_t j = 0; j < pairs_.size(); ++j) {
      add(weight[j] - dot(pairs_[j].change, direction_) / pairs_[j].curvature, pairs_[j].step);
    }
    for (double& d : direction_) {
      d = -d;
    }
    slope_ = dot(here_.grad, direction_);
    const double half = double(y_.size()) / 2;
    if (entry_.empty() && !pairs_.empty() && -slope_ <= 2 * half + 6 * std::sqrt(half)) {
      entry_ = y_;
    }
    const bool flat = !(slope_ < 0) || steepness == 0;
    small_steps_ = !pairs_.empty() && -slope_ < settled_nats ? small_steps_ + 1 : 0;
    if (flat && !pairs_.empty() && steepness > 0) {  // rounding: start afresh
      pairs_.clear();
      turn();
      return;
    }
    settled_ = done_ = flat || small_steps_ == 2;
    length_ = stretch_;
    place_trial();
  }

  void add(double factor, const std::vector<double>& v) {
    for (std::size_t i = 0; i < v.size(); ++i) {
      direction_[i] += factor * v[i];
    }
  }

  void place_trial() {
    trial_ = y_;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      trial_[i] += length_ * direction_[i];
    }
  }

  std::vector<double> y_, trial_, direction_, entry_;
  Evaluated here_;
  std::vector<Pair> pairs_;
  double slope_ = 0, length_ = 1, stretch_ = 1;
  std::size_t refusals_ = 0, small_steps_ = 0;
  bool done_ = false, settled_ = false;
};

}  // namespace

std::vector<Descent> descend(const AnyPotential& W, std::span<const std::vector<double>> starts,
                             Workspace& ws) {
  std::vector<const std::vector<double>*> points;
  for (const std::vector<double>& start : starts) {
    points.push_back(&start);
  }
  std::vector<Evaluated> found;
  evaluate_all(W, points, found, ws);
  std::vector<Lane> lanes;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    lanes.emplace_back(starts[k], std::move(found[k]));
  }
  for (std::size_t step = 0; step < most_steps; ++step) {
    std::vector<std::size_t> going;
    points.clear();
    for (std::size_t k = 0; k < lanes.size(); ++k) {
      if (!lanes[k].done()) {
        going.push_back(k);
        points.push_back(&lanes[k].trial());
      }
    }
    if (going.empty()) {
      break;
    }
    evaluate_all(W, points, found, ws);
    for (std::size_t g = 0; g < going.size(); ++g) {
      lanes[going[g]].take(std::move(found[g]));
    }
  }
  std::vector<Descent> all;
  for (std::size_t k = 0; k < starts.size(); ++k) {
    all.push_back(lanes[k].result(starts[k]));
  }
  return all;
}

std::vector<double> values_at(const AnyPotential& W, std::span<const std::vector<double>> points,
                              Workspace& ws) {
  std::vector<const std::vector<double>*> places;
  for (const std::vector<double>& point : points) {
    places.push_back(&point);
  }
  std::vector<Evaluated> found;
  evaluate_all(W, places, found, ws);
  std::vector<double> values;
  for (const Evaluated& at : found) {
    values.push_back(at.value);
  }
  return values;
}

}  // namespace tain
