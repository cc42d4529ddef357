// tain::Error as Python exceptions: the same messages, with keywords where the program has flags.
#include "errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "bindings.hpp"
#include "core/descriptor.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

/// kernel='mala', draws=100, resume=True, check_gradient=False.
std::string keyword_text(const Field& field, const Keywords& keywords) {
  const auto renamed =
      std::ranges::find(keywords, field.name, [](const auto& pair) { return pair.first; });
  const std::string_view name = renamed == keywords.end() ? field.name : renamed->second;
  if (field.value.empty()) {
    return std::string(name);
  }
  if (field.value == "true" || field.value == "false") {
    return fmt::format("{}={}", name, field.value == "true" ? "True" : "False");
  }
  const bool word = std::isalpha(static_cast<unsigned char>(field.value.front())) != 0;
  return word ? fmt::format("{}='{}'", name, field.value) : fmt::format("{}={}", name, field.value);
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

void raise(const Error& error, const Keywords& keywords) {
  if (error.fault() == Fault::interrupted) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    return;
  }
  const auto spelling = [&](const Field& field) { return keyword_text(field, keywords); };
  const py::object type = py::module_::import("tain.errors").attr(class_of(error.fault()));
  // Names of files may be any bytes: as Python has them.
  const std::string message = error.message(spelling);
  const auto text = py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(
      message.data(), static_cast<Py_ssize_t>(message.size()), "surrogateescape"));
  const py::object exception = type(text);
  const std::optional<Field> field = error.field();
  exception.attr("field") =
      field ? py::object(py::str(keyword_text({field->name}, keywords))) : py::none();
  PyErr_SetObject(type.ptr(), exception.ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(std::move(thrown));
  } catch (const KeywordError& thrown_by) {
    raise(thrown_by.error, thrown_by.keywords);
  } catch (const Error& error) {
    raise(error, {});
  } catch (const std::filesystem::filesystem_error& error) {
    raise(error_of(error), {});
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
