// The one exception of the library: what went wrong, where, and what to do about it.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace tain {

/// Kind of failure; the numbers are the program's exit codes (sysexits.h where one exists).
enum class Fault : int {
  gate_failed = 2,     ///< ran, but a diagnostic gate failed
  usage = 64,          ///< the command line is wrong
  data = 65,           ///< input was read and is wrong
  no_input = 66,       ///< input cannot be opened
  internal = 70,       ///< our bug
  cannot_create = 73,  ///< output cannot be created
  io = 74,             ///< reading or writing failed half-way
  resumable = 75,      ///< stopped, can be resumed
  config = 78,         ///< options contradict each other or the problem
  interrupted = 130,   ///< stopped by the user; a checkpoint was written
};

/// An option as the library names it, with the value to give it if one is meant: step_size,
/// {"kernel", "mala"}. Whoever shows it to people spells it as they would write it.
struct Field {
  std::string name, value = {};
};
/// How an option is written: `step_size = 0.1` in the library, `--step-size 0.1` for the program.
using Spelling = std::function<std::string(const Field&)>;

/// A piece of a message, with options in it: Phrase("leave it out, or use ", Field{"kernel"}).
class Phrase {
 public:
  Phrase() = default;
  template <class... Parts>
    requires(sizeof...(Parts) > 0 && ((std::convertible_to<Parts, std::string_view> ||
                                       std::same_as<std::remove_cvref_t<Parts>, Field>) &&
                                      ...))
  Phrase(Parts&&... parts)  // NOLINT(google-explicit-constructor): a text is one
      : parts_{Part(to_part(std::forward<Parts>(parts)))...} {}

  Phrase& add(const Phrase& more);
  bool empty() const;
  std::string text(const Spelling& spelling) const;
  /// The first option in it.
  std::optional<Field> field() const;

 private:
  using Part = std::variant<std::string, Field>;
  static Part to_part(std::string_view text) { return std::string(text); }
  static Part to_part(Field field) { return field; }
  std::vector<Part> parts_;
};

/// Thrown for bad input, configuration and I/O. The message reads `<where>: <problem>; <what to
/// do>`; what() has it in the library's spelling.
class Error : public std::runtime_error {
 public:
  Error(Fault fault, Phrase where, Phrase problem, Phrase remedy);
  Fault fault() const noexcept { return parts_->fault; }
  /// The option that is wrong, where one is.
  std::optional<Field> field() const { return parts_->where.field(); }
  /// The same, about another place.
  Error at(const Phrase& where) const;
  /// The same, with something else to do about it.
  Error with_remedy(const Phrase& remedy) const;
  /// `culprit`: how the option that is wrong is named, if otherwise than the others.
  std::string message(const Spelling& spelling, const Spelling& culprit = {}) const;

 private:
  struct Parts {
    Fault fault;
    Phrase where, problem, remedy;
  };
  std::shared_ptr<const Parts> parts_;  // exceptions are copied
};

/// Throws Error; without a remedy the message ends with the problem.
[[noreturn]] void fail(Fault fault, Phrase where, Phrase problem, Phrase remedy = {});

}  // namespace tain

/// Guards against programming errors (never against user input): on in dev builds, off in release.
#ifdef TAIN_CHECKED
#define TAIN_EXPECTS(condition, why) \
  ((condition) ? void() : ::tain::fail(::tain::Fault::internal, __func__, why, "please report it"))
#else
#define TAIN_EXPECTS(condition, why) static_cast<void>(0)
#endif
