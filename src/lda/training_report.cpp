#include "tain/lda/training_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tain/lda/model.hpp"
#include "tain/report/text.hpp"

namespace tain {
namespace {

// A topic with less than this share of an equal share counts as empty.
constexpr double empty_share = 0.01;
constexpr std::size_t documents_for_shares = 1000;

TopicWeights published_topics(TrainingRun& run) {
  const TopicWeights& last = run.training().topics();
  TopicWeights topics(last.topics(), last.words());
  const std::span<float> cells = topics.weights().flat();
  if (run.average().draws() > 0) {
    std::ranges::copy(run.average().mean().flat(), cells.begin());
  } else {
    const FloatBlockStorage phi = topic_probabilities(last, run.threads());
    std::ranges::copy(phi.view().flat(), cells.begin());
  }
  topics.sum(run.threads());
  return topics;
}

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
  std::vector<GibbsDocument> documents(words.size());
  for (std::size_t d = 0; d < words.size(); ++d) {
    documents[d] = {.number = static_cast<std::uint32_t>(d), .words = words[d]};
  }
  BasicBlockStorage<std::uint32_t> assigned(words.size(), topics.row_length());
  DocumentGibbs gibbs(topics, run.training().alpha(), evaluation_noise(run.training().plan().seed));
  gibbs.run(documents, evaluation_sweeps, run.training().steps(), run.threads(),
            {.counts = nullptr, .documents = assigned.view()});
  std::vector<double> shares(topics.topics(), 0.0);
  double total = 0;
  for (std::size_t d = 0; d < words.size(); ++d) {
    for (std::size_t k = 0; k < shares.size(); ++k) {
      shares[k] += assigned.view().at(d, k);
      total += assigned.view().at(d, k);
    }
  }
  for (double& share : shares) {
    share = total > 0 ? share / total : 0;
  }
  return shares;
}

VerdictLine judge_documents(double passes) {
  if (passes >= 1) {
    return {true, fmt::format("Every document was seen ({}).", passes_text(passes))};
  }
  return {false, fmt::format("Only {:.0f} % of the documents were seen; give at least one pass.",
                             100 * passes)};
}

VerdictLine judge_perplexity(const History& history, StopReason stopped) {
  if (history.rows().empty()) {
    return {false,
            "No held-out tokens: nothing tells how well the topics predict; give --holdout."};
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
            fmt::format("{} evaluation{} cannot tell whether the perplexity has come to rest.",
                        trend.evaluations, trend.evaluations == 1 ? "" : "s")};
  }
  if (!still_falling(trend)) {
    return {true, fmt::format("Held-out perplexity has come to rest: {:+.1f} % over its last {} "
                              "evaluations.",
                              100 * trend.outlook(), trend.evaluations)};
  }
  return {false, fmt::format("Held-out perplexity is still falling, by {:.1f} % over its last {} "
                             "evaluations; go on with --resume and {}.",
                             -100 * trend.outlook(), trend.evaluations,
                             stopped == StopReason::seconds ? "a longer --max-seconds"
                             : stopped == StopReason::steps ? "more --steps"
                                                            : "more --passes")};
}

VerdictLine judge_topics(std::span<const double> shares) {
  const double limit = empty_share / static_cast<double>(shares.size());
  const auto empty = std::ranges::count_if(shares, [&](double share) { return share < limit; });
  if (empty == 0) {
    return {true, "Every topic is used."};
  }
  return {false, fmt::format("{} of {} topics hardly occur (below {:.2g} % of the tokens); ask for "
                             "fewer topics, or train longer.",
                             empty, shares.size(), 100 * limit)};
}

}  // namespace

std::string passes_text(double passes) {
  const std::string number = fmt::format("{:.3g}", passes);
  return number + (number == "1" ? " pass" : " passes");
}

TrainingReport report_on(TrainingRun& run, StopReason stopped) {
  TrainingReport report{.stopped = stopped,
                        .topics = published_topics(run),
                        .draws_kept = std::max<std::uint64_t>(1, run.average().draws()),
                        .history = run.history_to_the_end(),
                        .perplexity = std::nullopt,
                        .shares = {},
                        .verdict = {}};
  report.shares = topic_shares(run, report.topics);
  if (run.held_out().test_tokens() > 0) {
    Predictive predictive(run.held_out(), evaluation_sweeps,
                          evaluation_noise(run.training().plan().seed));
    predictive.evaluate(report.topics, run.training().alpha(), run.training().steps(),
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
    verdict.lines.push_back({false,
                             "No draw was kept: the run ended before its burn-in, and topics.npy "
                             "holds the last draw alone; train longer, or give --burn-in."});
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

std::vector<std::uint32_t> top_words(const TopicWeights& topics, std::uint32_t topic,
                                     std::size_t count) {
  std::vector<std::uint32_t> words(topics.words());
  std::iota(words.begin(), words.end(), 0U);
  const auto weight = [&](std::uint32_t word) { return topics.weights().at(word, topic); };
  const auto middle = words.begin() + static_cast<std::ptrdiff_t>(std::min(count, words.size()));
  std::partial_sort(words.begin(), middle, words.end(), [&](std::uint32_t a, std::uint32_t b) {
    return weight(a) != weight(b) ? weight(a) > weight(b) : a < b;
  });
  words.erase(middle, words.end());
  return words;
}

std::vector<std::uint32_t> topics_by_share(const TrainingReport& report) {
  std::vector<std::uint32_t> order(report.shares.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::uint32_t topic) { return report.shares[topic]; });
  return order;
}

void write_trained_model(const std::filesystem::path& folder, TrainingRun& run,
                         const TrainingReport& report, std::string details,
                         std::string_view command) {
  const Training& training = run.training();
  const TrainingPlan& plan = training.plan();
  const FloatBlockStorage last = topic_probabilities(training.topics(), run.threads());
  ModelFiles files;
  files.facts.method = plan.method;
  files.facts.seed = plan.seed;
  files.facts.eta = plan.eta;
  files.facts.alpha = {training.alpha().begin(), training.alpha().end()};
  files.facts.held_out = run.schedule().held_out;
  files.facts.steps = training.steps();
  files.facts.documents_seen = training.documents_seen();
  files.facts.draws_kept = report.draws_kept;
  describe_corpus(run.corpus(), files.facts);
  files.vocabulary = run.corpus().vocabulary();
  files.topics = report.topics.weights();
  files.last_draw = last.view();
  files.draws = run.draws();
  files.details = std::move(details);
  files.history = report.history.csv();
  files.card =
      model_card(run, report,
                 std::filesystem::absolute(folder).lexically_normal().filename().string(), command);
  write_model(folder, files);
  run.discard_draws_file();
}

}  // namespace tain
