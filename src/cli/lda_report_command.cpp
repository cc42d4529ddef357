#include <fmt/format.h>

#include "model_job.hpp"
#include "program.hpp"
#include "tain/lda/explorer.hpp"
#include "tain/report/text.hpp"
#include "terminal.hpp"

namespace tain::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The corpus named, else the one trained on if it is where it was and what it was.
std::optional<Corpus> corpus_of(const RawOptions& raw, const Model& model) {
  return raw.arguments.size() > 1 ? Corpus::open(raw.arguments[1]) : recorded_corpus(model);
}

void say_what_is_missing(const Talk& talk, const Model& model, bool corpus,
                         const std::optional<TopicDraws>& draws) {
  if (!corpus) {
    talk.say(
        fmt::format("the documents trained on are not in {} any more: the page names none and "
                    "has no coherence; give CORPUS",
                    model.facts().corpus_folder));
  }
  if (!draws) {
    talk.say("the model has no draws of its topics: the page has no intervals");
  }
}

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
  const Talk talk(options.on("quiet") ? Talk::Volume::silent : Talk::Volume::normal);
  const Model model = Model::open(folder);
  const std::optional<Corpus> corpus = corpus_of(raw, model);
  const std::optional<TopicDraws> draws = TopicDraws::open(folder);
  say_what_is_missing(talk, model, corpus.has_value(), draws);
  Threads threads(*options.count("threads"));
  JobProgress progress("report", JobProgress::Unit::documents, options);
  const std::optional<Explorer> explorer = explore(
      {.model = model, .corpus = corpus ? &*corpus : nullptr, .draws = draws ? &*draws : nullptr},
      threads, [&](const ExplorerProgress& now) {
        return progress.show(now.phase, now.done, now.done, now.size) ? Next::go_on : Next::stop;
      });
  progress.clear();
  if (!explorer) {
    talk.say(fmt::format("stopped; nothing was written to {}", path.string()));
    return static_cast<int>(Fault::interrupted);
  }
  Chapter chapter = topics_chapter(*explorer);
  chapter.title = options.text("title").value_or(chapter.title);
  const std::string html = page_of(chapter);
  write_atomically(path, html);
  print(options.on("json")
            ? report_json(path, *explorer, html.size(), progress.seconds()).dump(2) + "\n"
            : report_text(path, *explorer, html.size(), progress.seconds()));
  return 0;
}

}  // namespace tain::cli
