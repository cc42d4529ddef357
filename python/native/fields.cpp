#include "fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arrays.hpp"
#include "core/names.hpp"

namespace tain::python {
namespace {

namespace py = pybind11;

constexpr double largest_exact_integer = 9007199254740992.0;  // 2^53

[[noreturn]] void refuse_value(std::string_view name, const std::string& problem,
                               const std::string& remedy) {
  fail(Fault::usage, Field{std::string(name)}, problem, remedy);
}

bool is_text(const py::handle& value) { return py::isinstance<py::str>(value); }

/// One of Python's or numpy's.
bool is_bool(const py::handle& value) {
  const auto type = py::str(py::type::handle_of(value).attr("__name__")).cast<std::string>();
  return type == "bool" || type == "bool_";
}

bool is_sequence(const py::handle& value) {
  if (is_text(value) || py::isinstance<py::bytes>(value) || py::isinstance<py::dict>(value) ||
      py::isinstance<py::set>(value) || !py::hasattr(value, "__iter__") ||
      !py::hasattr(value, "__len__")) {
    return false;
  }
  const bool sized = PyObject_Size(value.ptr()) >= 0;  // an array of no dimension has no size
  PyErr_Clear();
  return sized;
}

/// As messages show it.
std::string shown(const py::handle& value) {
  if (is_text(value) || is_bool(value) || py::hasattr(value, "__float__")) {
    return fmt::format("'{}'", py::str(value).cast<std::string>());
  }
  return fmt::format("a {}",
                     py::str(py::type::handle_of(value).attr("__name__")).cast<std::string>());
}

/// None if it is no number.
std::optional<double> to_double(const py::handle& value) {
  if (is_text(value) || is_bool(value) || is_sequence(value)) {
    return std::nullopt;
  }
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    return std::nullopt;
  }
  return number;
}

double number_of(std::string_view name, const py::handle& value) {
  const std::optional<double> number = to_double(value);
  if (!number || std::isnan(*number)) {
    refuse_value(name, fmt::format("{} is not a number", shown(value)),
                 "give a number such as 0.5");
  }
  if (std::isinf(*number)) {
    refuse_value(name, fmt::format("{} is infinite", *number), "give a finite number");
  }
  return *number;
}

}  // namespace

std::uint64_t count_of(std::string_view name, const py::handle& value) {
  if (!is_bool(value) && PyIndex_Check(value.ptr())) {
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    const unsigned long long count = index ? PyLong_AsUnsignedLongLong(index.ptr()) : 0;
    if (!PyErr_Occurred()) {
      return count;
    }
    PyErr_Clear();
  } else if (const std::optional<double> number = to_double(value);
             number && *number >= 0 && *number <= largest_exact_integer &&
             *number == std::floor(*number)) {
    return static_cast<std::uint64_t>(*number);
  }
  refuse_value(name, fmt::format("{} is not a whole number in range", shown(value)),
               "give a whole number such as 1000");
}

namespace {

std::string text_of(std::string_view name, const py::handle& value) {
  if (is_text(value)) {
    // Bytes that are no UTF-8, of names of files, are half characters in Python.
    const auto bytes = py::reinterpret_steal<py::bytes>(
        PyUnicode_AsEncodedString(value.ptr(), "utf-8", "surrogateescape"));
    if (!bytes) {
      PyErr_Clear();
      refuse_value(name, "has half a character (a lone surrogate)", "give another text");
    }
    return bytes;
  }
  if (py::hasattr(value, "__fspath__")) {
    return py::str(value.attr("__fspath__")()).cast<std::string>();
  }
  if (!is_bool(value) && PyIndex_Check(value.ptr())) {  // memory=2**30, first_id=0
    return py::str(value.attr("__index__")()).cast<std::string>();
  }
  refuse_value(name, fmt::format("{} is not a text", shown(value)), "give a text in quotes");
}

bool truth_of(std::string_view name, const py::handle& value) {
  if (!is_bool(value)) {
    refuse_value(name, fmt::format("{} is neither True nor False", shown(value)),
                 "give True or False");
  }
  return PyObject_IsTrue(value.ptr()) == 1;
}

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// All numbers of an array, row by row; whoever takes them says which is none.
std::vector<double> entries_of(std::string_view name, const py::handle& value) {
  const Doubles array = Doubles::ensure(value);
  if (!array) {
    PyErr_Clear();
    refuse_value(name, fmt::format("{} is no array of numbers", shown(value)), "give numbers");
  }
  const std::span<const double> entries = values_of(array);
  return {entries.begin(), entries.end()};
}

Numbers numbers_of(std::string_view name, const py::handle& value) {
  if (!is_sequence(value)) {
    return number_of(name, value);
  }
  if (py::isinstance<py::array_t<double>>(value) &&
      py::reinterpret_borrow<py::array>(value).ndim() == 1 && PyObject_Size(value.ptr()) > 0) {
    std::vector<double> numbers = entries_of(name, value);  // may be many
    const auto finite = [](double x) { return std::isfinite(x); };
    if (const auto wrong = std::ranges::find_if_not(numbers, finite); wrong != numbers.end()) {
      refuse_value(name, fmt::format("number {} is {}", wrong - numbers.begin() + 1, *wrong),
                   "give finite numbers");
    }
    return numbers;
  }
  std::vector<double> numbers;
  for (const py::handle part : value) {
    numbers.push_back(number_of(name, part));
  }
  if (numbers.empty()) {
    refuse_value(name, "is an empty list", "leave it out, or give a value");
  }
  return numbers;
}

std::string nearest_or(std::string_view word, std::span<const std::string_view> words,
                       const std::string& otherwise) {
  const std::string_view near = nearest_name(word, words);
  return near.empty() ? otherwise : fmt::format("did you mean '{}'?", near);
}

}  // namespace

py::handle KeywordFields::find(std::string_view name) {
  asked_.emplace_back(name);
  const py::str key(asked_.back());
  const py::handle value = PyDict_GetItemWithError(keywords_.ptr(), key.ptr());
  return value && value.is_none() ? py::handle() : value;
}

void KeywordFields::field(std::string_view name, Numbers& value) {
  if (const py::handle given = find(name)) {
    value = numbers_of(name, given);
  }
}

void KeywordFields::field(std::string_view name, std::optional<bool>& value) {
  if (const py::handle given = find(name)) {
    value = truth_of(name, given);
  }
}

void KeywordFields::field(std::string_view name, std::optional<std::uint64_t>& value) {
  if (const py::handle given = find(name)) {
    value = count_of(name, given);
  }
}

void KeywordFields::field(std::string_view name, std::optional<double>& value) {
  if (const py::handle given = find(name)) {
    value = number_of(name, given);
  }
}

void KeywordFields::field(std::string_view name, std::optional<std::string>& value) {
  if (const py::handle given = find(name)) {
    value = text_of(name, given);
  }
}

void KeywordFields::field(std::string_view name, std::vector<std::string>& value) {
  if (const py::handle given = find(name)) {
    if (!is_sequence(given)) {
      refuse_value(name, fmt::format("{} is no list", shown(given)), "give a list of texts");
    }
    value.clear();
    for (const py::handle part : given) {
      value.push_back(text_of(name, part));
    }
  }
}

void KeywordFields::field(std::string_view name, WordOrNumbers& value) {
  if (const py::handle given = find(name)) {
    value = is_text(given) ? WordOrNumbers{.word = text_of(name, given)}
                           : WordOrNumbers{.numbers = numbers_of(name, given).values};
  }
}

void KeywordFields::file(std::string_view name, std::optional<std::filesystem::path>& value) {
  if (const py::handle given = find(name)) {
    value = text_of(name, given);
  }
}

void KeywordFields::matrix(std::string_view name, Numbers& value) {
  if (const py::handle given = find(name)) {
    value = entries_of(name, given);
  }
}

void KeywordFields::array(std::string_view name, std::vector<double>& value) {
  if (const py::handle given = find(name)) {
    value = entries_of(name, given);
  }
}

void KeywordFields::array(std::string_view name, std::vector<std::string>& value) {
  field(name, value);
}

void KeywordFields::choice(std::string_view name, std::span<const std::string_view> words,
                           std::size_t& value) {
  if (const py::handle given = find(name)) {
    const std::string word = text_of(name, given);
    const auto found = std::ranges::find(words, word);
    if (found == words.end()) {
      refuse_value(name, fmt::format("unknown value '{}'", word),
                   nearest_or(word, words, fmt::format("give one of {}", fmt::join(words, ", "))));
    }
    value = static_cast<std::size_t>(found - words.begin());
  }
}

void KeywordFields::require_all_known() const {
  const std::vector<std::string_view> names(asked_.begin(), asked_.end());
  for (const auto& [key, value] : keywords_) {
    const auto keyword = key.cast<std::string>();
    if (!value.is_none() && std::ranges::find(names, keyword) == names.end()) {
      refuse_value(keyword, "is no option", nearest_or(keyword, names, "see help(tain)"));
    }
  }
}

}  // namespace tain::python
