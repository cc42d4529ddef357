// From keyword arguments to plans of the library.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "core/fields.hpp"
#include "core/parallel.hpp"

namespace tain::python {

/// Keywords that were given, by the names of plans; None is as good as left out. Numbers may be of
/// numpy, texts paths. Throws Error (usage) for a value of another kind.
class KeywordFields final : public Fields {
 public:
  using Fields::choice;
  using Fields::field;

  explicit KeywordFields(const pybind11::dict& keywords) : keywords_(keywords) {}

  void field(std::string_view name, Numbers& value) override;
  void field(std::string_view name, std::optional<bool>& value) override;
  void field(std::string_view name, std::optional<std::uint64_t>& value) override;
  void field(std::string_view name, std::optional<double>& value) override;
  void field(std::string_view name, std::optional<std::string>& value) override;
  void field(std::string_view name, std::vector<std::string>& value) override;
  void field(std::string_view name, WordOrNumbers& value) override;
  void file(std::string_view name, std::optional<std::filesystem::path>& value) override;
  void matrix(std::string_view name, Numbers& value) override;
  void array(std::string_view name, std::vector<double>& value) override;
  void array(std::string_view name, std::vector<std::string>& value) override;
  void choice(std::string_view name, std::span<const std::string_view> words,
              std::size_t& value) override;

  /// Throws Error (usage), with the nearest name, for a keyword that nobody asked for.
  void require_all_known() const;

 private:
  /// Null if it was not given.
  pybind11::handle find(std::string_view name);

  const pybind11::dict& keywords_;
  std::vector<std::string> asked_;
};

/// Throws Error (usage) that names the argument for what is none from 0.
std::uint64_t count_of(std::string_view name, const pybind11::handle& value);

/// Puts into a plan what the keywords say, and gives the threads that they ask for, 0: all.
template <class Plan>
std::size_t fill(Plan& plan, const pybind11::dict& keywords) {
  KeywordFields fields(keywords);
  plan.describe(fields);
  std::uint64_t threads = 0;
  fields.count("threads", threads, 0, most_threads);
  fields.require_all_known();
  return threads;
}

}  // namespace tain::python
