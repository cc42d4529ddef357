// Potential: a density known up to a constant, as V with p(x) proportional to exp(-V(x)).
//
// Laws: evaluate writes V at every lane's point and its gradient in all primal_dim coordinates; the
//   gradient is the derivative of the value (tests: central differences); lanes are independent;
//   const means thread-safe. On the simplex the gradient is taken in the n ambient coordinates, as
//   if they were free: the map projects it.
// A point outside the support gives value +inf; NaN is reported by the run, never swallowed.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tain/core/block.hpp"
#include "tain/core/error.hpp"
#include "tain/core/workspace.hpp"

namespace tain {

/// Works on a whole block of lanes: what fast targets satisfy.
template <class P>
concept Potential =
    requires(const P& v, ConstBlock x, std::span<double> value, Block grad, Workspace& ws) {
      { v.name() } -> std::convertible_to<std::string>;
      { v.dim() } -> std::convertible_to<std::size_t>;
      { v.evaluate(x, value, grad, ws) } -> std::same_as<void>;
    };

/// Works on one point: the easiest thing to write; PointTarget makes it a Potential.
template <class P>
concept PointPotential = requires(const P& v, std::span<const double> x, std::span<double> grad) {
  { v.dim() } -> std::convertible_to<std::size_t>;
  { v.value_and_grad(x, grad) } -> std::same_as<double>;
};

class AnyMap;
class AnyPotential;

/// Beside std::exception, of what a target throws: it is not defined at this point. It ends a run;
/// the check of gradients (check_gradient.hpp) looks elsewhere, as after std::domain_error and
/// std::range_error.
struct UndefinedHere {
  virtual ~UndefinedHere() = default;
};

/// Mini-batches, one per lane: which of the N terms of V = sum_i V_i a step looks at.
struct Batches {
  std::size_t size = 0;                    ///< b, the same for every lane
  std::span<const std::uint64_t> indices;  ///< lane l has [l b, (l + 1) b), each below N

  std::span<const std::uint64_t> of(std::size_t lane) const {
    return indices.subspan(lane * size, size);
  }
};

/// How many terms a step looks at, and how they are chosen (kernels/batch.hpp).
enum class Replacement { without, with };

struct Batching {
  std::uint64_t size = 0;  ///< b; 0: all terms
  Replacement replacement = Replacement::without;

  /// Are these all terms, so that nothing is random?
  bool whole(std::uint64_t terms) const {
    return size == 0 || (size == terms && replacement == Replacement::without);
  }
};

/// A sum V = sum_i V_i of N terms (paper, Assumption 4), whatever is no data (a prior, a log det)
/// shared evenly among them.
/// Law: batch_gradient writes (N/b) sum over the lane's batch of grad V_i (4.1); over all batches
///   of a size its mean is the gradient.
template <class P>
concept Decomposable = Potential<P> && requires(const P& v, ConstBlock x, const Batches& batches,
                                                Block grad, Workspace& ws) {
  { v.terms() } -> std::convertible_to<std::uint64_t>;  // N; 0: this one is not a sum
  { v.batch_gradient(x, batches, grad, ws) } -> std::same_as<void>;
};

/// What a target may know about itself; every part is optional.
struct TargetFacts {
  /// Lipschitz constant of grad W under the map it was asked for (the paper's L).
  std::optional<double> dual_lipschitz;
  /// A good starting point (primal), e.g. near the mode; empty: the map's centre.
  std::vector<double> start;
  /// Of a Dirichlet law; empty for others: what coordinates of a simplex are chosen by.
  std::vector<double> weights;
  /// Exact moments, where a closed form is known (empty otherwise): of x_i and of log x_i.
  std::vector<double> mean, variance, log_mean, log_variance;
  /// Exact moments of y_i under the map (empty: unknown): what the distance of a start to the
  /// target needs (the paper's R_0 = W_2^2(y_0, exp(-W))).
  std::vector<double> dual_mean, dual_variance;
  /// E |N grad W_i - grad W|^2 over one random term i, where it is the same at every y: the
  /// paper's sigma^2 for batches of one.
  std::optional<double> term_variance;
};

/// A target that knows a closed form of its dual W under some maps (paper 3.7), or facts about
/// itself.
template <class P>
concept DualAware = requires(const P& v, const AnyMap& map) {
  { v.closed_dual(map) } -> std::same_as<std::optional<AnyPotential>>;
};
/// Which W a run uses: the closed form where there is one, or as asked for (targets/mirrored.hpp).
enum class DualForm { automatic, closed, generic };
template <class P>
concept Informed = requires(const P& v, const AnyMap& map) {
  { v.facts(map) } -> std::same_as<TargetFacts>;
};

/// A target that has one mode under every map of its set, so that nobody needs to look for others:
/// P::unimodal is true.
template <class P>
concept Unimodal = P::unimodal;

/// Any potential, chosen at run time. Shares, never copies.
class AnyPotential {
 public:
  template <Potential P>
  AnyPotential(
      P potential)  // NOLINT(google-explicit-constructor): every potential is an AnyPotential
      : self_(std::make_shared<const Model<P>>(std::move(potential))) {}

  std::string name() const { return self_->name(); }
  std::size_t dim() const { return self_->dim(); }
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const {
    self_->evaluate(x, value, grad, ws);
  }
  std::optional<AnyPotential> closed_dual(const AnyMap& map) const {
    return self_->closed_dual(map);
  }
  TargetFacts facts(const AnyMap& map) const { return self_->facts(map); }
  /// Known to have one mode? Of code it is not known.
  bool unimodal() const { return self_->unimodal(); }
  /// N of V = sum_i V_i; 0 where the potential is not a sum of terms.
  std::uint64_t terms() const { return self_->terms(); }
  /// Needs terms() > 0.
  void batch_gradient(ConstBlock x, const Batches& batches, Block grad, Workspace& ws) const {
    self_->batch_gradient(x, batches, grad, ws);
  }
  /// The concrete potential, or null if it is of another type.
  template <class P>
  const P* as() const {
    auto* model = dynamic_cast<const Model<P>*>(self_.get());
    return model ? &model->potential : nullptr;
  }

 private:
  struct Concept {
    virtual ~Concept() = default;
    virtual std::string name() const = 0;
    virtual std::size_t dim() const = 0;
    virtual void evaluate(ConstBlock, std::span<double>, Block, Workspace&) const = 0;
    virtual std::optional<AnyPotential> closed_dual(const AnyMap&) const = 0;
    virtual TargetFacts facts(const AnyMap&) const = 0;
    virtual bool unimodal() const = 0;
    virtual std::uint64_t terms() const = 0;
    virtual void batch_gradient(ConstBlock, const Batches&, Block, Workspace&) const = 0;
  };
  template <class P>
  struct Model final : Concept {
    explicit Model(P p) : potential(std::move(p)) {}
    std::string name() const override { return potential.name(); }
    std::size_t dim() const override { return potential.dim(); }
    void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const override {
      potential.evaluate(x, value, grad, ws);
    }
    std::optional<AnyPotential> closed_dual(const AnyMap& map) const override {
      if constexpr (DualAware<P>) {
        return potential.closed_dual(map);
      } else {
        return std::nullopt;
      }
    }
    TargetFacts facts(const AnyMap& map) const override {
      if constexpr (Informed<P>) {
        return potential.facts(map);
      } else {
        return {};
      }
    }
    bool unimodal() const override { return Unimodal<P>; }
    std::uint64_t terms() const override {
      if constexpr (Decomposable<P>) {
        return potential.terms();
      } else {
        return 0;
      }
    }
    void batch_gradient(ConstBlock x, const Batches& batches, Block grad,
                        Workspace& ws) const override {
      if constexpr (Decomposable<P>) {
        potential.batch_gradient(x, batches, grad, ws);
      } else {
        TAIN_EXPECTS(false, "the potential is not a sum of terms");
      }
    }
    P potential;
  };
  std::shared_ptr<const Concept> self_;
};

/// Adapts a one-point target to blocks, lane by lane.
template <PointPotential P>
class PointTarget {
 public:
  PointTarget(std::string name, P point) : name_(std::move(name)), point_(std::move(point)) {}
  std::string name() const { return name_; }
  std::size_t dim() const { return point_.dim(); }
  void evaluate(ConstBlock x, std::span<double> value, Block grad, Workspace& ws) const {
    Workspace::Scope scope(ws);
    const std::size_t d = dim();
    const std::span<double> point = ws.array(d), slope = ws.array(d);
    const std::size_t in_use = ws.lanes_in_use(x.lanes());
    for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
      if (lane < in_use) {
        for (std::size_t i = 0; i < d; ++i) {
          point[i] = x.at(i, lane);
        }
        value[lane] = point_.value_and_grad(point, slope);
      } else {
        value[lane] = value[lane - 1];
      }
      for (std::size_t i = 0; i < d; ++i) {
        grad.at(i, lane) = slope[i];
      }
    }
  }

 private:
  std::string name_;
  P point_;
};

}  // namespace tain
