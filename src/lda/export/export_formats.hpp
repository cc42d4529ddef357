// What the exports of a model share.
#pragma once

#include <functional>
#include <optional>

#include "core/file.hpp"
#include "lda/export/model_export.hpp"
#include "lda/model/output_file.hpp"

namespace tain {

/// Thrown where the observer asks to stop, so that the file that was being written goes; never
/// leaves export_model.
struct ModelExportStopped {};

struct ModelExportRun {
  const ModelExport& request;
  const Corpus* corpus;
  Threads& threads;
  const WorkWatch& progress;

  /// Throws ModelExportStopped.
  std::optional<InferenceReport> infer(
      DocumentSource& documents, const std::function<void(const InferredDocument&)>& result) const;
};

/// A file of the folder, whole or not at all.
template <class Write>
void write_whole(const ModelExportRun& run, std::string_view name, const Write& write) {
  const std::filesystem::path path = run.request.folder / name;
  write_atomically(path, [&](const std::filesystem::path& temporary) {
    OutputFile file(temporary, path.string());
    write(file);
    file.finish();
  });
}

std::optional<InferenceReport> export_pyldavis(const ModelExportRun& run);
void export_gensim(const ModelExportRun& run);

}  // namespace tain
