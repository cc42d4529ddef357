#include "problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "domain.hpp"
#include "tain/core/error.hpp"
#include "tain/maps/simplex.hpp"
#include "tain/maps/stretched_simplex.hpp"
#include "tain/targets/dirichlet.hpp"
#include "tain/targets/gaussian.hpp"
#include "tain/targets/numbers.hpp"
#include "tain/targets/registry.hpp"
#include "tain/targets/regression.hpp"
#include "tain/targets/uniform.hpp"
#include "tain/targets/user_target.hpp"

namespace tain::cli {
namespace {

bool is_library(std::string_view target) { return target.find('/') != std::string_view::npos; }

/// Flags that only some targets look at; elsewhere they are a misunderstanding, hence an error.
struct Owner {
  std::string_view flag;
  std::vector<std::string_view> targets;
};
const std::array<Owner, 12>& owners() {
  static const std::array<Owner, 12> table{{
      {"counts", {"dirichlet"}},
      {"alpha", {"dirichlet"}},
      {"mean", {"gaussian"}},
      {"sd", {"gaussian"}},
      {"covariance", {"gaussian"}},
      {"precision", {"gaussian"}},
      {"data", {"linear-regression", "logistic-regression"}},
      {"response", {"linear-regression", "logistic-regression"}},
      {"intercept", {"linear-regression", "logistic-regression"}},
      {"noise-sd", {"linear-regression"}},
      {"prior-sd", {"linear-regression", "logistic-regression"}},
      {"target-arguments", {"./FILE.so"}},
  }};
  return table;
}

void require_known(const RawValue& target) {
  const std::string& name = target.parts.front();
  std::vector<std::string_view> names;
  for (const auto& known : target_table()) {
    names.push_back(known.name);
  }
  if (!is_library(name) && std::ranges::find(names, name) == names.end()) {
    reject(target, fmt::format("unknown target '{}'", name),
           name.ends_with(".so")
               ? fmt::format("did you mean './{}'?", name)
               : suggestion(name, names, fmt::format("give one of {}", fmt::join(names, ", "))));
  }
}

void require_owned(const Options& options, const std::string& target) {
  for (const Owner& owner : owners()) {
    const bool own = is_library(target)
                         ? owner.flag == "target-arguments"
                         : std::ranges::find(owner.targets, target) != owner.targets.end();
    if (!own && options.given(owner.flag)) {
      fail(Fault::config, options.find(owner.flag)->origin,
           fmt::format("belongs to target {}, but the target is {}",
                       fmt::join(owner.targets, " or "), target),
           "leave it out");
    }
  }
}

std::string_view default_map(const std::string& target) {
  if (target == "dirichlet") {
    return "simplex";
  }
  return target == "uniform" ? "" : "identity";
}

/// What the files of a target hold, read once.
struct TargetInputs {
  std::optional<NumberMatrix> matrix;
  bool matrix_is_precision = false;
  std::optional<RegressionData> regression;
};

NumberMatrix read_square(const RawValue& file) {
  NumberMatrix matrix = read_matrix(file.parts.front());
  if (matrix.rows != matrix.cols) {
    fail(Fault::data, file.parts.front(),
         fmt::format("has {} rows and {} columns", matrix.rows, matrix.cols),
         "give a square matrix");
  }
  return matrix;
}

TargetInputs read_inputs(const Options& options, const std::string& target) {
  TargetInputs inputs;
  const bool covariance = options.given("covariance"), precision = options.given("precision");
  if (covariance + precision + options.given("sd") > 1) {
    fail(Fault::config, options.find(precision ? "precision" : "covariance")->origin,
         "the spread is given twice", "give one of --sd, --covariance and --precision");
  }
  if (covariance || precision) {
    inputs.matrix = read_square(*options.find(covariance ? "covariance" : "precision"));
    inputs.matrix_is_precision = precision;
  }
  if (target == "linear-regression" || target == "logistic-regression") {
    const CsvTable table = read_csv(options.value("data").parts.front());
    const std::string response = options.text("response").value_or(table.columns.back());
    inputs.regression = regression_data(
        table, response, options.on("intercept") ? Intercept::first : Intercept::none);
  }
  return inputs;
}

void claim_dimensions(const Options& options, const TargetInputs& inputs, Dimension& dimension) {
  const auto claim_list = [&](std::string_view name) {
    if (const auto list = options.given(name) ? options.numbers(name) : std::nullopt;
        list && list->size() > 1) {
      dimension.claim(list->size(), options.find(name)->origin);
    }
  };
  claim_list("counts");
  claim_list("alpha");
  claim_list("mean");
  claim_list("sd");
  if (inputs.matrix) {
    dimension.claim(inputs.matrix->rows,
                    options.find(inputs.matrix_is_precision ? "precision" : "covariance")->origin);
  }
  if (inputs.regression) {
    dimension.claim(inputs.regression->names.size(), options.find("data")->origin);
  }
  if (const auto dim = options.count("dim")) {
    dimension.claim(*dim, options.find("dim")->origin);
  }
  claim_list("start");
  if (!dimension.agreed()) {  // single numbers are one coordinate if nothing says otherwise
    for (const std::string_view name :
         {"counts", "mean", "sd", "lower", "upper", "centre", "start"}) {
      if (options.given(name)) {
        dimension.claim(1, options.find(name)->origin);
        break;
      }
    }
  }
}

DirichletPosterior make_dirichlet(const Options& options, std::size_t dim) {
  const std::vector<double> zero{0.0};
  const std::vector<double> counts = options.numbers("counts").value_or(zero);
  if (options.given("counts") && counts.size() != dim) {
    fail(Fault::config, options.find("counts")->origin,
         fmt::format("has {} numbers for {} categories", counts.size(), dim),
         "give one count per category");
  }
  return {spread(counts, dim), spread(*options.numbers("alpha"), dim)};
}

AnyPotential make_gaussian(const Options& options, const TargetInputs& inputs, std::size_t dim) {
  const std::vector<double> zero{0.0}, one{1.0};
  std::vector<double> mean = spread(options.numbers("mean").value_or(zero), dim);
  if (inputs.matrix) {
    return inputs.matrix_is_precision ? Gaussian::with_precision(mean, inputs.matrix->values)
                                      : Gaussian::with_covariance(mean, inputs.matrix->values);
  }
  return Gaussian::diagonal(mean, spread(options.numbers("sd").value_or(one), dim));
}

AnyPotential make_target(const Options& options, const std::string& target, TargetInputs inputs,
                         const Dimension& dimension) {
  if (is_library(target)) {
    return ForeignTarget::open(target, options.text("target-arguments").value_or(""),
                               dimension.agreed().value_or(0));
  }
  const std::size_t dim = dimension.require();
  if (target == "dirichlet") {
    return make_dirichlet(options, dim);
  }
  if (target == "gaussian") {
    return make_gaussian(options, inputs, dim);
  }
  if (target == "uniform") {
    return Uniform(dim);
  }
  const double prior_sd =
      options.positive_number("prior-sd").value_or(std::numeric_limits<double>::infinity());
  if (target == "linear-regression") {
    return LinearRegression(std::move(*inputs.regression), *options.positive_number("noise-sd"),
                            prior_sd);
  }
  return LogisticRegression(std::move(*inputs.regression), prior_sd);
}

/// Where the mass of the target lies, as far as it knows itself.
SimplexHints simplex_hints(const SetDescription& set, const AnyPotential& target) {
  if (set.type != "simplex" || target.dim() < 2) {
    return {};
  }
  SimplexHints hints{target.facts(Simplex::symmetric(target.dim())).start, {}};
  if (const auto* posterior = target.as<DirichletPosterior>()) {
    hints.weights.assign(posterior->weights().begin(), posterior->weights().end());
  }
  return hints;
}

void note_coordinates(const SetDescription& set, const AnyMap& map,
                      std::vector<std::string>& notes) {
  const Simplex* plain = map.as<Simplex>();
  const StretchedSimplex* stretched = map.as<StretchedSimplex>();
  if (set.coordinates != "auto" || !(plain || stretched)) {
    return;
  }
  const auto reference = plain ? plain->reference() : stretched->reference();
  std::string note =
      reference
          ? fmt::format("simplex coordinates: reference category {} (it has most of the mass)",
                        *reference + 1)
          : "simplex coordinates: symmetric (no category dominates)";
  if (stretched) {
    note += ", stretched (weights below 1/2)";
  }
  notes.push_back(std::move(note));
}

}  // namespace

BuiltProblem assemble(const SetDescription& set, const AnyPotential& target,
                      std::vector<std::string> names, DualForm form) {
  const AnyMap map = make_map(set, target.dim(), simplex_hints(set, target));
  for (std::size_t i = names.size(); i < target.dim(); ++i) {
    names.push_back(fmt::format("x[{}]", i + 1));
  }
  BuiltProblem built{{map, target, form}, std::move(names), {}};
  note_coordinates(set, map, built.notes);
  return built;
}

DualForm dual_form(const Command& command, const RawOptions& raw) {
  if (!find_flag(command, "dual-form")) {
    return DualForm::automatic;
  }
  const std::string form = Options(command, raw).choice("dual-form");
  if (form == "closed") {
    return DualForm::closed;
  }
  return form == "generic" ? DualForm::generic : DualForm::automatic;
}

BuiltProblem build_problem(const Command& command, const RawOptions& raw) {
  const Options options(command, raw);
  const RawValue& chosen = options.value("target");
  const std::string target = chosen.parts.front();
  require_known(chosen);
  require_owned(options, target);
  Dimension dimension;
  const SetDescription set = read_domain(command, raw, default_map(target), dimension);
  TargetInputs inputs = read_inputs(options, target);
  claim_dimensions(options, inputs, dimension);
  std::vector<std::string> names;
  if (inputs.regression) {
    names = inputs.regression->names;
  }
  return assemble(set, make_target(options, target, std::move(inputs), dimension), std::move(names),
                  dual_form(command, raw));
}

}  // namespace tain::cli
