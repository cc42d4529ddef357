#include "lda_record.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"

namespace tain::python {

namespace py = pybind11;

cli::RawOptions training_keywords(const py::dict& keywords) {
  cli::RawOptions raw = raw_options(cli::find_command("lda train"), keywords);
  for (const auto& [flag, keyword] :
       {std::pair("topics", "n_components"), {"seed", "random_state"}}) {
    if (const auto found = raw.values.find(flag); found != raw.values.end()) {
      found->second.origin = keyword;
    }
  }
  return raw;
}

py::dict record_of(const ModelFacts& facts, const ModelTexts& texts) {
  py::dict record;
  record["method"] = facts.method;
  record["seed"] = facts.seed;
  record["eta"] = facts.eta;
  record["corpus_fingerprint"] = facts.corpus_fingerprint;
  record["corpus_documents"] = facts.corpus_documents;
  record["held_out"] = facts.held_out;
  record["steps"] = facts.steps;
  record["documents_seen"] = facts.documents_seen;
  record["draws_kept"] = facts.draws_kept;
  record["corpus_folder"] = facts.corpus_folder;
  record["corpus_manifest"] = facts.corpus_manifest;
  record["draw_documents"] = facts.draw_documents;
  record["details"] = texts.details;
  record["history"] = texts.history;
  record["card"] = texts.card;
  return record;
}

ModelFacts facts_of(const py::dict& record, const FloatArray& alpha) {
  ModelFacts facts;
  const auto read = [&](const char* name, auto& value) {
    value = record[name].cast<std::remove_reference_t<decltype(value)>>();
  };
  read("method", facts.method);
  read("seed", facts.seed);
  read("eta", facts.eta);
  read("corpus_fingerprint", facts.corpus_fingerprint);
  read("corpus_documents", facts.corpus_documents);
  read("held_out", facts.held_out);
  read("steps", facts.steps);
  read("documents_seen", facts.documents_seen);
  read("draws_kept", facts.draws_kept);
  read("corpus_folder", facts.corpus_folder);
  read("corpus_manifest", facts.corpus_manifest);
  read("draw_documents", facts.draw_documents);
  const std::span<const float> values = values_of(alpha);
  facts.alpha.assign(values.begin(), values.end());
  return facts;
}

ModelTexts texts_of(const py::dict& record) {
  return {record["details"].cast<std::string>(), record["history"].cast<std::string>(),
          record["card"].cast<std::string>()};
}

py::array_t<float> draws_array(const DrawFiles& kept, std::uint32_t topics, std::uint32_t words) {
  std::vector<float> values;
  values.reserve(kept.draws.size() * topics * words);
  for (const std::span<const float> draw : kept.draws) {
    values.insert(values.end(), draw.begin(), draw.end());
  }
  return owned_array(std::move(values),
                     {static_cast<py::ssize_t>(kept.draws.size()), static_cast<py::ssize_t>(topics),
                      static_cast<py::ssize_t>(words)});
}

py::dict history_arrays(const History& history) {
  std::vector<std::uint64_t> steps, documents;
  std::vector<double> seconds, single, error, average;
  for (const Evaluation& row : history.rows()) {
    steps.push_back(row.step);
    documents.push_back(row.documents);
    seconds.push_back(row.time.seconds);
    single.push_back(row.single.value);
    error.push_back(row.single.standard_error);
    average.push_back(row.average.value);
  }
  py::dict columns;
  columns["step"] = steps;
  columns["documents"] = documents;
  columns["seconds"] = seconds;
  columns["perplexity"] = single;
  columns["standard_error"] = error;
  columns["perplexity_average"] = average;
  return columns;
}

}  // namespace tain::python
