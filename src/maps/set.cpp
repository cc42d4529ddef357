#include "tain/maps/set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/names.hpp"
#include "maps/set_kind.hpp"
#include "random/noise.hpp"
#include "tain/core/error.hpp"

namespace tain {

std::string SetKind::text() const {
  return dim() ? fmt::format("{}({})", name(), *dim()) : std::string(name());
}

Dim SetKind::dim() const {
  Dimension own;
  claim(own);
  return own.agreed();
}

Dim Set::dim() const { return kind_->dim(); }

std::string Set::text() const { return kind_->text(); }

AnyMap Set::map(std::size_t dim, const MapHints& hints) const {
  return kind_->map(kind_->dim().value_or(dim), hints);
}

AnyMap Set::even_map(Dim given) const {
  Dimension agreed;
  if (const Dim own_dim = dim()) {
    agreed.claim(*own_dim, text());
  }
  if (given) {
    agreed.claim(*given, Field{"dim"});
  }
  const Dim own = agreed.agreed();
  if (!own) {
    fail(Fault::usage, Field{"dim"}, fmt::format("{} leaves it open", text()),
         "say how many coordinates there are");
  }
  // The set is the same in all coordinates; stretched ones would ask for weights.
  const std::vector<double> even(*own, 1.0);
  return kind_->map(*own, {.typical_point = {}, .weights = even});
}

std::vector<double> Set::centre(Dim dim) const {
  const AnyMap map = even_map(dim);
  std::vector<double> x(map.primal_dim());
  map.centre(x);
  return x;
}

std::vector<double> Set::point(std::uint64_t seed, Dim dim) const {
  const AnyMap map = even_map(dim);
  std::vector<double> x(map.primal_dim());
  map.centre(x);
  BlockStorage primal(map.primal_dim(), lane_group), dual(map.dual_dim(), lane_group);
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::fill_n(primal.view().row(i), lane_group, x[i]);
  }
  Workspace workspace;
  map.to_dual(primal.view(), dual.view(), workspace);
  Stream normals(NoiseField(seed), Purpose::check, 0, 0);
  for (double& y : dual.view().flat()) {
    y += normals.normal();
  }
  map.to_primal(dual.view(), primal.view(), workspace);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = primal.view().at(i, 0);
  }
  return x;
}

bool Set::contains(std::span<const double> x) const {
  const std::size_t own = dim().value_or(x.size());
  if (x.size() != own) {
    fail(Fault::config, text(),
         fmt::format("a point of {} numbers is asked for in {} dimensions", x.size(), own),
         "give one number per coordinate");
  }
  return even_map(own).contains(x);
}

std::vector<Parameter> Set::parameters() const {
  if (const std::optional<AffineParts> image = affine_parts(*this)) {
    return image->inner.parameters();
  }
  std::vector<Parameter> named;
  std::size_t first = 0;
  for (const Part& part : kind_->parts()) {
    const Dim dim = part.set.dim();
    if (!part.name.empty()) {
      named.push_back({part.name, dim ? std::vector{*dim} : std::vector<std::size_t>(), first,
                       dim.value_or(1)});
    }
    first += dim.value_or(1);
  }
  return named;
}

std::vector<std::string> coordinate_names(std::span<const Parameter> parameters, std::size_t dim) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) {
    for (std::size_t i = 0; i < parameter.count; ++i) {
      names.push_back(parameter.shape.empty() ? parameter.name
                                              : fmt::format("{}[{}]", parameter.name, i + 1));
    }
  }
  for (std::size_t i = names.size(); i < dim; ++i) {
    names.push_back(fmt::format("x[{}]", i + 1));
  }
  return names;
}

// One per kind, beside it in sets/.
SetEntry simplex_entry();
SetEntry box_entry();
SetEntry ball_entry();
SetEntry positive_entry();
SetEntry real_entry();
SetEntry product_entry();
SetEntry affine_entry();

std::span<const SetEntry> set_table() {
  static const std::array table{simplex_entry(), box_entry(),     ball_entry(),  positive_entry(),
                                real_entry(),    product_entry(), affine_entry()};
  return table;
}

std::vector<NamedKind> list_sets() { return named_kinds(set_table()); }

const SetEntry* set_with_field(std::string_view field) {
  const SetEntry* only = nullptr;
  for (const SetEntry& entry : set_table()) {
    FieldNames names;
    if (entry.make) {
      entry.make()->describe(names);
    }
    if (std::ranges::find(names.names, field) != names.names.end()) {
      if (only) {
        return nullptr;
      }
      only = &entry;
    }
  }
  return only;
}

const SetEntry* find_set(std::string_view name) {
  const auto found = std::ranges::find_if(set_table(), [&](const SetEntry& entry) {
    return entry.name == name || std::ranges::find(entry.former, name) != entry.former.end();
  });
  return found == set_table().end() ? nullptr : &*found;
}

std::string map_text(std::string name) {
  for (const SetEntry& entry : set_table()) {
    const std::string old = entry.former.empty() ? "" : fmt::format("{}(", entry.former.front());
    for (std::size_t at = 0; !old.empty() && (at = name.find(old, at)) != std::string::npos; ++at) {
      name.replace(at, old.size() - 1, entry.name);
    }
  }
  return name;
}

std::string_view name_in_files(const SetKind& kind) {
  const SetEntry* entry = find_set(kind.name());
  return entry && !entry->former.empty() ? entry->former.front() : kind.name();
}

}  // namespace tain
