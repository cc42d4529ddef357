#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "cli/corpus_job.hpp"
#include "cli/exploration.hpp"
#include "cli/program.hpp"
#include "cli/terminal.hpp"
#include "report/text.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string report_text(const std::filesystem::path& path, const Explorer& explorer,
                        std::size_t bytes, double seconds) {
  return fmt::format(
      "page       {} ({}), made in {}\ntopics     {}, {} of them{}\n{}", path.string(),
      format_bytes(static_cast<double>(bytes)), duration(seconds), grouped(explorer.topics.size()),
      explorer.draws == 1 ? std::string("1 draw")
                          : fmt::format("{} draws", grouped(explorer.draws)),
      explorer.share_of == ShareOf::tokens ? "" : "; shares of the prior",
      explorer.corpus
          ? fmt::format("documents  {} of {}\n",
                        grouped(explorer.corpus->sampled.value_or(explorer.corpus->documents)),
                        grouped(explorer.corpus->documents))
          : std::string());
}

Json report_json(const std::filesystem::path& path, const Explorer& explorer, std::size_t bytes,
                 double seconds) {
  return {{"page", path.string()},
          {"bytes", bytes},
          {"topics", explorer.topics.size()},
          {"draws", explorer.draws},
          {"share_of", explorer.share_of == ShareOf::tokens ? "tokens" : "prior"},
          {"documents", explorer.corpus
                            ? Json(explorer.corpus->sampled.value_or(explorer.corpus->documents))
                            : Json()},
          {"explained", explorer.map.explained},
          {"seconds", seconds}};
}

}  // namespace

int lda_report_command(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const std::string folder = required_argument(command, raw);
  const std::filesystem::path path = required_output(command, options);
  require_creatable(path, overwrite(options));
  const Console console(options.on("quiet") ? Console::Volume::silent : Console::Volume::normal);
  const std::optional<std::string> corpus =
      raw.arguments.size() > 1 ? std::optional(raw.arguments[1]) : std::nullopt;
  Threads threads(*options.count("threads"));
  const auto start = std::chrono::steady_clock::now();
  const std::optional<Explorer> explorer = explore_model(folder, corpus, options, threads, console);
  if (!explorer) {
    console.note(fmt::format("stopped; nothing was written to {}", path.string()));
    return static_cast<int>(Fault::interrupted);
  }
  Chapter chapter = topics_chapter(*explorer);
  chapter.title = options.text("title").value_or(chapter.title);
  const std::string html = page_of(chapter);
  write_atomically(path, html);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  print(options.on("json") ? report_json(path, *explorer, html.size(), seconds).dump(2) + "\n"
                           : report_text(path, *explorer, html.size(), seconds));
  return 0;
}

}  // namespace tain::cli
