#include "maps/simplex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "maps/sets/kinds.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

/// Below this weight the left tail of a category's logit is so long that stretching pays.
constexpr double sparse_weight = 0.5;

constexpr std::string_view forms = "give auto, symmetric, stretched, last, or a number from 1";

std::string no_form(const std::string& text) {
  return fmt::format("'{}' is not a form of coordinates nor the number of a category", text);
}

bool is_form(std::string_view text) {
  return text == "auto" || text == "symmetric" || text == "stretched" || text == "last";
}

/// From 1; none if the text is no number.
std::optional<std::size_t> category(const std::string& text) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

class SimplexSet final : public SetKind {
 public:
  SimplexSet() = default;
  SimplexSet(Dim dim, std::string coordinates) : dim_(dim), coordinates_(std::move(coordinates)) {}

  std::string_view name() const override { return "simplex"; }
  void describe(Fields& fields) override {
    std::optional<std::uint64_t> dim = dim_;
    std::optional<std::string> coordinates =
        coordinates_ == "auto" ? std::nullopt : std::optional(coordinates_);
    fields.field("dim", dim);
    fields
        .about({"simplex: auto, symmetric, stretched (sparse weights), last (the paper's), or a "
                "category",
                "auto", "C"})
        .field("coordinates", coordinates);
    dim_ = dim;
    coordinates_ = coordinates.value_or("auto");
    if (!is_form(coordinates_) && category(coordinates_) == std::nullopt) {
      fields.refuse("coordinates", no_form(coordinates_), forms);
    }
  }
  std::unique_ptr<SetKind> clone() const override { return std::make_unique<SimplexSet>(*this); }

  void claim(Dimension& dimension) const override {
    if (dim_) {
      dimension.claim(*dim_, Field{"dim"});
    }
  }
  void check(std::size_t dim) const override {  // stretched ones follow the target
    require_categories(dim);
    static_cast<void>(reference(dim, {}));
  }

  AnyMap map(std::size_t dim, const MapHints& hints) const override {
    require_categories(dim);
    const bool asked = coordinates_ == "stretched";
    if (asked && hints.weights.size() != dim) {
      fail(Fault::config, Field{"coordinates"}, "stretched follows the weights of target dirichlet",
           "leave it out or give symmetric");
    }
    const std::optional<std::size_t> chosen = reference(dim, hints.typical_point);
    const bool sparse =
        std::ranges::any_of(hints.weights, [](double a) { return a < sparse_weight; });
    if (asked || (coordinates_ == "auto" && sparse)) {
      return SimplexMap::for_weights(hints.weights, chosen);
    }
    return chosen ? SimplexMap::with_reference(dim, *chosen) : SimplexMap::symmetric(dim);
  }

  std::string choice(const AnyMap& map) const override {
    const SimplexMap* chosen = map.as<SimplexMap>();
    if (coordinates_ != "auto" || !chosen) {
      return {};
    }
    const std::string note =
        chosen->reference()
            ? fmt::format("simplex coordinates: reference category {} (it has most of the mass)",
                          *chosen->reference() + 1)
            : "simplex coordinates: symmetric (no category dominates)";
    return chosen->is_stretched() ? note + ", stretched (weights below 1/2)" : note;
  }

 private:
  static void require_categories(std::size_t dim) {
    if (dim < 2) {
      fail(Fault::config, "simplex",
           fmt::format("a simplex has at least 2 categories, not {}", dim), "give more categories");
    }
  }

  /// Reference category (0-based); none: symmetric.
  std::optional<std::size_t> reference(std::size_t categories,
                                       const std::vector<double>& typical_point) const {
    if (coordinates_ == "symmetric") {
      return std::nullopt;
    }
    if (coordinates_ == "last") {
      return categories - 1;
    }
    if (coordinates_ == "auto" || coordinates_ == "stretched") {
      const auto largest = std::ranges::max_element(typical_point);
      return largest != typical_point.end() && *largest > 0.5
                 ? std::optional<std::size_t>(largest - typical_point.begin())
                 : std::nullopt;
    }
    const std::optional<std::size_t> number = category(coordinates_);
    if (!number) {
      fail(Fault::config, Field{"coordinates"}, no_form(coordinates_), forms);
    }
    if (*number == 0 || *number > categories) {
      fail(Fault::config, Field{"coordinates"},
           fmt::format("category {} does not exist among {}", *number, categories),
           fmt::format("give a number from 1 to {}", categories));
    }
    return *number - 1;
  }

  Dim dim_;
  std::string coordinates_ = "auto";
};

}  // namespace

Set simplex(Dim categories, std::string coordinates) {
  return checked(SimplexSet(categories, std::move(coordinates)));
}

SetEntry simplex_entry() {
  return {"simplex", {}, "probabilities that sum to 1: x = softmax of y", make_kind<SimplexSet>};
}

}  // namespace tain
