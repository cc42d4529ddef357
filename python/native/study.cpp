// The paper's studies, repeated.
#include "tain/reproduce/study.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "corpus.hpp"
#include "errors.hpp"
#include "fields.hpp"
#include "unlocked.hpp"
#include "watch.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

/// What a plan has beside its fields.
struct StudyCall {
  bool resume, force;
  std::string command;
  py::object progress;
};

/// (page, finished, seconds, findings as (claim, source, holds, sentences), text)
template <class Plan, class Reproduce>
py::tuple reproduce_with(const std::string& folder, Plan plan, const py::dict& keywords,
                         StudyCall call, const Reproduce& reproduce) {
  plan.threads = fill(plan, keywords);
  plan.resume = call.resume;
  plan.overwrite = call.force;
  plan.command = std::move(call.command);
  ProgressWatch watch(std::move(call.progress));
  plan.progress = [&](const StudyProgress& now) {
    return watch.look(now.share, [&] { return std::string(now.what); });
  };
  std::optional<Unlocked> unlocked(std::in_place);
  const Study study = in_words_of(folder_words, [&] { return reproduce(folder, plan); });
  unlocked.reset();
  py::list findings;
  for (const auto& [claim, source, holds, sentences, exhibit] : study.findings) {
    findings.append(py::make_tuple(
        claim, source, holds ? py::object(py::str(std::string(holds_text(*holds)))) : py::none(),
        sentences));
  }
  return py::make_tuple(study.page.string(), study.finished, study.seconds, findings, study.text());
}

}  // namespace

void bind_study(py::module_& m) {
  m.def("reproduce_synthetic", [](const std::string& folder, const py::dict& keywords, bool resume,
                                  bool force, std::string command, py::object progress) {
    return reproduce_with(folder, SyntheticStudyPlan(), keywords,
                          {resume, force, std::move(command), std::move(progress)},
                          reproduce_synthetic);
  });
  m.def(
      "reproduce_lda",
      [](const std::string& folder, const py::dict& keywords, bool resume, bool force,
         std::string command, py::object progress, const HeldCorpus* corpus) {
        LdaStudyPlan plan;
        plan.corpus = corpus ? std::optional(corpus->corpus) : std::nullopt;
        return reproduce_with(folder, std::move(plan), keywords,
                              {resume, force, std::move(command), std::move(progress)},
                              reproduce_lda);
      },
      py::arg("folder"), py::arg("keywords"), py::arg("resume"), py::arg("force"),
      py::arg("command"), py::arg("progress"), py::arg("corpus").none(true));
}

}  // namespace tain::python
