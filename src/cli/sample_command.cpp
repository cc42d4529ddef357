#include <fmt/format.h>

#include "problem_file.hpp"
#include "program.hpp"
#include "ranks.hpp"
#include "sampling_run.hpp"
#include "tain/comm/common_isa.hpp"

namespace tain::cli {
namespace {

RawOptions all_options(const Command& command, RawOptions flags) {
  if (flags.arguments.empty()) {
    return flags;
  }
  RawOptions file = read_problem_file(command, flags.arguments.front());
  for (const auto& [name, value] : flags.values) {
    // A flag given anew may name a changed file on purpose.
    const Flag* flag = find_flag(command, name);
    if (flag->kind == Kind::input_file || flag->kind == Kind::numbers || name == "target") {
      for (const std::string& part : value.parts) {
        file.inputs.erase(
            std::filesystem::absolute(part.substr(part.starts_with('@') ? 1 : 0)).string());
      }
    }
  }
  return merge(std::move(file), std::move(flags));
}

void print_findings(const SamplingRun& run) {
  const SampleRequest& request = run.request();
  if (request.json) {
    print(run.account().dump(2) + "\n");
    return;
  }
  std::string text = findings_text(run.findings(), request.max_rows);
  if (request.exact) {
    text += "\n" + format_exact(run.exact(), request.max_rows);
  }
  print(text);
}

}  // namespace

int sample_command(const Command& command, RawOptions flags, const std::string& command_line) {
  const RawOptions raw = all_options(command, std::move(flags));
  if (!ranks().alone()) {
    pin_isa(common_isa(ranks()));
  }
  SampleRequest request = make_request(command, raw);
  request.threads = threads_of_rank(request.threads);
  const Talk talk(request.quiet ? Talk::Volume::silent : Talk::Volume::normal);
  for (const std::string& note : request.notes) {
    talk.say(note);
  }
  SamplingRun run(std::move(request), command_line, talk, ranks());
  const SampleRequest& asked = run.request();
  ProgressDisplay display(progress_mode(asked.progress), asked.plan);
  run.run(
      [&](const Progress& progress) {
        display.show(progress);
        if (stop_requested() || progress.step == progress.total_steps) {
          display.clear();
        }
        return stop_requested() ? Next::stop : Next::go_on;
      },
      talk);
  if (!ranks().leads()) {
    return 0;  // rank 0 has the draws, and the say
  }
  if (run.judged()) {
    print_findings(run);
  }
  if (run.finished()) {
    return asked.strict && !run.findings().verdict.trust ? static_cast<int>(Fault::gate_failed) : 0;
  }
  talk.say(fmt::format("interrupted after {} of {} draws{}", run.summary().draws, asked.plan.draws,
                       run.resumable()
                           ? fmt::format("; continue with: {}", resume_command(command_line))
                           : "; give -o FILE next time to be able to continue"));
  return static_cast<int>(stop_fault());
}

}  // namespace tain::cli
