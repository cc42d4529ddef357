#include "lda/training/training_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lda/engine/exchange/distributed_gibbs.hpp"
#include "lda/engine/exchange/topic_groups.hpp"
#include "report/text.hpp"

namespace tain {
namespace {

// A topic with less than this share of an equal share counts as empty.
constexpr double empty_share = 0.01;
constexpr std::size_t documents_for_shares = 1000;

/// Documents whose tokens tell the topics' shares.
std::vector<std::vector<std::uint32_t>> sample_documents(const TrainingRun& run) {
  const HeldOut& held_out = run.held_out();
  std::vector<std::vector<std::uint32_t>> documents;
  for (std::size_t d = 0; d < held_out.documents().size(); ++d) {
    documents.emplace_back(held_out.observed(d).begin(), held_out.observed(d).end());
  }
  if (documents.empty()) {
    const std::uint64_t count =
        std::min<std::uint64_t>(documents_for_shares, run.corpus().documents());
    documents.resize(count);
    for (std::uint64_t d = 0; d < count; ++d) {
      ordered_tokens(run.corpus(), d, NoiseField(run.training().plan().seed), documents[d]);
    }
  }
  return documents;
}

std::vector<double> topic_shares(TrainingRun& run, const TopicWeights& topics) {
  const std::vector<std::vector<std::uint32_t>> words = sample_documents(run);
  const std::vector<std::span<const std::uint32_t>> documents(words.begin(), words.end());
  const Training& training = run.training();
  const std::vector<std::uint64_t> totals = tokens_by_topic(
      training.sharding(), topics, training.alpha(), evaluation_noise(training.plan().seed),
      documents, evaluation_sweeps, training.steps(), run.threads());
  const auto all = static_cast<double>(std::reduce(totals.begin(), totals.end()));
  std::vector<double> shares;
  for (const std::uint64_t total : totals) {
    shares.push_back(all > 0 ? static_cast<double>(total) / all : 0);
  }
  return shares;
}

VerdictLine judge_documents(double passes) {
  if (passes >= 1) {
    return {true, fmt::format("Every document was seen ({}).", passes_text(passes))};
  }
  const double percent = 100 * passes;  // rounded down: 99.9 is not all of them
  return {false, fmt::format("Only {} % of the documents were seen; give at least one pass.",
                             percent < 1 ? fmt::format("{:.2g}", percent)
                                         : fmt::format("{:.0f}", std::floor(percent)))};
}

VerdictLine judge_perplexity(const History& history, StopReason stopped) {
  if (history.rows().empty()) {
    return {
        false,
        "No held-out tokens: nothing tells how well the topics predict; hold some documents out."};
  }
  const Perplexity last = history.rows().back().single;
  if (!std::isfinite(last.value)) {
    return {false,
            "The perplexity is infinite: some held-out words have no weight in any topic; train "
            "longer, or take a method whose weights stay positive."};
  }
  const Trend trend = perplexity_trend(history.rows());
  if (trend.evaluations < 4) {
    return {true,
            fmt::format("{} cannot tell whether the perplexity has come to rest.",
                        counted(trend.evaluations, "evaluation")),
            true};
  }
  if (!still_falling(trend)) {
    return {true, fmt::format("Held-out perplexity has come to rest: {:+.1f} % over its last {} "
                              "evaluations.",
                              100 * trend.outlook(), trend.evaluations)};
  }
  return {false, fmt::format("Held-out perplexity is still falling, by {:.1f} % over its last {} "
                             "evaluations; resume it for more {}.",
                             -100 * trend.outlook(), trend.evaluations,
                             stopped == StopReason::seconds ? "seconds"
                             : stopped == StopReason::steps ? "steps"
                                                            : "passes")};
}

VerdictLine judge_topics(std::span<const double> shares) {
  const double limit = empty_share / static_cast<double>(shares.size());
  const auto empty = std::ranges::count_if(shares, [&](double share) { return share < limit; });
  if (empty == 0) {
    return {true, "Every topic is used."};
  }
  return {
      false,
      fmt::format("{} of {} hardly occur{} (below {:.2g} % of the tokens); ask for fewer topics, "
                  "or train longer.",
                  empty, counted(shares.size(), "topic"), empty == 1 ? "s" : "", 100 * limit)};
}

}  // namespace

TrainingReport report_on(TrainingRun& run, StopReason stopped) {
  const Training& training = run.training();
  const TopicWeights& topics = run.published();
  TrainingReport report{.stopped = stopped,
                        .draws_kept = std::max<std::uint64_t>(1, run.average().draws()),
                        .words = top_words({topics.weights(), {}, training.sharding()},
                                           topics.topics(), reported_words),
                        .history = run.history_to_the_end(),
                        .perplexity = std::nullopt,
                        .shares = topic_shares(run, topics),
                        .verdict = {}};
  if (run.held_out().test_tokens() > 0) {
    Predictive predictive(run.held_out(), evaluation_sweeps,
                          evaluation_noise(training.plan().seed));
    predictive.evaluate(topics, training.sharding(), training.alpha(), training.steps(),
                        run.threads());
    report.perplexity = predictive.last();
  }
  report.verdict =
      judge_training(report.history, run.passes(), report.shares, stopped, run.average().draws());
  return report;
}

Verdict judge_training(const History& history, double passes, std::span<const double> shares,
                       const StopReason& stopped, std::uint64_t draws_kept) {
  Verdict verdict;
  verdict.lines = {judge_documents(passes), judge_perplexity(history, stopped),
                   judge_topics(shares)};
  if (draws_kept == 0) {
    verdict.lines.push_back(
        {false,
         "No draw was kept: the run ended before its burn-in, and topics.npy "
         "holds the last draw alone; train longer, or give a shorter burn-in."});
  }
  const auto failed = std::ranges::find(verdict.lines, false, &VerdictLine::passed);
  verdict.trust = failed == verdict.lines.end();
  if (verdict.trust) {
    verdict.headline = "Trust these topics.";
  } else {
    const std::string& sentence = failed->sentence;
    std::string reason = sentence.substr(0, std::min(sentence.find_first_of(";"), sentence.size()));
    reason[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(reason[0])));
    verdict.headline = fmt::format("Do not trust these topics yet: {}.", reason);
  }
  return verdict;
}

ModelFacts trained_facts(const TrainingRun& run, const TrainingReport& report) {
  const Training& training = run.training();
  ModelFacts facts;
  facts.method = training.plan().method;
  facts.seed = training.plan().seed;
  facts.eta = training.plan().eta;
  facts.alpha = {training.alpha().begin(), training.alpha().end()};
  facts.held_out = run.schedule().held_out;
  facts.steps = training.steps();
  facts.documents_seen = training.documents_seen();
  facts.draws_kept = report.draws_kept;
  describe_corpus(run.corpus(), facts);
  return facts;
}

void write_trained_model(const std::filesystem::path& folder, TrainingRun& run,
                         const ModelFacts& facts, const DrawFiles& draws, const ModelTexts& texts) {
  const Training& training = run.training();
  ModelFiles files;
  files.facts = facts;
  files.vocabulary = run.corpus().vocabulary();
  files.topics = {run.published().weights(), {}, training.sharding()};
  files.last_draw = {training.topics().weights(), training.topics().inverse_sums(),
                     training.sharding()};
  files.draws = draws;
  files.details = texts.details;
  files.history = texts.history;
  files.card = texts.card;
  write_model(folder, files);
}

}  // namespace tain
