// `tain reproduce synthetic` and `tain reproduce lda`.
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "cli/corpus_job.hpp"
#include "cli/fill.hpp"
#include "cli/program.hpp"
#include "sampling/json_text.hpp"
#include "tain/reproduce/study.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// Status line with the time left, estimated from the share of the work that is done.
StudyWatch watch_of(StatusLine& line) {
  return [&line, start = Clock::now(),
          first = std::optional<double>()](const StudyProgress& now) mutable {
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    first = first.value_or(now.share);
    if (line.due()) {
      const double done = now.share - *first;
      const double left = done > 0 ? seconds * (1 - now.share) / done : 0;
      line.show(fmt::format("reproduce  {}  {:.0f} %  eta {}", now.what, 100 * now.share,
                            clock_text(left)),
                Json{{"what", now.what}, {"share", now.share}, {"eta_seconds", left}}.dump());
    }
    return stop_requested() ? Next::stop : Next::go_on;
  };
}

/// `reproduce`: the library's call for these plans.
template <class Plan, class Reproduce>
int reproduce_with(Plan plan, const Options& options, const RawOptions& raw,
                   const Reproduce& reproduce) {
  const Console console = console_of(options);
  StatusLine line(job_progress_mode(options));
  plan.threads = options.threads();
  plan.resume = options.on("resume");
  plan.overwrite = options.on("force");
  plan.progress = watch_of(line);
  plan.note = [&](std::string_view text) {
    console.note(fmt::format("{}; a stopped study goes on with --resume", text));
  };
  plan.command = shell_text(raw.words);
  const Study study = reproduce(*options.text("output"), plan);
  line.clear();
  if (!study.finished) {
    console.note(
        fmt::format("stopped; what is done is in {}; go on with --resume", study.folder.string()));
    return static_cast<int>(stop_fault());
  }
  if (options.on("json")) {
    Json object = read_json(study.json, study.folder.string());
    object["page"] = study.page.string();
    object["seconds"] = study.seconds;
    print(object.dump(2) + "\n");
  } else {
    print(study.text() + fmt::format("Page: {}\n", study.page.string()));
  }
  return 0;
}

}  // namespace

int reproduce_synthetic_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  return reproduce_with(filled(SyntheticStudyPlan(), options), options, raw, reproduce_synthetic);
}

int reproduce_lda_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  LdaStudyPlan plan = filled(LdaStudyPlan(), options);
  if (!raw.arguments.empty()) {
    plan.corpus = Corpus::open(raw.arguments.front());
  }
  return reproduce_with(std::move(plan), options, raw, reproduce_lda);
}

}  // namespace tain::cli
