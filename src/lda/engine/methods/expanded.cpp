// smld-root, sgrld and sgrhmc: theta > 0 of its own for every word, phi = theta / sum theta. The
// kernels of the same names (kernels/baselines) ask a potential for gradients, in double, chains in
// lanes; here topics are, in float, and counts are all there is of a gradient.
//
// smld-root. If theta_w ~ Gamma(A_w, 1), independent, then phi ~ Dirichlet(A). On the orthant take
// the mirror map h(theta) = 4/3 sum theta^(3/2): y = 2 sqrt(theta), and with -V = sum (A - 1) log
// theta - theta the mirrored diffusion (paper 3.2) is
//   dy = ((2 A - 1)/y - y/2) dt + sqrt(2) dB,
//   in theta:  d theta = (A - theta) dt + sqrt(2 theta) dB
// (Ito; the 1/2 dt of (y/2) dy cancels that of A - 1/2). Its curvature in y is 1/2 + (2 A - 1)/y^2
// = 1 at y^2 = 4 A: every word relaxes at rate 1, rare or frequent, with no preconditioner. A step
// of Euler's in y would overshoot from small y, where the drift is singular, and for A < 1/2 the
// boundary is reached. But mean and variance after time h are known, affine in theta and A:
//   m = e^-h theta + (1 - e^-h) A,   v = (1 - e^-h) (2 e^-h theta + (1 - e^-h) A)
// and a lognormal with these is positive for every A > 0. Then
//   E theta' = e^-h E theta + (1 - e^-h) E A  gives  E theta = E A
// also when A is a batch's estimate, and with A fixed Var theta = e^-2h Var theta + E v, E v =
// (1 - e^-2h) A, gives Var theta = A: both those of Gamma(A, 1), for every h. Higher moments are
// right as h -> 0. Mass is neither lost nor made at the boundary, as by reflection at 0: there
// |theta + ...| adds about a quarter of a token to every word that has none.
#include "lda/engine/methods/expanded.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lda/engine/methods/expanded.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "lda/engine/methods/pass-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

template <class D>
struct RootCell {
  using V = hn::Vec<D>;
  const Lane<D>& lane;
  V each, prior, decay, gain;  // A as (1 - e^-h) A

  HWY_INLINE explicit RootCell(const Lane<D>& own)
      : lane(own),
        each(own.set(-std::expm1(-own.pass.step_size) * double(own.pass.count_scale))),
        prior(own.set(-std::expm1(-own.pass.step_size) * double(own.pass.eta))),
        decay(own.set(std::exp(-own.pass.step_size))),
        gain(own.set(-std::expm1(-own.pass.step_size))) {}
  HWY_INLINE V operator()(std::size_t word, V n, V xi) const {
    const D d = lane.d;
    const V one = hn::Set(d, 1.0F);
    const V kept = hn::Mul(decay, lane.load(lane.pass.weights, word));
    const V m = hn::Add(kept, hn::MulAdd(n, each, prior));
    const V inverse = hn::Div(one, m);
    // v / m^2 = (1 - e^-h) / m (1 + e^-h theta / m)
    const V s2 = log_one_plus(d, hn::Mul(hn::Mul(gain, inverse), hn::MulAdd(kept, inverse, one)));
    const V x = hn::MulAdd(s2, hn::Set(d, -0.5F), hn::Mul(hn::Sqrt(s2), xi));
    const V moved = hn::Mul(m, exp_not_positive(d, x));
    const V theta = hn::Max(moved, hn::Set(d, expanded::least_theta));
    lane.store(theta, lane.pass.weights, word);
    return unless_broken(d, theta, moved);
  }
  HWY_INLINE void leave(std::size_t) const {}
};

// theta (1 + R n_k / sum theta) = pull theta.
template <class D>
HWY_INLINE hn::Vec<D> expanded_pull(const Lane<D>& lane) {
  const auto counted = hn::Sub(lane.row(lane.pass.totals),
                               lane.set(double(lane.pass.all_words) * double(lane.pass.eta)));
  return hn::MulAdd(counted, lane.row(lane.pass.inverse_sums), lane.set(1));
}

template <class D>
struct SgrldCell {
  using V = hn::Vec<D>;
  const Lane<D>& lane;
  V pull, each, prior, noise;

  HWY_INLINE explicit SgrldCell(const Lane<D>& own)
      : lane(own),
        pull(hn::Mul(expanded_pull(own), own.set(own.pass.step_size))),
        each(own.set(own.pass.step_size * double(own.pass.count_scale))),
        prior(own.set(own.pass.step_size * double(own.pass.eta))),
        noise(own.set(2 * own.pass.step_size)) {}
  HWY_INLINE V operator()(std::size_t word, V n, V xi) const {
    const V theta = lane.load(lane.pass.weights, word);
    const V drift = hn::NegMulAdd(pull, theta, hn::MulAdd(n, each, prior));
    const V moved = hn::MulAdd(hn::Sqrt(hn::Mul(noise, theta)), xi, hn::Add(theta, drift));
    const V next = hn::Max(hn::Abs(moved), hn::Set(lane.d, expanded::least_theta));
    lane.store(next, lane.pass.weights, word);
    return unless_broken(lane.d, next, moved);
  }
  HWY_INLINE void leave(std::size_t) const {}
};

// -sqrt(theta) dU/dtheta + 1/(2 sqrt(theta)) = (A - 1/2)/sqrt(theta) - sqrt(theta) pull, with
// dU/dtheta = 1 - (A - 1)/theta + R n_k / sum theta.
template <class D>
struct SgrhmcCell {
  using V = hn::Vec<D>;
  const Lane<D>& lane;
  V pull, each, prior, step, noise;

  HWY_INLINE explicit SgrhmcCell(const Lane<D>& own)
      : lane(own),
        pull(expanded_pull(own)),
        each(own.set(double(own.pass.count_scale))),
        prior(own.set(double(own.pass.eta) - 0.5)),
        step(own.set(own.pass.step_size)),
        noise(own.set(std::sqrt(2 * own.pass.step_size))) {}
  HWY_INLINE V operator()(std::size_t word, V n, V xi) const {
    const D d = lane.d;
    const V theta = lane.load(lane.pass.weights, word), r = lane.load(lane.pass.second, word);
    const V root = hn::Sqrt(theta);
    const V outward = hn::Div(hn::MulAdd(n, each, prior), root);
    const V force = hn::NegMulAdd(theta, r, hn::NegMulAdd(root, pull, outward));
    const V p = hn::MulAdd(hn::Mul(noise, root), xi, hn::MulAdd(step, force, r));
    const V moved = hn::MulAdd(hn::Mul(step, root), p, theta);
    const V next = hn::Max(hn::Abs(moved), hn::Set(d, expanded::least_theta));
    lane.store(hn::IfThenElse(hn::Lt(moved, hn::Zero(d)), hn::Neg(p), p), lane.pass.second, word);
    lane.store(next, lane.pass.weights, word);
    return unless_broken(d, next, hn::MulAdd(p, hn::Zero(d), moved));
  }
  HWY_INLINE void leave(std::size_t) const {}
};

void root_block(const TopicPass& pass, std::size_t block) { for_cells<RootCell>(pass, block); }
void sgrld_block(const TopicPass& pass, std::size_t block) { for_cells<SgrldCell>(pass, block); }
void sgrhmc_block(const TopicPass& pass, std::size_t block) { for_cells<SgrhmcCell>(pass, block); }

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tain {

HWY_EXPORT(root_block);
HWY_EXPORT(sgrld_block);
HWY_EXPORT(sgrhmc_block);

namespace expanded {
void run_root(const TopicPass& pass, std::size_t block) {
  HWY_DYNAMIC_DISPATCH(root_block)(pass, block);
}
void run_sgrld(const TopicPass& pass, std::size_t block) {
  HWY_DYNAMIC_DISPATCH(sgrld_block)(pass, block);
}
void run_sgrhmc(const TopicPass& pass, std::size_t block) {
  HWY_DYNAMIC_DISPATCH(sgrhmc_block)(pass, block);
}
}  // namespace expanded

}  // namespace tain
#endif  // HWY_ONCE
