#include "targets/uniform.hpp"

#include "targets/target_kind.hpp"

namespace tain {
namespace {

class UniformKind final : public TargetKind {
 public:
  std::string name() const override { return "uniform"; }
  void claim(Dimension&) const override {}
  AnyPotential potential(Dim dim) const override { return Uniform(known(dim)); }
  std::optional<Set> own_set() const override { return std::nullopt; }
  std::unique_ptr<TargetKind> clone() const override {
    return std::make_unique<UniformKind>(*this);
  }
};

}  // namespace

Target uniform() { return ready(UniformKind()); }

TargetEntry uniform_entry() {
  return {"uniform", "uniform law on the set", make_target_kind<UniformKind>};
}

}  // namespace tain
