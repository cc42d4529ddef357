#include "keywords.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tain::python {
namespace {

namespace py = pybind11;

std::string keyword_name(std::string_view flag) {
  std::string name(flag);
  std::ranges::replace(name, '-', '_');
  return name;
}

const cli::Flag& flag_of(const cli::Command& command, const std::string& keyword) {
  std::vector<std::string> names;
  for (const cli::Flag& flag : command.flags) {
    names.push_back(keyword_name(flag.name));
    if (names.back() == keyword) {
      return flag;
    }
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  fail(Fault::usage, keyword, "is no option", cli::suggestion(keyword, views, "see help(tain)"));
}

/// As one would type it: numbers so that they are read back to the last bit.
std::string text_of(const py::handle& value, const std::string& keyword) {
  if (py::isinstance<py::bool_>(value)) {
    return value.cast<bool>() ? "true" : "false";
  }
  if (py::isinstance<py::str>(value)) {
    return value.cast<std::string>();
  }
  if (py::hasattr(value, "__fspath__")) {
    return py::str(value.attr("__fspath__")()).cast<std::string>();
  }
  if (py::hasattr(value, "__index__")) {
    return py::str(value.attr("__index__")()).cast<std::string>();
  }
  if (py::hasattr(value, "__float__")) {
    return fmt::format("{}", py::float_(py::reinterpret_borrow<py::object>(value)).cast<double>());
  }
  fail(Fault::usage, keyword,
       fmt::format("a {} is no value",
                   py::str(py::type::handle_of(value).attr("__name__")).cast<std::string>()),
       "give a number, a text, or a list of them");
}

bool is_list(const py::handle& value) {
  return !py::isinstance<py::str>(value) && py::hasattr(value, "__len__") &&
         py::hasattr(value, "__iter__");
}

}  // namespace

cli::RawOptions raw_options(const cli::Command& command, const py::dict& keywords) {
  cli::RawOptions options;
  for (const auto& [key, value] : keywords) {
    if (value.is_none()) {
      continue;
    }
    const auto keyword = key.cast<std::string>();
    const cli::Flag& flag = flag_of(command, keyword);
    cli::RawValue raw;
    raw.origin = keyword;
    if (is_list(value)) {
      for (const auto& part : value) {
        raw.parts.push_back(text_of(part, keyword));
      }
      if (raw.parts.empty()) {
        fail(Fault::usage, keyword, "is an empty list", "leave it out, or give a value");
      }
    } else {
      raw.parts.push_back(text_of(value, keyword));
    }
    options.values.insert_or_assign(std::string(flag.name), std::move(raw));
  }
  return options;
}

}  // namespace tain::python
