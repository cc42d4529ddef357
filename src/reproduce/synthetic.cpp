#include "reproduce/synthetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "maps/simplex.hpp"
#include "reproduce/curves.hpp"
#include "reproduce/histograms.hpp"
#include "run/sampler.hpp"
#include "run/start.hpp"

namespace tain {
namespace {

constexpr std::size_t bins = 100;
constexpr std::size_t best_kept = 3;
// scir and hmc arrive within tens of iterations, at a higher price each: looked at up to here.
constexpr std::uint64_t scir_iterations = 100, hmc_iterations = 1000;

std::vector<StudyStart> make_starts(const DirichletPosterior& posterior) {
  const std::size_t n = posterior.dim();
  std::vector<double> mean(n), corner(n, 0.001);
  for (std::size_t i = 0; i < n; ++i) {
    mean[i] = posterior.weights()[i] / posterior.total();
  }
  corner[n - 1] = 1 - 0.001 * double(n - 1);
  return {{"centre", "x = 1/11 in every category", std::vector<double>(n, 1.0 / double(n))},
          {"mean", "the posterior mean", mean},
          {"corner", "99 % of the mass in the last category, which was never observed", corner}};
}

/// Everything the run of a study passes around.
class StudyRun {
 public:
  StudyRun(SyntheticStudy& study, Threads& threads, const StudyWatch& observer,
           const StudyKeeper& keeper)
      : study_(study),
        threads_(threads),
        observer_(observer),
        keeper_(keeper),
        posterior_(synthetic_posterior()),
        looks_(looks_up_to(study.plan.iterations)) {}

  bool run();

 private:
  using MakeCurve = std::function<std::optional<Curve>(const CurveContext&, const CurveKey&)>;

  /// Share of the study that a curve is, by its chains, iterations and cost of a step.
  double work(const CurveKey& key) const;
  std::vector<CurveKey> grid_keys() const;
  std::vector<CurveKey> further_keys() const;
  std::vector<CurveKey> floor_keys() const;
  bool complete(std::vector<Curve>& curves, const std::vector<CurveKey>& keys,
                const MakeCurve& make);
  std::optional<Curve> ensemble(const CurveContext& context, const CurveKey& key) const;
  std::optional<Curve> walk(const CurveContext& context, const CurveKey& key) const;
  bool run_best();
  void stamp();
  const StudyStart& start_of(const CurveKey& key) const;

  SyntheticStudy& study_;
  Threads& threads_;
  const StudyWatch& observer_;
  const StudyKeeper& keeper_;
  DirichletPosterior posterior_;
  std::vector<std::uint64_t> looks_;
  double done_ = 0, total_ = 1;
  std::chrono::steady_clock::time_point stamped_ = std::chrono::steady_clock::now();
};

const StudyStart& StudyRun::start_of(const CurveKey& key) const {
  return *std::ranges::find(study_.starts, key.start, &StudyStart::name);
}

double StudyRun::work(const CurveKey& key) const {
  // Nanoseconds of a step and coordinate as measured on this posterior, and how far curves go that
  // need no more: choices of this study, which no row of a kernel knows.
  double cost = 1.3, iterations = double(study_.plan.iterations);
  if (key.sampler == "exact") {
    cost = 30, iterations = 1;
  } else if (key.sampler == "scir") {
    cost = 150, iterations = std::min(iterations, double(scir_iterations));
  } else if (key.sampler == "hmc") {
    cost = 60, iterations = std::min(iterations, double(hmc_iterations));
  } else if (key.sampler == "mala" || key.coordinates == "stretched" || key.sampler == "sgrhmc") {
    cost = 10;
  }
  return cost * iterations * key.chains;
}

std::vector<CurveKey> StudyRun::grid_keys() const {
  std::vector<CurveKey> keys;
  const std::uint32_t chains = study_.plan.grid_chains;
  for (const StudyStart& start : study_.starts) {
    for (const double step : study_.plan.mld_steps) {
      keys.push_back({"mld", "last", start.name, step, chains});
      keys.push_back({"mld", "first", start.name, step, chains});
    }
    for (const double step : study_.plan.sgrld_steps) {
      keys.push_back({"sgrld", "", start.name, step, chains});
    }
  }
  return keys;
}

std::vector<CurveKey> StudyRun::further_keys() const {
  const std::uint32_t chains = study_.plan.further_chains;
  const std::string& start = study_.starts.front().name;
  std::vector<CurveKey> keys;
  for (const double step : {0.5, 2.0}) {
    keys.push_back({"scir", "", start, step, chains});
  }
  for (const double step : {3e-3, 0.01, 0.03}) {
    keys.push_back({"sgrhmc", "", start, step, chains});
  }
  for (const double step : {0.003, 0.01, 0.03}) {
    keys.push_back({"mld", "stretched", start, step, chains});
  }
  // Tuned by a warm-up where the target's mass is: from far away such steps are never accepted,
  // which is why `tain sample` adapts on the way. Both are shown.
  for (const char* sampler : {"mala", "hmc"}) {
    keys.push_back({sampler, "stretched", start, 0, chains});
    keys.push_back({sampler, "stretched", study_.starts[1].name, 0, chains});
  }
  return keys;
}

std::vector<CurveKey> StudyRun::floor_keys() const {
  std::vector<CurveKey> keys;
  for (const std::uint32_t chains :
       {study_.plan.chains, study_.plan.further_chains, study_.plan.grid_chains}) {
    keys.push_back({"exact", "", "", 0, chains});
  }
  return keys;
}

bool StudyRun::complete(std::vector<Curve>& curves, const std::vector<CurveKey>& keys,
                        const MakeCurve& make) {
  for (const CurveKey& key : keys) {
    const std::string what = key.step_size > 0 ? fmt::format("{} {} step {:g}", key.sampler,
                                                             key.coordinates, key.step_size)
                                               : key.sampler;
    if (std::ranges::find(curves, key, &Curve::key) == curves.end()) {
      const CurveContext context{
          posterior_, study_.marginals, study_.plan.seed, threads_,
          [&](double share) { return observer_({what, (done_ + share * work(key)) / total_}); }};
      std::optional<Curve> curve = make(context, key);
      if (!curve) {
        return false;
      }
      curve->key = key;
      curves.push_back(*std::move(curve));
      stamp();
      keeper_(study_);
    }
    done_ += work(key);
  }
  return true;
}

std::optional<Curve> StudyRun::ensemble(const CurveContext& context, const CurveKey& key) const {
  const std::size_t reference = key.coordinates == "first" ? 0 : posterior_.dim() - 1;
  const SimplexEnsemble chains = key.sampler == "sgrld"
                                     ? SimplexEnsemble::sgrld(posterior_, key.step_size)
                                     : SimplexEnsemble::mld(posterior_, reference, key.step_size);
  return ensemble_curve(context, chains, key, start_of(key).x, looks_);
}

/// Tuning of an exact kernel from a warm-up of its own, which the curve does not count.
class NoDraws final : public DrawSink {
 public:
  void put(const Draw&) override {}
};

std::optional<Curve> StudyRun::walk(const CurveContext& context, const CurveKey& key) const {
  const std::vector<double> weights(posterior_.weights().begin(), posterior_.weights().end());
  const AnyMap map =
      key.coordinates == "stretched"
          ? AnyMap(SimplexMap::for_weights(weights))
          : AnyMap(SimplexMap::with_reference(posterior_.dim(), posterior_.dim() - 1));
  const Problem problem{map, posterior_};
  SamplePlan plan;
  plan.kernel = key.sampler;
  plan.seed = context.seed;
  Tuning tuning;
  tuning.step_size = key.step_size;
  if (key.step_size == 0) {
    plan.chains = 128;
    plan.warmup = 1000;
    plan.draws = plan.thin.emplace(1);
    Sampler sampler(problem, plan, threads_);
    NoDraws sink;
    tuning = sampler.run(sink).tuning;
  } else {
    plan.step_size = Schedule{key.step_size};
  }
  const Walk walk = make_walk(problem, plan);
  const std::uint64_t last = key.sampler == "scir"  ? scir_iterations
                             : key.sampler == "hmc" ? hmc_iterations
                                                    : study_.plan.iterations;
  return walk_curve(context, walk, tuning, key, dual_start(map, start_of(key).x),
                    looks_up_to(std::min(last, study_.plan.iterations)));
}

/// Adds the time since the last stamp.
void StudyRun::stamp() {
  const auto now = std::chrono::steady_clock::now();
  study_.seconds += std::chrono::duration<double>(now - stamped_).count();
  stamped_ = now;
}

bool StudyRun::run_best() {
  std::vector<CurveKey> keys;
  for (const auto& [sampler, coordinates] : {std::pair{"mld", "last"}, {"sgrld", ""}}) {
    auto curves = ranked(study_.grid, sampler, coordinates, study_.starts.front().name);
    curves.resize(std::min(curves.size(), best_kept));
    for (const Curve* curve : curves) {
      keys.push_back(curve->key);
      keys.back().chains = study_.plan.chains;
    }
  }
  return complete(study_.best, keys,
                  [&](const CurveContext& s, const CurveKey& key) { return ensemble(s, key); });
}

bool StudyRun::run() {
  study_.threads = threads_.count();
  prepare_synthetic(study_);
  total_ = 2 * best_kept * work({"mld", "last", "", 1, study_.plan.chains});
  for (const auto& keys : {grid_keys(), further_keys(), floor_keys()}) {
    for (const CurveKey& key : keys) {
      total_ += work(key);
    }
  }
  const bool finished =
      complete(study_.exact, floor_keys(),
               [&](const CurveContext& s, const CurveKey& key) { return exact_curve(s, key); }) &&
      complete(study_.grid, grid_keys(),
               [&](const CurveContext& s, const CurveKey& key) { return ensemble(s, key); }) &&
      complete(study_.further, further_keys(),
               [&](const CurveContext& s, const CurveKey& key) { return walk(s, key); }) &&
      run_best();
  return finished;
}

}  // namespace

SyntheticStudySettings SyntheticStudySettings::full() {
  SyntheticStudySettings plan;
  plan.mld_steps = {2e-4, 5e-4, 1e-3, 2e-3, 3e-3, 5e-3, 7e-3, 0.01, 0.02, 0.03, 0.05};
  plan.sgrld_steps = {5e-8, 1e-7, 2e-7, 5e-7, 1e-6, 2e-6, 5e-6, 1e-5, 1e-4, 1e-3};
  return plan;
}

SyntheticStudySettings SyntheticStudySettings::quick() {
  SyntheticStudySettings plan = full();
  plan.chains = 20'000;
  plan.grid_chains = plan.further_chains = 2'000;
  return plan;
}

DirichletPosterior synthetic_posterior() {
  std::vector<double> counts(11, 0.0);
  counts[0] = 10'000;
  counts[1] = counts[2] = 10;
  return {counts, std::vector<double>(11, 0.1)};
}

std::vector<const Curve*> ranked(std::span<const Curve> curves, std::string_view sampler,
                                 std::string_view coordinates, std::string_view start) {
  const auto score = [](const Curve* curve) {
    double sum = 0, count = 0;
    for (const CurvePoint& point : curve->points) {
      if (10 * point.iteration >= curve->points.back().iteration) {
        sum += std::log(point.distance[0]) + std::log(point.distance[2]);
        count += 2;
      }
    }
    return sum / count;
  };
  std::vector<const Curve*> found;
  for (const Curve& curve : curves) {
    if (curve.key.sampler == sampler && curve.key.coordinates == coordinates &&
        curve.key.start == start) {
      found.push_back(&curve);
    }
  }
  std::ranges::stable_sort(found, {}, score);
  return found;
}

void prepare_synthetic(SyntheticStudy& study) {
  const DirichletPosterior posterior = synthetic_posterior();
  study.starts = make_starts(posterior);
  study.marginals.clear();
  for (const std::size_t category : {std::size_t{0}, std::size_t{7}}) {
    study.marginals.push_back(equal_width_marginal(posterior, category, bins));
    study.marginals.push_back(equal_probability_marginal(posterior, category, bins));
  }
}

bool run_synthetic(SyntheticStudy& study, Threads& threads, const StudyWatch& observer,
                   const StudyKeeper& keeper) {
  return StudyRun(study, threads, observer, keeper).run();
}

}  // namespace tain
