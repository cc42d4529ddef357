// Settings that suit a method; figures behind them in docs/explanation/lda-study.md.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "lda/training/training.hpp"

namespace tain {
namespace {

constexpr double descent_share = 0.6;
/// Documents to be seen that are worth the while on a small corpus.
constexpr double worthwhile_documents = 500'000;
constexpr double least_passes = 5, most_passes = 50;

}  // namespace

double suggested_passes(std::uint64_t documents) {
  const double passes = worthwhile_documents / std::max<double>(1, double(documents));
  return std::clamp(std::round(passes), least_passes, most_passes);
}

TrainingPlan suggested_plan(std::string_view method, std::uint32_t topics, const Corpus& corpus,
                            std::uint64_t documents, double passes) {
  TrainingPlan plan;
  plan.method = method;
  plan.topics = topics;
  plan.alpha = prior_topics / topics;
  const TopicMethod& row = topic_method(method);
  plan.step_size = row.step_size;
  if (row.keeps_scale) {
    plan.first_weight = std::max(1.0, static_cast<double>(corpus.tokens()) /
                                          (double(topics) * std::max(1U, corpus.words())));
  }
  if (!row.one_rate && row.remembers) {
    return plan;
  }
  const auto part = [&](std::uint64_t divisor, std::uint64_t least, std::uint64_t most) {
    return static_cast<std::uint32_t>(std::clamp(documents / divisor, least, most));
  };
  plan.start = Start::descent;
  plan.descent = static_cast<std::uint64_t>(
      std::max(1.0, std::round(descent_share * passes * static_cast<double>(documents))));
  plan.descent_batch = part(200, 20, 500);
  plan.assignments = Assignments::kept;
  plan.batch = part(50, 20, 1000);
  plan.sweeps = 2;
  plan.sweeps_burn_in = 0;
  return plan;
}

}  // namespace tain
