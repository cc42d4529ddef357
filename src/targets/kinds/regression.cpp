#include "targets/regression.hpp"

#include <limits>
#include <utility>

#include "targets/target_kind.hpp"

namespace tain {
namespace {

template <bool Linear>
class RegressionKind final : public TargetKind {
 public:
  explicit RegressionKind(targets::Regression numbers = {}) : numbers_(std::move(numbers)) {}
  std::string name() const override { return Linear ? "linear-regression" : "logistic-regression"; }
  void describe(Fields& fields) override {
    std::optional<std::filesystem::path> data =
        numbers_.data.empty() ? std::nullopt : std::optional(numbers_.data);
    fields.about({"regressions: table with a header line", "", "FILE.csv"}).file("data", data);
    fields.array("features", numbers_.features);
    fields.array("responses", numbers_.responses);
    fields.array("names", numbers_.names);
    fields.about({"regressions: column of the response (default: the last)", "", "NAME"})
        .field("response", numbers_.response);
    fields.about({"regressions: add a constant column"}).field("intercept", numbers_.intercept);
    if (Linear) {
      fields.about({"linear regression: standard deviation of the noise", "1", "S"})
          .field("noise_sd", numbers_.noise_sd);
    }
    fields.about({"regressions: standard deviation of a Gaussian prior (default: flat)", "", "S"})
        .field("prior_sd", numbers_.prior_sd);
    numbers_.data = data.value_or("");
  }
  bool is_code() const override { return numbers_.data.empty(); }
  void read() override {
    const Intercept intercept = numbers_.intercept ? Intercept::first : Intercept::none;
    const bool arrays = !numbers_.features.empty() || !numbers_.responses.empty();
    if (!arrays && numbers_.data.empty()) {
      fail(Fault::usage, Field{"data"}, "is missing", Phrase("give ", Field{"data", "FILE.csv"}));
    }
    require_one_source(arrays);
    if (arrays) {
      keep(regression_data(std::exchange(numbers_.features, {}),
                           std::exchange(numbers_.responses, {}), std::exchange(numbers_.names, {}),
                           intercept));
    } else {
      const CsvTable table = read_csv(numbers_.data);
      keep(regression_data(table, numbers_.response.value_or(table.columns.back()), intercept));
    }
  }
  void claim(Dimension& dimension) const override {
    dimension.claim(data_->names.size(), Field{is_code() ? "features" : "data"});
  }
  AnyPotential potential(Dim) const override {
    const double prior = numbers_.prior_sd.value_or(std::numeric_limits<double>::infinity());
    if constexpr (Linear) {
      return LinearRegression(data_, numbers_.noise_sd.value_or(1), prior);
    } else {
      return LogisticRegression(data_, prior);
    }
  }
  std::vector<std::string> names() const override { return data_->names; }
  std::unique_ptr<TargetKind> clone() const override {
    return std::make_unique<RegressionKind>(*this);
  }

 private:
  /// A table names its columns; numbers are features and responses already.
  void require_one_source(bool arrays) const {
    if (arrays && !numbers_.data.empty()) {
      fail(Fault::config, Field{"data"}, "is given beside numbers",
           Phrase("give it, or ", Field{"features"}, " and ", Field{"responses"}));
    }
    if (arrays && numbers_.response) {
      fail(Fault::config, Field{"response"}, "names a column of a table, and there is none",
           "leave it out");
    }
    if (!arrays && !numbers_.names.empty()) {
      fail(Fault::config, Field{"names"}, "are given beside a table that has its own",
           "leave them out");
    }
  }

  void keep(RegressionData data) {
    data_ = std::make_shared<const RegressionData>(std::move(data));
  }

  targets::Regression numbers_;
  std::shared_ptr<const RegressionData> data_;  // of all copies, and of the potential
};

}  // namespace

Target linear_regression(targets::Regression numbers) {
  return ready(RegressionKind<true>(std::move(numbers)));
}
Target logistic_regression(targets::Regression numbers) {
  return ready(RegressionKind<false>(std::move(numbers)));
}

TargetEntry linear_regression_entry() {
  return {"linear-regression", "posterior of linear regression coefficients",
          make_target_kind<RegressionKind<true>>};
}
TargetEntry logistic_regression_entry() {
  return {"logistic-regression", "posterior of logistic regression coefficients",
          make_target_kind<RegressionKind<false>>};
}

}  // namespace tain
