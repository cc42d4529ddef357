#include "reproduce/lda.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>

#include "lda/engine/document_order.hpp"
#include "reproduce/lda_curve.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

/// The paper's comparison is with sgrld, at a step size that was published for it.
bool is_published(std::string_view method, double step) {
  return method == "sgrld" && step == published_sgrld_step;
}

/// At most; the published step may be the best one.
std::size_t kept_of(const LdaGrid& grid) {
  const std::size_t wanted = grid.method == paper_method ? paper_steps_kept
                             : grid.method == "sgrld"    ? 2
                                                         : 1;
  return std::min(wanted, grid.steps.size());
}

/// Seconds of one core that a curve takes, about: progress and the estimate depend on it, nothing
/// else.
double work(const LdaStudySettings& plan, const LdaCorpusFacts& corpus, std::string_view method,
            std::uint32_t topics) {
  const double documents = static_cast<double>(corpus.documents_seen);
  const double length = static_cast<double>(corpus.tokens) / static_cast<double>(corpus.documents);
  const double draw = 16 + 0.14 * topics;
  constexpr double sweeps_of_a_look = 20;
  const double looks = documents / static_cast<double>(plan.every);
  const double tokens = length * (documents * plan.sweeps +
                                  looks * static_cast<double>(plan.held_out) * sweeps_of_a_look);
  return 1e-9 *
         (tokens * draw + documents / plan.batch * topics * static_cast<double>(corpus.words) *
                              topic_method(method).cell_cost);
}

/// Two significant digits, which is all that a start needs.
double rounded(double weight) { return std::stod(fmt::format("{:.1e}", weight)); }

/// Documents to train on: all that are not held out, or as many of them as the plan asks for.
TrainingDocuments chosen_documents(const LdaStudySettings& plan, const Corpus& corpus,
                                   const HeldOut& held_out) {
  const TrainingDocuments documents(corpus, held_out);
  if (plan.training_documents == 0 || plan.training_documents >= documents.size()) {
    return documents;
  }
  const DocumentOrder order(NoiseField(plan.seed), documents.size());
  std::vector<std::uint32_t> chosen(plan.training_documents);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    chosen[i] = documents[order.at(i)];
  }
  std::ranges::sort(chosen);
  return chosen;
}

/// Everything the run of a study passes around.
class LdaStudyRun {
 public:
  LdaStudyRun(LdaStudy& study, const Corpus& corpus, Threads& threads, const StudyWatch& observer,
              const LdaStudyKeeper& keeper)
      : study_(study),
        corpus_(corpus),
        threads_(threads),
        observer_(observer),
        keeper_(keeper),
        held_out_(corpus, study.plan.held_out, NoiseField(study.plan.seed)),
        documents_(chosen_documents(study.plan, corpus, held_out_)) {}

  bool run();

 private:
  double work_of(const LdaCurveKey& key) const {
    return work(study_.plan, study_.corpus, key.method, key.topics);
  }
  std::vector<LdaCurveKey> grid_keys() const;
  std::vector<LdaCurveKey> best_keys() const;
  /// Runs the keys that `curves` does not hold, and puts all into the order of the keys.
  bool complete(std::vector<LdaCurve>& curves, const std::vector<LdaCurveKey>& keys);
  Next report(const LdaCurveKey& key, double& share_before, double share);
  void keep(std::vector<LdaCurve>& curves, LdaCurve curve);

  LdaStudy& study_;
  const Corpus& corpus_;
  Threads& threads_;
  const StudyWatch& observer_;
  const LdaStudyKeeper& keeper_;
  HeldOut held_out_;
  TrainingDocuments documents_;
  std::mutex mutex_;  // of all below, the study's curves, observer and keeper
  std::atomic<bool> stopped_ = false;
  double done_ = 0, total_ = 1;
  std::chrono::steady_clock::time_point stamped_ = std::chrono::steady_clock::now();
};

std::vector<LdaCurveKey> LdaStudyRun::grid_keys() const {
  std::vector<LdaCurveKey> keys;
  for (const LdaGrid& grid : study_.plan.grids) {
    for (const double step : grid.steps) {
      keys.push_back({grid.method, grid.topics, step, study_.plan.seed});
    }
  }
  return keys;
}

std::vector<LdaCurveKey> LdaStudyRun::best_keys() const {
  std::vector<LdaCurveKey> keys;
  for (const LdaGrid& grid : study_.plan.grids) {
    auto curves = ranked(study_.grid, grid.method, grid.topics);
    const std::size_t best = grid.method == paper_method ? paper_steps_kept : 1;
    std::size_t place = 0;
    std::erase_if(curves, [&](const LdaCurve* curve) {
      return place++ >= best && !is_published(grid.method, curve->key.step_size);
    });
    for (const LdaCurve* curve : curves) {
      for (std::uint32_t run = 1; curve->trouble.empty() && run <= study_.plan.runs; ++run) {
        keys.push_back({grid.method, grid.topics, curve->key.step_size, study_.plan.seed + run});
      }
    }
  }
  return keys;
}

Next LdaStudyRun::report(const LdaCurveKey& key, double& share_before, double share) {
  if (stopped_) {
    return Next::stop;
  }
  const std::lock_guard lock(mutex_);
  done_ += (share - share_before) * work_of(key);
  share_before = share;
  const std::string what =
      fmt::format("{} step {:g}, {} topics", key.method, key.step_size, key.topics);
  const Next next = observer_({what, std::min(done_ / total_, 1.0)});
  stopped_ = stopped_ || next == Next::stop;
  return next;
}

void LdaStudyRun::keep(std::vector<LdaCurve>& curves, LdaCurve curve) {
  const std::lock_guard lock(mutex_);
  curves.push_back(std::move(curve));
  const auto now = std::chrono::steady_clock::now();
  study_.seconds += std::chrono::duration<double>(now - stamped_).count();
  stamped_ = now;
  keeper_(study_);
}

bool LdaStudyRun::complete(std::vector<LdaCurve>& curves, const std::vector<LdaCurveKey>& keys) {
  std::vector<LdaCurveKey> missing;
  for (const LdaCurveKey& key : keys) {
    if (std::ranges::find(curves, key, &LdaCurve::key) == curves.end()) {
      missing.push_back(key);
    } else {
      done_ += work_of(key);
    }
  }
  const LdaCurveContext context{corpus_, held_out_, documents_, study_.plan,
                                study_.corpus.documents_seen};
  threads_.for_each(missing.size(), [&](std::size_t i) {
    double share_before = 0;
    const auto on_share = [&](double share) { return report(missing[i], share_before, share); };
    if (on_share(0) == Next::stop) {
      return;
    }
    if (std::optional<LdaCurve> curve = lda_curve(context, missing[i], on_share)) {
      on_share(1);  // also of curves that ended early
      keep(curves, *std::move(curve));
    }
  });
  std::ranges::sort(curves, {}, [&](const LdaCurve& curve) {
    return std::ranges::find(keys, curve.key) - keys.begin();
  });
  return !stopped_;
}

bool LdaStudyRun::run() {
  study_.threads = threads_.count();
  total_ = lda_study_cost(study_.plan, corpus_).core_seconds;
  return complete(study_.grid, grid_keys()) && complete(study_.best, best_keys());
}

}  // namespace

/// Least weight of SMLD-approximate. In trials on 95,000 articles e = 0.3 to 1 read 1 % below e = 0
/// and e = 3.
constexpr double half_a_token = 0.5;

std::vector<LdaGrid> lda_grids(std::uint32_t topics, double tokens_per_word) {
  const auto approximate = [&](std::uint32_t count) {
    return LdaGrid{std::string(paper_method),
                   count,
                   {0.04, 0.07, 0.1, 0.14, 0.2, 0.3, 0.5, 0.8, 1.2},
                   rounded(tokens_per_word / count),
                   half_a_token};
  };
  const std::uint32_t half = std::max(topics / 2, 1U);
  const std::vector<double> riemannian{1e-3, 2e-3, 3e-3, 5e-3, 0.01, 0.02, 0.05, 0.1};
  return {approximate(topics),
          {"sgrld", topics, riemannian, 1, 0},
          {"scir", topics, {0.03, 0.1, 0.3}, 1, 0},
          {"smld-root", topics, {0.01, 0.03, 0.1, 0.3, 0.6}, 1, 0},
          {"smld-preconditioned", topics, {0.01, 0.03, 0.1, 0.3}, 1, 0},
          approximate(half),
          {"sgrld", half, riemannian, 1, 0},
          {"sgrhmc", half, {1e-3, 3e-3, 6e-3, 0.01, 0.02, 0.04, 0.1}, 1, 0}};
}

// 100,000 Wikipedia articles have some 24 million tokens of 8,000 words.
LdaStudySettings LdaStudySettings::full(std::uint32_t topics) {
  LdaStudySettings plan;
  plan.topics = topics;
  plan.grids = lda_grids(topics, 3000);
  return plan;
}

LdaStudySettings LdaStudySettings::quick(std::uint32_t topics) {
  LdaStudySettings plan = full(topics);
  plan.training_documents = plan.documents = 4000;
  plan.held_out = 200;
  plan.every = 500;
  plan.runs = 2;
  return plan;
}

std::vector<const LdaCurve*> ranked(std::span<const LdaCurve> curves, std::string_view method,
                                    std::uint32_t topics) {
  const auto score = [](const LdaCurve* curve) {
    if (!curve->trouble.empty() || curve->points.empty()) {
      return std::numeric_limits<double>::infinity();
    }
    double sum = 0;
    for (const LdaPoint& point : curve->points) {
      sum += std::log(point.average);
    }
    return sum / static_cast<double>(curve->points.size());
  };
  std::vector<const LdaCurve*> found;
  for (const LdaCurve& curve : curves) {
    if (curve.key.method == method && curve.key.topics == topics) {
      found.push_back(&curve);
    }
  }
  std::ranges::stable_sort(found, {}, score);
  return found;
}

LdaCorpusFacts lda_corpus_facts(const LdaStudySettings& plan, const Corpus& corpus) {
  LdaCorpusFacts facts{.fingerprint = corpus.fingerprint(),
                       .documents = corpus.documents(),
                       .tokens = corpus.tokens(),
                       .words = corpus.words()};
  if (plan.held_out == 0 || plan.held_out >= corpus.documents()) {
    fail(Fault::config, corpus.name(),
         fmt::format("has {} documents, {} are to be held out", corpus.documents(), plan.held_out),
         "hold out some, and leave others to train on");
  }
  const std::uint64_t left = corpus.documents() - plan.held_out;
  facts.training_documents =
      plan.training_documents == 0 ? left : std::min(left, plan.training_documents);
  if (plan.batch == 0 || plan.every == 0 || plan.every % plan.batch != 0) {
    fail(Fault::config, "reproduce lda",
         fmt::format("{} documents between looks are no multiple of batches of {}", plan.every,
                     plan.batch),
         "take a multiple");
  }
  if (plan.sweeps < 2) {
    fail(Fault::config, "reproduce lda", "half of the sweeps are burn-in", "take at least 2");
  }
  facts.documents_seen =
      std::min(plan.documents, facts.training_documents) / plan.every * plan.every;
  if (facts.documents_seen == 0) {
    fail(Fault::config, corpus.name(),
         fmt::format("no curve gets to its first look, after {} documents", plan.every),
         "look more often, see more documents, or take a larger corpus");
  }
  return facts;
}

LdaStudyCost lda_study_cost(const LdaStudySettings& plan, const Corpus& corpus) {
  const LdaCorpusFacts facts = lda_corpus_facts(plan, corpus);
  LdaStudyCost cost;
  for (const LdaGrid& grid : plan.grids) {
    const std::size_t curves = grid.steps.size() + kept_of(grid) * plan.runs;
    cost.curves += curves;
    cost.core_seconds += static_cast<double>(curves) * work(plan, facts, grid.method, grid.topics);
    // A topic and its word per held-out token's sums, the sums of a batch, and the state itself.
    const std::uint64_t row = padded_topics(grid.topics) * sizeof(std::uint32_t);
    cost.bytes_per_thread = std::max(cost.bytes_per_thread,
                                     topic_sampler_bytes(grid.method, grid.topics, corpus.words()) +
                                         row * (plan.held_out + facts.words) +
                                         sizeof(std::uint32_t) * facts.training_documents);
  }
  cost.documents = cost.curves * facts.documents_seen;
  return cost;
}

bool run_lda_study(LdaStudy& study, const Corpus& corpus, Threads& threads,
                   const StudyWatch& observer, const LdaStudyKeeper& keeper) {
  study.corpus = lda_corpus_facts(study.plan, corpus);
  return LdaStudyRun(study, corpus, threads, observer, keeper).run();
}

}  // namespace tain
