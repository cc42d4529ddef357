#include "reproduce/lda_curve.hpp"

#include "lda/engine/predictive.hpp"
#include "reproduce/cpu_seconds.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr std::uint64_t steps_between_reports = 10;

TrainingPlan training_plan(const LdaStudySettings& plan, const LdaCurveKey& key,
                           std::uint64_t steps) {
  TrainingPlan training;
  training.method = key.method;
  training.topics = key.topics;
  training.alpha = plan.alpha;
  training.eta = plan.eta;
  training.batch = plan.batch;
  training.sweeps = plan.sweeps;
  training.assignments = Assignments::fresh;
  training.sweeps_burn_in = plan.sweeps / 2;
  training.step_size = {key.step_size, plan.decay_start, plan.decay_power};
  training.start = Start::random;
  for (const LdaGrid& grid : plan.grids) {
    if (grid.method == key.method && grid.topics == key.topics) {
      training.first_weight = grid.first_weight;
      training.floor = grid.floor;
    }
  }
  training.warmup = steps / 4;  // only smld-preconditioned adapts
  training.seed = key.seed;
  return training;
}

}  // namespace

std::optional<LdaCurve> lda_curve(const LdaCurveContext& context, const LdaCurveKey& key,
                                  const std::function<Next(double)>& on_share) {
  const LdaStudySettings& plan = context.plan;
  const std::uint64_t all = context.documents_seen;
  Threads alone(1);
  Training training(context.corpus, context.documents, training_plan(plan, key, all / plan.batch),
                    alone);
  Predictive predictive(context.held_out, lda_look_sweeps, evaluation_noise(key.seed));
  LdaCurve curve{key, {}, {}};
  double seconds = 0;
  while (training.documents_seen() < all) {
    const double begin = thread_cpu_seconds();
    try {
      training.step();
    } catch (const Error& error) {
      if (error.fault() != Fault::data) {
        throw;
      }
      curve.trouble = error.what();
      return curve;
    }
    seconds += thread_cpu_seconds() - begin;
    const std::uint64_t seen = training.documents_seen();
    if (seen % plan.every == 0) {
      predictive.evaluate(training.topics(), training.alpha(), training.steps(), alone);
      curve.points.push_back({seen, seconds, predictive.last().value, predictive.average().value});
    }
    if (training.steps() % steps_between_reports == 0 &&
        on_share(static_cast<double>(seen) / static_cast<double>(all)) == Next::stop) {
      return std::nullopt;
    }
  }
  return curve;
}

}  // namespace tain
