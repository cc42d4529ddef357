#include "report/page_style.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/figure.hpp"

namespace tain::report {
namespace {

// Text on a badge has a contrast of at least 4.5 to it (WCAG 2.2, 1.4.3), in both surroundings.
constexpr std::string_view badges_light =
    "--good:#0b5d3b;--good-paper:#dff3e8;--mixed:#6b4700;--mixed-paper:#fcefcf;"
    "--bad:#96231a;--bad-paper:#fbe4e1;--code:#f5f6f8;--link:#005a9c";
constexpr std::string_view badges_dark =
    "--good:#8be0b4;--good-paper:#12382a;--mixed:#f2cd7c;--mixed-paper:#3d2f0d;"
    "--bad:#ffb1a8;--bad-paper:#471c18;--code:#1d2125;--link:#7cc0f5";

constexpr std::string_view rules = R"css(
*{box-sizing:border-box}
html{background:var(--paper);color:var(--ink);-webkit-text-size-adjust:100%}
body{margin:0 auto;padding:clamp(1.25rem,4vw,3.5rem) clamp(1rem,4vw,2.5rem) 5rem;max-width:76rem;
 font:1.0625rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
h1{font-size:clamp(1.7rem,1.2rem + 2.2vw,2.6rem);line-height:1.15;letter-spacing:-.015em;
 margin:0 0 1rem;max-width:24em;text-wrap:balance}
h2{font-size:1.5rem;line-height:1.25;letter-spacing:-.01em;margin:0 0 1rem;padding-top:1.25rem;
 border-top:1px solid var(--grid);text-wrap:balance}
h3{font-size:1.1rem;line-height:1.35;margin:0 0 .35rem;max-width:44rem;text-wrap:balance}
section{margin-top:3.25rem}
p,ul,dl,details{max-width:44rem}
p{margin:0 0 1rem}
.lead{font-size:1.1875rem;line-height:1.55;max-width:46rem}
.source{color:var(--muted);font-size:.9375rem;margin-bottom:.5rem}
ul{margin:0 0 1rem;padding-left:1.25rem}
li{margin:.3rem 0}
li::marker{color:var(--axis)}
article{min-width:0}
summary{cursor:pointer;color:var(--link);font-size:.9375rem;margin-bottom:.5rem}
a{color:var(--link)}
nav ol{display:flex;flex-wrap:wrap;gap:.25rem 1.4rem;list-style:none;padding:0;margin:1.75rem 0 0;
 font-size:.9375rem}
nav li{margin:0}
nav ol ol{margin:.1rem 0 .5rem;font-size:.875rem}
nav li:has(ol){width:100%}
h2+.lead{margin-bottom:0}
section section{margin-top:2.25rem}
section section>h3{font-size:1.25rem;margin-bottom:.8rem}
details.section{max-width:none;margin-top:.75rem;border-top:1px solid var(--grid);padding-top:.75rem}
details.section[open]{margin-bottom:2.25rem}
details.section>summary{color:var(--ink);margin-bottom:.4rem}
details.section>summary :is(h2,h3){display:inline;border:0;letter-spacing:0;font-size:1.0625rem;font-weight:500}
h4{font-size:1.0625rem;line-height:1.35;margin:0 0 .35rem;max-width:44rem}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));
 gap:2rem 2.25rem;margin:1.5rem 0 2.25rem;align-items:start}
figure{margin:0;min-width:0}
figure svg{display:block;width:100%;height:auto;max-width:40rem;border:1px solid var(--grid);
 border-radius:8px}
figcaption{color:var(--muted);font-size:.9375rem;line-height:1.5;margin-top:.6rem;max-width:40rem}
.scroll{overflow-x:auto;margin:1rem 0 1.75rem;min-width:0}
table{border-collapse:collapse;font-size:.9375rem;line-height:1.4;min-width:100%}
caption{text-align:left;font-weight:600;padding:0 0 .5rem}
th,td{text-align:left;vertical-align:top;padding:.45rem 1.1rem .45rem 0;
 border-bottom:1px solid var(--grid)}
th:last-child,td:last-child{padding-right:0}
thead th{color:var(--muted);font-weight:500;font-size:.875rem;vertical-align:bottom;
 border-bottom:1px solid var(--axis)}
tbody th{font-weight:400;min-width:9rem}
.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.badge{display:inline-block;border-radius:1em;padding:.08em .7em;font-size:.875rem;
 font-weight:600;white-space:nowrap}
.good{color:var(--good);background:var(--good-paper)}
.mixed{color:var(--mixed);background:var(--mixed-paper)}
.bad{color:var(--bad);background:var(--bad-paper)}
dl{display:grid;grid-template-columns:minmax(8rem,11rem) 1fr;gap:.55rem 1.5rem;margin:0 0 1.5rem;
 max-width:56rem}
dt{color:var(--muted)}
dd{margin:0}
pre{background:var(--code);border:1px solid var(--grid);border-radius:8px;padding:.9rem 1.1rem;
 overflow-x:auto;font-size:.9375rem;line-height:1.5}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
@media(max-width:36rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.8rem}}
@media print{figure,article,tr{break-inside:avoid}nav{display:none}body{max-width:none}}
)css";

}  // namespace

std::string page_style() {
  std::string light, dark;
  const auto add = [&](const Ink& ink) {
    light += fmt::format("--{}:{};", ink.name, ink.light);
    dark += fmt::format("--{}:{};", ink.name, ink.dark);
  };
  for (const Ink& ink : {paper_ink, text_ink, muted_ink, axis_ink, grid_ink, minor_ink}) {
    add(ink);
  }
  std::ranges::for_each(palette, add);
  return fmt::format(
      ":root{{color-scheme:light dark;{}{}}}\n@media(prefers-color-scheme:dark){{:root{{{}{}}}}}{}",
      light, badges_light, dark, badges_dark, rules);
}

}  // namespace tain::report
