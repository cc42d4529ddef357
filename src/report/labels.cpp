#include "report/labels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/markup.hpp"

namespace tain::report {
namespace {

constexpr double gap = 18, swatch = 26, before_text = 7, between_items = 18;
constexpr double leader = 14;  // room between the plot and the swatches beside it

std::string sample(const Label& label, double x, double y) {
  std::string out = fmt::format(R"(<path {} stroke-width="2"{} d="M{} {}h{}"/>)"
                                "\n",
                                stroke(label.ink), label.dash, px(x), px(y), px(swatch));
  if (label.marker) {
    out += fmt::format("<path {} d=\"{}\"/>\n", fill(label.ink),
                       marker(*label.marker, {x + swatch / 2, y}));
  }
  return out + text_element(x + swatch + before_text, y + 0.35 * label_size, label.text,
                            {.size = label_size, .ink = text_ink});
}

double item_width(const Label& label) {
  return swatch + before_text + text_width(label.text, label_size);
}

/// Calls f(label, column offset, row) for every label, rows filled from left to right; the columns
/// are as wide as the widest label, so that they line up.
template <class F>
void for_items(std::span<const Label> labels, double width, F f) {
  double widest = 0;
  for (const Label& label : labels) {
    widest = std::max(widest, item_width(label));
  }
  const auto columns =
      static_cast<std::size_t>(std::max(1.0, (width + between_items) / (widest + between_items)));
  for (std::size_t k = 0; k < labels.size(); ++k) {
    f(labels[k], double(k % columns) * (widest + between_items), k / columns);
  }
}

}  // namespace

// With z_i = place_i - i gap, the places keep their distance if z ascends: isotonic regression, by
// pooling neighbours that are in the wrong order; bounds then only cut it off.
std::vector<double> apart(std::span<const double> wanted, double distance, double low,
                          double high) {
  struct Pool {
    double sum;
    std::size_t count;
    double mean() const { return sum / double(count); }
  };
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    pools.push_back({wanted[i] - double(i) * distance, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  const double most = std::max(low, high - distance * double(wanted.size() - 1));
  std::vector<double> places;
  for (const Pool& pool : pools) {
    for (std::size_t k = 0; k < pool.count; ++k) {
      places.push_back(std::clamp(pool.mean(), low, most) + distance * double(places.size()));
    }
  }
  return places;
}

double width_beside(std::span<const Label> labels) {
  double widest = 0;
  for (const Label& label : labels) {
    widest = std::max(widest, item_width(label));
  }
  return leader + widest;
}

bool fit_beside(std::span<const Label> labels, const PlotBox& box) {
  return gap * double(labels.size()) <= box.bottom - box.top;
}

std::string draw_beside(std::vector<Label> labels, const PlotBox& box) {
  std::ranges::stable_sort(labels, {}, [](const Label& label) { return label.end.y; });
  std::vector<double> wanted;
  for (const Label& label : labels) {
    wanted.push_back(label.end.y);
  }
  const std::vector<double> places = apart(wanted, gap, box.top, box.bottom);
  const double near = box.right - 0.1 * (box.right - box.left);
  std::string out;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const Point end = labels[k].end;
    if (end.x >= near) {
      out += fmt::format(R"(<path {} fill="none" stroke-opacity="0.45" d="M{} {}L{} {}"/>)"
                         "\n",
                         stroke(labels[k].ink), px(end.x + 4), px(end.y),
                         px(box.right + leader - 2), px(places[k]));
    }
    out += sample(labels[k], box.right + leader, places[k]);
  }
  return out;
}

std::size_t rows_below(std::span<const Label> labels, double width) {
  std::size_t rows = 0;
  for_items(labels, width, [&](const Label&, double, std::size_t row) { rows = row + 1; });
  return rows;
}

std::string draw_below(std::span<const Label> labels, double left, double top, double width) {
  std::string out;
  for_items(labels, width, [&](const Label& label, double offset, std::size_t row) {
    out += sample(label, left + offset, top + row_height * (double(row) + 0.5));
  });
  return out;
}

}  // namespace tain::report
