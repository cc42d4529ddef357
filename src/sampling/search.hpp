// What a run saw of its target beside the draws: modes, the end of numbers, signs of a wrong sign.
// The verdict judges it (diagnose/facts.hpp).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "run/sampler.hpp"
#include "run/survey.hpp"
#include "tain/diagnose/facts.hpp"
#include "tain/draws/draws.hpp"

namespace tain {

struct Search {
  std::vector<FoundMode> modes = {};
  std::optional<FoundMass> unvisited = {};
  std::string improper = {}, sign_note = {};
  bool one_start = false;

  bool empty() const {
    return modes.empty() && !unvisited && improper.empty() && sign_note.empty() && !one_start;
  }
};

/// `survey`: of the same problem. What needs the dual of draws is left out where there is none.
Search search_of(const Problem& problem, const SamplePlan& plan, const Survey& survey,
                 const Draws& draws);

nlohmann::ordered_json search_json(const Search& search);
/// What is not as search_json writes it is left out.
Search search_in(const nlohmann::ordered_json& manifest);

}  // namespace tain
