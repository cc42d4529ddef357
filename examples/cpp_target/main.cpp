// Own targets and an own mirror map in C++: what to write, and how to check it before sampling.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <span>
#include <string>

#include "tain/tain.hpp"

// The easiest target: value and gradient at one point. Student's t with 4 degrees of freedom in
// every coordinate, V = sum_i 5/2 log(1 + x_i^2 / 4).
double student_t(std::span<const double> x, std::span<double> grad) {
  double value = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    value += 2.5 * std::log1p(x[i] * x[i] / 4);
    grad[i] = 5 * x[i] / (4 + x[i] * x[i]);
  }
  return value;
}

// The fast kind: a whole block of points at once, coordinate by coordinate, so that the compiler
// can use vector instructions across the points. V = 1/2 sum_i (x_i - x_{i-1})^2, x_{-1} = 0.
struct RandomWalk {
  std::size_t dimension;
  std::string name() const { return "random-walk"; }
  std::size_t dim() const { return dimension; }
  void evaluate(tain::ConstBlock x, std::span<double> value, tain::Block grad,
                tain::Workspace&) const {
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      value[l] = 0.5 * x.at(0, l) * x.at(0, l);
      grad.at(0, l) = x.at(0, l);
    }
    for (std::size_t i = 1; i < dimension; ++i) {
      for (std::size_t l = 0; l < x.lanes(); ++l) {
        const double increment = x.at(i, l) - x.at(i - 1, l);
        value[l] += 0.5 * increment * increment;
        grad.at(i, l) = increment;
        grad.at(i - 1, l) -= increment;
      }
    }
  }
};
static_assert(tain::Potential<RandomWalk>);

// An own mirror map on the interval (-1, 1): y = tan(pi x / 2), so x = 2/pi arctan y. Heavy tails
// in y; tain::box does better, but the shape of a map is plain to see.
class ArctanInterval {
 public:
  std::string name() const { return "arctan-interval"; }
  std::size_t primal_dim() const { return 1; }
  std::size_t dual_dim() const { return 1; }
  void to_primal(tain::ConstBlock y, tain::Block x, tain::Workspace&) const {
    for (std::size_t l = 0; l < y.lanes(); ++l) {
      x.at(0, l) = 2 / std::numbers::pi * std::atan(y.at(0, l));
    }
  }
  void to_dual(tain::ConstBlock x, tain::Block y, tain::Workspace&) const {
    for (std::size_t l = 0; l < x.lanes(); ++l) {
      y.at(0, l) = std::tan(std::numbers::pi / 2 * x.at(0, l));
    }
  }
  // dx/dy = 2/pi / (1 + y^2)
  void pull_back(tain::ConstBlock y, tain::ConstBlock, tain::ConstBlock gx, tain::Block gy,
                 tain::Workspace&) const {
    for (std::size_t l = 0; l < y.lanes(); ++l) {
      gy.at(0, l) = gx.at(0, l) * 2 / std::numbers::pi / (1 + y.at(0, l) * y.at(0, l));
    }
  }
  // -log dx/dy = log(1 + y^2) + log(pi / 2)
  void add_log_det(tain::ConstBlock y, tain::ConstBlock, std::span<double> value, tain::Block gy,
                   tain::Workspace&) const {
    for (std::size_t l = 0; l < y.lanes(); ++l) {
      const double t = y.at(0, l);
      value[l] += std::log1p(t * t) + std::log(std::numbers::pi / 2);
      gy.at(0, l) += 2 * t / (1 + t * t);
    }
  }
  bool contains(std::span<const double> x) const { return x[0] > -1 && x[0] < 1; }
  void centre(std::span<double> x) const { x[0] = 0; }
};
static_assert(tain::MirrorMap<ArctanInterval>);

// Is the gradient right? Samples, prints the table and the verdict, and says whether to trust both.
bool try_out(const tain::Set& set, const tain::Target& target) {
  const tain::GradientCheck check = tain::check_gradient(set, target);
  const tain::Run run = tain::sample(set, target, {.chains = 8, .warmup = 500, .draws = 500});
  std::printf("%s\n%s\n", check.explanation.c_str(), run.text().c_str());
  return check.passed && run.verdict().trust;
}

int main() {
  const tain::Target student = tain::target(student_t, {}, "student-t");
  bool right = try_out(tain::box({-1, 0, -2}, {1, 5, 2}), student);
  right = try_out(tain::real(20), RandomWalk{20}) && right;

  // Target and map together are an unconstrained potential W(y), which is what kernels sample. Its
  // gradient, which tests the map too, is checked in the same way on a space without constraint.
  const tain::Set interval = tain::mapped(ArctanInterval());
  right = tain::check_gradient(interval, student).passed && right;
  right = tain::check_dual_gradient(interval, student).passed && right;
  right = tain::check_dual_gradient(tain::positive(3), student).passed && right;
  return right ? 0 : 1;
}
