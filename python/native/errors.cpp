// tain::Error as Python exceptions: the same messages, with keywords where the program has flags.
#include <string>

#include "bindings.hpp"
#include "tain/core/error.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

/// "use --step-size auto" reads "use step_size auto" here.
std::string with_keywords(std::string_view message) {
  std::string text;
  for (std::size_t at = 0; at < message.size(); ++at) {
    const bool flag = message.substr(at).starts_with("--") && at + 2 < message.size() &&
                      std::islower(static_cast<unsigned char>(message[at + 2])) != 0 &&
                      (at == 0 || std::isalnum(static_cast<unsigned char>(message[at - 1])) == 0);
    if (!flag) {
      text += message[at];
      continue;
    }
    for (at += 2; at < message.size(); ++at) {
      const char letter = message[at];
      if (std::islower(static_cast<unsigned char>(letter)) == 0 && letter != '-') {
        break;
      }
      text += letter == '-' ? '_' : letter;
    }
    --at;
  }
  return text;
}

/// Name of the exception class in the package's errors.py.
const char* class_of(Fault fault) {
  switch (fault) {
    case Fault::no_input:
    case Fault::cannot_create:
    case Fault::io:
      return "FileError";
    case Fault::usage:
    case Fault::data:
    case Fault::config:
    case Fault::gate_failed:
      return "InputError";
    case Fault::internal:
    case Fault::resumable:
    case Fault::interrupted:
      break;
  }
  return "Error";
}

void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const Error& error) {
    const py::object type = py::module_::import("tain.errors").attr(class_of(error.fault()));
    PyErr_SetString(type.ptr(), with_keywords(error.what()).c_str());
  }
}

}  // namespace

void bind_errors(py::module_& m) {
  py::register_exception_translator(translate);
  // For the Python part's own errors and for tests.
  m.def("_fail", [](const std::string& where, const std::string& problem,
                    const std::string& remedy) { fail(Fault::config, where, problem, remedy); });
}

}  // namespace tain::python
