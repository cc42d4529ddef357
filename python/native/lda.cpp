// Training of topic models on corpora that Python holds.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <filesystem>

#include "arrays.hpp"
#include "bindings.hpp"
#include "core/machine.hpp"
#include "corpus.hpp"
#include "diagnosis.hpp"
#include "fields.hpp"
#include "lda/training/train_plan.hpp"
#include "lda/training/train_record.hpp"
#include "lda_record.hpp"
#include "topic_arrays.hpp"
#include "watch.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

std::string progress_text(const TrainingProgress& now) {
  std::string text = fmt::format("{}, {} of the documents", now.phase, passes_text(now.passes));
  if (now.last) {
    text += fmt::format(", perplexity {:.1f}", now.last->single.value);
  }
  return text;
}

/// What training comes to, computed without the interpreter's lock.
struct Trained {
  ModelFacts facts;
  ModelTexts texts;
  TrainingReport report;
  const TopicWeights& topics;  ///< of the run
  DrawFiles draws;
  FloatBlockStorage last;
};

Trained finish(TrainingRun& run, StopReason reason, const TrainRecord& record) {
  TrainingReport report = report_on(run, reason);
  ModelFacts facts = trained_facts(run, report);
  ModelTexts texts{training_details(run, report, record), report.history.csv(),
                   model_card(run, report, name_mark, record.command)};
  DrawFiles draws = run.draws();
  facts.draw_documents = draws.documents;
  FloatBlockStorage last = topic_probabilities(run.training().topics(), run.threads());
  return {std::move(facts), std::move(texts), std::move(report),
          run.published(),  std::move(draws), std::move(last)};
}

py::dict result_of(TrainingRun& run, const Trained& trained) {
  const TrainingReport& report = trained.report;
  const std::uint32_t topics = trained.topics.topics(), words = trained.topics.words();
  py::dict result;
  result["topics"] = topic_array(trained.topics.weights(), topics);
  result["last_draw"] = trained.draws.draws.empty()
                            ? py::object(topic_array(trained.last.view(), topics))
                            : py::none();
  result["draws"] = draws_array(trained.draws, topics, words);
  result["draw_shares"] = owned_array(
      trained.draws.shares, {static_cast<py::ssize_t>(trained.draws.shares.size() / topics),
                             static_cast<py::ssize_t>(topics)});
  result["alpha"] =
      owned_array(std::vector<float>(trained.facts.alpha), {static_cast<py::ssize_t>(topics)});
  result["shares"] =
      owned_array(std::vector<double>(report.shares), {static_cast<py::ssize_t>(topics)});
  result["history"] = history_arrays(report.history);
  result["perplexity"] = report.perplexity ? py::make_tuple(report.perplexity->value,
                                                            report.perplexity->standard_error)
                                           : py::object(py::none());
  result["verdict"] = verdict_dict(report.verdict);
  result["passes"] = run.passes();
  result["seconds"] = run.time().seconds;
  result["interrupted"] = report.stopped == StopReason::observer;
  result["record"] = record_of(trained.facts, trained.texts);
  return result;
}

void require_checkpoint_name(const std::filesystem::path& file) {
  if (file.extension() == ".draws") {
    fail(Fault::config, "checkpoint", fmt::format("{} is the name of its draws", file.string()),
         "give another ending than .draws");
  }
}

py::dict train(const HeldCorpus& held, const py::dict& keywords,
               const std::optional<std::string>& checkpoint, const std::string& name,
               py::object progress) {
  TrainPlan given;
  const std::size_t thread_count = fill(given, keywords);
  ProgressWatch watch(std::move(progress));
  std::optional<py::gil_scoped_release> unlocked(std::in_place);
  const std::filesystem::path file = checkpoint.value_or("");
  require_checkpoint_name(file);
  const bool resumed = checkpoint && std::filesystem::exists(file);
  const TrainPlan plan = resumed ? resumed_plan(given, file) : given;
  Alone alone;
  const TrainingRequest request = training_request(plan, given, held.corpus, alone);
  const std::optional<CheckpointPlan> checkpoints =
      checkpoint ? std::optional(checkpoint_plan(plan, file)) : std::nullopt;
  Threads threads(thread_count);
  TrainingRun run(held.corpus, request.plan, request.schedule, threads);
  const std::string started = utc_now();
  if (resumed) {
    run.restore(file);
  }
  const StopReason reason = run.run(request.stop, checkpoints, [&](const TrainingProgress& now) {
    return watch.look(now.share, [&] { return progress_text(now); });
  });
  const Trained trained =
      finish(run, reason, {.stop = request.stop, .started = started, .command = name});
  unlocked.reset();
  return result_of(run, trained);
}

}  // namespace

void bind_lda(py::module_& m) {
  m.def(
      "train",
      [](const HeldCorpus& held, const py::dict& keywords,
         const std::optional<std::string>& checkpoint, const std::string& name,
         py::object progress) {
        return in_words_of(estimator_words, [&] {
          return train(held, keywords, checkpoint, name, std::move(progress));
        });
      },
      py::arg("corpus"), py::arg("keywords"), py::arg("checkpoint"), py::arg("name"),
      py::arg("progress"));
}

}  // namespace tain::python
