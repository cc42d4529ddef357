#include "sampling/problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/display.hpp"
#include "maps/set_kind.hpp"
#include "targets/target_kind.hpp"

namespace tain {
namespace {

/// Are there numbers that stand for coordinates? A prior's weight does not.
class GivenNumbers final : public NothingGiven {
 public:
  using NothingGiven::field;
  void field(std::string_view name, Numbers& value) override {
    any = any || (value.given() && name != "alpha");
  }
  bool any = false;
};

Dim agreed_dimension(const Set& set, const Target& target, const SamplePlan& plan) {
  Dimension dimension;
  if (const Dim dim = set.dim()) {
    dimension.claim(*dim, set.text());
  }
  target.claim(dimension);
  dimension.claim(plan.start, Field{"start"});
  if (!dimension.agreed()) {
    GivenNumbers numbers;
    set.kind().clone()->describe(numbers);
    target.kind().clone()->describe(numbers);
    if (numbers.any || plan.start.given()) {
      return 1;
    }
  }
  return dimension.agreed();
}

void require_names(const std::vector<std::string>& names, std::size_t dim) {
  if (names.size() != dim) {
    fail(Fault::config, Field{"names"},
         fmt::format("has {} entries for {} coordinates", names.size(), dim),
         "give one per coordinate");
  }
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name->empty() || !is_readable(*name)) {
      fail(Fault::config, Field{"names"},
           fmt::format("that of coordinate {} is empty, or no text", name - names.begin() + 1),
           "give words in UTF-8");
    }
    if (std::find(names.begin(), name, *name) != name) {
      fail(Fault::config, Field{"names"}, fmt::format("has '{}' twice", *name),
           "give every coordinate its own");
    }
  }
}

/// The set itself, alone: no image of it, and of a product no more than the one part. Whoever brings
/// a map of their own is believed.
bool is_of_kind(const Set& set, std::string_view name) {
  const std::span<const Part> parts = set.kind().parts();
  return parts.size() == 1 ? is_of_kind(parts.front().set, name)
                           : set.kind().name() == name || set.kind().name() == "mapped";
}

void require_own_set(const Set& set, const Target& target) {
  if (!target.kind().bound_to_own_set()) {
    return;
  }
  const std::string own(target.kind().own_set()->kind().name());
  if (!is_of_kind(set, own)) {
    fail(Fault::config, Field{"set"},
         fmt::format("{} lives on the {} only, not on {}", target.name(), own, set.text()),
         Phrase("leave it out, or give ", Field{"set", own}));
  }
}

}  // namespace

BuiltProblem build_problem(const std::optional<Set>& given, const Target& target,
                           const SamplePlan& plan) {
  const std::optional<Set> set = given ? given : target.kind().own_set();
  if (!set) {
    fail(Fault::usage, Field{"set"}, "is missing", "say where the target lives");
  }
  require_own_set(*set, target);
  const AnyPotential potential = target.potential(agreed_dimension(*set, target, plan));
  const AnyMap map = map_of(*set, potential);
  std::vector<Parameter> parameters = set->parameters();
  std::vector<std::string> names = target.kind().names();
  if (!plan.names.empty()) {
    require_names(plan.names, map.primal_dim());
    names = plan.names;
    parameters.clear();
  } else if (!parameters.empty()) {
    names.clear();
  }
  if (names.size() < map.primal_dim()) {
    const std::vector<std::string> rest = coordinate_names(parameters, map.primal_dim());
    names.insert(names.end(), rest.begin() + std::ptrdiff_t(names.size()), rest.end());
  }
  BuiltProblem built{{map, potential, plan.dual_form}, std::move(names), std::move(parameters), {}};
  if (std::string note = set->kind().choice(map); !note.empty()) {
    built.notes.push_back(std::move(note));
  }
  return built;
}

}  // namespace tain
