#include "maps/ball.hpp"

#include <array>

#include "maps/sets/kinds.hpp"

namespace tain {
namespace {

constexpr std::array<std::string_view, 2> form_names{"tanh", "paper"};

class BallSet final : public SetKind {
 public:
  BallSet() = default;
  BallSet(Dim dim, double radius, Numbers centre, BallForm form)
      : dim_(dim), centre_(loaded(std::move(centre))), radius_(radius), form_(form) {}

  std::string_view name() const override { return "ball"; }
  void describe(Fields& fields) override {
    std::optional<std::uint64_t> dim = dim_;
    std::optional<double> radius = radius_ == 1 ? std::nullopt : std::optional(radius_);
    fields.field("dim", dim);
    fields.about({"ball: centre (default 0)"}).field("centre", centre_);
    fields.about({"ball: radius", "1", "R"}).field("radius", radius);
    std::optional<BallForm> form = form_ == BallForm::tanh ? std::nullopt : std::optional(form_);
    fields.about({"ball: radial map", "tanh"}).choice("ball_form", form_names, form);
    form_ = form.value_or(BallForm::tanh);
    dim_ = dim;
    radius_ = radius.value_or(1);
  }
  std::unique_ptr<SetKind> clone() const override { return std::make_unique<BallSet>(*this); }

  void claim(Dimension& dimension) const override {
    dimension.claim(centre_, Field{"centre"});
    if (dim_) {
      dimension.claim(*dim_, Field{"dim"});
    }
  }
  AnyMap map(std::size_t dim, const MapHints&) const override {
    return BallMap(centre_.spread(dim), radius_, form_);
  }

 private:
  Dim dim_;
  Numbers centre_;
  double radius_ = 1;
  BallForm form_ = BallForm::tanh;
};

}  // namespace

Set ball(Dim dim, double radius, Numbers centre, BallForm form) {
  return checked(BallSet(dim, radius, std::move(centre), form));
}

SetEntry ball_entry() {
  return {"ball",
          {},
          "points nearer to a centre than a radius: x = c + R tanh(|y|) y/|y|",
          make_kind<BallSet>};
}

}  // namespace tain
