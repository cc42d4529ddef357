#include <algorithm>

#include "bindings.hpp"
#include "core/input.hpp"
#include "core/version.hpp"
#include "interrupt.hpp"
#include "unlocked.hpp"

namespace {

namespace py = pybind11;

/// Types and the interpreter's lock belong to the interpreter that the process began with.
void require_first_interpreter() {
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    throw py::import_error(
        "tain: cannot be used in a second interpreter of a process; use a process for each");
  }
}

/// Older protocols of pickle make an object of the common base of all native classes, which has no
/// constructor: the end of the process.
void pickle_by_newer_protocols(py::module_& m) {
  const py::object plain = py::module_::import("builtins").attr("object").attr("__reduce_ex__");
  const py::cpp_function reduce(
      [plain](const py::object& self, int protocol) { return plain(self, std::max(protocol, 2)); });
  for (const auto& [name, value] : m.attr("__dict__").cast<py::dict>()) {
    if (py::isinstance<py::type>(value)) {
      py::setattr(value, "__reduce_ex__",
                  py::reinterpret_steal<py::object>(PyInstanceMethod_New(reduce.ptr())));
    }
  }
}

}  // namespace

PYBIND11_MODULE(_native, m) {
  require_first_interpreter();
  m.def("_require_first_interpreter", require_first_interpreter);
  m.doc() = "Native part of tain; use the names of the package instead.";
  m.attr("__version__") = std::string(tain::version_number());
  tain::python::bind_errors(m);
  tain::python::bind_corpus(m);
  tain::python::bind_diagnosis(m);
  tain::python::bind_lda(m);
  tain::python::bind_model_files(m);
  tain::python::bind_stream(m);
  tain::python::bind_study(m);
  tain::python::bind_topics(m);
  tain::python::bind_targets(m);
  tain::python::bind_sets(m);
  tain::python::bind_target_checks(m);
  tain::python::bind_sampling(m);
  pickle_by_newer_protocols(m);
  tain::python::watch_interpreter();
  tain::while_waiting_for_input(tain::python::look_while_waiting);
}
