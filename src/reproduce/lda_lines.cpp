#include "reproduce/lda_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

#include "report/text.hpp"

namespace tain {
namespace {

struct Moments {
  double mean = 0, error = 0;
};

/// Mean and its standard error; 0 where one value says nothing about it.
Moments moments_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) {
    sum += value;
  }
  const double mean = sum / n;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
  }
  return {mean, values.size() < 2 ? 0 : std::sqrt(squares / (n - 1) / n)};
}

void add_points(LdaLine& line) {
  std::size_t looks = line.runs.front()->points.size();
  for (const LdaCurve* run : line.runs) {
    looks = std::min(looks, run->points.size());
  }
  for (std::size_t i = 0; i < looks; ++i) {
    std::vector<double> averages, seconds;
    for (const LdaCurve* run : line.runs) {
      averages.push_back(run->points[i].average);
      seconds.push_back(run->points[i].seconds);
    }
    const Moments average = moments_of(averages);
    line.points.push_back({line.runs.front()->points[i].documents, moments_of(seconds).mean,
                           average.mean, average.error});
  }
}

}  // namespace

std::vector<LdaLine> lines_of(const std::vector<LdaCurve>& curves, std::string_view method,
                              std::uint32_t topics) {
  std::vector<LdaLine> lines;
  for (const LdaCurve& curve : curves) {
    if (curve.key.method != method || curve.key.topics != topics) {
      continue;
    }
    auto line = std::ranges::find(lines, curve.key.step_size, &LdaLine::step_size);
    if (line == lines.end()) {
      lines.push_back({std::string(method), topics, curve.key.step_size, {}, {}});
      line = lines.end() - 1;
    }
    line->runs.push_back(&curve);
  }
  std::ranges::for_each(lines, add_points);
  return lines;
}

LdaGap gap_at(const LdaLine& a, const LdaLine& b, std::size_t look) {
  std::vector<double> differences;
  for (const LdaCurve* run : a.runs) {
    const auto other = std::ranges::find(b.runs, run->key.seed,
                                         [](const LdaCurve* curve) { return curve->key.seed; });
    if (other != b.runs.end() && look < run->points.size() && look < (*other)->points.size()) {
      differences.push_back((*other)->points[look].average - run->points[look].average);
    }
  }
  const Moments moments = moments_of(differences);
  return {moments.mean,
          differences.size() < 2 ? std::numeric_limits<double>::infinity() : moments.error};
}

const LdaMean* first_below(const LdaLine& line, double level) {
  const auto found = std::ranges::find_if(
      line.points, [level](const LdaMean& point) { return point.average <= level; });
  return found == line.points.end() ? nullptr : &*found;
}

std::string method_name(std::string_view method) {
  std::string name(method);
  const auto word =
      name.begin() + static_cast<std::ptrdiff_t>(std::min(name.find('-'), name.size()));
  std::transform(name.begin(), word, name.begin(),
                 [](char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

std::string line_name(const LdaLine& line) {
  return fmt::format("{}, a = {}", method_name(line.method), compact(line.step_size));
}

}  // namespace tain
