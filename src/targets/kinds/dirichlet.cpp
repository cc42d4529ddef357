#include "targets/dirichlet.hpp"

#include <fmt/format.h>

#include "core/number_file.hpp"
#include "targets/target_kind.hpp"

namespace tain {
namespace {

class DirichletKind final : public TargetKind {
 public:
  explicit DirichletKind(targets::Dirichlet numbers = {}) : numbers_(std::move(numbers)) {}
  std::string name() const override { return "dirichlet"; }
  void describe(Fields& fields) override {
    fields.about({"dirichlet: observed counts per category, or @FILE"})
        .field("counts", numbers_.counts);
    fields.about({"dirichlet: prior parameter, one for all or one per category", "1"})
        .field("alpha", numbers_.alpha);
  }
  void read() override {
    numbers_.counts = loaded(std::move(numbers_.counts));
    numbers_.alpha = loaded(std::move(numbers_.alpha));
  }
  void claim(Dimension& dimension) const override {
    dimension.claim(numbers_.counts, Field{"counts"});
    dimension.claim(numbers_.alpha, Field{"alpha"});
  }
  AnyPotential potential(Dim dim) const override {
    const std::size_t n = known(dim);
    if (numbers_.counts.given() && numbers_.counts.values.size() != n) {
      fail(Fault::config, Field{"counts"},
           fmt::format("has {} numbers for {} categories", numbers_.counts.values.size(), n),
           "give one count per category");
    }
    return DirichletPosterior(numbers_.counts.spread(n), numbers_.alpha.spread(n, 1));
  }
  std::optional<Set> own_set() const override { return simplex(); }
  bool bound_to_own_set() const override { return true; }
  std::unique_ptr<TargetKind> clone() const override {
    return std::make_unique<DirichletKind>(*this);
  }

 private:
  targets::Dirichlet numbers_;
};

}  // namespace

Target dirichlet(targets::Dirichlet numbers) { return ready(DirichletKind(std::move(numbers))); }

TargetEntry dirichlet_entry() {
  return {"dirichlet", "Dirichlet posterior of categorical counts, on the simplex",
          make_target_kind<DirichletKind>};
}

}  // namespace tain
