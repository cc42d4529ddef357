// Stan CSV as CmdStan writes it: "# key = value" comments, one header line, one line per draw.
#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "draws/formats.hpp"
#include "draws/output.hpp"
#include "draws/stan_names.hpp"
#include "tain/core/error.hpp"

namespace tain::draws {
namespace {

void comment(Output& out, std::string_view key, std::string value) {
  std::ranges::replace_if(value, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  out.text("# ");
  out.text(key);
  out.text(" = ");
  out.text(value);
  out.text("\n");
}

std::string shortest(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

void write_comments(Output& out, const DrawsInfo& info) {
  comment(out, "inference_library", "tain");
  comment(out, "inference_library_version", TAIN_VERSION);
  comment(out, "map", info.map);
  comment(out, "target", info.target);
  comment(out, "kernel", info.kernel);
  comment(out, "step_size", shortest(info.step_size));
  comment(out, "seed", std::to_string(info.seed));
  comment(out, "thin", std::to_string(info.thin));
  comment(out, "stop_reason", info.stop_reason);
  comment(out, "request", info.request);
}

void write_header(Output& out, const std::vector<std::string>& names) {
  out.text("lp__,accept_stat__,stepsize__,divergent__,chain__");
  for (const std::string& name : names) {
    out.text(",");
    out.text(stan_name(name));
  }
  out.text("\n");
}

}  // namespace

std::string stan_name(std::string_view name) {
  std::string dotted;
  dotted.reserve(name.size());
  const std::size_t bracket = name.find('[');
  if (bracket == std::string_view::npos || !name.ends_with(']')) {
    return std::string(name);
  }
  dotted.append(name.substr(0, bracket)).push_back('.');
  for (const char c : name.substr(bracket + 1, name.size() - bracket - 2)) {
    dotted.push_back(c == ',' ? '.' : c);
  }
  return dotted;
}

std::string bracket_name(std::string_view column) {
  // The indices are the longest tail of ".<digits>" groups.
  std::size_t start = column.size();
  while (true) {
    const std::size_t dot = column.substr(0, start).rfind('.');
    if (dot == std::string_view::npos || dot == 0 || dot + 1 == start ||
        !std::ranges::all_of(column.substr(dot + 1, start - dot - 1),
                             [](char c) { return c >= '0' && c <= '9'; })) {
      break;
    }
    start = dot;
  }
  if (start == column.size()) {
    return std::string(column);
  }
  std::string name(column.substr(0, start));
  name.push_back('[');
  for (const char c : column.substr(start + 1)) {
    name.push_back(c == '.' ? ',' : c);
  }
  name.push_back(']');
  return name;
}

void write_stan_csv(const std::filesystem::path& path, const Draws& draws, const DrawsInfo& info,
                    std::size_t first, std::size_t last) {
  const std::size_t dim = draws.names.size();
  const auto statistic = [](std::span<const double> values, std::size_t pair) {
    return values.empty() ? std::numeric_limits<double>::quiet_NaN() : values[pair];
  };
  Output out(path);
  write_comments(out, info);
  write_header(out, draws.names);
  for (std::size_t chain = first; chain < last; ++chain) {
    for (std::size_t draw = 0; draw < draws.draws; ++draw) {
      const std::size_t pair = chain * draws.draws + draw;
      out.number(statistic(draws.log_density, pair));
      out.text(",");
      out.number(statistic(draws.acceptance, pair));
      out.text(",");
      out.number(info.step_size);
      out.text(!draws.diverging.empty() && draws.diverging[pair] != 0 ? ",1," : ",0,");
      out.integer(chain + 1);
      for (const double x : draws.values.subspan(pair * dim, dim)) {
        out.text(",");
        out.number(x);
      }
      out.text("\n");
    }
  }
  out.close();
}

void require_column_names(const std::filesystem::path& path,
                          const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    double number = 0;  // readers would take it for a row
    const bool numeric =
        std::from_chars(name.data(), name.data() + name.size(), number).ec == std::errc();
    const std::string column = stan_name(name);
    const bool legible =
        !column.empty() && !numeric && !column.starts_with('#') && !column.ends_with("__") &&
        column.find_first_of(",\" \t\r\n") == std::string::npos && bracket_name(column) == name;
    if (!legible) {
      fail(Fault::config, path.string(),
           "the coordinate name '" + name + "' cannot be a column of a Stan CSV file",
           "write .nc instead");
    }
  }
}

}  // namespace tain::draws
