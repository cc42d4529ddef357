// A training run to a file and back, and what it takes of memory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "comm/all_gather.hpp"
#include "core/simd.hpp"
#include "lda/training/checkpoint_parts.hpp"
#include "lda/training/training_run.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

constexpr std::string_view checkpoint_format = "tain topics checkpoint 4";

constexpr std::string_view part_name = "tain topics checkpoint part 4";

constexpr const char* keep_draws_setting = "keep-draws";

template <std::size_t kind = 0>
void hold(const Archive& a, std::uint64_t wanted, Setting::Value& value) {
  if constexpr (kind < std::variant_size_v<Setting::Value>) {
    wanted == kind ? static_cast<void>(value.emplace<kind>()) : hold<kind + 1>(a, wanted, value);
  } else {
    a.require(false, "has a value of an unknown kind");
  }
}

void archive_value(Archive& a, Setting::Value& value) {
  std::uint64_t kind = value.index();
  a.field(kind);
  if (a.reading()) {
    hold(a, kind, value);
  }
  std::visit(
      [&](auto& held) {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, bool>) {
          std::uint64_t number = held ? 1 : 0;
          a.field(number);
          held = number != 0;
        } else {
          a.field(held);
        }
      },
      value);
}

void archive_settings(Archive& a, std::vector<Setting>& settings) {
  std::uint64_t count = settings.size();
  a.field(count);
  if (a.reading()) {
    settings.clear();
  }
  for (std::uint64_t i = 0; i < count; ++i) {  // one by one: a wrong count runs into the end
    Setting& setting = a.reading() ? settings.emplace_back() : settings[i];
    a.field(setting.name);
    archive_value(a, setting.value);
  }
}

void require_name(Archive& a, std::string_view expected, const std::filesystem::path& file) {
  std::string name;
  a.field(name);
  if (name != expected) {
    fail(Fault::data, file.string(), "is no checkpoint of this version of the program",
         Phrase("start anew with ", Field{"overwrite", "true"}));
  }
}

/// What stands before the state.
struct Head {
  std::vector<Setting> settings;
  std::uint64_t saves = 0;
  std::vector<CheckpointPart> parts;

  void archive(Archive& a) {
    archive_settings(a, settings);
    a.field(saves);
    archive_parts(a, parts);
  }
};

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

/// When to stop, which a run that is resumed may change, and keeps if nobody says otherwise.
constexpr std::string_view stop_names[] = {"steps", "passes", "max-seconds"};
void add_stop(const StopRule& stop, std::vector<Setting>& settings) {
  if (stop.steps) {
    settings.push_back({std::string(stop_names[0]), *stop.steps});
  }
  if (stop.passes) {
    settings.push_back({std::string(stop_names[1]), *stop.passes});
  }
  if (stop.seconds) {
    settings.push_back({std::string(stop_names[2]), *stop.seconds});
  }
}

const Setting* find(std::span<const Setting> settings, std::string_view name) {
  const auto found = std::ranges::find(settings, name, &Setting::name);
  return found == settings.end() ? nullptr : &*found;
}

void require_same(std::span<const Setting> stored, std::span<const Setting> now,
                  const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& name, const Setting* before, const Setting* after) {
    fail(Fault::config, file.string(),
         name == "corpus"
             ? std::string("was written for another corpus")
             : fmt::format("{} was {}, now it is {}", name, before ? before->text() : "not given",
                           after ? after->text() : "not given"),
         Phrase("resume with the same options, or start anew with ", Field{"overwrite", "true"}));
  };
  for (const Setting& setting : now) {
    if (setting.name == keep_draws_setting && setting.value == Setting::Value(std::uint64_t{0})) {
      continue;  // to let go of draws changes nothing else
    }
    const Setting* before = find(stored, setting.name);
    if (!before || *before != setting) {
      refuse(setting.name, before, &setting);
    }
  }
  for (const Setting& setting : stored) {
    if (!find(now, setting.name) && std::ranges::count(stop_names, setting.name) == 0) {
      refuse(setting.name, &setting, nullptr);
    }
  }
}

}  // namespace

std::string Setting::text() const {
  return std::visit(
      [](const auto& held) {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::vector<double>>) {
          return fmt::format("{}", fmt::join(held, ","));
        } else {
          return fmt::format("{}", held);
        }
      },
      value);
}

std::vector<Setting> training_settings(const Corpus& corpus, const TrainingPlan& plan,
                                       const TrainingSchedule& schedule) {
  const auto count = [](std::uint64_t value) { return value; };
  std::vector<Setting> settings{
      {"corpus", fmt::format("{:016x}", corpus.fingerprint())},
      {"isa", std::string(isa_name(current_isa()))},
      {"method", plan.method},
      {"topics", count(plan.topics)},
      {"alpha", plan.alpha},
      {"eta", plan.eta},
  };
  const TopicMethod& method = topic_method(plan.method);
  if (method.remembers) {
    settings.push_back(
        {"step-size", std::vector{plan.step_size.a, plan.step_size.b, plan.step_size.c}});
  }
  settings.insert(
      settings.end(),
      {
          {"batch", count(plan.batch)},
          {"sweeps", count(plan.sweeps)},
          {"sweeps-burn-in", count(plan.sweeps_burn_in)},
          {"assignments", std::string(plan.assignments == Assignments::kept ? "kept" : "fresh")},
          {"start", std::string(start_name(plan.start))},
          {"optimize-alpha", plan.optimize_alpha > 0},
          {"learn-alpha", plan.optimize_alpha},
          {"seed", plan.seed},
          {"holdout", schedule.held_out},
          {"eval-every", schedule.eval_every},
          {"burn-in", schedule.burn_in},
          {"average-every", schedule.average_every},
          {keep_draws_setting, count(schedule.keep_draws)},
      });
  if (plan.start == Start::descent) {
    settings.push_back({"descent", plan.descent});
    settings.push_back({"descent-batch", count(plan.descent_batch)});
    settings.push_back({"descent-rate", plan.descent_rate});
  }
  if (plan.start == Start::random) {
    settings.push_back({"first-weight", plan.first_weight});
  }
  if (method.adapts) {
    settings.push_back({"warmup", plan.warmup});
  }
  if (method.approximates) {
    settings.push_back(
        {"approximation",
         std::string(plan.approximation == Approximation::linear ? "linear" : "quadratic")});
    settings.push_back({"floor", plan.floor});
  }
  return settings;
}

std::vector<Setting> checkpoint_settings(const std::filesystem::path& file) {
  Archive a(file);
  require_name(a, checkpoint_format, file);
  Head head;
  head.archive(a);
  return head.settings;
}

// Measured: the program with its libraries, MPI among them, before it reads anything; and a word of
// the vocabulary with its text.
constexpr std::uint64_t program_bytes = 24 << 20, word_bytes = 48;

std::uint64_t training_bytes(const TrainingPlan& plan, std::uint32_t words, std::uint64_t documents,
                             std::uint64_t tokens, int ranks, Layout layout) {
  const bool divided = layout == Layout::sharded && ranks > 1;
  const std::uint64_t rows =
      divided ? words / static_cast<std::uint64_t>(ranks) + block_words : words;
  const std::uint64_t mean = padded_topics(plan.topics) * sizeof(float) * rows;
  // Topics as they are written, a group at a time: those of all words, and where they come from
  // other ranks, what these and what this one gave.
  const std::uint64_t group = row_alignment * sizeof(float) * (divided ? 2 * words + rows : words);
  return training_state_bytes(plan, words, documents, tokens, ranks, layout) + mean + group +
         2 * Archive::file_buffer + program_bytes + word_bytes * words;
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

void TrainingRun::archive_common(Archive& a) {
  training_.archive_common(a);
  average_.archive_common(a);
  draws_.archive(a);
  predictive_.archive(a);
  history_.archive(a);
  for (double* seconds : {&time_.seconds, &time_.training_seconds, &time_.cpu_seconds}) {
    a.field(*seconds);
    a.require(*seconds >= 0 && std::isfinite(*seconds), "has taken a time that is none");
  }
  const bool kept = training_.plan().assignments == Assignments::kept;
  a.require(average_.draws() <= training_.steps() && draws_.have_shares().value_or(kept) == kept,
            "has draws that no training has made");
}

// Words of a part may be none: where all ranks have all of them, rank 0 writes them.
void TrainingRun::archive_part(Archive& a, Range words, Range places) {
  if (!words.empty()) {
    training_.archive_words(a, words);
    average_.archive_words(a, words, training_.sharding().words());
  }
  training_.archive_documents(a, places);
}

void TrainingRun::save(const std::filesystem::path& file) {
  corpus_.require_whole();  // or what was learned of it is wrong
  const Sharding& sharding = training_.sharding();
  ++saves_;
  CheckpointPart own{sharding.words(), training_.places(), {}};
  if (sharding.whole() && !comm().is_root()) {
    own.words = {};
  }
  if (!comm().alone()) {
    own.file = write_archive(part_file(file, saves_, static_cast<std::uint64_t>(comm().rank())),
                             [&](Archive& a) {
                               std::string name(part_name);
                               a.field(name);
                               archive_part(a, own.words, own.places);
                             });
  }
  Head head{training_settings(corpus_, training_.plan(), schedule_), saves_,
            all_gather(comm(), own)};
  add_stop(stop_, head.settings);
  if (comm().is_root()) {
    draws_.sync();
    write_archive(file, [&](Archive& a) {
      std::string name(checkpoint_format);
      a.field(name);
      head.archive(a);
      archive_common(a);
      if (comm().alone()) {
        archive_part(a, own.words, own.places);
      }
    });
    // While the others wait: nobody writes one.
    remove_other_parts(file, saves_, comm().alone() ? 0 : head.parts.size());
  }
  comm().barrier();
  draws_.saved();
}

std::uint64_t TrainingRun::restore(const std::filesystem::path& file) {
  Archive a(file);
  require_name(a, checkpoint_format, file);
  Head head;
  head.archive(a);
  require_same(head.settings, training_settings(corpus_, training_.plan(), schedule_), file);
  require_all(head.parts, corpus_.words(), documents_, file);
  saves_ = head.saves;
  archive_common(a);
  if (head.parts.size() == 1) {
    archive_part(a, head.parts[0].words, head.parts[0].places);
  }
  a.expect_end();
  for (std::size_t r = 0; r < head.parts.size() && head.parts.size() > 1; ++r) {
    const CheckpointPart& part = head.parts[r];
    if (common(part.words, training_.sharding().words()).empty() &&
        common(part.places, training_.places()).empty()) {
      continue;  // nothing for this rank
    }
    const std::filesystem::path path = part_file(file, head.saves, r);
    Archive theirs = open_part(path, part);
    require_name(theirs, part_name, path);
    archive_part(theirs, part.words, part.places);
    theirs.expect_end();
  }
  training_.restored(a);
  return head.parts.size();
}

}  // namespace tain
