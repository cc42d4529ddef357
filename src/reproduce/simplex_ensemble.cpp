#include "reproduce/simplex_ensemble.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reproduce/simplex_ensemble.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "core/float_math-inl.hpp"
#include "random/normals-inl.hpp"

#ifndef TAIN_SIMPLEX_ENSEMBLE_ONCE
#define TAIN_SIMPLEX_ENSEMBLE_ONCE
namespace tain {

/// Categories that a chain's registers and stack have room for.
inline constexpr std::size_t most_categories = 64;

struct EnsembleSteps {
  std::uint64_t seed;
  std::uint32_t first_chain;
  std::uint64_t begin, end;
};
struct EnsembleLaw {
  std::span<const float> rates;
  float total, step_size, root;  // root = sqrt(2 step_size)
};

}  // namespace tain
#endif

HWY_BEFORE_NAMESPACE();
namespace tain::HWY_NAMESPACE {

// Calls use(row, normal) for every row of one step, four at a time.
template <class D, class Use>
HWY_INLINE void for_normals(D d, const WordSource<D>& source, std::size_t rows, Use use) {
  std::uint32_t index = 0;
  for (std::size_t row = 0; row < rows; row += 4) {
    const auto normals = four_normals(d, source.at(index++));
    use(row, normals.w0);
    if (row + 1 < rows) {
      use(row + 1, normals.w1);
    }
    if (row + 2 < rows) {
      use(row + 2, normals.w2);
    }
    if (row + 3 < rows) {
      use(row + 3, normals.w3);
    }
  }
}

// One vector of chains: loads its state, takes all steps, stores it. `step(source, state)` is one
// step.
template <class D, class Step>
HWY_INLINE void run_lanes(D d, const EnsembleSteps& steps, FloatBlock block, std::size_t lane,
                          Step step) {
  const philox::Keys keys(steps.seed);
  hn::Vec<D> state[most_categories];
  for (std::size_t i = 0; i < block.rows(); ++i) {
    state[i] = hn::LoadU(d, block.row(i) + lane);
  }
  const std::uint32_t chain = steps.first_chain + static_cast<std::uint32_t>(lane);
  for (std::uint64_t t = steps.begin; t < steps.end; ++t) {
    const philox::StepWords words(Purpose::proposal, t);
    step(WordSource<D>(keys, words, chain), state);
  }
  for (std::size_t i = 0; i < block.rows(); ++i) {
    hn::StoreU(state[i], d, block.row(i) + lane);
  }
}

void mld_steps(const EnsembleSteps& steps, const EnsembleLaw& law, FloatBlock block) {
  const std::size_t rows = block.rows();
  for_lane_vectors(block.lanes(), [&](auto d, std::size_t lane) {
    using V = hn::Vec<decltype(d)>;
    const V root = hn::Set(d, law.root);
    run_lanes(d, steps, block, lane, [&](const auto& source, V* HWY_RESTRICT y) {
      V e[most_categories];
      V largest = hn::Zero(d);  // the reference's logit
      for (std::size_t i = 0; i < rows; ++i) {
        largest = hn::Max(largest, y[i]);
      }
      V sum = exp_not_positive(d, hn::Neg(largest));
      for (std::size_t i = 0; i < rows; ++i) {
        e[i] = exp_not_positive(d, hn::Sub(y[i], largest));
        sum = hn::Add(sum, e[i]);
      }
      const V scale = hn::Div(hn::Set(d, law.total * law.step_size), sum);
      for_normals(d, source, rows, [&](std::size_t i, V xi) {
        // a_l - A x_l first: both are large, their difference is not.
        const V drift = hn::NegMulAdd(scale, e[i], hn::Set(d, law.rates[i] * law.step_size));
        y[i] = hn::MulAdd(root, xi, hn::Add(y[i], drift));
      });
    });
  });
}

void sgrld_steps(const EnsembleSteps& steps, const EnsembleLaw& law, FloatBlock block) {
  const std::size_t rows = block.rows();
  for_lane_vectors(block.lanes(), [&](auto d, std::size_t lane) {
    using V = hn::Vec<decltype(d)>;
    const V root = hn::Set(d, law.root), least = hn::Set(d, 1e-37f);
    run_lanes(d, steps, block, lane, [&](const auto& source, V* HWY_RESTRICT theta) {
      V sum = theta[0];
      for (std::size_t i = 1; i < rows; ++i) {
        sum = hn::Add(sum, theta[i]);
      }
      // eps (alpha + n - theta - N theta / sum) = eps (alpha + n) - theta (eps + eps N / sum)
      const V scale =
          hn::Add(hn::Div(hn::Set(d, law.total * law.step_size), sum), hn::Set(d, law.step_size));
      for_normals(d, source, rows, [&](std::size_t i, V xi) {
        const V drift = hn::NegMulAdd(scale, theta[i], hn::Set(d, law.rates[i] * law.step_size));
        const V noise = hn::Mul(hn::Mul(root, hn::Sqrt(theta[i])), xi);
        theta[i] = hn::Max(hn::Abs(hn::Add(hn::Add(theta[i], drift), noise)), least);
      });
    });
  });
}

}  // namespace tain::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tain/core/error.hpp"

namespace tain {

HWY_EXPORT(mld_steps);
HWY_EXPORT(sgrld_steps);

namespace {
void require_room(std::size_t categories) {
  if (categories > most_categories) {
    fail(Fault::config, "ensemble", fmt::format("{} categories", categories),
         fmt::format("use at most {}", most_categories));
  }
}
}  // namespace

SimplexEnsemble SimplexEnsemble::mld(const DirichletPosterior& posterior, std::size_t reference,
                                     double step_size) {
  require_room(posterior.dim());
  TAIN_EXPECTS(reference < posterior.dim(), "the reference is a category");
  SimplexEnsemble ensemble;
  ensemble.method_ = Method::mld;
  ensemble.reference_ = reference;
  ensemble.step_size_ = static_cast<float>(step_size);
  ensemble.total_ = static_cast<float>(posterior.total());
  for (const double a : posterior.weights()) {
    ensemble.rates_.push_back(static_cast<float>(a));
  }
  return ensemble;
}

SimplexEnsemble SimplexEnsemble::sgrld(const DirichletPosterior& posterior, double step_size) {
  require_room(posterior.dim());
  SimplexEnsemble ensemble;
  ensemble.method_ = Method::sgrld;
  ensemble.step_size_ = static_cast<float>(step_size);
  double total = 0;
  ensemble.spread_ = 0;
  for (std::size_t i = 0; i < posterior.dim(); ++i) {
    total += posterior.counts()[i];
    ensemble.spread_ += posterior.alpha()[i];
    ensemble.rates_.push_back(static_cast<float>(posterior.weights()[i]));
  }
  ensemble.total_ = static_cast<float>(total);
  return ensemble;
}

std::size_t SimplexEnsemble::rows() const {
  return method_ == Method::mld ? categories() - 1 : categories();
}

void SimplexEnsemble::place(std::span<const double> x, FloatBlock state) const {
  TAIN_EXPECTS(x.size() == categories() && state.rows() == rows(), "another simplex");
  for (std::size_t i = 0; i < rows(); ++i) {
    double value = x[i] * spread_;
    if (method_ == Method::mld) {
      value = std::log(x[i < reference_ ? i : i + 1]) - std::log(x[reference_]);
    }
    std::fill_n(state.row(i), state.lanes(), static_cast<float>(value));
  }
}

void SimplexEnsemble::advance(const NoiseField& noise, std::uint32_t first_chain,
                              std::uint64_t begin, std::uint64_t end, FloatBlock state) const {
  TAIN_EXPECTS(state.rows() == rows() && state.lanes() % lane_group == 0, "another state");
  const EnsembleSteps steps{noise.seed(), first_chain, begin, end};
  const float root = std::sqrt(2 * step_size_);
  if (method_ == Method::sgrld) {
    HWY_DYNAMIC_DISPATCH(sgrld_steps)(steps, {rates_, total_, step_size_, root}, state);
    return;
  }
  std::array<float, most_categories> rates{};  // without the reference
  std::copy_n(rates_.begin(), reference_, rates.begin());
  std::copy(rates_.begin() + static_cast<std::ptrdiff_t>(reference_) + 1, rates_.end(),
            rates.begin() + static_cast<std::ptrdiff_t>(reference_));
  HWY_DYNAMIC_DISPATCH(mld_steps)
  (steps, {std::span(rates).first(rows()), total_, step_size_, root}, state);
}

void SimplexEnsemble::log_primal(ConstFloatBlock state, std::span<const std::size_t> wanted,
                                 FloatBlock out) const {
  // Logits of a lane: those of mld with the reference's 0 put in, the logarithms of theta.
  std::array<double, most_categories> logit{};
  for (std::size_t l = 0; l < state.lanes(); ++l) {
    double sum = 0, largest = 0;
    for (std::size_t i = 0; i < state.rows(); ++i) {
      const double value = state.at(i, l);
      const std::size_t category = method_ == Method::mld && i >= reference_ ? i + 1 : i;
      logit[category] = value;
      largest = i == 0 && method_ == Method::sgrld ? value : std::max(largest, value);
    }
    if (method_ == Method::mld) {
      logit[reference_] = 0;
      for (std::size_t i = 0; i < categories(); ++i) {
        sum += std::exp(logit[i] - largest);
      }
    } else {
      for (std::size_t i = 0; i < categories(); ++i) {
        sum += logit[i] / largest;
      }
    }
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const double own = logit[wanted[k]];
      const double relative = method_ == Method::mld ? own - largest : std::log(own / largest);
      out.at(k, l) = static_cast<float>(relative - std::log(sum));
    }
  }
}

}  // namespace tain
#endif  // HWY_ONCE
