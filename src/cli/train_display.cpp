#include "cli/train_display.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/sizes.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

std::string perplexity_text(const Perplexity& perplexity) {
  return std::isfinite(perplexity.value)
             ? fmt::format("{:.1f} ± {:.1f}", perplexity.value, perplexity.standard_error)
             : "infinite";
}

/// JSON has no infinity.
Json finite(double number) { return std::isfinite(number) ? Json(number) : Json("inf"); }

std::string way_text(const TrainProgress& progress) {
  const StopRule& stop = progress.stop;
  const std::string passes = fmt::format("{:.2f}", progress.passes);
  if (stop.steps) {
    return fmt::format("step {}/{}  {} passes", grouped(progress.step), grouped(*stop.steps),
                       passes);
  }
  return fmt::format("step {}  {} passes", grouped(progress.step),
                     stop.passes ? fmt::format("{}/{}", passes, *stop.passes) : passes);
}

}  // namespace

double TrainDisplay::rate(std::uint64_t now, std::uint64_t first) const {
  return passed_ > 0 ? static_cast<double>(now - first) / passed_ : 0;
}

void TrainDisplay::show(const TrainProgress& progress) {
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

std::string TrainDisplay::text(const TrainProgress& progress) const {
  std::string line = fmt::format("train  {}{}  {:.0f} %  {} docs/s  {} tokens/s",
                                 ranks_ > 1 ? fmt::format("{} ranks  ", ranks_) : std::string(),
                                 way_text(progress), 100 * progress.share,
                                 with_unit(rate(progress.documents, first_.documents)),
                                 with_unit(rate(progress.tokens_drawn, first_.tokens_drawn)));
  if (progress.last) {
    line += fmt::format("  perplexity {}  average {:.1f}", perplexity_text(progress.last->single),
                        progress.last->average.value);
  }
  return line + fmt::format("  {}  eta {}", progress.phase, clock_text(eta_));
}

Json TrainDisplay::json(const TrainProgress& progress) const {
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

}  // namespace tain::cli
