// Training of topic models on corpora that Python holds.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <filesystem>

#include "arrays.hpp"
#include "bindings.hpp"
#include "corpus.hpp"
#include "fields.hpp"
#include "lda_record.hpp"
#include "tain/lda/train.hpp"
#include "unlocked.hpp"
#include "watch.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

std::string progress_text(const TrainProgress& now) {
  std::string text = fmt::format("{}, {} of the documents", now.phase, passes_text(now.passes));
  if (now.last) {
    text += fmt::format(", perplexity {:.1f}", now.last->single.value);
  }
  return text;
}

py::dict result_of(const Model& model) {
  const Model::State& state = model.state();
  const std::uint32_t topics = model.topics();
  const auto rows = static_cast<py::ssize_t>(topics);
  py::dict result = model_arrays(model);
  add_draws(model, result);
  result["dual"] =
      owned_array(std::vector<float>(state.dual), {rows, py::ssize_t(model.vocabulary().size())});
  result["interrupted"] = !model.finished();
  return result;
}

py::dict train_model(const HeldCorpus& held, const py::dict& keywords,
                     const std::optional<std::string>& checkpoint, const std::string& name,
                     py::object progress) {
  TrainPlan plan;
  plan.threads = fill(plan, keywords);
  plan.checkpoint = checkpoint.value_or("");
  plan.resume = checkpoint && std::filesystem::exists(plan.checkpoint);
  plan.command = name;
  ProgressWatch watch(std::move(progress));
  bool trained = false;
  plan.progress = [&](const TrainProgress& now) {
    trained = true;
    return watch.look(now.share, [&] { return progress_text(now); });
  };
  std::optional<Unlocked> unlocked(std::in_place);
  const Model model = train(held.corpus, plan);
  unlocked.reset();
  py::dict result = result_of(model);
  result["trained"] = trained;
  return result;
}

}  // namespace

void bind_lda(py::module_& m) {
  m.def(
      "train",
      [](const HeldCorpus& held, const py::dict& keywords,
         const std::optional<std::string>& checkpoint, const std::string& name,
         py::object progress) {
        return in_words_of(estimator_words, [&] {
          return train_model(held, keywords, checkpoint, name, std::move(progress));
        });
      },
      py::arg("corpus"), py::arg("keywords"), py::arg("checkpoint"), py::arg("name"),
      py::arg("progress"));
}

}  // namespace tain::python
