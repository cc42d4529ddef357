// What a verdict looks at besides the draws; what is not known is not judged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tain {

/// A place of high density that somebody found.
struct FoundMode {
  std::string where;                ///< as a person reads it: "x[1] = -3.1, x[2] = 0.2"
  std::optional<double> mass = {};  ///< share of the probability, estimated; none: not known
  /// By how much a mean or an sd of the draws would change if they had what they lack of its mass,
  /// in their sd; none: not known.
  std::optional<double> shift = {};
  double draws = 0;        ///< share of the draws that are there
  std::size_t chains = 0;  ///< how many chains have draws there
};

/// A part of the set that integrals of the density say has more mass than draws.
struct FoundMass {
  std::string where;           ///< "beyond x[1] = 0.9"
  double mass = 0, draws = 0;  ///< its share of all mass, and of the draws
};

struct RunFacts {
  std::optional<std::uint64_t> divergences = {};
  std::uint64_t total_draws = 0;
  /// Unadjusted kernels: mean acceptance that their proposals would have had.
  std::optional<double> bias_indicator = {};
  bool bias_unknown = false;  ///< unadjusted kernels that have no such indicator
  std::uint64_t thin = 1;     ///< steps per draw; divergences are counted by steps
  /// Draws that nobody here made: the verdict says what they do not tell.
  bool foreign = false, adjusted_unknown = false;
  std::vector<FoundMode> modes = {};  ///< empty: nobody looked for them
  std::optional<FoundMass> unvisited = {};
  bool one_start = false;      ///< all chains were told to begin at one point
  std::string improper = {};   ///< how draws run to where numbers end: no finite integral looks so
  std::string sign_note = {};  ///< that the sign of the density may be the wrong one
};

}  // namespace tain
