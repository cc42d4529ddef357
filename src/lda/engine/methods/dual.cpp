// smld, smld-approximate and smld-preconditioned: Langevin steps in the dual of the entropic map.
//
// With one coordinate per word and phi = softmax(y), W(y) = A log sum e^y - sum A_w y_w (paper 3.7
// with all W coordinates) has -dW/dy_w = A_w - A phi_w. W does not change when all y move together;
// e^-W, seen modulo that motion, is the law of log phi under Dirichlet(A).
//
// A diagonal P that does not depend on y keeps it: the generator f -> e^W div(e^-W P grad f) is
// that of y' = -P grad W + sqrt(2 P) noise, with no term from derivatives of P; for f that do not
// change when all y move together e^-W P grad f does not either, so what flows in on one side of a
// slab of common motion leaves on the other, and the integral vanishes. While P is adapted it is a
// function of states already left, hence a constant of the step; its mean over many steps is nearly
// independent of the state at hand, and what dependence is left ends with the warm-up.
//
// 1/P is the mean of A phi + R: the curvature of W along y_w is A phi (1 - phi), so frequent words
// relax at the rate eps. A batch sees one token of a word as A = R, whatever the word: without the
// R in P a rare word's y would jump by eps R / (A phi). With it one token moves y by eps at most,
// and the batches' noise, of variance R A phi, leaves y a spread of sqrt(eps P R / 2) <= sqrt(eps /
// 2).
#include "lda/engine/methods/dual.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lda/engine/methods/dual.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "lda/engine/methods/pass-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

// What the three methods share: eps (A - A_k phi) = eps A - pull g.
template <class D>
struct Drift {
  using V = hn::Vec<D>;
  V pull, each, prior, root;

  HWY_INLINE explicit Drift(const Lane<D>& lane)
      : pull(lane.row(lane.pass.pulls)),
        each(lane.set(lane.pass.step_size * double(lane.pass.count_scale))),
        prior(lane.set(lane.pass.step_size * double(lane.pass.eta))),
        root(lane.set(std::sqrt(2 * lane.pass.step_size))) {}
  // Both terms are large, their difference is not.
  HWY_INLINE V operator()(V n, V g) const {
    return hn::NegMulAdd(pull, g, hn::MulAdd(n, each, prior));
  }
};

// y and g = e^y, with y = log phi before the step.
template <class D>
struct Exponential {
  using V = hn::Vec<D>;
  const Lane<D>& lane;
  V offset, largest;

  HWY_INLINE explicit Exponential(const Lane<D>& own)
      : lane(own), offset(own.row(own.pass.offsets)), largest(hn::Zero(own.d)) {}
  HWY_INLINE V y(std::size_t word) const {
    return hn::Sub(lane.load(lane.pass.dual, word), offset);
  }
  HWY_INLINE V keep(std::size_t word, V y) {
    // The reduction inside holds up to 88.
    const V g = exp_not_positive(lane.d, hn::Min(y, hn::Set(lane.d, dual::largest_exponent)));
    largest = hn::Max(largest, y);
    lane.store(y, lane.pass.dual, word);
    lane.store(g, lane.pass.weights, word);
    return unless_broken(lane.d, g, y);
  }
  HWY_INLINE void leave(std::size_t block) const {
    const auto over = hn::Gt(largest, hn::Set(lane.d, dual::largest_exponent));
    if (!hn::AllFalse(lane.d, hn::And(over, lane.live))) {
      lane.pass.exceeded[block] = 1;
    }
  }
};

template <class D>
struct SmldCell {
  using V = hn::Vec<D>;
  const Lane<D>& lane;
  Drift<D> drift;
  Exponential<D> weight;

  HWY_INLINE explicit SmldCell(const Lane<D>& own) : lane(own), drift(own), weight(own) {}
  HWY_INLINE V operator()(std::size_t word, V n, V xi) {
    const V g = lane.load(lane.pass.weights, word);
    const V y = hn::MulAdd(drift.root, xi, hn::Add(weight.y(word), drift(n, g)));
    return weight.keep(word, y);
  }
  HWY_INLINE void leave(std::size_t block) const { weight.leave(block); }
};

template <class D>
struct PreconditionedCell {
  using V = hn::Vec<D>;
  const Lane<D>& lane;
  Drift<D> drift;
  Exponential<D> weight;

  HWY_INLINE explicit PreconditionedCell(const Lane<D>& own) : lane(own), drift(own), weight(own) {}
  HWY_INLINE V operator()(std::size_t word, V n, V xi) {
    const V g = lane.load(lane.pass.weights, word), p = lane.load(lane.pass.second, word);
    const V moved = hn::MulAdd(p, drift(n, g), weight.y(word));
    const V y = hn::MulAdd(hn::Mul(drift.root, hn::Sqrt(p)), xi, moved);
    adapt(word, g, p);
    return weight.keep(word, y);
  }
  HWY_INLINE void leave(std::size_t block) const { weight.leave(block); }

 private:
  // 1/p takes a share of A_k phi + R at the state the step started from.
  HWY_INLINE void adapt(std::size_t word, V g, V p) const {
    if (lane.pass.adaptation > 0) {
      const V rate = hn::Mul(lane.row(lane.pass.totals), lane.row(lane.pass.inverse_sums));
      const V now = hn::Mul(p, hn::MulAdd(rate, g, lane.set(double(lane.pass.scale))));
      const V share = lane.set(double(lane.pass.adaptation));
      lane.store(hn::Div(p, hn::MulAdd(share, hn::Sub(now, lane.set(1)), lane.set(1))),
                 lane.pass.second, word);
    }
  }
};

// g = max{floor, 1 + y}.
struct Linear {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V weight(D d, V y) {
    return hn::Add(y, hn::Set(d, 1.0F));
  }
};
// g = 1 + z + z^2/2, z = max{y, -1}: left of -1 the parabola would rise again, and a word whose
// weight is too large be driven to where it is larger still.
struct Quadratic {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V weight(D d, V y) {
    const V one = hn::Set(d, 1.0F), z = hn::Max(y, hn::Neg(one));
    return hn::MulAdd(z, hn::MulAdd(z, hn::Set(d, 0.5F), one), one);
  }
};

template <class D, class Link>
struct ApproximateCell {
  using V = hn::Vec<D>;
  const Lane<D>& lane;
  Drift<D> drift;
  V floor;

  HWY_INLINE explicit ApproximateCell(const Lane<D>& own)
      : lane(own), drift(own), floor(own.set(double(own.pass.floor))) {}
  HWY_INLINE V operator()(std::size_t word, V n, V xi) const {
    const V before = lane.load(lane.pass.dual, word);
    const V pushed = hn::Add(before, drift(n, lane.load(lane.pass.weights, word)));
    const V y = hn::MulAdd(drift.root, xi, pushed);
    const V g = hn::Max(Link::weight(lane.d, y), floor);
    lane.store(y, lane.pass.dual, word);
    lane.store(g, lane.pass.weights, word);
    return unless_broken(lane.d, g, y);
  }
  HWY_INLINE void leave(std::size_t) const {}
};
template <class D>
using LinearCell = ApproximateCell<D, Linear>;
template <class D>
using QuadraticCell = ApproximateCell<D, Quadratic>;

void smld_block(const TopicPass& pass, std::size_t block) { for_cells<SmldCell>(pass, block); }
void preconditioned_block(const TopicPass& pass, std::size_t block) {
  for_cells<PreconditionedCell>(pass, block);
}
void linear_block(const TopicPass& pass, std::size_t block) { for_cells<LinearCell>(pass, block); }
void quadratic_block(const TopicPass& pass, std::size_t block) {
  for_cells<QuadraticCell>(pass, block);
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tain {

HWY_EXPORT(smld_block);
HWY_EXPORT(preconditioned_block);
HWY_EXPORT(linear_block);
HWY_EXPORT(quadratic_block);

namespace dual {
void run_smld(const TopicPass& pass, std::size_t block) {
  HWY_DYNAMIC_DISPATCH(smld_block)(pass, block);
}
void run_preconditioned(const TopicPass& pass, std::size_t block) {
  HWY_DYNAMIC_DISPATCH(preconditioned_block)(pass, block);
}
void run_linear(const TopicPass& pass, std::size_t block) {
  HWY_DYNAMIC_DISPATCH(linear_block)(pass, block);
}
void run_quadratic(const TopicPass& pass, std::size_t block) {
  HWY_DYNAMIC_DISPATCH(quadratic_block)(pass, block);
}
}  // namespace dual

}  // namespace tain
#endif  // HWY_ONCE
