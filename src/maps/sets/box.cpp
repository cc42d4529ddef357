// Boxes, and the two of them that have names of their own.
#include "maps/box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "maps/sets/kinds.hpp"

namespace tain {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class BoxSet final : public SetKind {
 public:
  BoxSet() = default;
  BoxSet(Numbers lower, Numbers upper, Dim dim)
      : dim_(dim), lower_(loaded(std::move(lower))), upper_(loaded(std::move(upper))) {}

  std::string_view name() const override { return "box"; }
  void describe(Fields& fields) override {
    std::optional<std::uint64_t> dim = dim_;
    fields.field("dim", dim);
    fields.about({"box: lower bounds, -inf allowed"}).field("lower", lower_);
    fields.about({"box: upper bounds, inf allowed"}).field("upper", upper_);
    dim_ = dim;
  }
  std::unique_ptr<SetKind> clone() const override { return std::make_unique<BoxSet>(*this); }

  void claim(Dimension& dimension) const override {
    if (!lower_.given() && !upper_.given()) {
      fail(Fault::config, "box", "a box needs bounds",
           Phrase("give ", Field{"lower"}, " and ", Field{"upper"}));
    }
    dimension.claim(lower_, Field{"lower"});
    dimension.claim(upper_, Field{"upper"});
    if (dim_) {
      dimension.claim(*dim_, Field{"dim"});
    }
  }
  AnyMap map(std::size_t dim, const MapHints&) const override {
    return BoxMap(lower_.spread(dim, -infinity), upper_.spread(dim, infinity));
  }
  bool bounded() const override {
    const auto finite = [](const Numbers& bounds) {
      return bounds.given() &&
             std::ranges::none_of(bounds.values, [](double x) { return std::isinf(x); });
    };
    return finite(lower_) && finite(upper_);
  }

 private:
  Dim dim_;
  Numbers lower_, upper_;
};

/// A box whose bounds are its name.
template <bool Positive>
class OpenSet final : public SetKind {
 public:
  explicit OpenSet(Dim dim = {}) : dim_(dim) {}
  std::string_view name() const override { return Positive ? "positive" : "real"; }
  bool bounded() const override { return false; }
  void describe(Fields& fields) override {
    std::optional<std::uint64_t> dim = dim_;
    fields.field("dim", dim);
    dim_ = dim;
  }
  std::unique_ptr<SetKind> clone() const override { return std::make_unique<OpenSet>(*this); }
  void claim(Dimension& dimension) const override {
    if (dim_) {
      dimension.claim(*dim_, Field{"dim"});
    }
  }
  AnyMap map(std::size_t dim, const MapHints&) const override {
    return Positive ? BoxMap::orthant(dim) : BoxMap::identity(dim);
  }

 private:
  Dim dim_;
};

}  // namespace

Set box(Numbers lower, Numbers upper, Dim dim) {
  return checked(BoxSet(std::move(lower), std::move(upper), dim));
}
Set positive(Dim dim) { return checked(OpenSet<true>(dim)); }
Set real(Dim dim) { return checked(OpenSet<false>(dim)); }

SetEntry box_entry() {
  return {"box",
          {},
          "bounds per coordinate, each finite or not: x = m + r tanh y, l + e^y, u - e^-y or y",
          make_kind<BoxSet>};
}
SetEntry positive_entry() {
  return {"positive", {"orthant"}, "positive coordinates: x = e^y", make_kind<OpenSet<true>>};
}
SetEntry real_entry() {
  return {"real", {"identity", "whole"}, "no constraint: x = y", make_kind<OpenSet<false>>};
}

}  // namespace tain
