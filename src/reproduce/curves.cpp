#include "reproduce/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/archive.hpp"
#include "core/lanes.hpp"
#include "random/gamma.hpp"
#include "reproduce/cpu_seconds.hpp"
#include "reproduce/histograms.hpp"

namespace tain {
namespace {

constexpr std::size_t ensemble_lanes = 512, walk_lanes = 256;

/// Curves have noise of their own, whatever order they run in.
NoiseField noise_of(const CurveContext& context, const CurveKey& key) {
  return NoiseField(fingerprint(fmt::format("{} {} {} {} {}", context.seed, key.sampler,
                                            key.coordinates, key.start, key.step_size)));
}

/// Categories of the marginals, each once, and for every marginal which of them it is.
struct Wanted {
  explicit Wanted(std::span<const Marginal> marginals) {
    for (const Marginal& m : marginals) {
      auto found = std::ranges::find(categories, m.category);
      if (found == categories.end()) {
        categories.push_back(m.category);
        found = categories.end() - 1;
      }
      row.push_back(static_cast<std::size_t>(found - categories.begin()));
    }
  }
  std::vector<std::size_t> categories, row;
};

/// The chains of one block, from start to last look: says where they are at every look and how
/// long their steps took.
class BlockRun {
 public:
  virtual ~BlockRun() = default;
  virtual void advance(std::uint64_t begin, std::uint64_t end) = 0;
  /// log x of the wanted categories.
  virtual void look(FloatBlock log_x) = 0;
};
using MakeBlock =
    std::function<std::unique_ptr<BlockRun>(std::uint32_t first_chain, std::size_t chains)>;

std::optional<Curve> run_blocks(const CurveContext& context, const CurveKey& key,
                                std::span<const std::uint64_t> looks, std::size_t lanes,
                                const MakeBlock& make) {
  const Wanted wanted(context.marginals);
  Histograms histograms(context.marginals, looks.size());
  const std::size_t blocks = (key.chains + lanes - 1) / lanes;
  std::vector<double> seconds(blocks);
  const auto run_block = [&](std::size_t b) {
    const std::size_t first = b * lanes, chains = std::min<std::size_t>(lanes, key.chains - first);
    const auto block = make(static_cast<std::uint32_t>(first), chains);
    FloatBlockStorage log_x(wanted.categories.size(), padded_lanes(chains));
    std::uint64_t done = 0;
    for (std::size_t k = 0; k < looks.size(); ++k) {
      const double before = thread_cpu_seconds();
      block->advance(done, looks[k]);
      seconds[b] += thread_cpu_seconds() - before;
      done = looks[k];
      block->look(log_x.view());
      for (std::size_t m = 0; m < wanted.row.size(); ++m) {
        histograms.add(k, m, {log_x.view().row(wanted.row[m]), chains});
      }
    }
  };
  const std::size_t round = std::max<std::size_t>(4 * context.threads.count(), blocks / 64);
  for (std::size_t first = 0; first < blocks; first += round) {
    const std::size_t count = std::min(round, blocks - first);
    context.threads.for_each(count, [&](std::size_t b) { run_block(first + b); });
    if (context.on_share(double(first + count) / double(blocks)) == Next::stop) {
      return std::nullopt;
    }
  }
  double total = 0;
  for (const double s : seconds) {
    total += s;
  }
  Curve curve{key, {}};
  for (std::size_t k = 0; k < looks.size(); ++k) {
    CurvePoint point{
        looks[k], total * double(looks[k]) / double(looks.back()) * 1e6 / key.chains, {}, {}};
    for (std::size_t m = 0; m < context.marginals.size(); ++m) {
      point.distance.push_back(histograms.distance(k, m));
      point.error.push_back(histograms.error(k, m));
    }
    curve.points.push_back(std::move(point));
  }
  return curve;
}

class EnsembleBlock final : public BlockRun {
 public:
  EnsembleBlock(const SimplexEnsemble& ensemble, NoiseField noise, const Wanted& wanted,
                std::span<const double> start, std::uint32_t first, std::size_t chains)
      : ensemble_(ensemble),
        noise_(noise),
        wanted_(wanted),
        first_(first),
        state_(ensemble.rows(), padded_lanes(chains)) {
    ensemble.place(start, state_.view());
  }
  void advance(std::uint64_t begin, std::uint64_t end) override {
    ensemble_.advance(noise_, first_, begin, end, state_.view());
  }
  void look(FloatBlock log_x) override {
    ensemble_.log_primal(state_.view(), wanted_.categories, log_x);
  }

 private:
  const SimplexEnsemble& ensemble_;
  NoiseField noise_;
  const Wanted& wanted_;
  std::uint32_t first_;
  FloatBlockStorage state_;
};

class WalkBlock final : public BlockRun {
 public:
  WalkBlock(const Walk& walk, const Tuning& tuning, NoiseField noise, const Wanted& wanted,
            std::span<const double> dual_start, std::size_t primal_dim, std::uint32_t first,
            std::size_t chains)
      : walk_(walk),
        tuning_(tuning),
        noise_(noise),
        wanted_(wanted),
        primal_dim_(primal_dim),
        chains_(first, chains, walk.potential.dim(),
                walk.kernel->memory_rows(walk.potential.dim())),
        info_(chains_.lanes()) {
    Workspace::Scope scope(workspace_);
    const Block y = workspace_.block(dual_start.size(), chains_.lanes());
    for (std::size_t i = 0; i < dual_start.size(); ++i) {
      std::fill_n(y.row(i), y.lanes(), dual_start[i]);
    }
    walk.from_dual(y, chains_.y.view(), workspace_);
    evaluate(walk.potential, chains_, workspace_);
    walk.kernel->prepare(chains_);
  }
  void advance(std::uint64_t begin, std::uint64_t end) override {
    for (std::uint64_t t = begin; t < end; ++t) {
      walk_.kernel->advance(walk_.potential, noise_, t, tuning_, chains_, info_, workspace_);
    }
  }
  void look(FloatBlock log_x) override {
    Workspace::Scope scope(workspace_);
    const Block x = workspace_.block(primal_dim_, chains_.lanes());
    walk_.to_primal(chains_.y.view(), x, workspace_);
    for (std::size_t k = 0; k < wanted_.categories.size(); ++k) {
      for (std::size_t l = 0; l < x.lanes(); ++l) {
        log_x.at(k, l) = static_cast<float>(std::log(x.at(wanted_.categories[k], l)));
      }
    }
  }

 private:
  const Walk& walk_;
  const Tuning& tuning_;
  NoiseField noise_;
  const Wanted& wanted_;
  std::size_t primal_dim_;
  Workspace workspace_;
  ChainBlock chains_;
  StepInfo info_;
};

/// x_l = g_l / sum g with g_l ~ Gamma(a_l); the categories nobody looks at are one gamma together.
class ExactBlock final : public BlockRun {
 public:
  ExactBlock(const DirichletPosterior& posterior, NoiseField noise, const Wanted& wanted,
             std::uint32_t first)
      : posterior_(posterior), noise_(noise), wanted_(wanted), first_(first) {}
  void advance(std::uint64_t, std::uint64_t) override {}
  void look(FloatBlock log_x) override {
    double rest = posterior_.total();
    for (const std::size_t category : wanted_.categories) {
      rest -= posterior_.weights()[category];
    }
    const std::size_t wanted = wanted_.categories.size(), lanes = log_x.lanes();
    const Workspace::Scope scope(workspace_);
    const Block logs = workspace_.block(wanted + 1, lanes);
    for (std::size_t k = 0; k < wanted; ++k) {
      lanes::fill(posterior_.weights()[wanted_.categories[k]], {logs.row(k), lanes});
    }
    lanes::fill(rest, {logs.row(wanted), lanes});
    log_gammas(noise_, {Purpose::direct, 0, first_}, logs, logs);
    const std::span<double> log_sum = workspace_.array(lanes);
    lanes::log_sum_exp(logs, log_sum);
    for (std::size_t k = 0; k < wanted; ++k) {
      for (std::size_t l = 0; l < lanes; ++l) {
        log_x.at(k, l) = static_cast<float>(logs.at(k, l) - log_sum[l]);
      }
    }
  }

 private:
  const DirichletPosterior& posterior_;
  NoiseField noise_;
  const Wanted& wanted_;
  std::uint32_t first_;
  Workspace workspace_;
};

}  // namespace

std::vector<std::uint64_t> looks_up_to(std::uint64_t last) {
  std::vector<std::uint64_t> looks;
  for (int k = 0;; ++k) {
    const auto look = static_cast<std::uint64_t>(std::llround(std::pow(10.0, k / 20.0)));
    if (look >= last) {
      looks.push_back(last);
      return looks;
    }
    if (looks.empty() || look > looks.back()) {
      looks.push_back(look);
    }
  }
}

std::optional<Curve> ensemble_curve(const CurveContext& context, const SimplexEnsemble& ensemble,
                                    const CurveKey& key, std::span<const double> start,
                                    std::span<const std::uint64_t> looks) {
  const Wanted wanted(context.marginals);
  const NoiseField noise = noise_of(context, key);
  return run_blocks(
      context, key, looks, ensemble_lanes, [&](std::uint32_t first, std::size_t chains) {
        return std::make_unique<EnsembleBlock>(ensemble, noise, wanted, start, first, chains);
      });
}

std::optional<Curve> walk_curve(const CurveContext& context, const Walk& walk, const Tuning& tuning,
                                const CurveKey& key, std::span<const double> dual_start,
                                std::span<const std::uint64_t> looks) {
  const Wanted wanted(context.marginals);
  const NoiseField noise = noise_of(context, key);
  return run_blocks(context, key, looks, walk_lanes, [&](std::uint32_t first, std::size_t chains) {
    return std::make_unique<WalkBlock>(walk, tuning, noise, wanted, dual_start,
                                       context.posterior.dim(), first, chains);
  });
}

std::optional<Curve> exact_curve(const CurveContext& context, const CurveKey& key) {
  const Wanted wanted(context.marginals);
  const NoiseField noise = noise_of(context, key);
  constexpr std::array<std::uint64_t, 1> once{1};
  return run_blocks(context, key, once, ensemble_lanes, [&](std::uint32_t first, std::size_t) {
    return std::make_unique<ExactBlock>(context.posterior, noise, wanted, first);
  });
}

}  // namespace tain
