#include "run/adaptation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tain/core/error.hpp"

namespace tain {

void DualAveraging::restart(double step_size) {
  // Aims at ten times the working step: exploring upwards is cheap, downwards is not.
  centre_ = std::log(10 * step_size);
  log_average_ = std::log(step_size);
  shortfall_ = 0;
  count_ = 0;
}

double DualAveraging::update(double acceptance, double target) {
  constexpr double gamma = 0.05, t0 = 10, kappa = 0.75;
  const double t = double(++count_);
  shortfall_ += ((target - acceptance) - shortfall_) / (t + t0);
  const double log_step = centre_ - std::sqrt(t) / gamma * shortfall_;
  const double weight = std::pow(t, -kappa);
  log_average_ = weight * log_step + (1 - weight) * log_average_;
  return std::exp(log_step);
}

double DualAveraging::average() const { return std::exp(log_average_); }

void DualAveraging::archive(Archive& a) {
  a.field(centre_);
  a.field(shortfall_);
  a.field(log_average_);
  a.field(count_);
  a.require(std::isfinite(centre_) && std::isfinite(shortfall_) && std::isfinite(log_average_),
            "has no step size that adapts");
}

ChainMoments::ChainMoments(std::size_t dim) : shift_(dim), sum_(dim), sum_squares_(dim) {}

void ChainMoments::clear() {
  count_ = 0;
  std::fill(sum_.begin(), sum_.end(), 0.0);
  std::fill(sum_squares_.begin(), sum_squares_.end(), 0.0);
}

// A turn holds the shifts, then for every coordinate its sums by lane and those of squares.
void ChainMoments::open(const ChainBlock& first, std::span<double> turn) const {
  TAIN_EXPECTS(turn.size() == turn_size() && first.first_chain == 0, "the turn of chain 0");
  for (std::size_t i = 0; i < shift_.size(); ++i) {
    turn[i] = count_ == 0 ? first.y.view().at(i, 0) : shift_[i];
  }
  std::ranges::fill(turn.subspan(shift_.size()), 0.0);
}

void ChainMoments::pass(std::span<const ChainBlock> blocks, std::span<double> turn) const {
  if (blocks.empty()) {
    return;
  }
  const std::size_t offset = blocks.front().first_chain % lane_group;
  for (std::size_t i = 0; i < sum_.size(); ++i) {
    const double shift = turn[i];
    const std::span<double> by_chain = turn.subspan(sum_.size() + i * 2 * lane_group);
    std::array<double, lane_group> sums, squares;
    for (std::size_t l = 0; l < lane_group; ++l) {
      sums[l] = by_chain[(offset + l) % lane_group];
      squares[l] = by_chain[lane_group + (offset + l) % lane_group];
    }
    for (const ChainBlock& block : blocks) {
      const double* row = block.y.view().row(i);
      for (std::size_t l = 0; l < block.chains; ++l) {
        const double z = row[l] - shift;
        sums[l % lane_group] += z;
        squares[l % lane_group] += z * z;
      }
    }
    for (std::size_t l = 0; l < lane_group; ++l) {
      by_chain[(offset + l) % lane_group] = sums[l];
      by_chain[lane_group + (offset + l) % lane_group] = squares[l];
    }
  }
}

void ChainMoments::close(std::span<const double> turn, std::uint64_t chains) {
  std::ranges::copy(turn.first(shift_.size()), shift_.begin());
  for (std::size_t i = 0; i < sum_.size(); ++i) {
    const std::span<const double> by_chain = turn.subspan(sum_.size() + i * 2 * lane_group);
    for (std::size_t l = 0; l < lane_group; ++l) {
      sum_[i] += by_chain[l];
      sum_squares_[i] += by_chain[lane_group + l];
    }
  }
  count_ += chains;
}

std::vector<double> ChainMoments::mean() const {
  std::vector<double> result(shift_);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] += sum_[i] / double(count_);
  }
  return result;
}

std::vector<double> ChainMoments::variance() const {
  std::vector<double> result(sum_.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double m = sum_[i] / double(count_);
    result[i] = std::max(0.0, sum_squares_[i] / double(count_) - m * m);
  }
  return result;
}

void ChainMoments::archive(Archive& a) {
  const std::size_t dim = sum_.size();
  a.field(count_);
  a.field(shift_);
  a.field(sum_);
  a.field(sum_squares_);
  const auto is_number = [](double number) { return !std::isnan(number); };
  a.require(shift_.size() == dim && sum_.size() == dim && sum_squares_.size() == dim &&
                std::ranges::all_of(shift_, is_number) && std::ranges::all_of(sum_, is_number) &&
                std::ranges::all_of(sum_squares_, [](double sum) { return sum >= 0; }),
            "has moments of other coordinates, or none that can be");
}

void LengthAscent::restart(double length) {
  log_length_ = std::log(length);
  second_moment_ = log_sum_ = weight_ = 0;
  count_ = 0;
}

double LengthAscent::update(double slope, double shortest, double longest) {
  constexpr double rate = 0.05, decay = 0.95;
  if (std::isfinite(slope)) {
    second_moment_ = decay * second_moment_ + (1 - decay) * slope * slope;
    ++count_;
    const double corrected = second_moment_ / (1 - std::pow(decay, double(count_)));
    log_length_ += corrected > 0 ? rate * slope / std::sqrt(corrected) : 0.0;
  }
  log_length_ = std::clamp(log_length_, std::log(shortest), std::log(longest));
  // Average with weights t: the last half counts for three quarters.
  log_sum_ += double(count_) * log_length_;
  weight_ += double(count_);
  return std::exp(log_length_);
}

double LengthAscent::average() const {
  return weight_ > 0 ? std::exp(log_sum_ / weight_) : std::exp(log_length_);
}

void LengthAscent::archive(Archive& a) {
  a.field(log_length_);
  a.field(second_moment_);
  a.field(log_sum_);
  a.field(weight_);
  a.field(count_);
  a.require(std::isfinite(log_length_) && second_moment_ >= 0 && std::isfinite(log_sum_) &&
                weight_ >= 0 && std::isfinite(weight_),
            "has no trajectory length that adapts");
}

void StepSizeHistory::add(std::uint64_t now, double size, double accepted) {
  log_sum_ += std::log(size);
  acceptance_sum_ += accepted;
  if (++pending_ < stride_) {
    return;
  }
  const double n = double(stride_);
  step.push_back(double(now));
  step_size.push_back(std::exp(log_sum_ / n));
  acceptance.push_back(acceptance_sum_ / n);
  pending_ = 0;
  log_sum_ = acceptance_sum_ = 0;
  if (step.size() == most) {
    merge_neighbours();
  }
}

void StepSizeHistory::merge_neighbours() {
  constexpr std::size_t half = most / 2;
  for (std::size_t k = 0; k < half; ++k) {
    step[k] = step[2 * k + 1];
    step_size[k] = std::sqrt(step_size[2 * k]) * std::sqrt(step_size[2 * k + 1]);
    acceptance[k] = 0.5 * (acceptance[2 * k] + acceptance[2 * k + 1]);
  }
  step.resize(half);
  step_size.resize(half);
  acceptance.resize(half);
  stride_ *= 2;
}

void StepSizeHistory::archive(Archive& a) {
  a.field(stride_);
  a.field(pending_);
  a.field(log_sum_);
  a.field(acceptance_sum_);
  a.field(step);
  a.field(step_size);
  a.field(acceptance);
  const auto is_size = [](double size) { return size >= 0 && std::isfinite(size); };
  const auto is_share = [](double share) { return share >= 0 && share <= 1; };
  a.require(
      step.size() < most && step_size.size() == step.size() && acceptance.size() == step.size() &&
          pending_ < stride_ && stride_ <= std::uint64_t{1} << 48 && std::isfinite(log_sum_) &&
          acceptance_sum_ >= 0 && std::isfinite(acceptance_sum_) && std::ranges::is_sorted(step) &&
          std::ranges::all_of(step, is_size) && std::ranges::all_of(step_size, is_size) &&
          std::ranges::all_of(acceptance, is_share),
      "has a history of step sizes that contradicts itself");
}

WarmupSchedule::WarmupSchedule(std::uint64_t total) {
  first = total * 15 / 100;
  last = total - total * 15 / 100;
  std::uint64_t length = std::max<std::uint64_t>(10, total / 40);
  for (std::uint64_t begin = first; begin < last;) {
    std::uint64_t end = begin + length;
    // The last window takes what would be too short for one of its own.
    if (end + 2 * length > last) {
      end = last;
    }
    ends.push_back(end - 1);
    begin = end;
    length *= 2;
  }
}

bool WarmupSchedule::closes_window(std::uint64_t t) const {
  return std::binary_search(ends.begin(), ends.end(), t);
}

std::vector<double> scales_from(const ChainMoments& moments) {
  std::vector<double> scale = moments.variance();
  double log_sum = 0;
  std::size_t moving = 0;
  for (const double v : scale) {
    if (v > 0) {
      log_sum += std::log(v);
      ++moving;
    }
  }
  const double typical = moving > 0 ? log_sum / double(moving) : 0.0;
  const double trust = double(moments.count()) / (double(moments.count()) + 5);
  for (double& s : scale) {
    s = std::exp(0.5 * (s > 0 ? trust * std::log(s) + (1 - trust) * typical : typical));
  }
  return scale;
}

}  // namespace tain
