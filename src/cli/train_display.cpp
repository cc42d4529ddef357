#include "cli/train_display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/results.hpp"
#include "report/text.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t topics_shown = 10, words_shown = 8;

std::string perplexity_text(const Perplexity& perplexity) {
  return std::isfinite(perplexity.value)
             ? fmt::format("{:.1f} ± {:.1f}", perplexity.value, perplexity.standard_error)
             : "infinite";
}

/// JSON has no infinity.
Json finite(double number) { return std::isfinite(number) ? Json(number) : Json("inf"); }

std::string way_text(const TrainingProgress& progress, const StopRule& stop) {
  const std::string passes = fmt::format("{:.2f}", progress.passes);
  if (stop.steps) {
    return fmt::format("step {}/{}  {} passes", grouped(progress.step), grouped(*stop.steps),
                       passes);
  }
  return fmt::format("step {}  {} passes", grouped(progress.step),
                     stop.passes ? fmt::format("{}/{}", passes, *stop.passes) : passes);
}

std::string topics_text(const TrainingRun& run, const TrainingReport& report) {
  const std::vector<std::uint32_t> order = topics_by_share(report);
  const std::size_t shown = std::min(order.size(), topics_shown);
  std::string text =
      shown == order.size()
          ? std::string("topics by share of the tokens\n")
          : fmt::format("the {} topics with the largest shares of the tokens, of {}\n", shown,
                        order.size());
  for (std::size_t i = 0; i < shown; ++i) {
    std::string words;
    const std::span<const std::uint32_t> top(report.words[order[i]]);
    for (const std::uint32_t word : top.first(std::min(top.size(), words_shown))) {
      words += fmt::format(" {}", run.corpus().word(word));
    }
    text += fmt::format("{:5} {:5.1f} % {}\n", order[i] + 1, 100 * report.shares[order[i]], words);
  }
  return text;
}

}  // namespace

double TrainDisplay::rate(std::uint64_t now, std::uint64_t first) const {
  return passed_ > 0 ? static_cast<double>(now - first) / passed_ : 0;
}

void TrainDisplay::show(const TrainingProgress& progress) {
  if (!started_) {
    started_ = true;
    start_ = Clock::now();
    first_ = progress;
    return;  // no pace yet
  }
  if (!line_.due()) {
    return;
  }
  passed_ = std::chrono::duration<double>(Clock::now() - start_).count();
  const double done = progress.share - first_.share;
  eta_ = done > 0 ? passed_ * (1 - progress.share) / done : 0;
  line_.show(text(progress), json(progress).dump());
}

std::string TrainDisplay::text(const TrainingProgress& progress) const {
  std::string line = fmt::format("train  {}{}  {:.0f} %  {} docs/s  {} tokens/s",
                                 ranks_ > 1 ? fmt::format("{} ranks  ", ranks_) : std::string(),
                                 way_text(progress, stop_), 100 * progress.share,
                                 with_unit(rate(progress.documents, first_.documents)),
                                 with_unit(rate(progress.tokens_drawn, first_.tokens_drawn)));
  if (progress.last) {
    line += fmt::format("  perplexity {}  average {:.1f}", perplexity_text(progress.last->single),
                        progress.last->average.value);
  }
  return line + fmt::format("  {}  eta {}", progress.phase, clock_text(eta_));
}

Json TrainDisplay::json(const TrainingProgress& progress) const {
  Json object{{"phase", progress.phase},
              {"ranks", ranks_},
              {"step", progress.step},
              {"docs", progress.documents},
              {"passes", progress.passes},
              {"share", progress.share},
              {"seconds", progress.time.seconds},
              {"docs_per_second", rate(progress.documents, first_.documents)},
              {"tokens_per_second", rate(progress.tokens_drawn, first_.tokens_drawn)},
              {"eta_seconds", eta_}};
  if (progress.last) {
    object["perplexity"] = finite(progress.last->single.value);
    object["standard_error"] = finite(progress.last->single.standard_error);
    object["perplexity_average"] = finite(progress.last->average.value);
    object["perplexity_docs"] = progress.last->documents;
  }
  return object;
}

std::string training_text(const std::filesystem::path& folder, const TrainingRun& run,
                          const TrainingReport& report) {
  std::string text = fmt::format(
      "model       {}\n"
      "documents   {} ({} held out), {} words\n"
      "training    {} steps, {}, {} (stopped by {})\n",
      folder.string(), grouped(run.training_documents()), grouped(run.schedule().held_out),
      grouped(run.corpus().words()), grouped(run.training().steps()), passes_text(run.passes()),
      duration(run.time().seconds), stop_reason_name(report.stopped));
  if (report.perplexity) {
    const Evaluation& last = report.history.rows().back();
    text += fmt::format(
        "perplexity  {} averaged over {} evaluation{}\n"
        "            {} by topics.npy, the mean of {} draw{}\n"
        "            {} by the last draw\n",
        perplexity_text(last.average), last.averaged, last.averaged == 1 ? "" : "s",
        perplexity_text(*report.perplexity), grouped(report.draws_kept),
        report.draws_kept == 1 ? "" : "s", perplexity_text(last.single));
  }
  return text + "\n" + topics_text(run, report) + "\n" +
         format_verdict(report.verdict, terminal_style());
}

}  // namespace tain::cli
