#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/model_job.hpp"
#include "cli/program.hpp"
#include "report/text.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string report_text(const std::filesystem::path& path, const TopicPage& page, double seconds) {
  return fmt::format(
      "page       {} ({}), made in {}\ntopics     {}, {} of them{}\n{}", path.string(),
      format_bytes(static_cast<double>(page.bytes)), duration(seconds), grouped(page.topics),
      page.draws == 1 ? std::string("1 draw") : fmt::format("{} draws", grouped(page.draws)),
      page.shares_of_prior ? "; shares of the prior" : "",
      page.documents > 0 ? fmt::format("documents  {} of {}\n", grouped(page.documents_shown),
                                       grouped(page.documents))
                         : std::string());
}

}  // namespace

int lda_report_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const std::string folder = required_argument(command, raw);
  const std::filesystem::path path = required_output(command, options);
  const Console console = console_of(options);
  JobProgress progress("report", options);
  TopicPagePlan plan{.title = options.text("title"),
                     .threads = options.threads(),
                     .progress = progress.watch(),
                     .note = [&](std::string_view text) { console.note(text); }};
  if (raw.arguments.size() > 1) {
    plan.corpus = Corpus::open(raw.arguments[1]);
  }
  const TopicPage page =
      Model::open(folder).report(path, plan, options.on("force") ? Overwrite::yes : Overwrite::no);
  progress.clear();
  const Json object{{"page", path.string()},
                    {"bytes", page.bytes},
                    {"topics", page.topics},
                    {"draws", page.draws},
                    {"share_of", page.shares_of_prior ? "prior" : "tokens"},
                    {"documents", page.documents > 0 ? Json(page.documents_shown) : Json()},
                    {"explained", page.explained},
                    {"seconds", progress.seconds()}};
  print(options.on("json") ? object.dump(2) + "\n" : report_text(path, page, progress.seconds()));
  return 0;
}

}  // namespace tain::cli
