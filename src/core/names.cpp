#include "core/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "tain/core/error.hpp"

namespace tain {

namespace {

// Damerau-Levenshtein distance in its restricted form: no substring is edited twice.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    previous[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t least = name.size() + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < least && 3 * distance <= std::max(name.size(), candidate.size())) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string one_of(std::span<const std::string_view> names) {
  return names.size() < 2 ? fmt::format("{}", fmt::join(names, ""))
                          : fmt::format("{} or {}", fmt::join(names.first(names.size() - 1), ", "),
                                        names.back());
}

void fail_unknown(std::string_view option, std::string_view name,
                  std::span<const std::string_view> candidates) {
  const std::string_view best = nearest_name(name, candidates);
  const std::string remedy = best.empty()
                                 ? fmt::format("choose one of {}", fmt::join(candidates, ", "))
                                 : fmt::format("did you mean '{}'?", best);
  fail(Fault::usage, Field{std::string(option)}, fmt::format("unknown value '{}'", name), remedy);
}

}  // namespace tain
