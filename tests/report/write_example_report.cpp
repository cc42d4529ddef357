// Writes figures and a page with texts and data that try to break them into a folder.
#include <cmath>
#include <filesystem>

#include "core/file.hpp"
#include "report/page.hpp"

namespace {

tain::Figure hostile(tain::AxisScale scale) {
  using namespace tain;
  const std::string bad = std::string("</text> & <script> ]]> \"'\x01\xFF", 27) + " Γ";
  Figure figure{.title = bad + bad + bad,
                .subtitle = bad,
                .x = {bad, scale},
                .y = {bad, scale},
                .series = {{.label = bad,
                            .x = {1, 2, 3, 4, 5},
                            .y = {1, 0, NAN, 1e-7, INFINITY},
                            .error = {2, NAN, 1, INFINITY, 1}}},
                .guides = {{bad, {0.1, 1e9}, {1e9, 1e-9}}},
                .horizontal = {{bad, 0.5}, {bad, -1}, {bad, NAN}},
                .vertical = {{bad, 2}, {bad, INFINITY}, {bad, 4}}};
  for (std::size_t k = 0; k < 40; ++k) {
    figure.series.push_back({.label = "line", .x = {1, 2}, .y = {1, 1.0 / double(k)}, .colour = k});
  }
  return figure;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tain;
  if (argc != 2) {
    return 64;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  const Figure one = hostile(AxisScale::linear), other = hostile(AxisScale::logarithmic);
  write_atomically(folder / "linear.svg", svg(one));
  write_atomically(folder / "logarithmic.svg", svg(other, narrow_figure));
  write_atomically(folder / "empty.svg", svg({.title = "Empty", .subtitle = "", .x = {}, .y = {}}));
  const std::string& bad = one.subtitle;
  Page page(bad, bad);
  page.section(bad);
  page.section(bad);
  page.paragraph(bad);
  page.list({bad, bad});
  page.definitions({{bad, bad}});
  page.passages({{bad, bad, Badge{Mark::bad, bad}, {bad, bad, bad, bad, bad}}});
  page.table({bad, {{bad}, {bad, Align::right}}, {{bad, Badge{Mark::good, bad}}, {bad}}});
  page.figures({{one, bad}, {other, bad}});
  page.command(bad);
  write_atomically(folder / "page.html", page.html());
}
