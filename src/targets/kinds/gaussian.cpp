#include "targets/gaussian.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/number_file.hpp"
#include "targets/target_kind.hpp"

namespace tain {
namespace {

class GaussianKind final : public TargetKind {
 public:
  explicit GaussianKind(targets::Gaussian numbers = {}) : numbers_(std::move(numbers)) {}
  std::string name() const override { return "gaussian"; }
  void describe(Fields& fields) override {
    fields.about({"gaussian: mean, one for all or one per coordinate (default 0)"})
        .field("mean", numbers_.mean);
    fields.about({"gaussian: standard deviations (default 1)"}).field("sd", numbers_.sd);
    fields.about({"gaussian: covariance matrix, one row per line"})
        .matrix("covariance", numbers_.covariance);
    fields.about({"gaussian: inverse covariance matrix, one row per line"})
        .matrix("precision", numbers_.precision);
  }
  void read() override {
    if (numbers_.covariance.given() + numbers_.precision.given() + numbers_.sd.given() > 1) {
      fail(Fault::config, spread(), "the spread is given twice",
           Phrase("give one of ", Field{"sd"}, ", ", Field{"covariance"}, " and ",
                  Field{"precision"}));
    }
    numbers_.mean = loaded(std::move(numbers_.mean));
    numbers_.sd = loaded(std::move(numbers_.sd));
    Numbers& given = numbers_.precision.given() ? numbers_.precision : numbers_.covariance;
    if (given.values.empty() && !given.source.empty()) {
      NumberMatrix matrix = read_matrix(given.source);
      if (matrix.rows != matrix.cols) {
        fail(Fault::data, given.source.string(),
             fmt::format("has {} rows and {} columns", matrix.rows, matrix.cols),
             "give a square matrix");
      }
      given.values = std::move(matrix.values);
    }
    side_ = static_cast<std::size_t>(std::llround(std::sqrt(double(given.values.size()))));
    if (side_ * side_ != given.values.size()) {
      fail(Fault::config, spread(), fmt::format("has {} numbers", given.values.size()),
           "give a square matrix, row by row");
    }
  }
  void claim(Dimension& dimension) const override {
    dimension.claim(numbers_.mean, Field{"mean"});
    dimension.claim(numbers_.sd, Field{"sd"});
    if (side_ > 0) {
      dimension.claim(side_, spread());
    }
  }
  AnyPotential potential(Dim dim) const override {
    const std::size_t n = known(dim);
    std::vector<double> mean = numbers_.mean.spread(n);
    if (side_ > 0) {
      return numbers_.precision.given()
                 ? Gaussian::with_precision(std::move(mean), numbers_.precision.values)
                 : Gaussian::with_covariance(std::move(mean), numbers_.covariance.values);
    }
    return Gaussian::diagonal(std::move(mean), numbers_.sd.spread(n, 1));
  }
  std::unique_ptr<TargetKind> clone() const override {
    return std::make_unique<GaussianKind>(*this);
  }

 private:
  Field spread() const { return Field{numbers_.precision.given() ? "precision" : "covariance"}; }

  targets::Gaussian numbers_;
  std::size_t side_ = 0;  ///< of the matrix; 0: none is given
};

}  // namespace

Target gaussian(targets::Gaussian numbers) { return ready(GaussianKind(std::move(numbers))); }

TargetEntry gaussian_entry() {
  return {"gaussian", "normal law restricted to the set", make_target_kind<GaussianKind>};
}

}  // namespace tain
