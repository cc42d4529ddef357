#include "lda/training/train_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "comm/agreement.hpp"
#include "core/fields.hpp"
#include "core/parallel.hpp"
#include "core/sizes.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

using WordList = std::span<const std::string_view>;

constexpr std::array<std::string_view, 4> start_words{"auto", "random", "documents", "descent"};
constexpr std::array<std::string_view, 3> assignment_words{"auto", "fresh", "kept"};
constexpr std::array<std::string_view, 2> approximation_words{"linear", "quadratic"};
constexpr std::array<std::string_view, 4> isa_words{"auto", "baseline", "avx2", "avx512"};
constexpr std::array<std::string_view, 3> layout_words{"auto", "replicated", "sharded"};

constexpr std::uint64_t usual_topics = 100, usual_warmup = 200;
constexpr std::string_view usual_method = "smld-root";

/// What a word stands for; none where it is left out, or left to whoever decides.
template <class Enum, std::size_t count>
std::optional<Enum> meaning(const std::array<std::string_view, count>& words,
                            const std::optional<std::string>& word) {
  const std::size_t automatic = words[0] == "auto" ? 1 : 0;
  const auto number = word ? std::ranges::find(words, *word) - words.begin() : 0;
  return !word || *word == "auto"
             ? std::nullopt
             : std::optional(static_cast<Enum>(static_cast<std::size_t>(number) - automatic));
}

/// One number, or three: a falling sequence.
void describe_steps(Fields& fields, Numbers& step_size) {
  fields.field("step_size", step_size);
  const std::vector<double>& numbers = step_size.values;
  if (numbers.empty()) {
    return;
  }
  if (numbers.size() != 1 && numbers.size() != 3) {
    fields.refuse("step_size", fmt::format("has {} numbers", numbers.size()),
                  "give one, or three: A,B,C for A(1 + t/B)^-C");
  }
  if (!(numbers[0] > 0) || (numbers.size() == 3 && (!(numbers[1] > 0) || !(numbers[2] >= 0)))) {
    fields.refuse("step_size", "is not a falling sequence of positive numbers",
                  "give A > 0, B > 0 and C >= 0");
  }
}

/// Settings of a checkpoint, for what a plan leaves out.
class StoredFields final : public NothingGiven {
 public:
  explicit StoredFields(std::span<const Setting> stored) : stored_(stored) {}

  void field(std::string_view name, Numbers& value) override {
    if (const auto* stored = value.given() ? nullptr : find<std::vector<double>>(name)) {
      value = *stored;
    }
  }
  void field(std::string_view name, std::optional<std::uint64_t>& value) override {
    read(name, value);
  }
  void field(std::string_view name, std::optional<double>& value) override { read(name, value); }
  void field(std::string_view, std::optional<std::string>&) override {}
  void field(std::string_view name, std::optional<bool>& value) override { read(name, value); }
  void choice(std::string_view name, WordList words, std::size_t& value) override {
    const auto* word = find<std::string>(name);
    if (word && (value == words.size() || words[value] == "auto")) {
      value = static_cast<std::size_t>(std::ranges::find(words, *word) - words.begin());
      if (value == words.size()) {
        fail(Fault::data, Field{std::string(name)}, fmt::format("unknown value '{}'", *word),
             "start anew");
      }
    }
  }

 private:
  /// Null where the checkpoint has none of this kind.
  template <class Value>
  const Value* find(std::string_view name) const {
    std::string key(name);
    std::ranges::replace(key, '_', '-');
    const auto found = std::ranges::find(stored_, key, &Setting::name);
    return found == stored_.end() ? nullptr : std::get_if<Value>(&found->value);
  }
  template <class Value>
  void read(std::string_view name, std::optional<Value>& value) const {
    if (const Value* stored = value ? nullptr : find<Value>(name)) {
      value = *stored;
    }
  }

  std::span<const Setting> stored_;
};

void refuse_idle(bool given, const char* name, const TopicMethod& method,
                 bool TopicMethod::* needed) {
  if (given && !(method.*needed)) {
    fail(Fault::config, Field{name}, fmt::format("does nothing to {}", method.name),
         Phrase("leave it out, or give ",
                Field{"method", std::string(topic_methods(needed).front())}));
  }
}

void refuse_idle_method(const TrainPlan& given, const TopicMethod& method) {
  refuse_idle(given.step_size.given(), "step_size", method, &TopicMethod::remembers);
  refuse_idle(given.approximation.has_value(), "approximation", method, &TopicMethod::approximates);
  refuse_idle(given.floor.has_value(), "floor", method, &TopicMethod::approximates);
  refuse_idle(given.warmup.has_value(), "warmup", method, &TopicMethod::adapts);
}

void refuse_idle_descent(const TrainPlan& given, const TrainingPlan& plan) {
  const char* const idle = plan.start == Start::descent ? nullptr
                           : given.descent              ? "descent"
                           : given.descent_batch        ? "descent_batch"
                           : given.descent_rate         ? "descent_rate"
                                                        : nullptr;
  if (idle) {
    fail(Fault::config, Field{idle}, "nothing descends from this start",
         Phrase("leave it out, or give ", Field{"start", "descent"}));
  }
}

/// Passes that the length of the descent is chosen for.
double planned_passes(const StopRule& stop) { return stop.passes.value_or(1); }

/// A descent over three fifths of the run, by documents or by steps.
std::uint64_t suggested_descent(const TrainingPlan& like, const StopRule& stop) {
  return stop.steps ? std::max<std::uint64_t>(1, *stop.steps * 3 / 5) * like.descent_batch
                    : like.descent;
}

/// Where topics start and how documents' topics are drawn: the two choices that others follow.
TrainingPlan phases(const TrainPlan& asked, TrainingPlan plan, const Corpus& corpus,
                    std::uint64_t documents, const StopRule& stop) {
  const auto assignments = meaning<Assignments>(assignment_words, asked.assignments);
  if (assignments == Assignments::fresh && plan.assignments == Assignments::kept) {
    const TrainingPlan usual;
    plan.batch = usual.batch;
    plan.sweeps = usual.sweeps;
    plan.step_size = usual.step_size;
  }
  plan.assignments = assignments.value_or(plan.assignments);
  plan.start = meaning<Start>(start_words, asked.start).value_or(plan.start);
  const TrainingPlan descending =
      suggested_plan(usual_method, plan.topics, corpus, documents, planned_passes(stop));
  plan.descent_batch = descending.descent_batch;
  plan.descent = plan.start == Start::descent ? suggested_descent(descending, stop) : 0;
  return plan;
}

/// Within 32 bits, as describe() has seen.
std::uint32_t narrow(const std::optional<std::uint64_t>& asked, std::uint32_t suggested) {
  return asked ? static_cast<std::uint32_t>(*asked) : suggested;
}

Schedule step_schedule(const Numbers& asked, const Schedule& suggested) {
  const std::vector<double>& numbers = asked.values;
  return numbers.empty()       ? suggested
         : numbers.size() == 1 ? Schedule{numbers[0], 1000, 0}
                               : Schedule{numbers[0], numbers[1], numbers[2]};
}

TrainingPlan training_plan(const TrainPlan& asked, const TrainPlan& given, const Corpus& corpus,
                           std::uint64_t documents, const StopRule& stop) {
  const TopicMethod& method = topic_method(asked.method.value_or(std::string(usual_method)));
  refuse_idle_method(given, method);
  const std::uint32_t topics = narrow(asked.topics, usual_topics);
  TrainingPlan plan =
      phases(asked, suggested_plan(method.name, topics, corpus, documents, planned_passes(stop)),
             corpus, documents, stop);
  refuse_idle_descent(given, plan);
  plan.alpha = asked.alpha.value_or(plan.alpha);
  plan.eta = asked.eta.value_or(plan.eta);
  if (asked.optimize_alpha.value_or(false)) {
    // Where topics are kept, the first pass only draws them.
    plan.optimize_alpha = (plan.assignments == Assignments::kept ? 2 : 1) * documents;
  }
  plan.batch = narrow(asked.batch, plan.batch);
  plan.sweeps = narrow(asked.sweeps, plan.sweeps);
  plan.sweeps_burn_in = plan.assignments == Assignments::fresh ? plan.sweeps / 2 : 0;
  plan.step_size = step_schedule(asked.step_size, plan.step_size);
  plan.descent = asked.descent.value_or(plan.descent);
  plan.descent_batch = narrow(asked.descent_batch, plan.descent_batch);
  plan.descent_rate = asked.descent_rate.value_or(plan.descent_rate);
  if (method.adapts) {
    plan.warmup = asked.warmup.value_or(usual_warmup);
  }
  if (method.approximates) {
    plan.approximation = meaning<Approximation>(approximation_words, asked.approximation)
                             .value_or(plan.approximation);
    plan.floor = asked.floor.value_or(plan.floor);
  }
  plan.seed = asked.seed.value_or(plan.seed);
  return plan;
}

/// One rule: steps, passes or seconds; none given: the passes that suit so many documents.
StopRule stop_rule(const TrainPlan& plan, std::uint64_t documents) {
  const int rules = int{plan.steps.has_value()} + int{plan.passes.has_value()} +
                    int{plan.max_seconds.has_value()};
  if (rules > 1) {
    fail(Fault::config, Phrase(Field{"steps"}, ", ", Field{"passes"}, ", ", Field{"max_seconds"}),
         "more than one says when to stop", "give one of them");
  }
  StopRule stop{.steps = plan.steps, .passes = plan.passes, .seconds = plan.max_seconds};
  if (rules == 0) {
    stop.passes = suggested_passes(documents);
  }
  return stop;
}

/// Documents of the corpus that are held out.
std::uint64_t held_out(const TrainPlan& plan, std::uint64_t documents) {
  if (plan.holdout && *plan.holdout >= documents) {
    fail(Fault::config, Field{"holdout"},
         fmt::format("leaves none of {} to train on", counted(documents, "document")),
         documents < 10 ? std::string("hold out fewer")
                        : fmt::format("hold out fewer; a tenth are {}", documents / 10));
  }
  return held_out_documents(plan.holdout, documents);
}

TrainingSchedule training_schedule(const TrainPlan& asked, const TrainPlan& given,
                                   const StopRule& stop, const Corpus& corpus,
                                   const TrainingPlan& plan) {
  const SchedulePlan wanted{
      .held_out = held_out(asked, corpus.documents()),
      .eval_every = asked.eval_every,
      .burn_in = asked.burn_in,
      .average_every = asked.average_every,
      .keep_draws = asked.keep_draws.value_or(usual_kept_draws(plan.topics, corpus.words()))};
  if (wanted.held_out == 0 && given.eval_every) {
    fail(Fault::config, Field{"eval_every"}, "no document is held out to be evaluated",
         Phrase("leave it out, or give ", Field{"holdout"}));
  }
  return schedule_for(wanted, stop, corpus.documents(), plan);
}

Layout layout_for(const TrainPlan& plan, const TrainingRequest& request, const Corpus& corpus,
                  double memory) {
  constexpr double comfortable = 0.6;
  return meaning<Layout>(layout_words, plan.layout)
      .value_or(request.ranks > 1 && training_sizes(request, corpus).memory > comfortable * memory
                    ? Layout::sharded
                    : Layout::replicated);
}

/// The estimate comes before the work.
void require_memory(const TrainingRequest& request, const Corpus& corpus, double memory) {
  const double needed = training_sizes(request, corpus).memory;
  if (needed <= 0.8 * memory) {
    return;
  }
  const bool several = request.ranks > 1;
  fail(Fault::config, Field{"topics"},
       fmt::format("{} topics of {} words take {}{}, {} has {}", grouped(request.plan.topics),
                   grouped(corpus.words()), format_bytes(needed), several ? " on each rank" : "",
                   several ? "a rank" : "the machine", format_bytes(memory)),
       several
           ? Phrase("ask for fewer topics, use more machines, or give ", Field{"layout", "sharded"})
           : Phrase("ask for fewer topics, or import the corpus with a smaller ",
                    Field{"max_vocab"}));
}

}  // namespace

void TrainPlan::describe(Fields& fields) {
  fields.count("topics", topics, 1, most_topics);
  fields.positive("alpha", alpha);
  fields.positive("eta", eta);
  fields.field("optimize_alpha", optimize_alpha);
  fields.word("method", topic_methods(), method);
  fields.word("start", start_words, start);
  fields.count("descent", descent, 1);
  fields.count("descent_batch", descent_batch, 1, most_counted);
  fields.positive("descent_rate", descent_rate);
  fields.word("assignments", assignment_words, assignments);
  fields.count("batch", batch, 1, most_counted);
  fields.count("sweeps", sweeps, 1, most_counted);
  describe_steps(fields, step_size);
  fields.word("approximation", approximation_words, approximation);
  fields.field("floor", floor);
  fields.count("warmup", warmup, 1);
  fields.count("steps", steps, 1);
  fields.positive("passes", passes);
  fields.positive("max_seconds", max_seconds);
  fields.field("holdout", holdout);
  fields.count("eval_every", eval_every, 1);
  fields.field("burn_in", burn_in);
  fields.count("average_every", average_every, 1);
  fields.count("keep_draws", keep_draws, 0, most_kept_draws);
  fields.field("seed", seed);
  fields.word("isa", isa_words, isa);
  fields.word("layout", layout_words, layout);
  std::uint64_t wanted = threads;
  fields.count("threads", wanted, 0, most_threads);
  threads = wanted;
  fields.count("checkpoint_every", checkpoint_every, 1);
  fields.positive("checkpoint_seconds", checkpoint_seconds);
}

TrainPlan resumed_plan(const TrainPlan& given, const std::filesystem::path& checkpoint) {
  const std::vector<Setting> stored = checkpoint_settings(checkpoint);
  StoredFields fields(stored);
  TrainPlan plan = given;
  plan.describe(fields);
  if (given.steps || given.passes || given.max_seconds) {
    plan.steps = given.steps;
    plan.passes = given.passes;
    plan.max_seconds = given.max_seconds;
  }
  return plan;
}

TrainingSizes training_sizes(const TrainingRequest& request, const Corpus& corpus) {
  const TrainingPlan& plan = request.plan;
  return {
      .memory = static_cast<double>(training_bytes(plan, corpus.words(), corpus.documents(),
                                                   corpus.tokens(), request.ranks, request.layout)),
      .disk = static_cast<double>(training_disk_bytes(plan, request.schedule, corpus.words(),
                                                      corpus.documents(), corpus.tokens()))};
}

TrainingRequest training_request(const TrainPlan& plan, const TrainPlan& given,
                                 const Corpus& corpus, Comm& comm) {
  require_in_range(plan);
  if (corpus.documents() < 1 || corpus.words() < 1 || corpus.tokens() < 1) {
    fail(Fault::data, corpus.name(), "has no words to train on", "give documents that have some");
  }
  TrainingRequest request;
  const std::uint64_t trained = corpus.documents() - held_out(plan, corpus.documents());
  request.stop = stop_rule(plan, trained);
  request.plan = training_plan(plan, given, corpus, trained, request.stop);
  request.schedule = training_schedule(plan, given, request.stop, corpus, request.plan);
  const double memory = rank_memory(comm);
  request.ranks = comm.ranks();
  request.layout = layout_for(plan, request, corpus, memory);
  require_memory(request, corpus, memory);
  return request;
}

CheckpointPlan checkpoint_plan(const TrainPlan& plan, std::filesystem::path file) {
  return {.file = std::move(file),
          .documents = plan.checkpoint_every,
          .seconds = plan.checkpoint_seconds};
}

StreamPlan stream_plan(const TrainPlan& plan, std::uint64_t total_documents) {
  require_in_range(plan);
  StreamPlan stream = stream_plan(narrow(plan.topics, usual_topics));
  stream.method = plan.method.value_or(stream.method);
  stream.alpha = plan.alpha.value_or(stream.alpha);
  stream.eta = plan.eta.value_or(stream.eta);
  stream.total_documents = total_documents;
  stream.batch = narrow(plan.batch, stream.batch);
  if (plan.sweeps) {
    stream.sweeps = narrow(plan.sweeps, stream.sweeps);
    stream.sweeps_burn_in = stream.sweeps / 2;
  }
  stream.descent = plan.descent.value_or(stream.descent);
  stream.seed = plan.seed.value_or(stream.seed);
  return stream;
}

}  // namespace tain
