#include "cli/exploration.hpp"

#include <fmt/format.h>

#include "cli/model_job.hpp"

namespace tain::cli {
namespace {

void say_what_is_missing(const Console& console, const Model& model,
                         const std::optional<Corpus>& corpus,
                         const std::optional<TopicDraws>& draws) {
  if (!corpus) {
    console.note(
        fmt::format("the documents trained on are not in {} any more: the page names none and "
                    "has no coherence; give CORPUS",
                    model.facts().corpus_folder));
  }
  if (!draws) {
    console.note("the model has no draws of its topics: the page has no intervals");
  }
}

}  // namespace

std::optional<Explorer> explore_model(const std::string& folder,
                                      const std::optional<std::string>& corpus,
                                      const Options& options, Threads& threads,
                                      const Console& console) {
  const Model model = Model::open(folder);
  const std::optional<Corpus> documents = corpus ? Corpus::open(*corpus) : recorded_corpus(model);
  const std::optional<TopicDraws> draws = TopicDraws::open(folder);
  say_what_is_missing(console, model, documents, draws);
  JobProgress progress("report", JobProgress::Unit::documents, options);
  std::optional<Explorer> explorer = explore(
      {.model = model,
       .corpus = documents ? &*documents : nullptr,
       .draws = draws ? &*draws : nullptr},
      threads, [&](const ExplorerProgress& now) {
        return progress.show(now.phase, now.done, now.done, now.size) ? Next::go_on : Next::stop;
      });
  progress.clear();
  return explorer;
}

}  // namespace tain::cli
