// A training run to a file and back, and what it takes of memory.
#include <fmt/format.h>

#include <algorithm>

#include "tain/core/error.hpp"
#include "tain/core/file.hpp"
#include "tain/core/simd.hpp"
#include "tain/lda/training_run.hpp"

namespace tain {
namespace {

constexpr std::string_view format_name = "tain topics checkpoint 2";

constexpr const char* keep_draws_setting = "keep-draws";

void archive_settings(Archive& a, std::vector<Setting>& settings) {
  std::uint64_t count = settings.size();
  a.field(count);
  if (a.reading()) {
    settings.clear();
    for (std::uint64_t i = 0; i < count; ++i) {  // one by one: a wrong count runs into the end
      Setting& setting = settings.emplace_back();
      a.field(setting.name);
      a.field(setting.value);
    }
    return;
  }
  for (Setting& setting : settings) {
    a.field(setting.name);
    a.field(setting.value);
  }
}

Archive open_checkpoint(const std::filesystem::path& file) {
  Archive a(read_file(file), file.string());
  std::string name;
  a.field(name);
  if (name != format_name) {
    fail(Fault::data, file.string(), "is no checkpoint of this version of the program",
         "start anew with --force");
  }
  return a;
}

std::string_view start_name(Start start) {
  switch (start) {
    case Start::random:
      return "random";
    case Start::documents:
      return "documents";
    case Start::descent:
      break;
  }
  return "descent";
}

const std::string* find(std::span<const Setting> settings, std::string_view name) {
  const auto found = std::ranges::find(settings, name, &Setting::name);
  return found == settings.end() ? nullptr : &found->value;
}

void require_same(std::span<const Setting> stored, std::span<const Setting> now,
                  const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& name, const std::string* before,
                          const std::string* after) {
    fail(Fault::config, file.string(),
         name == "corpus"
             ? std::string("was written for another corpus")
             : fmt::format("{} was {}, now it is {}", name, before ? *before : "not given",
                           after ? *after : "not given"),
         "resume with the same options, or start anew with --force");
  };
  for (const Setting& setting : now) {
    if (setting.name == keep_draws_setting && setting.value == "0") {
      continue;  // to let go of draws changes nothing else
    }
    const std::string* before = find(stored, setting.name);
    if (!before || *before != setting.value) {
      refuse(setting.name, before, &setting.value);
    }
  }
  for (const Setting& setting : stored) {
    if (!find(now, setting.name)) {
      refuse(setting.name, &setting.value, nullptr);
    }
  }
}

}  // namespace

std::vector<Setting> training_settings(const Corpus& corpus, const TrainingPlan& plan,
                                       const TrainingSchedule& schedule) {
  const auto number = [](auto value) { return fmt::format("{}", value); };
  std::vector<Setting> settings{
      {"corpus", fmt::format("{:016x}", corpus.fingerprint())},
      {"isa", std::string(isa_name(current_isa()))},
      {"method", plan.method},
      {"topics", number(plan.topics)},
      {"alpha", number(plan.alpha)},
      {"eta", number(plan.eta)},
      {"batch", number(plan.batch)},
      {"sweeps", number(plan.sweeps)},
      {"sweeps-burn-in", number(plan.burn_in)},
      {"step-size", fmt::format("{},{},{}", plan.step_size.a, plan.step_size.b, plan.step_size.c)},
      {"assignments", plan.assignments == Assignments::kept ? "kept" : "fresh"},
      {"start", std::string(start_name(plan.start))},
      {"optimize-alpha", plan.learn_alpha > 0 ? "true" : "false"},
      {"learn-alpha", number(plan.learn_alpha)},
      {"seed", number(plan.seed)},
      {"holdout", number(schedule.held_out)},
      {"eval-every", number(schedule.evaluate_every)},
      {"burn-in", number(schedule.burn_in)},
      {"average-every", number(schedule.average_every)},
      {keep_draws_setting, number(schedule.keep_draws)},
  };
  if (plan.start == Start::descent) {
    settings.push_back({"descent", number(plan.descent)});
    settings.push_back({"descent-batch", number(plan.descent_batch)});
    settings.push_back({"descent-rate", number(plan.descent_rate)});
  }
  if (plan.start == Start::random) {
    settings.push_back({"first-weight", number(plan.first_weight)});
  }
  if (plan.method == "smld-preconditioned") {
    settings.push_back({"warmup", number(plan.warm_up)});
  }
  if (plan.method == "smld-approximate") {
    settings.push_back(
        {"approximation", plan.approximation == Approximation::linear ? "linear" : "quadratic"});
    settings.push_back({"floor", number(plan.floor)});
  }
  return settings;
}

std::vector<Setting> checkpoint_settings(const std::filesystem::path& file) {
  Archive a = open_checkpoint(file);
  std::vector<Setting> settings;
  archive_settings(a, settings);
  return settings;
}

std::uint64_t training_bytes(const TrainingPlan& plan, std::uint32_t words, std::uint64_t documents,
                             std::uint64_t tokens) {
  const std::uint64_t mean = padded_topics(plan.topics) * sizeof(float) * words;
  const std::uint64_t state = training_state_bytes(plan, words, documents, tokens);
  // Written topics: the mean with its sums, the last draw, and rows on their way to disk. A
  // checkpoint holds state and mean, and grows by doubling.
  return state + mean + std::max(3 * mean, 2 * (state + mean));
}

std::uint64_t training_disk_bytes(const TrainingPlan& plan, const TrainingSchedule& schedule,
                                  std::uint32_t words, std::uint64_t documents,
                                  std::uint64_t tokens) {
  const std::uint64_t topics = std::uint64_t{plan.topics} * words * sizeof(float);
  const std::uint64_t checkpoint = training_state_bytes(plan, words, documents, tokens) + topics;
  // topics.npy and dual.npy; a checkpoint and the next beside it; draws on their way and at home.
  return 2 * topics + 2 * checkpoint +
         2 * kept_draws_bytes(schedule.keep_draws, plan.topics, words);
}

void TrainingRun::archive(Archive& a) {
  training_.archive(a);
  average_.archive(a);
  draws_.archive(a);
  predictive_.archive(a);
  history_.archive(a);
  a.field(time_.seconds);
  a.field(time_.training_seconds);
  a.field(time_.cpu_seconds);
}

void TrainingRun::save(const std::filesystem::path& file) {
  Archive a;
  std::string name(format_name);
  std::vector<Setting> settings = training_settings(corpus_, training_.plan(), schedule_);
  a.field(name);
  archive_settings(a, settings);
  archive(a);
  draws_.sync();
  write_atomically(file, a.finish());
  draws_.saved();
}

void TrainingRun::restore(const std::filesystem::path& file) {
  Archive a = open_checkpoint(file);
  std::vector<Setting> stored;
  archive_settings(a, stored);
  require_same(stored, training_settings(corpus_, training_.plan(), schedule_), file);
  archive(a);
  a.expect_end();
}

}  // namespace tain
