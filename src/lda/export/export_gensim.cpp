// gensim.models.LdaModel as its save() leaves it: objects as pickles, arrays beside them as npy.
//
// The model keeps exp(E[log beta]) of its variational Dirichlet, which documents are inferred with,
// and in its state the Dirichlet's parameters eta + sstats, whose mean are the topics. Here the
// former are our topics, and the latter so many pseudo-counts of them (with no eta in the state)
// that their mean is our topics and E[log beta] close to their logarithm.
#include <algorithm>
#include <array>
#include <cstring>

#include "core/npy.hpp"
#include "lda/export/export_formats.hpp"
#include "lda/export/pickle.hpp"

namespace tain {
namespace {

constexpr float pseudo_counts = 1e6F;
constexpr std::string_view model_module = "gensim.models.ldamodel";

void write_vector(const ModelExportRun& run, std::string_view name, std::span<const float> values) {
  write_whole(run, name, [&](OutputFile& file) {
    const std::array<std::uint64_t, 1> shape{values.size()};
    file.write(npy_header("<f4", shape));
    file.write(std::as_bytes(values));
  });
}

/// topics.npy, every number times `factor`.
void write_topics(const ModelExportRun& run, std::string_view name, float factor) {
  const ModelData& model = run.request.model;
  write_whole(run, name, [&](OutputFile& file) {
    const std::array<std::uint64_t, 2> shape{model.topics().topics(), model.topics().words()};
    file.write(npy_header("<f4", shape));
    for (std::uint32_t k = 0; k < shape[0]; ++k) {
      std::vector<float> row = model.row(k);
      std::ranges::for_each(row, [&](float& value) { value *= factor; });
      file.write(std::as_bytes(std::span<const float>(row)));
    }
  });
}

/// Attributes of one object, those in arrays beside it by name only.
class Attributes {
 public:
  Attributes(std::string_view module, std::string_view name) {
    pickle_.begin_object(module, name);
    pickle_.text("dtype");
    pickle_.global("numpy", "float32");
    pickle_.text("lifecycle_events");
    pickle_.begin_list();
    pickle_.end_list();
  }
  void arrays(std::initializer_list<std::string_view> names) {
    pickle_.text("__numpys");
    pickle_.begin_list();
    std::ranges::for_each(names, [&](std::string_view name) { pickle_.text(name); });
    pickle_.end_list();
    for (const std::string_view list : {"__scipys", "__ignoreds", "__recursive_saveloads"}) {
      pickle_.text(list);
      pickle_.begin_list();
      pickle_.end_list();
    }
  }
  void count(std::string_view name, std::uint64_t value) {
    pickle_.text(name);
    pickle_.number(value);
  }
  void real(std::string_view name, double value) {
    pickle_.text(name);
    pickle_.number(value);
  }
  void off(std::string_view name) {
    pickle_.text(name);
    pickle_.no();
  }
  void none(std::string_view name) {
    pickle_.text(name);
    pickle_.none();
  }
  Pickle& pickle() { return pickle_; }
  std::string finish() {
    pickle_.end_object();
    return pickle_.finish();
  }

 private:
  Pickle pickle_;
};

/// The names and, where they say how to infer and not what the model is, gensim's own defaults.
std::string model_object(const ModelData& model, std::uint64_t seed) {
  Attributes object(model_module, "LdaModel");
  object.arrays({"expElogbeta", "alpha", "eta"});
  object.count("num_topics", model.topics().topics());
  object.count("num_terms", model.topics().words());
  object.count("num_updates", model.facts().documents_seen);
  for (const auto& [name, value] :
       std::initializer_list<std::pair<std::string_view, std::uint64_t>>{{"chunksize", 2000},
                                                                         {"passes", 1},
                                                                         {"update_every", 1},
                                                                         {"eval_every", 10},
                                                                         {"iterations", 50},
                                                                         {"numworkers", 1}}) {
    object.count(name, value);
  }
  for (const auto& [name, value] :
       std::initializer_list<std::pair<std::string_view, double>>{{"decay", 0.5},
                                                                  {"offset", 1.0},
                                                                  {"minimum_probability", 0.01},
                                                                  {"minimum_phi_value", 0.01},
                                                                  {"gamma_threshold", 0.001}}) {
    object.real(name, value);
  }
  for (const std::string_view name :
       {"distributed", "per_word_topics", "optimize_alpha", "optimize_eta"}) {
    object.off(name);
  }
  for (const std::string_view name : {"callbacks", "dispatcher", "state", "id2word"}) {
    object.none(name);
  }
  object.pickle().text("random_state");
  object.pickle().call("numpy.random", "RandomState", seed % 0xFFFF'FFFF);
  return object.finish();
}

std::string state_object(const ModelData& model) {
  Attributes object(model_module, "LdaState");
  object.arrays({"sstats", "eta"});
  object.count("numdocs", model.facts().corpus_documents);
  return object.finish();
}

std::string dictionary_object(const ModelData& model) {
  Attributes object("gensim.corpora.dictionary", "Dictionary");
  Pickle& pickle = object.pickle();
  pickle.text("token2id");
  pickle.begin_dictionary();
  for (std::size_t w = 0; w < model.vocabulary().size(); ++w) {
    pickle.text(model.vocabulary()[w]);
    pickle.number(std::uint64_t{w});
  }
  pickle.end_dictionary();
  for (const std::string_view name : {"id2token", "cfs", "dfs"}) {
    pickle.text(name);
    pickle.begin_dictionary();
    pickle.end_dictionary();
  }
  for (const std::string_view name : {"num_docs", "num_pos", "num_nnz"}) {
    object.count(name, 0);
  }
  return object.finish();
}

}  // namespace

void export_gensim(const ModelExportRun& run) {
  const ModelData& model = run.request.model;
  const std::size_t words = model.topics().words();
  const std::vector<float> eta(words, static_cast<float>(model.facts().eta));
  write_topics(run, "model.expElogbeta.npy", 1);
  write_vector(run, "model.alpha.npy", model.facts().alpha);
  write_vector(run, "model.eta.npy", eta);
  write_topics(run, "model.state.sstats.npy", pseudo_counts);
  write_vector(run, "model.state.eta.npy", std::vector<float>(words, 0.0F));
  write_atomically(run.request.folder / "model.state", state_object(model));
  write_atomically(run.request.folder / "model.id2word", dictionary_object(model));
  write_atomically(run.request.folder / "model", model_object(model, run.request.inference.seed));
}

}  // namespace tain
