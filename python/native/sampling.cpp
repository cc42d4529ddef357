// tain.sample: the library's one call, on targets and sets of Python.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "errors.hpp"
#include "fields.hpp"
#include "run/pace.hpp"
#include "tain/sampling/sample.hpp"
#include "target.hpp"
#include "unlocked.hpp"
#include "watch.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

/// The plan that keywords ask for: what shapes the draws by name, then how it is done.
SamplePlan plan_of(const py::dict& keywords, const std::string& command) {
  SamplePlan plan;
  KeywordFields fields(keywords);
  plan.describe(fields);
  plan.describe_manner(fields);
  fields.require_all_known();
  plan.command = command;
  return plan;
}

double share_of(const Progress& now) { return double(now.step) / double(now.total_steps); }

Run sample_target(const Target& target, const std::optional<Set>& set, const py::dict& keywords,
                  const std::string& command, const py::object& progress) {
  SamplePlan plan = plan_of(keywords, command);
  ProgressWatch watch(progress);
  PaceMeter meter(plan);
  plan.progress = [&](const Progress& now) {
    const std::optional<Pace> pace = meter.at(now);
    return watch.look(share_of(now), [&] { return progress_text(now, pace.value_or(Pace{})); });
  };
  const Unlocked release;
  Alone alone;  // a target of Python is in this process only
  return sample(set, target.target, plan, alone);
}

Run resume_output(const std::string& output, const py::object& own_target,
                  const std::optional<Set>& own_set, const py::dict& keywords,
                  const std::string& command, const py::object& progress) {
  SamplePlan manner = plan_of(keywords, command);
  ProgressWatch watch(progress);
  manner.progress = [&](const Progress& now) {
    return watch.look(share_of(now), [&] {
      return fmt::format("resume  step {}/{}  divergences {}", now.step, now.total_steps,
                         now.divergences);
    });
  };
  std::optional<tain::Target> target;
  if (!own_target.is_none()) {
    target = own_target.cast<const Target&>().target;
  }
  const Unlocked release;
  return resume(output, target, own_set, manner);
}

using Column = std::span<const double> Draws::*;

/// A part of the draws as an array (chain, draw[, coordinate]), which keeps the run alive; empty
/// where it is not known. A run that was stopped before its first draw has the shape all the same.
py::array part(const py::object& self, Column which, std::size_t width) {
  const Draws& draws = self.cast<const Run&>().draws();
  if ((draws.*which).empty() && draws.draws != 0) {
    return py::array_t<double>(0);
  }
  std::vector<py::ssize_t> shape{py::ssize_t(draws.chains), py::ssize_t(draws.draws)};
  if (width != 0) {
    shape.push_back(py::ssize_t(width));
  }
  return view_array<double>(draws.*which, std::move(shape), self);
}

py::list exact(const Run& run) {
  py::list list;
  for (const ExactMoment& row : run.exact()) {
    list.append(py::make_tuple(row.name, row.exact, row.estimate, row.mcse, row.z));
  }
  return list;
}

/// Where the coordinates of a parameter are: (first, count, shape).
py::dict parameters(const Run& run) {
  const Draws& draws = run.draws();
  py::dict dict;
  for (const Parameter& parameter :
       draws.parameters.empty() ? parameters_of(draws.names) : draws.parameters) {
    dict[py::str(parameter.name)] =
        py::make_tuple(parameter.first, parameter.count, parameter.shape);
  }
  return dict;
}

/// What is one number or word about the run.
py::dict facts(const Run& run) {
  const RunRecord& record = run.record();
  py::dict dict;
  dict["target"] = record.target;
  dict["map"] = record.map;
  dict["kernel"] = record.plan.kernel;
  dict["seed"] = record.plan.seed;
  dict["thin"] = record.done.thin;
  dict["step_size"] = record.done.tuning.step_size;
  dict["trajectory_length"] = record.done.tuning.trajectory_length;
  dict["acceptance"] = record.done.acceptance;
  dict["divergences"] = record.done.divergences;
  dict["gradients"] = record.done.gradients;
  dict["seconds"] = record.done.seconds;
  dict["planned"] = record.plan.draws;
  dict["finished"] = run.finished();
  dict["resumable"] = run.resumable();
  dict["notes"] = record.notes;
  return dict;
}

Overwrite overwrite_of(bool overwrite) { return overwrite ? Overwrite::yes : Overwrite::no; }

}  // namespace

void bind_sampling(py::module_& m) {
  const auto statistic = [](Column which) {
    return [which](const py::object& self) { return part(self, which, 0); };
  };
  py::class_<Run>(m, "Run")
      .def_property_readonly("names", [](const Run& r) { return r.draws().names; })
      .def_property_readonly("parameters", parameters)
      .def_property_readonly("named", [](const Run& r) { return !r.draws().parameters.empty(); })
      .def_property_readonly("judged", &Run::judged)
      .def_property_readonly("draws",
                             [](const py::object& self) {
                               const Draws& draws = self.cast<const Run&>().draws();
                               return part(self, &Draws::values, draws.names.size());
                             })
      .def_property_readonly("dual",
                             [](const py::object& self) {
                               const Draws& draws = self.cast<const Run&>().draws();
                               return part(self, &Draws::dual, draws.dual_dim);
                             })
      .def_property_readonly("log_density", statistic(&Draws::log_density))
      .def_property_readonly("acceptance_rate", statistic(&Draws::acceptance))
      .def_property_readonly("diverging", statistic(&Draws::diverging))
      .def("facts", facts)
      .def("diagnosis", &Run::diagnosis)
      .def("exact", exact)
      .def("save",
           [](const Run& r, const std::string& path, bool overwrite) {
             const Unlocked release;
             r.save(path, overwrite_of(overwrite));
           })
      .def("report", [](const Run& r, const std::string& path, bool overwrite) {
        const Unlocked release;
        r.report(path, overwrite_of(overwrite));
      });
  m.def("sample", sample_target);
  m.def("resume", resume_output);
  m.def("read_run", [](const std::vector<std::string>& files, std::size_t threads) {
    const Unlocked release;
    return read_run({files.begin(), files.end()}, threads);
  });
}

}  // namespace tain::python
