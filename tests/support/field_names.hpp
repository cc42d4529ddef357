// What a plan lists of itself.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/fields.hpp"

namespace tain::test {

/// Names of members in their order, and the words of those that are choices.
class FieldNames final : public Fields {
 public:
  void field(std::string_view name, Numbers&) override { add(name); }
  void field(std::string_view name, std::optional<std::uint64_t>&) override { add(name); }
  void field(std::string_view name, std::optional<double>&) override { add(name); }
  void field(std::string_view name, std::optional<std::string>&) override { add(name); }
  void field(std::string_view name, std::optional<bool>&) override { add(name); }
  void field(std::string_view name, std::vector<std::string>&) override { add(name); }
  void field(std::string_view name, WordOrNumbers&) override { add(name); }
  void file(std::string_view name, std::optional<std::filesystem::path>&) override { add(name); }
  void choice(std::string_view name, std::span<const std::string_view> list,
              std::size_t&) override {
    add(name);
    words[std::string(name)] = {list.begin(), list.end()};
  }

  std::vector<std::string> names;
  std::map<std::string, std::vector<std::string>> words;

 private:
  void add(std::string_view name) { names.emplace_back(name); }
};

template <class Plan>
FieldNames fields_of(Plan plan) {
  FieldNames names;
  plan.describe(names);
  return names;
}

}  // namespace tain::test
