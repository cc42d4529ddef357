#include <fmt/format.h>

#include "cli/corpus_job.hpp"
#include "cli/program.hpp"
#include "tain/reproduce/report.hpp"

namespace tain::cli {

int report_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const std::filesystem::path page = *options.text("output");
  const Console console = console_of(options);
  JobProgress progress("report", options);
  const std::vector<std::string> headlines =
      report({raw.arguments.begin(), raw.arguments.end()}, page,
             {.title = options.text("title"),
              .lead = options.text("lead"),
              .notes = options.text("notes").value_or(""),
              .overwrite = options.on("force"),
              .threads = options.threads(),
              .progress = progress.watch(),
              .note = [&](std::string_view text) { console.note(text); }});
  progress.clear();
  for (const std::string& headline : headlines) {
    print(headline + "\n");
  }
  print(fmt::format("Page: {}\n", page.string()));
  return 0;
}

}  // namespace tain::cli
