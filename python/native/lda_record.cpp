#include "lda_record.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"

namespace tain::python {

namespace py = pybind11;

namespace {

/// Facts by the names that records have; alpha is an array of its own.
template <class Facts, class Visit>
void visit_facts(Facts& facts, const Visit& visit) {
  visit("method", facts.method);
  visit("seed", facts.seed);
  visit("eta", facts.eta);
  visit("corpus_fingerprint", facts.corpus_fingerprint);
  visit("corpus_documents", facts.corpus_documents);
  visit("held_out", facts.held_out);
  visit("steps", facts.steps);
  visit("documents_seen", facts.documents_seen);
  visit("draws_kept", facts.draws_kept);
  visit("corpus_folder", facts.corpus_folder);
  visit("corpus_manifest", facts.corpus_manifest);
  visit("draw_documents", facts.draw_documents);
}

}  // namespace

py::dict record_of(const ModelFacts& facts, const ModelTexts& texts) {
  py::dict record;
  visit_facts(facts, [&](const char* name, const auto& value) { record[name] = value; });
  record["details"] = texts.details;
  record["history"] = texts.history;
  record["card"] = texts.card;
  return record;
}

ModelFacts facts_of(const py::dict& record, const FloatArray& alpha) {
  ModelFacts facts;
  visit_facts(facts, [&](const char* name, auto& value) {
    value = record[name].cast<std::remove_reference_t<decltype(value)>>();
  });
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
