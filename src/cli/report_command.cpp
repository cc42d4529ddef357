#include <fmt/format.h>

#include <filesystem>

#include "program.hpp"
#include "run_report.hpp"
#include "tain/core/file.hpp"
#include "terminal.hpp"
#include "values.hpp"

namespace tain::cli {

int report_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  if (raw.arguments.empty()) {
    fail(Fault::usage, "report", "no draws are given", "give FILE.nc, FILE.npy or FILE.csv...");
  }
  const std::filesystem::path page_file = options.value("output").parts.front();
  require_page_creatable(page_file, options.on("force") ? Replace::yes : Replace::no);
  const Talk talk(options.on("quiet") ? Talk::Volume::silent : Talk::Volume::normal);
  Threads threads(*options.count("threads"));
  const ReportedRun run = read_run({raw.arguments.begin(), raw.arguments.end()}, threads);
  for (const std::string& note : run.notes) {
    talk.say(note);
  }
  Page page(options.text("title").value_or(run_title(run.report)), run_lead(run.report));
  add_run(page, run.report, threads);
  write_atomically(page_file, page.html());
  print(fmt::format("{}\nPage: {}\n", run.report.verdict.headline, page_file.string()));
  return 0;
}

}  // namespace tain::cli
