// Reads the posterior group of a netCDF file in ArviZ's layout, whoever wrote it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>

#include "core/input.hpp"
#include "draws/formats.hpp"
#include "draws/netcdf_file.hpp"

namespace tain::draws {
namespace {

// Deflate cannot pack more than 1032 bytes into one: a file that promises more is damaged.
constexpr std::size_t best_compression = 1032;

struct Variable {
  int id = 0;
  std::string name;
  nc_type type = NC_NAT;
  std::vector<int> dimensions;
  std::vector<std::size_t> lengths;
  std::size_t width = 1;  // values per draw
};

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : file_(path, NetcdfFile::Mode::read) {
    std::error_code error;
    file_bytes_ = std::filesystem::file_size(path, error);
  }

  DrawsFile read(DualPart dual) {
    const std::optional<int> posterior = group("posterior");
    if (!posterior) {
      broken("has no group 'posterior'", "give a file in ArviZ's InferenceData layout");
    }
    read_info(*posterior);
    read_posterior(*posterior);
    if (const std::optional<int> statistics = group("sample_stats")) {
      draws_.acceptance = statistic(*statistics, {"acceptance_rate", "mean_tree_accept"});
      draws_.diverging = statistic(*statistics, {"diverging"});
      draws_.log_density = statistic(*statistics, {"lp"});
    }
    if (const std::optional<int> unconstrained = group("unconstrained_posterior");
        unconstrained && ours_ && dual == DualPart::read) {
      read_dual(*unconstrained);
    }
    return std::move(draws_);
  }

 private:
  [[noreturn]] void broken(std::string_view problem, std::string_view remedy = {}) const {
    fail(Fault::data, file_.name(), problem, remedy);
  }

  std::optional<int> group(const char* name) const {
    int id = 0;
    return nc_inq_grp_ncid(file_.id(), name, &id) == NC_NOERR ? std::optional(id) : std::nullopt;
  }

  // ---- attributes ------------------------------------------------------------------------------
  std::string text_attribute(int group, const char* name) const {
    nc_type type = NC_NAT;
    std::size_t length = 0;
    if (nc_inq_att(group, NC_GLOBAL, name, &type, &length) != NC_NOERR) {
      return {};
    }
    if (type == NC_CHAR && length <= file_bytes_) {
      std::string text(length, '\0');
      file_.check(nc_get_att_text(group, NC_GLOBAL, name, text.data()), name);
      return text;
    }
    if (type == NC_STRING && length == 1) {
      char* text = nullptr;
      file_.check(nc_get_att_string(group, NC_GLOBAL, name, &text), name);
      std::string copy = text == nullptr ? std::string() : std::string(text);
      nc_free_string(1, &text);
      return copy;
    }
    return {};
  }
  // The number of a scalar attribute, read by one of netCDF's converting functions.
  template <class T>
  void number_attribute(int group, const char* name, T& value,
                        int (*fetch)(int, int, const char*, T*)) const {
    nc_type type = NC_NAT;
    std::size_t length = 0;
    T found = 0;
    if (nc_inq_att(group, NC_GLOBAL, name, &type, &length) == NC_NOERR && length == 1 &&
        type != NC_CHAR && type != NC_STRING && fetch(group, NC_GLOBAL, name, &found) == NC_NOERR) {
      value = found;
    }
  }
  void read_info(int group) {
    DrawsInfo& info = draws_.info;
    ours_ = text_attribute(group, "inference_library") == "tain";
    info.map = text_attribute(group, "map");
    info.target = text_attribute(group, "target");
    info.kernel = text_attribute(group, "kernel");
    info.request = text_attribute(group, "request");
    if (std::string reason = text_attribute(group, "stop_reason"); !reason.empty()) {
      info.stop_reason = std::move(reason);
    }
    number_attribute(group, "step_size", info.step_size, nc_get_att_double);
    unsigned long long seed = info.seed, thin = info.thin;
    number_attribute(group, "seed", seed, nc_get_att_ulonglong);
    number_attribute(group, "thin", thin, nc_get_att_ulonglong);
    info.seed = seed;
    info.thin = thin;
  }

  // ---- variables -------------------------------------------------------------------------------
  std::string dimension_name(int group, int dimension) const {
    char name[NC_MAX_NAME + 1] = {};
    file_.check(nc_inq_dimname(group, dimension, name), "dimension");
    return name;
  }

  Variable variable(int group, int id) const {
    Variable v;
    v.id = id;
    char name[NC_MAX_NAME + 1] = {};
    int rank = 0;
    file_.check(nc_inq_var(group, id, name, &v.type, &rank, nullptr, nullptr), "variable");
    v.name = name;
    v.dimensions.resize(static_cast<std::size_t>(rank));
    file_.check(nc_inq_vardimid(group, id, v.dimensions.data()), v.name);
    std::size_t values = 1;
    for (std::size_t i = 0; i < v.dimensions.size(); ++i) {
      std::size_t length = 0;
      file_.check(nc_inq_dimlen(group, v.dimensions[i], &length), v.name);
      v.lengths.push_back(length);
      if (i >= 2) {
        v.width *= length;
      }
      if (__builtin_mul_overflow(values, length, &values) ||
          values / best_compression > file_bytes_) {
        broken(fmt::format("variable '{}' promises more values than the file can hold", v.name),
               "the file was cut or damaged");
      }
    }
    return v;
  }

  bool is_drawn(int group, const Variable& v) const {
    return v.dimensions.size() >= 2 && v.type >= NC_BYTE && v.type <= NC_UINT64 &&
           v.type != NC_CHAR && dimension_name(group, v.dimensions[0]) == "chain" &&
           dimension_name(group, v.dimensions[1]) == "draw";
  }

  std::vector<double> values(int group, const Variable& v) const {
    std::size_t count = 1;
    for (const std::size_t length : v.lengths) {
      count *= length;
    }
    std::vector<double> result(count);
    file_.check(nc_get_var_double(group, v.id, result.data()),
                fmt::format("reading variable '{}'", v.name));
    return result;
  }

  void read_posterior(int group) {
    int count = 0;
    file_.check(nc_inq_nvars(group, &count), "posterior");
    std::vector<Variable> drawn;
    for (int id = 0; id < count; ++id) {
      if (Variable v = variable(group, id); is_drawn(group, v) && v.width > 0) {
        drawn.push_back(std::move(v));
      }
    }
    if (drawn.empty()) {
      broken("the group 'posterior' has no variable over (chain, draw)");
    }
    set_shape(drawn);
    std::size_t offset = 0;
    for (const Variable& v : drawn) {
      add_names(group, v);
      interleave(values(group, v), v.width, offset);
      offset += v.width;
    }
  }

  void set_shape(const std::vector<Variable>& drawn) {
    const std::size_t chains = drawn.front().lengths[0], draws = drawn.front().lengths[1];
    std::size_t width = 0;
    for (const Variable& v : drawn) {
      width += v.width;
      if (v.lengths[0] != chains || v.lengths[1] != draws) {
        broken(fmt::format("variable '{}' has other chains or draws than '{}'", v.name,
                           drawn.front().name));
      }
    }
    if (chains == 0 || draws == 0) {
      broken("holds no draws");
    }
    if (chains > std::numeric_limits<std::uint32_t>::max()) {
      broken("too many chains");
    }
    draws_.chains = static_cast<std::uint32_t>(chains);
    draws_.draws = draws;
    if (drawn.size() > 1) {
      draws_.values.resize(chains * draws * width);
    }
    width_ = width;
  }

  // Columns [offset, offset + width) of (chain, draw, coordinate).
  void interleave(std::vector<double> from, std::size_t width, std::size_t offset) {
    if (width == width_) {
      draws_.values = std::move(from);
      return;
    }
    for (std::size_t pair = 0; pair < from.size() / width; ++pair) {
      std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(pair * width), width,
                  draws_.values.begin() + static_cast<std::ptrdiff_t>(pair * width_ + offset));
    }
  }

  // ---- names -----------------------------------------------------------------------------------
  // Labels along one dimension: text coordinates where the file has them, else 1, 2, …
  std::vector<std::string> labels(int group, int dimension, std::size_t length) const {
    std::vector<std::string> result;
    int id = 0;
    if (nc_inq_varid(group, dimension_name(group, dimension).c_str(), &id) == NC_NOERR) {
      const Variable v = variable(group, id);
      if (v.type == NC_STRING && v.dimensions == std::vector<int>{dimension}) {
        std::vector<char*> texts(length, nullptr);
        file_.check(nc_get_var_string(group, id, texts.data()), v.name);
        for (const char* text : texts) {
          result.emplace_back(text == nullptr ? "" : text);
        }
        nc_free_string(length, texts.data());
        return result;
      }
    }
    for (std::size_t i = 1; i <= length; ++i) {
      result.push_back(std::to_string(i));
    }
    return result;
  }

  void add_names(int group, const Variable& v) {
    std::vector<std::string> names = {""};
    for (std::size_t i = 2; i < v.dimensions.size(); ++i) {
      const std::vector<std::string> along = labels(group, v.dimensions[i], v.lengths[i]);
      std::vector<std::string> longer;
      longer.reserve(names.size() * along.size());
      for (const std::string& start : names) {
        for (const std::string& label : along) {
          longer.push_back(start.empty() ? label : start + "," + label);
        }
      }
      names = std::move(longer);
    }
    const bool whole_names = ours_ && has_text_labels(group, v);
    for (std::string& name : names) {
      if (v.dimensions.size() == 2) {
        draws_.names.push_back(v.name);
      } else {
        draws_.names.push_back(whole_names ? std::move(name) : v.name + "[" + name + "]");
      }
    }
  }

  // Our own files label coordinates by their full names where these are not x[1], x[2], …
  bool has_text_labels(int group, const Variable& v) const {
    int id = 0;
    nc_type type = NC_NAT;
    return v.dimensions.size() == 3 &&
           nc_inq_varid(group, dimension_name(group, v.dimensions[2]).c_str(), &id) == NC_NOERR &&
           nc_inq_vartype(group, id, &type) == NC_NOERR && type == NC_STRING;
  }

  std::vector<double> statistic(int group, std::initializer_list<const char*> names) const {
    for (const char* name : names) {
      int id = 0;
      if (nc_inq_varid(group, name, &id) != NC_NOERR) {
        continue;
      }
      const Variable v = variable(group, id);
      if (!is_drawn(group, v) || v.width != 1) {
        continue;
      }
      if (v.lengths[0] != draws_.chains || v.lengths[1] != draws_.draws) {
        broken(fmt::format("'{}' in sample_stats has other chains or draws than the posterior",
                           v.name));
      }
      return values(group, v);
    }
    return {};
  }

  void read_dual(int group) {
    int id = 0;
    if (nc_inq_varid(group, "y", &id) != NC_NOERR) {
      broken("the group 'unconstrained_posterior' has no variable 'y'");
    }
    const Variable v = variable(group, id);
    if (!is_drawn(group, v) || v.dimensions.size() != 3 || v.lengths[0] != draws_.chains ||
        v.lengths[1] != draws_.draws) {
      broken("'y' in unconstrained_posterior has another shape than the posterior",
             "write the file again with `tain sample -o`");
    }
    draws_.dual = values(group, v);
    draws_.dual_dim = v.width;
  }

  NetcdfFile file_;
  std::uintmax_t file_bytes_ = 0;
  DrawsFile draws_;
  std::size_t width_ = 0;
  bool ours_ = false;
};

}  // namespace

DrawsFile read_netcdf(const std::filesystem::path& path, DualPart dual) {
  require_plain_input(path);
  const Reading reading;
  return Reader(path).read(dual);
}

}  // namespace tain::draws
