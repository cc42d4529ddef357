#include "domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tain/maps/affine.hpp"
#include "tain/maps/ball.hpp"
#include "tain/maps/box.hpp"
#include "tain/maps/product.hpp"
#include "tain/maps/registry.hpp"
#include "tain/maps/simplex.hpp"
#include "tain/maps/stretched_simplex.hpp"

namespace tain::cli {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Lists of a set that imply its dimension; one number alone stands for all coordinates.
void claim_list(const std::optional<std::vector<double>>& list, const std::string& origin,
                Dimension& dimension) {
  if (list && list->size() > 1) {
    dimension.claim(list->size(), origin);
  }
}

const RawValue* entry(const RawTable& table, std::string_view name) {
  const auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

std::optional<std::vector<double>> entry_numbers(const RawTable& table, std::string_view name,
                                                 Infinite infinite = Infinite::refused) {
  const RawValue* value = entry(table, name);
  return value ? std::optional(parse_numbers(*value, infinite)) : std::nullopt;
}

void require_known_type(const SetDescription& set) {
  std::vector<std::string_view> names;
  for (const auto& known : map_table()) {
    names.push_back(known.name);
  }
  if (std::ranges::find(names, set.type) == names.end()) {
    fail(set.fault, set.origin, fmt::format("unknown map '{}'", set.type),
         suggestion(set.type, names, fmt::format("give one of {}", fmt::join(names, ", "))));
  }
}

/// Products and affine images have parts, which flags cannot describe.
void require_simple(const SetDescription& set) {
  if (set.type == "product" || set.type == "affine") {
    fail(set.fault, set.origin, fmt::format("map {} needs a problem file", set.type),
         set.type == "product" ? "write one [[map]] table per factor"
                               : "write a [map] table with type, matrix and shift");
  }
}

/// A key that the map does not look at is a misunderstanding, so it is an error.
void require_belongs(const SetDescription& set, const RawTable& table) {
  struct Owner {
    std::string_view key, type;
  };
  constexpr Owner owners[] = {{"lower", "box"},      {"upper", "box"},
                              {"centre", "ball"},    {"radius", "ball"},
                              {"ball-form", "ball"}, {"coordinates", "simplex"}};
  for (const Owner& owner : owners) {
    if (const RawValue* value = entry(table, owner.key); value && owner.type != set.type) {
      fail(Fault::config, value->origin,
           fmt::format("belongs to map {}, but the map is {}", owner.type, set.type),
           fmt::format("leave it out or use map {}", owner.type));
    }
  }
}

/// The keys shared by flags and tables.
SetDescription describe(const RawTable& table, std::string type, std::string origin, Fault fault) {
  SetDescription set;
  set.type = std::move(type);
  set.origin = std::move(origin);
  set.fault = fault;
  require_known_type(set);
  require_simple(set);
  require_belongs(set, table);
  set.lower = entry_numbers(table, "lower", Infinite::allowed);
  set.upper = entry_numbers(table, "upper", Infinite::allowed);
  set.centre = entry_numbers(table, "centre");
  if (const RawValue* value = entry(table, "radius")) {
    set.radius = parse_number(value->parts.front(), *value);
  }
  if (const RawValue* value = entry(table, "ball-form")) {
    const std::vector<std::string_view> forms{"tanh", "paper"};
    set.ball_form = value->parts.front();
    if (std::ranges::find(forms, set.ball_form) == forms.end()) {
      reject(*value, fmt::format("unknown value '{}'", set.ball_form),
             suggestion(set.ball_form, forms, "give tanh or paper"));
    }
  }
  if (const RawValue* value = entry(table, "coordinates")) {
    set.coordinates = value->parts.front();
    if (set.coordinates != "auto" && set.coordinates != "symmetric" &&
        set.coordinates != "stretched" && set.coordinates != "last") {
      parse_count(set.coordinates, *value);
    }
  }
  if (set.type == "box" && !set.lower && !set.upper) {
    fail(set.fault, set.origin, "a box needs bounds", "give --lower and --upper");
  }
  return set;
}

SetDescription read_table(const RawTable& table) {
  const RawValue* type = entry(table, "type");
  if (!type) {
    const std::string where = table.empty() ? "map" : table.begin()->second.origin;
    fail(Fault::config, where, "a map table has no type", "write type = \"simplex\" or another");
  }
  SetDescription set = describe(table, type->parts.front(), type->origin, Fault::config);
  Dimension own;
  claim_list(set.lower, set.origin, own);
  claim_list(set.upper, set.origin, own);
  claim_list(set.centre, set.origin, own);
  if (const RawValue* value = entry(table, "dim")) {
    own.claim(parse_count(value->parts.front(), *value), value->origin);
  }
  if (const RawValue* value = entry(table, "matrix")) {
    if (value->columns == 0) {
      reject(*value, "is not a matrix", "write a list of rows, e.g. [[1, 0], [1, 1]]");
    }
    set.matrix = parse_numbers(*value);
    set.matrix_columns = value->columns;
    own.claim(value->columns, value->origin);
  }
  if (const auto shift = entry_numbers(table, "shift")) {
    set.shift = *shift;
    if (set.matrix.empty()) {
      reject(*entry(table, "shift"), "needs a matrix", "give the matrix too, or shift the bounds");
    }
  }
  set.dim = own.agreed();
  return set;
}

SetDescription read_tables(const std::vector<RawTable>& tables) {
  if (tables.size() == 1) {
    return read_table(tables.front());
  }
  SetDescription set;
  set.type = "product";
  for (const RawTable& table : tables) {
    set.factors.push_back(read_table(table));
  }
  return set;
}

AnyMap make_box(const SetDescription& set, std::size_t dim) {
  return Box(spread(set.lower.value_or(std::vector{-infinity}), dim),
             spread(set.upper.value_or(std::vector{infinity}), dim));
}

/// Below this weight the left tail of a category's logit is so long that stretching pays.
constexpr double sparse_weight = 0.5;

AnyMap make_simplex(const SetDescription& set, std::size_t dim, const SimplexHints& hints) {
  if (dim < 2) {
    fail(Fault::config, set.origin, fmt::format("a simplex has at least 2 categories, not {}", dim),
         "give more categories");
  }
  const bool asked = set.coordinates == "stretched";
  if (asked && hints.weights.size() != dim) {
    fail(Fault::config, "--coordinates", "stretched follows the weights of target dirichlet",
         "leave it out or give symmetric");
  }
  const auto reference = simplex_reference(set, dim, hints.typical_point);
  const bool sparse =
      std::ranges::any_of(hints.weights, [](double a) { return a < sparse_weight; });
  if (asked || (set.coordinates == "auto" && sparse)) {
    return StretchedSimplex::for_weights(hints.weights, reference);
  }
  return reference ? Simplex::with_reference(dim, *reference) : Simplex::symmetric(dim);
}

AnyMap make_product(const SetDescription& set) {
  std::vector<AnyMap> factors;
  ambient_dim(set);  // every factor has one
  for (const SetDescription& factor : set.factors) {
    factors.push_back(make_map(factor, 0, {}));
  }
  return Product(std::move(factors));
}

AnyMap make_set(const SetDescription& set, std::size_t dim, const SimplexHints& hints) {
  if (!set.factors.empty()) {
    return make_product(set);
  }
  if (set.type == "simplex") {
    return make_simplex(set, dim, hints);
  }
  if (set.type == "ball") {
    return Ball(spread(set.centre.value_or(std::vector{0.0}), dim), set.radius,
                set.ball_form == "paper" ? BallForm::paper : BallForm::tanh);
  }
  if (set.type == "orthant") {
    return Box::orthant(dim);
  }
  return set.type == "box" ? make_box(set, dim) : Box::identity(dim);
}

}  // namespace

void Dimension::claim(std::size_t size, const std::string& origin) {
  if (size == 0) {
    fail(Fault::config, origin, "implies dimension 0", "give at least one coordinate");
  }
  if (size_ && *size_ != size) {
    fail(Fault::config, origin,
         fmt::format("implies dimension {}, but {} implies {}", size, origin_, *size_),
         "make them agree");
  }
  if (!size_) {
    size_ = size;
    origin_ = origin;
  }
}

std::size_t Dimension::require() const {
  if (!size_) {
    fail(Fault::usage, "--dim", "the number of coordinates is not known", "give --dim N");
  }
  return *size_;
}

SetDescription read_domain(const Command& command, const RawOptions& raw,
                           std::string_view default_type, Dimension& dimension) {
  if (!raw.maps.empty()) {
    SetDescription set = read_tables(raw.maps);
    if (const auto dim = ambient_dim(set)) {
      dimension.claim(*dim, "map");
    }
    return set;
  }
  const Options options(command, raw);
  std::string type(default_type);
  std::string origin = "--map";
  Fault fault = Fault::usage;
  if (const RawValue* value = options.find("map")) {
    type = value->parts.front();
    origin = value->origin;
    fault = value->fault;
  } else if (options.given("lower") || options.given("upper")) {
    type = "box";
  } else if (options.given("radius") || options.given("centre")) {
    type = "ball";
  }
  if (type.empty()) {
    fail(Fault::usage, "--map", "is missing", "give --map NAME, see `tain maps`");
  }
  SetDescription set = describe(raw.values, type, origin, fault);
  claim_list(set.lower, "--lower", dimension);
  claim_list(set.upper, "--upper", dimension);
  claim_list(set.centre, "--centre", dimension);
  return set;
}

std::optional<std::size_t> ambient_dim(const SetDescription& set) {
  if (!set.matrix.empty()) {
    return set.matrix.size() / set.matrix_columns;
  }
  if (set.factors.empty()) {
    return set.dim;
  }
  std::size_t total = 0;
  for (const SetDescription& factor : set.factors) {
    const std::optional<std::size_t> dim = ambient_dim(factor);
    if (!dim) {
      fail(Fault::config, factor.origin, "a factor's dimension is not known", "add dim = N to it");
    }
    total += *dim;
  }
  return total;
}

std::optional<std::size_t> simplex_reference(const SetDescription& set, std::size_t categories,
                                             const std::vector<double>& typical_point) {
  if (set.coordinates == "symmetric") {
    return std::nullopt;
  }
  if (set.coordinates == "last") {
    return categories - 1;
  }
  if (set.coordinates == "auto" || set.coordinates == "stretched") {
    const auto largest = std::ranges::max_element(typical_point);
    return largest != typical_point.end() && *largest > 0.5
               ? std::optional<std::size_t>(largest - typical_point.begin())
               : std::nullopt;
  }
  RawValue value;
  value.origin = "--coordinates";
  value.fault = set.fault;
  const std::uint64_t category = parse_count(set.coordinates, value);
  if (category == 0 || category > categories) {
    fail(Fault::config, value.origin,
         fmt::format("category {} does not exist among {}", category, categories),
         fmt::format("give a number from 1 to {}", categories));
  }
  return category - 1;
}

AnyMap make_map(const SetDescription& set, std::size_t dim, const SimplexHints& hints) {
  if (set.matrix.empty()) {
    return make_set(set, set.dim.value_or(dim), hints);
  }
  const std::size_t rows = set.matrix.size() / set.matrix_columns;
  return AffineImage(make_set(set, set.matrix_columns, {}), set.matrix,
                     spread(set.shift.empty() ? std::vector{0.0} : set.shift, rows));
}

std::vector<double> spread(const std::vector<double>& values, std::size_t dim) {
  return values.size() == 1 ? std::vector(dim, values.front()) : values;
}

}  // namespace tain::cli
