// tain.sample: the program's own run, on targets and sets of Python.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <bit>

#include "arrays.hpp"
#include "bindings.hpp"
#include "keywords.hpp"
#include "sampling_run.hpp"
#include "set.hpp"
#include "tain/core/checksum.hpp"
#include "tain/core/file.hpp"
#include "tain/targets/dirichlet.hpp"
#include "tain/targets/uniform.hpp"
#include "target.hpp"
#include "watch.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

const cli::Talk silent(cli::Talk::Volume::silent);

/// What a resumed run must find again of a target that no flag describes: its value and gradient at
/// a point.
std::string fingerprint(const Problem& problem) {
  const AnyMap& map = problem.map;
  std::vector<double> point(map.primal_dim());
  map.centre(point);
  BlockStorage x(map.primal_dim(), lane_group), gradient(map.primal_dim(), lane_group);
  for (std::size_t i = 0; i < point.size(); ++i) {
    std::fill_n(x.view().row(i), lane_group, point[i]);
  }
  std::vector<double> value(lane_group);
  Workspace workspace;
  problem.target.evaluate(x.view(), value, gradient.view(), workspace);
  Checksum checksum;
  checksum.add(std::as_bytes(std::span(value).first(1)));
  for (std::size_t i = 0; i < point.size(); ++i) {
    checksum.add(std::as_bytes(std::span(gradient.view().row(i), 1)));
  }
  return fmt::format("{:016x}", checksum.value());
}

cli::SampleRequest make_request(const Target& target, const Domain& domain,
                                const cli::RawOptions& raw) {
  const cli::Command& command = cli::find_command("sample");
  cli::BuiltProblem built =
      cli::assemble(domain.set, target.potential, target.names, cli::dual_form(command, raw));
  cli::SampleRequest request = cli::make_request(command, raw, std::move(built));
  if (request.output) {
    request.inputs[fmt::format("target {} on {}", request.problem.target.name(),
                               request.problem.map.name())] = fingerprint(request.problem);
  }
  return request;
}

/// A run that has ended, with what Python asks of it.
class Run {
 public:
  Run(const Target& target, const Domain& domain, const cli::RawOptions& raw,
      const std::string& command_line, Watch& watch)
      : run_(make_request(target, domain, raw), command_line, silent, alone_) {
    cli::PaceMeter meter(run_.request().plan);
    run_.run(
        [&](const Progress& progress) {
          const std::optional<cli::Pace> pace = meter.at(progress);
          const double share = double(progress.step) / double(progress.total_steps);
          return watch.look(
              share, [&] { return cli::progress_text(progress, pace.value_or(cli::Pace{})); });
        },
        silent);
    draws_.emplace(run_.table(), run_.summary().draws);
  }

  cli::SamplingRun& run() { return run_; }
  cli::CompletedDraws& draws() { return *draws_; }

 private:
  Alone alone_;  // a target of Python is in this process only
  cli::SamplingRun run_;
  std::optional<cli::CompletedDraws> draws_;
};

std::unique_ptr<Run> sample(const Target& target, const Domain& domain, const py::dict& keywords,
                            const std::string& command_line, const py::object& progress) {
  const cli::RawOptions raw = raw_options(cli::find_command("sample"), keywords);
  Watch watch(progress);
  const py::gil_scoped_release release;
  return std::make_unique<Run>(target, domain, raw, command_line, watch);
}

void require_judged(const cli::SamplingRun& run) {
  if (!run.judged()) {
    fail(Fault::config, "draws",
         fmt::format("the run was stopped after {} of {}", run.summary().draws,
                     run.request().plan.draws),
         "let it run longer: from 4 on they can be judged");
  }
}

using Part = std::span<const double> (cli::CompletedDraws::*)();

/// A part of the draws as an array (chain, draw[, coordinate]), which keeps the run alive.
py::array part(const py::object& self, Part which, std::size_t width) {
  Run& run = self.cast<Run&>();
  std::vector<py::ssize_t> shape{py::ssize_t(run.run().table().shape().chains),
                                 py::ssize_t(run.draws().draws())};
  if (width != 0) {
    shape.push_back(py::ssize_t(width));
  }
  return view_array<double>((run.draws().*which)(), std::move(shape), self);
}

py::list exact(const std::vector<cli::ExactRow>& rows) {
  py::list list;
  for (const cli::ExactRow& row : rows) {
    list.append(py::make_tuple(row.name, row.exact, row.estimate, row.mcse, row.z));
  }
  return list;
}

/// What is one number or word about the run.
py::dict facts(Run& self) {
  const cli::SamplingRun& run = self.run();
  const RunSummary& summary = run.summary();
  const SamplePlan& plan = run.request().plan;
  py::dict dict;
  dict["target"] = run.request().problem.target.name();
  dict["map"] = run.request().problem.map.name();
  dict["kernel"] = plan.kernel;
  dict["seed"] = plan.seed;
  dict["thin"] = summary.thin;
  dict["step_size"] = summary.tuning.step_size;
  dict["trajectory_length"] = summary.tuning.trajectory_length;
  dict["acceptance"] = summary.acceptance;
  dict["divergences"] = summary.divergences;
  dict["gradients"] = summary.gradients;
  dict["seconds"] = summary.seconds;
  dict["finished"] = summary.finished;
  dict["resumable"] = run.resumable() && !summary.finished;
  dict["notes"] = run.request().notes;
  return dict;
}

void save(Run& self, const std::string& path, bool overwrite) {
  const py::gil_scoped_release release;
  require_creatable(path, overwrite ? Overwrite::yes : Overwrite::no);
  write_draws(path, self.run().table(), self.run().summary().draws, self.run().info());
}

void report(Run& self, const std::string& path, bool overwrite) {
  require_judged(self.run());
  const py::gil_scoped_release release;
  require_creatable(path, overwrite ? Overwrite::yes : Overwrite::no);
  write_atomically(path, self.run().page());
}

/// Where a target lives that was given no domain.
Domain default_domain(const Target& target) {
  Domain domain;
  domain.set.type = target.potential.as<DirichletPosterior>() ? "simplex" : "identity";
  domain.set.dim = target.potential.dim();
  if (target.potential.as<Uniform>()) {
    fail(Fault::usage, "domain", "is missing", "give such as tain.simplex(3)");
  }
  return domain;
}

}  // namespace

void bind_sampling(py::module_& m) {
  py::class_<Run>(m, "Run")
      .def_property_readonly("names", [](Run& r) { return r.run().request().names; })
      .def_property_readonly("judged", [](Run& r) { return r.run().judged(); })
      .def_property_readonly("draws",
                             [](const py::object& self) {
                               return part(self, &cli::CompletedDraws::values,
                                           self.cast<Run&>().run().table().shape().primal_dim);
                             })
      .def_property_readonly("dual",
                             [](const py::object& self) {
                               return part(self, &cli::CompletedDraws::dual,
                                           self.cast<Run&>().run().table().shape().dual_dim);
                             })
      .def_property_readonly(
          "log_density",
          [](const py::object& self) { return part(self, &cli::CompletedDraws::log_density, 0); })
      .def_property_readonly(
          "acceptance_rate",
          [](const py::object& self) { return part(self, &cli::CompletedDraws::acceptance, 0); })
      .def_property_readonly(
          "diverging",
          [](const py::object& self) { return part(self, &cli::CompletedDraws::diverging, 0); })
      .def("facts", facts)
      .def("findings",
           [](Run& r) {
             require_judged(r.run());
             return r.run().findings();
           })
      .def("exact", [](Run& r) { return exact(r.run().exact()); })
      .def("save", save)
      .def("report", report);
  m.def("default_domain", default_domain);
  m.def("sample", sample);
}

}  // namespace tain::python
