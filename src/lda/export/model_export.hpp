// A model in the forms that other programs take.
//
// Formats, as files of a folder:
//   pyldavis  pyldavis.npz: the arguments of pyLDAvis.prepare by their names: topic_term_dists
//             (K x W), doc_topic_dists (D x K), doc_lengths (D), vocab (W), term_frequency (W)
//   mallet    doc-topics.txt: `number<TAB>name<TAB>share of topic 0<TAB>...`, a line per document;
//             topic-keys.txt: `topic<TAB>alpha<TAB>20 words`. Topics count from 0, as MALLET's do.
//   gensim    model, model.state, model.id2word and their arrays: gensim.models.LdaModel.load reads
//             them (gensim 4). get_topics() is topics.npy; meant for looking at topics and
//             inferring them, not for training on.
// Laws: documents' topics are those of inference.hpp, in the order of the corpus.
// Memory: a batch of documents and the vocabulary, besides model and corpus.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "lda/inference/inference.hpp"
#include "lda/model/model_data.hpp"
#include "tain/core/next.hpp"

namespace tain {

enum class ModelFormat { pyldavis, mallet, gensim };
/// "pyldavis", "mallet", "gensim"; any other name is Error (usage).
ModelFormat model_format(std::string_view name);

/// Does it say something of documents?
enum class Documents { none, needed };
Documents documents_of(ModelFormat format);

/// Names of its files.
std::vector<std::string_view> export_files(ModelFormat format);

struct ModelExport {
  const ModelData& model;
  ModelFormat format;
  std::filesystem::path folder;  ///< exists
  InferencePlan inference = {};
};

/// Writes the files, each whole or not at all, replacing those of the same names. `corpus` is read
/// where documents are needed. None if `progress` stopped it. Throws Error (cannot_create, io).
std::optional<InferenceReport> export_model(const ModelExport& request, const Corpus* corpus,
                                            Threads& threads, const WorkWatch& progress);

}  // namespace tain
