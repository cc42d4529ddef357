#include "tain/targets/gaussian.hpp"

#include <fmt/format.h>

#include "kinds/rows.hpp"
#include "tain/targets/numbers.hpp"

namespace tain {
namespace {

class GaussianKind final : public TargetKind {
 public:
  explicit GaussianKind(targets::Gaussian numbers = {}) : numbers_(std::move(numbers)) {}
  std::string name() const override { return "gaussian"; }
  void describe(Fields& fields) override {
    fields.field("mean", numbers_.mean);
    fields.field("sd", numbers_.sd);
    fields.file("covariance", numbers_.covariance);
    fields.file("precision", numbers_.precision);
  }
  void read() override {
    const bool covariance = numbers_.covariance.has_value();
    if (covariance + numbers_.precision.has_value() + numbers_.sd.given() > 1) {
      fail(Fault::config, Field{numbers_.precision ? "precision" : "covariance"},
           "the spread is given twice",
           Phrase("give one of ", Field{"sd"}, ", ", Field{"covariance"}, " and ",
                  Field{"precision"}));
    }
    if (!covariance && !numbers_.precision) {
      return;
    }
    const std::filesystem::path& file = covariance ? *numbers_.covariance : *numbers_.precision;
    matrix_ = read_matrix(file);
    if (matrix_.rows != matrix_.cols) {
      fail(Fault::data, file.string(),
           fmt::format("has {} rows and {} columns", matrix_.rows, matrix_.cols),
           "give a square matrix");
    }
  }
  void claim(Dimension& dimension) const override {
    dimension.claim(numbers_.mean, Field{"mean"});
    dimension.claim(numbers_.sd, Field{"sd"});
    if (matrix_.rows > 0) {
      dimension.claim(matrix_.rows, Field{numbers_.precision ? "precision" : "covariance"});
    }
  }
  AnyPotential potential(Dim dim) const override {
    const std::size_t n = known(dim);
    std::vector<double> mean = numbers_.mean.spread(n);
    if (matrix_.rows > 0) {
      return numbers_.precision ? Gaussian::with_precision(std::move(mean), matrix_.values)
                                : Gaussian::with_covariance(std::move(mean), matrix_.values);
    }
    return Gaussian::diagonal(std::move(mean), numbers_.sd.spread(n, 1));
  }
  std::unique_ptr<TargetKind> clone() const override {
    return std::make_unique<GaussianKind>(*this);
  }

 private:
  targets::Gaussian numbers_;
  NumberMatrix matrix_;
};

}  // namespace

Target gaussian(targets::Gaussian numbers) { return ready(GaussianKind(std::move(numbers))); }

TargetEntry gaussian_entry() {
  return {"gaussian", "normal law restricted to the set", "mean, one of sd, covariance, precision",
          make_target_kind<GaussianKind>};
}

}  // namespace tain
