#include "lda_record.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "core/file.hpp"
#include "diagnosis.hpp"
#include "unlocked.hpp"

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

/// With `name_mark` if it is in memory.
std::string model_card_of(const Model& model) {
  const std::filesystem::path file = model.folder() / "README.md";
  return model.folder().empty()          ? model.state().card
         : std::filesystem::exists(file) ? read_file(file)
                                         : std::string();
}

/// Columns by their names.
py::dict history_arrays(const std::vector<Evaluation>& history) {
  std::vector<std::uint64_t> steps, documents;
  std::vector<double> seconds, single, error, average;
  for (const Evaluation& row : history) {
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

py::dict model_arrays(const Model& model) {
  const TrainRecord& record = model.record();
  const ModelFacts& facts = record.facts;
  const ModelData& data = model.state().data();
  py::dict result;
  result["topics"] = published_array(data.topics());
  result["alpha"] = owned_array(std::vector<float>(facts.alpha), {py::ssize_t(model.topics())});
  result["history"] = history_arrays(record.history);
  result["perplexity"] = record.perplexity ? py::make_tuple(record.perplexity->value,
                                                            record.perplexity->standard_error)
                                           : py::object(py::none());
  result["verdict"] = verdict_dict(record.verdict);
  result["passes"] = record.passes;
  result["seconds"] = record.seconds;
  result["shares"] = owned_array(std::vector<double>(record.shares), {py::ssize_t(model.topics())});
  result["record"] = record_of(facts, {data.manifest(), data.history(), model_card_of(model)});
  return result;
}

void add_draws(const Model& model, py::dict& result) {
  const TopicDraws* const draws = [&] {
    const Unlocked unlocked;
    return model.state().draws();
  }();
  std::vector<float> values;
  std::vector<double> shares;
  const std::uint64_t count = draws == nullptr ? 0 : draws->draws();
  const auto topics = static_cast<py::ssize_t>(model.topics()),
             words = static_cast<py::ssize_t>(model.vocabulary().size());
  values.reserve(count * static_cast<std::size_t>(topics * words));
  for (std::uint64_t s = 0; s < count; ++s) {
    values.insert(values.end(), draws->values(s).begin(), draws->values(s).end());
    shares.insert(shares.end(), draws->shares(s).begin(), draws->shares(s).end());
  }
  const auto rows = static_cast<py::ssize_t>(shares.size()) / topics;
  result["draw_shares"] = owned_array(std::move(shares), {rows, topics});
  result["draws"] = owned_array(std::move(values), {py::ssize_t(count), topics, words});
  if (draws == nullptr && result.contains("record")) {
    result["record"]["draw_documents"] = py::list();
  }
}

}  // namespace tain::python
