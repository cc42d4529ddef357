#include "sampling/manifest_values.hpp"

#include <algorithm>
#include <cmath>

namespace tain {
namespace {

using Json = nlohmann::ordered_json;

std::vector<double> numbers_of(const Json& object, const char* key) {
  std::vector<double> values;
  const auto found = object.find(key);
  if (found != object.end() && found->is_array()) {
    for (const Json& element : *found) {
      values.push_back(element.is_number() ? element.get<double>() : NAN);
    }
  }
  return values;
}

}  // namespace

std::string text_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<double> number_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? std::optional(found->get<double>())
                                                     : std::nullopt;
}

std::optional<std::uint64_t> count_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned()
             ? std::optional(found->get<std::uint64_t>())
             : std::nullopt;
}

StepSizeHistory history_in(const Json& manifest) {
  StepSizeHistory history;
  if (const auto found = manifest.find("step_size_history");
      found != manifest.end() && found->is_object()) {
    history.step = numbers_of(*found, "step");
    history.step_size = numbers_of(*found, "step_size");
    history.acceptance = numbers_of(*found, "acceptance");
  }
  const std::size_t points = history.step.size();
  if (points > StepSizeHistory::most || history.step_size.size() != points ||
      history.acceptance.size() != points) {
    return {};
  }
  return history;
}

Bias bias_of(std::string_view kernel, bool batches) {
  if (const KernelRow* known = find_kernel(kernel)) {
    return batches ? known->batch_bias : known->bias;
  }
  // What we do not know may be biased; no kernel at all is another sampler's.
  return kernel.empty() ? Bias::none : Bias::unknown;
}

}  // namespace tain
