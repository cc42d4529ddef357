// From options as they were written to plans of the library.
#pragma once

#include <string>

#include "cli/values.hpp"
#include "core/fields.hpp"

namespace tain::cli {

/// Options that were given, by the names of plans: --step-size is step_size. The table of flags
/// says how each is spelled; what is wrong is named by where it was written.
class OptionFields final : public Fields {
 public:
  using Fields::choice;
  using Fields::field;

  explicit OptionFields(const Options& options, Infinite infinite = Infinite::refused)
      : options_(options), infinite_(infinite) {}

  void field(std::string_view name, Numbers& value) override;
  void field(std::string_view name, std::optional<bool>& value) override;
  void field(std::string_view name, std::optional<std::uint64_t>& value) override;
  void field(std::string_view name, std::optional<double>& value) override;
  void field(std::string_view name, std::optional<std::string>& value) override;
  void field(std::string_view name, std::vector<std::string>& value) override;
  void field(std::string_view name, WordOrNumbers& value) override;
  void file(std::string_view name, std::optional<std::filesystem::path>& value) override;
  void matrix(std::string_view name, Numbers& value) override;
  void choice(std::string_view name, std::span<const std::string_view> words,
              std::size_t& value) override;
  [[noreturn]] void refuse(std::string_view name, std::string_view problem,
                           std::string_view remedy) const override;

 private:
  const Options& options_;
  Infinite infinite_;  // numbers of lists
};

/// A plan with what the options say in the place of what it has.
template <class Plan>
Plan filled(Plan plan, const Options& options) {
  OptionFields fields(options);
  plan.describe(fields);
  return plan;
}

}  // namespace tain::cli
