// The page about the topics of a model: Model::report.
#include <fmt/format.h>

#include <vector>

#include "core/apart.hpp"
#include "core/file.hpp"
#include "lda/explore/explorer.hpp"
#include "lda/model/model_state.hpp"

namespace tain {
namespace {

/// Throws Error (interrupted) if it was stopped.
Explorer explored(const Model::State& model, const TopicPagePlan& plan,
                  const std::filesystem::path& page) {
  const ModelData& data = model.data();
  const std::optional<Corpus> corpus = plan.corpus ? plan.corpus : recorded_corpus(data);
  const TopicDraws* const draws = model.draws();
  if (plan.note && !corpus) {
    plan.note(
        fmt::format("the documents trained on are not in {} any more: the page names none and "
                    "has no coherence; give their corpus",
                    data.facts().corpus_folder));
  }
  if (plan.note && draws == nullptr) {
    plan.note("the model has no draws of its topics: the page has no intervals");
  }
  Threads threads(plan.threads);
  std::optional<Explorer> explorer =
      explore({.model = data, .corpus = corpus ? &*corpus : nullptr, .draws = draws}, threads,
              watch_or_go_on(plan.progress));
  if (!explorer) {
    fail_stopped(page);
  }
  return std::move(*explorer);
}

Chapter titled(const Explorer& explorer, const TopicPagePlan& plan) {
  Chapter chapter = topics_chapter(explorer);
  chapter.title = plan.title.value_or(chapter.title);
  return chapter;
}

}  // namespace

TopicPage Model::report(const std::filesystem::path& page, const TopicPagePlan& plan,
                        Overwrite overwrite) const {
  const NamedPath output{Field{"output"}, page};
  const std::vector<NamedPath> inputs{
      {"the folder of the model", folder()},
      {"the folder of the corpus", plan.corpus ? plan.corpus->folder() : std::filesystem::path()}};
  require_apart({&output, 1}, inputs);
  require_creatable(Field{"output"}, page, overwrite);
  const Explorer explorer = explored(*state_, plan, page);
  const std::string html = page_of(titled(explorer, plan));
  write_atomically(page, html);
  TopicPage made{.bytes = html.size(),
                 .topics = topics(),
                 .draws = explorer.draws,
                 .shares_of_prior = explorer.share_of == ShareOf::prior,
                 .explained = explorer.map.explained};
  if (explorer.corpus) {
    made.documents = explorer.corpus->documents;
    made.documents_shown = explorer.corpus->sampled.value_or(made.documents);
  }
  return made;
}

Chapter Model::chapter(const TopicPagePlan& plan) const {
  return titled(explored(*state_, plan, "the page"), plan);
}

}  // namespace tain
