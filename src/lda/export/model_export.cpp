#include "lda/export/model_export.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/file.hpp"
#include "lda/export/export_formats.hpp"
#include "lda/model/topic_words.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

/// Nobody reads more of a topic, and MALLET writes as many.
constexpr std::size_t key_words = 20;

std::string topic_keys(const ModelData& model) {
  const std::vector<double> shares = prior_shares(model.facts().alpha);
  const TopicWords words(model.topics(), shares);
  std::string text;
  for (std::uint32_t k = 0; k < model.topics().topics(); ++k) {
    text += fmt::format("{}\t{}\t", k, model.facts().alpha[k]);
    for (const RankedWord& word : words.ranked(k, key_words, 1)) {
      text += model.vocabulary()[word.word] + ' ';
    }
    text += '\n';
  }
  return text;
}

std::optional<InferenceReport> export_mallet(const ModelExportRun& run) {
  std::optional<InferenceReport> report;
  const auto documents = read_corpus(*run.corpus, run.request.model);
  write_whole(run, "doc-topics.txt", [&](OutputFile& file) {
    std::string line;
    report = run.infer(*documents, [&](const InferredDocument& document) {
      line = fmt::format("{}\t", document.number - 1);
      line += document.name.empty() ? std::to_string(document.number) : std::string(document.name);
      for (const float share : document.topics) {
        fmt::format_to(std::back_inserter(line), "\t{}", share);
      }
      line += '\n';
      file.write(line);
    });
  });
  if (report) {
    write_atomically(run.request.folder / "topic-keys.txt", topic_keys(run.request.model));
  }
  return report;
}

}  // namespace

std::optional<InferenceReport> ModelExportRun::infer(
    DocumentSource& documents, const std::function<void(const InferredDocument&)>& result) const {
  std::optional<InferenceReport> report =
      infer_topics(request.model, documents, request.inference, threads,
                   {.result = result, .progress = progress});
  if (!report) {
    throw ModelExportStopped{};
  }
  return report;
}

ModelFormat model_format(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, ModelFormat>, 3> formats{
      {{"pyldavis", ModelFormat::pyldavis},
       {"mallet", ModelFormat::mallet},
       {"gensim", ModelFormat::gensim}}};
  for (const auto& [known, format] : formats) {
    if (known == name) {
      return format;
    }
  }
  fail(Fault::usage, name, "is no format of models", "give pyldavis, mallet or gensim");
}

Documents documents_of(ModelFormat format) {
  return format == ModelFormat::gensim ? Documents::none : Documents::needed;
}

std::vector<std::string_view> export_files(ModelFormat format) {
  switch (format) {
    case ModelFormat::pyldavis:
      return {"pyldavis.npz"};
    case ModelFormat::mallet:
      return {"doc-topics.txt", "topic-keys.txt"};
    case ModelFormat::gensim:
      return {"model.expElogbeta.npy", "model.alpha.npy", "model.eta.npy", "model.state.sstats.npy",
              "model.state.eta.npy",   "model.state",     "model.id2word", "model"};
  }
  fail(Fault::internal, "export_files", "unknown format", "please report it");
}

std::optional<InferenceReport> export_model(const ModelExport& request, const Corpus* corpus,
                                            Threads& threads, const WorkWatch& progress) {
  TAIN_EXPECTS(corpus != nullptr || documents_of(request.format) == Documents::none,
               "a corpus where documents are needed");
  const ModelExportRun run{request, corpus, threads, progress};
  try {
    switch (request.format) {
      case ModelFormat::pyldavis:
        return export_pyldavis(run);
      case ModelFormat::mallet:
        return export_mallet(run);
      case ModelFormat::gensim:
        export_gensim(run);
        return InferenceReport{};
    }
  } catch (const ModelExportStopped&) {
    return std::nullopt;
  }
  fail(Fault::internal, "export_model", "unknown format", "please report it");
}

}  // namespace tain
