// Models as folders of the program: writing, reading, and the page about them.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <filesystem>

#include "arrays.hpp"
#include "bindings.hpp"
#include "core/file.hpp"
#include "corpus.hpp"
#include "lda/explore/explorer.hpp"
#include "lda/model/model_folder.hpp"
#include "lda/model/published_model.hpp"
#include "lda/model/topic_draws.hpp"
#include "lda/model/topic_shares.hpp"
#include "lda_record.hpp"
#include "watch.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;
namespace fs = std::filesystem;

std::string with_name(std::string text, std::string_view name) {
  for (std::size_t at = 0; (at = text.find(name_mark, at)) != std::string::npos;
       at += name.size()) {
    text.replace(at, name_mark.size(), name);
  }
  return text;
}

DrawFiles draws_of(const FloatArray& draws, const py::array_t<double>& shares,
                   const ModelFacts& facts) {
  DrawFiles kept;
  const std::span<const float> values = values_of(draws);
  const std::size_t count = facts.draw_documents.size();
  for (std::size_t s = 0; s < count; ++s) {
    kept.draws.push_back(values.subspan(s * (values.size() / count), values.size() / count));
  }
  kept.documents = facts.draw_documents;
  kept.shares.assign(shares.data(), shares.data() + shares.size());
  return kept;
}

void require_shapes(const TopicWeights& mean, const TopicWeights& last, const FloatArray& draws,
                    const py::array_t<double, py::array::c_style>& shares,
                    const std::vector<std::string>& vocabulary, const ModelFacts& facts) {
  const std::size_t count = facts.draw_documents.size(), topics = mean.topics();
  const bool fits =
      vocabulary.size() == mean.words() && last.words() == mean.words() &&
      last.topics() == mean.topics() &&
      static_cast<std::size_t>(draws.size()) == count * topics * mean.words() &&
      (shares.size() == 0 || static_cast<std::size_t>(shares.size()) == count * topics);
  if (!fits) {
    fail(Fault::data, "components_", "does not go with the draws or the vocabulary", "fit again");
  }
}

void save_model(const std::string& name, const FloatArray& topics, const FloatArray& last_draw,
                const FloatArray& draws, const py::array_t<double, py::array::c_style>& draw_shares,
                const FloatArray& alpha, const std::vector<std::string>& vocabulary,
                const py::dict& record, bool force) {
  ModelFiles files;
  files.facts = facts_of(record, alpha);
  const ModelTexts texts = texts_of(record);
  const py::gil_scoped_release unlocked;
  const TopicWeights mean = topic_weights(topics, "components_");
  const TopicWeights last = topic_weights(last_draw, "the last draw");
  require_alpha(alpha, mean.topics());
  require_shapes(mean, last, draws, draw_shares, vocabulary, files.facts);
  ModelFolder folder(name, force ? Continuation::replace : Continuation::fresh);
  folder.clear();
  files.vocabulary = vocabulary;
  files.topics = mean.weights();
  files.last_draw = last.weights();
  files.draws = draws_of(draws, draw_shares, files.facts);
  files.details = texts.details;
  files.history = texts.history;
  files.card =
      with_name(texts.card, fs::absolute(folder.path()).lexically_normal().filename().string());
  write_published_model(folder.path(), files);
}

std::string text_or_nothing(const fs::path& path) {
  return fs::exists(path) ? read_file(path) : std::string();
}

py::dict open_model(const std::string& folder) {
  std::optional<py::gil_scoped_release> unlocked(std::in_place);
  const Model model = Model::open(folder);
  const std::optional<TopicDraws> draws = TopicDraws::open(folder);
  const TopicShares shares = known_shares(model, draws ? &*draws : nullptr);
  const std::uint32_t topics = model.topics().topics(), words = model.topics().words();
  DrawFiles kept;
  for (std::uint64_t s = 0; draws && s < draws->draws(); ++s) {
    kept.draws.push_back(draws->values(s));
    const std::span<const double> here = draws->shares(s);
    kept.shares.insert(kept.shares.end(), here.begin(), here.end());
  }
  ModelFacts facts = model.facts();
  if (!draws) {
    facts.draw_documents.clear();
  }
  const ModelTexts texts{model.manifest(), text_or_nothing(fs::path(folder) / "history.csv"),
                         text_or_nothing(fs::path(folder) / "README.md")};
  unlocked.reset();
  py::dict result;
  const auto rows = static_cast<py::ssize_t>(topics);
  result["topics"] = published_array(model.topics());
  result["draws"] = draws_array(kept, topics, words);
  result["draw_shares"] =
      owned_array(std::vector<double>(kept.shares),
                  {static_cast<py::ssize_t>(kept.shares.size() / topics), rows});
  result["alpha"] = owned_array(std::vector<float>(facts.alpha), {rows});
  result["shares"] = owned_array(std::vector<double>(shares.shares), {rows});
  result["vocabulary"] =
      std::vector<std::string>(model.vocabulary().begin(), model.vocabulary().end());
  result["history"] = history_arrays(History::parse(texts.history).value_or(History()));
  result["manifest"] = model.manifest();
  result["record"] = record_of(facts, texts);
  return result;
}

/// HTML of the page, or None if Ctrl-C stopped it.
py::object page(const std::string& folder, const HeldCorpus* given, std::size_t thread_count,
                const std::optional<std::string>& title, py::object progress) {
  ProgressWatch watch(std::move(progress));
  std::optional<py::gil_scoped_release> unlocked(std::in_place);
  const Model model = Model::open(folder);
  const std::optional<Corpus> recorded = given ? std::nullopt : recorded_corpus(model);
  const std::optional<TopicDraws> draws = TopicDraws::open(folder);
  Threads threads(thread_count);
  std::optional<Explorer> explorer = explore(
      {.model = model,
       .corpus = given      ? &given->corpus
                 : recorded ? &*recorded
                            : nullptr,
       .draws = draws ? &*draws : nullptr},
      threads, [&](const ExplorerProgress& now) {
        const double share =
            now.size > 0 ? static_cast<double>(now.done) / static_cast<double>(now.size) : 0.0;
        return watch.look(share, [&] { return std::string(now.phase); });
      });
  if (!explorer) {
    unlocked.reset();
    return py::none();
  }
  Chapter chapter = topics_chapter(std::move(*explorer));
  chapter.title = title.value_or(chapter.title);
  const std::string html = page_of(chapter);
  unlocked.reset();
  return py::str(html);
}

}  // namespace

void bind_model_files(py::module_& m) {
  m.def("save_model", save_model);
  m.def("open_model", open_model);
  m.def("topics_page", page, py::arg("folder"), py::arg("corpus").none(true), py::arg("threads"),
        py::arg("title"), py::arg("progress"));
}

}  // namespace tain::python
