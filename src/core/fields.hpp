// The members of a plan, a set or a target by their names, listed once: whatever reads or writes
// them (flags, problem files, keyword arguments, JSON, checkpoints) visits that list.
//
// Definition: describe(Fields&) of a type calls field(name, member) for each member in turn, with
//   the name that messages use (core/error.hpp: Field). A reader leaves alone what was not given.
//   What a value must be by itself, whatever the others are, is said there too: count, positive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tain/core/error.hpp"
#include "tain/core/numbers.hpp"

namespace tain {

/// What people are told of a member, where something lists members to them.
struct FieldText {
  std::string_view help;           ///< one sentence, no full stop
  std::string_view fallback = {};  ///< what stands in its place where it is left out, as text
  std::string_view symbol = {};    ///< what stands for a value, such as "R"; empty: as for its kind
};

/// A word with a meaning of its own, or numbers: "auto", or 0.1, or 0.1, 1000, 0.5.
struct WordOrNumbers {
  std::string word = {};
  std::vector<double> numbers = {};
};

class Fields {
 public:
  virtual ~Fields() = default;
  /// Says what the member is that comes next: about({"radius"}).field("radius", radius_). Without
  /// it a member is listed elsewhere (the dim of every set).
  virtual Fields& about(const FieldText&) { return *this; }
  // Those that must be there are read as those that need not, unless a class says otherwise.
  virtual void field(std::string_view name, bool& value) { present(name, value); }
  virtual void field(std::string_view name, std::uint64_t& value) { present(name, value); }
  virtual void field(std::string_view name, double& value) { present(name, value); }
  virtual void field(std::string_view name, std::string& value) { present(name, value); }
  virtual void field(std::string_view name, Numbers& value) = 0;
  virtual void field(std::string_view name, std::optional<std::uint64_t>& value) = 0;
  virtual void field(std::string_view name, std::optional<double>& value) = 0;
  virtual void field(std::string_view name, std::optional<std::string>& value) = 0;
  virtual void field(std::string_view name, std::vector<std::string>& value) = 0;
  virtual void field(std::string_view name, WordOrNumbers& value) = 0;
  /// A file that is read.
  virtual void file(std::string_view name, std::optional<std::filesystem::path>& value) = 0;
  /// A square matrix, row by row: the file that has it, or where a class can say so its numbers.
  virtual void matrix(std::string_view name, Numbers& value);
  virtual void field(std::string_view name, std::optional<bool>& value) = 0;
  /// What only code can bring: no flag has it, and no file keeps it.
  virtual void array(std::string_view, std::vector<double>&) {}
  virtual void array(std::string_view, std::vector<std::string>&) {}
  /// One of a few words, by its number; as many as there are words: none of them.
  virtual void choice(std::string_view name, std::span<const std::string_view> words,
                      std::size_t& value) = 0;

  /// Throws Error (config) for more than 32 bits hold.
  void field(std::string_view name, std::uint32_t& value) {
    std::uint64_t wide = value;
    field(name, wide);
    if (wide > std::numeric_limits<std::uint32_t>::max()) {
      refuse(name, "is more than 4,294,967,295", "give a smaller number");
    }
    value = static_cast<std::uint32_t>(wide);
  }
  /// An enumeration whose enumerators have these words, in order.
  template <class Enum>
    requires std::is_enum_v<Enum>
  void choice(std::string_view name, std::span<const std::string_view> words, Enum& value) {
    auto number = static_cast<std::size_t>(value);
    choice(name, words, number);
    value = static_cast<Enum>(number);
  }
  template <class Enum>
  void choice(std::string_view name, std::span<const std::string_view> words,
              std::optional<Enum>& value) {
    std::size_t number = value ? static_cast<std::size_t>(*value) : words.size();
    choice(name, words, number);
    if (number < words.size()) {
      value = static_cast<Enum>(number);
    }
  }
  /// The first word, `auto`, leaves it to whoever decides; the others are the enumerators.
  template <class Enum>
  void choice_or_auto(std::string_view name, std::span<const std::string_view> words,
                      std::optional<Enum>& value) {
    std::size_t number = value ? static_cast<std::size_t>(*value) + 1 : 0;
    choice(name, words, number);
    value = number == 0 ? std::nullopt : std::optional(static_cast<Enum>(number - 1));
  }

  /// One of these words, where one is given.
  void word(std::string_view name, std::span<const std::string_view> words,
            std::optional<std::string>& value);

  /// Whole numbers within bounds, where they are given.
  static constexpr std::uint64_t boundless = std::numeric_limits<std::uint64_t>::max();
  void count(std::string_view name, std::optional<std::uint64_t>& value, std::uint64_t least,
             std::uint64_t most = boundless);
  void count(std::string_view name, std::uint64_t& value, std::uint64_t least,
             std::uint64_t most = boundless);
  void count(std::string_view name, std::uint32_t& value, std::uint64_t least, std::uint32_t most);
  /// Numbers above 0, where they are given.
  void positive(std::string_view name, std::optional<double>& value);
  void positive(std::string_view name, double& value);
  /// A number of bytes, read as "500M" or "4G".
  void bytes(std::string_view name, std::optional<std::uint64_t>& value);

  /// A value that is wrong by itself: throws Error, of a fault that suits where it came from.
  [[noreturn]] virtual void refuse(std::string_view name, std::string_view problem,
                                   std::string_view remedy) const;

 private:
  template <class Value>
  void present(std::string_view name, Value& value) {
    std::optional<Value> found = std::move(value);
    field(name, found);
    value = std::move(*found);
  }
};

/// Gives nothing: describe() then only looks at what is there.
class NothingGiven : public Fields {
 public:
  using Fields::choice;
  using Fields::field;
  void field(std::string_view, Numbers&) override {}
  void field(std::string_view, std::optional<bool>&) override {}
  void field(std::string_view, std::optional<std::uint64_t>&) override {}
  void field(std::string_view, std::optional<double>&) override {}
  void field(std::string_view, std::optional<std::string>&) override {}
  void field(std::string_view, std::vector<std::string>&) override {}
  void field(std::string_view, WordOrNumbers&) override {}
  void file(std::string_view, std::optional<std::filesystem::path>&) override {}
  void choice(std::string_view, std::span<const std::string_view>, std::size_t&) override {}
};
/// Names of the members, in their order.
class FieldNames final : public NothingGiven {
 public:
  using NothingGiven::choice;
  using NothingGiven::field;
  void field(std::string_view name, Numbers&) override { names.emplace_back(name); }
  void field(std::string_view name, std::optional<bool>&) override { names.emplace_back(name); }
  void field(std::string_view name, std::optional<std::uint64_t>&) override {
    names.emplace_back(name);
  }
  void field(std::string_view name, std::optional<double>&) override { names.emplace_back(name); }
  void field(std::string_view name, std::optional<std::string>&) override {
    names.emplace_back(name);
  }
  void field(std::string_view name, std::vector<std::string>&) override {
    names.emplace_back(name);
  }
  void field(std::string_view name, WordOrNumbers&) override { names.emplace_back(name); }
  void file(std::string_view name, std::optional<std::filesystem::path>&) override {
    names.emplace_back(name);
  }
  void choice(std::string_view name, std::span<const std::string_view>, std::size_t&) override {
    names.emplace_back(name);
  }
  std::vector<std::string> names;
};
/// Throws Error (config) for a plan of which a value is wrong by itself.
template <class Plan>
void require_in_range(Plan plan) {
  NothingGiven nothing;
  plan.describe(nothing);
}

}  // namespace tain
