// Draws as netCDF-4 in the layout of ArviZ's InferenceData. Equal draws give equal bytes: no times
// but SOURCE_DATE_EPOCH, and netCDF asks HDF5 to store none.
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <optional>
#include <string>

#include "draws/formats.hpp"
#include "draws/netcdf_file.hpp"

namespace tain::draws {
namespace {

// Creation time as the environment gives it (reproducible-builds.org), ISO 8601 in UTC.
std::optional<std::string> creation_time() {
  const char* text = std::getenv("SOURCE_DATE_EPOCH");
  if (text == nullptr) {
    return std::nullopt;
  }
  std::time_t seconds = 0;
  const std::string_view digits(text);
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
  std::tm utc = {};
  if (parsed.ec != std::errc() || gmtime_r(&seconds, &utc) == nullptr) {
    return std::nullopt;
  }
  char buffer[40];
  return std::string(buffer, std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%SZ", &utc));
}

// One group with the dimensions chain and draw.
class Group {
 public:
  Group(const NetcdfFile& file, const char* name, const Draws& draws)
      : file_(file), chains_(draws.chains), draws_(draws.draws) {
    file_.check(nc_def_grp(file_.id(), name, &id_), name);
    attribute("inference_library", "tain");
    attribute("inference_library_version", TAIN_VERSION);
    if (const auto time = creation_time()) {
      attribute("created_at", *time);
    }
    chain_ = index("chain", chains_);
    draw_ = index("draw", draws_);
  }

  void attribute(const char* name, const std::string& text) {
    file_.check(nc_put_att_text(id_, NC_GLOBAL, name, text.size(), text.data()), name);
  }
  void attribute(const char* name, double value) {
    file_.check(nc_put_att_double(id_, NC_GLOBAL, name, NC_DOUBLE, 1, &value), name);
  }
  void attribute(const char* name, std::uint64_t value) {
    const unsigned long long wide = value;
    file_.check(nc_put_att_ulonglong(id_, NC_GLOBAL, name, NC_UINT64, 1, &wide), name);
  }

  /// A dimension whose coordinates count from 0.
  int index(const char* name, std::size_t length) {
    const int dimension = define_dimension(name, length);
    const int variable = define_variable(name, NC_INT64, {&dimension, 1});
    std::vector<long long> numbers(length);
    std::iota(numbers.begin(), numbers.end(), 0);
    file_.check(nc_put_var_longlong(id_, variable, numbers.data()), name);
    return dimension;
  }
  /// A dimension whose coordinates are names.
  int labels(const char* name, const std::vector<std::string>& texts) {
    const int dimension = define_dimension(name, texts.size());
    const int variable = define_variable(name, NC_STRING, {&dimension, 1});
    std::vector<const char*> pointers(texts.size());
    std::ranges::transform(texts, pointers.begin(), [](const auto& text) { return text.c_str(); });
    file_.check(nc_put_var_string(id_, variable, pointers.data()), name);
    return dimension;
  }

  /// Variable (chain, draw) or, with a third dimension of the given width, (chain, draw, width).
  void numbers(const char* name, std::span<const double> values, std::optional<int> third = {},
               std::size_t width = 1) {
    const int dimensions[] = {chain_, draw_, third.value_or(0)};
    const int variable = define_variable(name, NC_DOUBLE, {dimensions, third ? 3u : 2u});
    file_.check(nc_def_var_fill(id_, variable, NC_NOFILL, nullptr), name);
    for (std::size_t chain = 0; chain < chains_; ++chain) {
      const std::size_t start[] = {chain, 0, 0};
      const std::size_t count[] = {1, draws_, width};
      file_.check(
          nc_put_vara_double(id_, variable, start, count, values.data() + chain * draws_ * width),
          name);
    }
  }
  /// Variable of some of the coordinates: `count` from `first` on, of rows of `width`.
  void part(const char* name, std::span<const double> values, std::size_t first, std::size_t count,
            std::size_t width, std::optional<int> third) {
    const int dimensions[] = {chain_, draw_, third.value_or(0)};
    const int variable = define_variable(name, NC_DOUBLE, {dimensions, third ? 3u : 2u});
    file_.check(nc_def_var_fill(id_, variable, NC_NOFILL, nullptr), name);
    std::vector<double> own(draws_ * count);
    for (std::size_t chain = 0; chain < chains_; ++chain) {
      const double* rows = values.data() + chain * draws_ * width + first;
      for (std::size_t draw = 0; draw < draws_; ++draw) {
        std::copy_n(rows + draw * width, count, own.data() + draw * count);
      }
      const std::size_t start[] = {chain, 0, 0};
      const std::size_t counts[] = {1, draws_, count};
      file_.check(nc_put_vara_double(id_, variable, start, counts, own.data()), name);
    }
  }
  /// Variable (chain, draw) of 0 and 1, which xarray reads as booleans.
  void flags(const char* name, std::span<const double> values) {
    const int dimensions[] = {chain_, draw_};
    const int variable = define_variable(name, NC_BYTE, dimensions);
    file_.check(nc_put_att_text(id_, variable, "dtype", 4, "bool"), name);
    std::vector<signed char> row(draws_);
    for (std::size_t chain = 0; chain < chains_; ++chain) {
      std::ranges::transform(values.subspan(chain * draws_, draws_), row.begin(),
                             [](double v) { return static_cast<signed char>(v != 0); });
      const std::size_t start[] = {chain, 0};
      const std::size_t count[] = {1, draws_};
      file_.check(nc_put_vara_schar(id_, variable, start, count, row.data()), name);
    }
  }

 private:
  int define_dimension(const char* name, std::size_t length) {
    int dimension = 0;
    file_.check(nc_def_dim(id_, name, length, &dimension), name);
    return dimension;
  }
  int define_variable(const char* name, nc_type type, std::span<const int> dimensions) {
    int variable = 0;
    file_.check(nc_def_var(id_, name, type, static_cast<int>(dimensions.size()), dimensions.data(),
                           &variable),
                name);
    return variable;
  }

  const NetcdfFile& file_;
  std::size_t chains_, draws_;
  int id_ = 0, chain_ = 0, draw_ = 0;
};

void write_posterior(const NetcdfFile& file, const Draws& draws, const DrawsInfo& info) {
  Group group(file, "posterior", draws);
  group.attribute("map", info.map);
  group.attribute("target", info.target);
  group.attribute("kernel", info.kernel);
  group.attribute("step_size", info.step_size);
  group.attribute("seed", info.seed);
  group.attribute("thin", info.thin);
  group.attribute("stop_reason", info.stop_reason);
  group.attribute("request", info.request);
  const std::size_t dim = draws.names.size();
  if (!draws.parameters.empty()) {
    for (const Parameter& parameter : draws.parameters) {
      const std::string axis = parameter.name + "_dim_0";
      const std::optional<int> third =
          parameter.shape.empty() ? std::nullopt
                                  : std::optional(group.index(axis.c_str(), parameter.count));
      group.part(parameter.name.c_str(), draws.values, parameter.first, parameter.count, dim,
                 third);
    }
    return;
  }
  const int third = draws.names == coordinate_names({}, dim) ? group.index("x_dim_0", dim)
                                                             : group.labels("x_dim_0", draws.names);
  group.numbers("x", draws.values, third, dim);
}

}  // namespace

void write_netcdf(const std::filesystem::path& path, const Draws& draws, const DrawsInfo& info) {
  NetcdfFile file(path, NetcdfFile::Mode::create);
  write_posterior(file, draws, info);
  if (const std::size_t dim = draws.dual_dim; dim > 0) {
    Group group(file, "unconstrained_posterior", draws);
    group.attribute("map", info.map);
    group.numbers("y", draws.dual, group.index("y_dim_0", dim), dim);
  }
  Group statistics(file, "sample_stats", draws);
  if (!draws.log_density.empty()) {
    statistics.numbers("lp", draws.log_density);
  }
  if (!draws.acceptance.empty()) {
    statistics.numbers("acceptance_rate", draws.acceptance);
  }
  if (!draws.diverging.empty()) {
    statistics.flags("diverging", draws.diverging);
  }
  statistics.numbers("step_size", std::vector<double>(draws.chains * draws.draws, info.step_size));
  file.close();
}

}  // namespace tain::draws
