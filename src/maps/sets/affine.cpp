// Images of sets under affine maps, and maps of one's own.
#include "maps/affine.hpp"

#include <fmt/format.h>

#include <cmath>

#include "maps/sets/kinds.hpp"

namespace tain {
namespace {

class AffineSet final : public SetKind {
 public:
  AffineSet(Set inner, std::vector<double> matrix, Numbers shift)
      : inner(std::move(inner)), matrix(std::move(matrix)), shift(loaded(std::move(shift))) {}

  std::string_view name() const override { return "affine"; }
  std::unique_ptr<SetKind> clone() const override { return std::make_unique<AffineSet>(*this); }
  void claim(Dimension& dimension) const override {
    const auto side = static_cast<std::size_t>(std::lround(std::sqrt(double(matrix.size()))));
    if (matrix.empty() || side * side != matrix.size()) {
      fail(Fault::config, Field{"matrix"}, "is not square", "give as many rows as columns");
    }
    Dimension agreed;
    if (const Dim own = inner.dim()) {
      agreed.claim(*own, "affine: the set");
    }
    agreed.claim(side, Field{"matrix"});
    dimension.claim(side, "affine");
  }
  AnyMap map(std::size_t dim, const MapHints&) const override {
    return AffineMap(inner.map(dim), matrix, shift.spread(dim));
  }
  std::string text() const override { return fmt::format("affine({})", inner.text()); }
  bool bounded() const override { return inner.kind().bounded(); }
  std::size_t depth() const override { return 1 + inner.kind().depth(); }

  Set inner;
  std::vector<double> matrix;
  Numbers shift;
};

class MappedSet final : public SetKind {
 public:
  explicit MappedSet(AnyMap own) : own_(std::move(own)) {}
  std::string_view name() const override { return "mapped"; }
  std::unique_ptr<SetKind> clone() const override { return std::make_unique<MappedSet>(*this); }
  void claim(Dimension& dimension) const override {
    dimension.claim(own_.primal_dim(), own_.name());
  }
  AnyMap map(std::size_t, const MapHints&) const override { return own_; }
  std::string text() const override { return own_.name(); }

 private:
  AnyMap own_;
};

}  // namespace

Set affine(Set inner, std::vector<double> matrix, Numbers shift) {
  return checked(AffineSet(std::move(inner), std::move(matrix), std::move(shift)));
}

Set mapped(AnyMap own) { return checked(MappedSet(std::move(own))); }

std::optional<AffineParts> affine_parts(const Set& set) {
  const auto* image = dynamic_cast<const AffineSet*>(&set.kind());
  return image ? std::optional(AffineParts{image->inner, image->matrix, image->shift})
               : std::nullopt;
}

SetEntry affine_entry() {
  return {"affine", {}, "image of another set: x = A x0 + b", nullptr, {"matrix", "shift"}};
}

}  // namespace tain
