#include "report/run_coordinate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "diagnose/autocorrelation.hpp"

namespace tain::report {
namespace {

using Values = std::vector<double>;

Values column(const Draws& draws, std::size_t index) {
  const std::size_t dim = draws.names.size();
  Values x(draws.chains * draws.draws);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = draws.values[i * dim + index];
  }
  return x;
}

/// Autocorrelation time of whichever is slower, centre or tails; not finite where it is not known.
double autocorrelation_time(const SummaryRow& row, std::size_t total) {
  return static_cast<double>(total) / std::min(row.ess_bulk, row.ess_tail);
}

/// Steps from one nearly independent draw to the next: a power of two, so that coordinates share
/// their bands.
std::size_t independent_stride(double time, std::size_t total) {
  std::size_t stride = 1;
  // A quarter more than independent draws is within the error of the ESS itself.
  while (static_cast<double>(stride) * 1.25 < time && stride < total) {
    stride *= 2;
  }
  return stride;
}

Values every(const Series& s, std::size_t stride) {
  Values kept;
  for (std::size_t chain = 0; chain < s.chains; ++chain) {
    for (std::size_t draw = 0; draw < s.draws; draw += stride) {
      kept.push_back(s.values[chain * s.draws + draw]);
    }
  }
  return kept;
}

/// How far each chain's ECDF is from the others', as a multiple of the band; 1 is its edge.
Values departures(std::span<const double> differences, std::size_t chains, const RankBand& band) {
  Values worst(chains, 0.0);
  const std::size_t points = band.low.size();
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const std::size_t k = i % points;
    const double d = differences[i], bound = d < 0 ? band.low[k] : band.high[k];
    // A point where the band has no width counts as left by any departure.
    const double ratio = d == 0 ? 0.0 : bound == 0 ? 2.0 : d / bound;
    worst[i / points] = std::max(worst[i / points], ratio);
  }
  return worst;
}

/// The first `most` chains by departure, ascending; all where they are few.
std::vector<std::size_t> worst_chains(const Values& departure, std::size_t most) {
  std::vector<std::size_t> order(departure.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() > most) {
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t c) { return departure[c]; });
    order.resize(most);
    std::ranges::sort(order);
  }
  return order;
}

void write_chains(JsonWriter& json, std::span<const std::size_t> chains) {
  json.key("chains").open('[');
  for (const std::size_t chain : chains) {
    json.count(chain + 1);
  }
  json.close(']');
}

/// ECDF differences with their band; gives the departure of every chain.
Values write_ecdf(JsonWriter& json, const Series& s, const SummaryRow& row, RankBands& bands) {
  const double time = autocorrelation_time(row, s.values.size());
  const std::size_t stride =
      std::isfinite(time) ? independent_stride(time, s.values.size()) : s.draws;
  const std::size_t kept = (s.draws + stride - 1) / stride;
  Values departure(s.chains, 0.0);
  if (s.chains < 2 || kept < 4 || kept * s.chains < ecdf_points) {
    return departure;
  }
  const Values x = every(s, stride);
  const Values differences =
      rank_ecdf_differences(ranks({x, s.chains, kept}), s.chains, ecdf_points);
  const RankBand& band = bands.of(kept);
  departure = departures(differences, s.chains, band);
  json.key("ecdf").open('{').key("stride").count(stride).key("kept").count(kept);
  json.key("outside").count(static_cast<std::uint64_t>(
      std::ranges::count_if(departure, [](double d) { return d > 1 + 1e-9; })));
  json.key("low").numbers(band.low).key("high").numbers(band.high);
  const std::vector<std::size_t> chains = worst_chains(departure, ecdf_chains);
  write_chains(json, chains);
  Values lines;
  const std::size_t points = ecdf_points - 1;
  for (const std::size_t chain : chains) {
    const auto own = std::span(differences).subspan(chain * points, points);
    lines.insert(lines.end(), own.begin(), own.end());
  }
  json.key("lines").packed(lines).close('}');
  return departure;
}

void write_rank_counts(JsonWriter& json, const Series& s, const SummaryRow& row) {
  if (s.chains < 2 || s.chains > trace_chains) {
    return;
  }
  const std::size_t bins = std::clamp<std::size_t>(s.values.size() / 10, 2, rank_bins);
  const Values counts = rank_counts(ranks(s), s.chains, bins);
  const double n = static_cast<double>(s.draws), share = 1.0 / static_cast<double>(bins);
  const double fewer = 1 - 1 / static_cast<double>(s.chains);
  const double time = std::fmax(1, autocorrelation_time(row, s.values.size()));
  json.key("ranks").open('{').key("bins").count(bins).key("expected").number(n * share);
  // Of a count among dependent draws: the variance of independent ones times the autocorrelation
  // time.
  json.key("sd").number(std::sqrt(time * n * share * (1 - share) * fewer));
  json.key("counts").numbers(counts).close('}');
}

void write_trace(JsonWriter& json, const Series& s, const Values& departure,
                 const Packing& packing) {
  const std::vector<std::size_t> chains = worst_chains(departure, trace_chains);
  const std::size_t most = std::max<std::size_t>(2, trace_buckets / chains.size());
  // As many values as two per bucket would be are shown as they are.
  const std::size_t width = s.draws <= 2 * most ? 1 : (s.draws + most - 1) / most;
  Values low, high;
  for (const std::size_t chain : chains) {
    for (std::size_t first = 0; first < s.draws; first += width) {
      const auto bucket =
          s.values.subspan(chain * s.draws + first, std::min(width, s.draws - first));
      const auto [least, largest] = std::ranges::minmax(bucket);
      low.push_back(packing(least));
      high.push_back(packing(largest));
    }
  }
  json.key("trace").open('{').key("width").count(width);
  write_chains(json, chains);
  json.key("low").packed(low);
  if (width > 1) {
    json.key("high").packed(high);
  }
  json.close('}');
}

void write_autocorrelation(JsonWriter& json, const Series& s, const SummaryRow& row) {
  if (s.draws < 8) {
    return;
  }
  const double time = std::fmin(autocorrelation_time(row, s.values.size()), 1e6);  // NaN: as slow
  const auto wanted = static_cast<std::size_t>(std::clamp(std::ceil(5 * time), 20.0, 100.0));
  const std::size_t lags = std::min(wanted, s.draws / 2);
  json.key("autocorrelation").open('{').key("mean").numbers(autocorrelation(s, lags));
  if (s.chains > 1) {
    const AutocorrelationSpread spread = autocorrelation_spread(s, lags);
    json.key("low").numbers(spread.low).key("high").numbers(spread.high);
  }
  json.close('}');
}

/// Shares of the draws, and of the exact law, in equal bins between two bounds.
void write_histogram(JsonWriter& json, std::string_view name, std::span<const double> x, double low,
                     double high, const MarginalLaw* law, bool logarithmic) {
  const std::size_t bins = std::clamp<std::size_t>(
      static_cast<std::size_t>(2 * std::cbrt(static_cast<double>(x.size()))), 5, histogram_bins);
  const double width = (high - low) / static_cast<double>(bins);
  Values share(bins, 0.0);
  for (const double value : x) {
    const double place = ((logarithmic ? std::log10(value) : value) - low) / width;
    share[std::min(static_cast<std::size_t>(std::max(place, 0.0)), bins - 1)] +=
        1 / static_cast<double>(x.size());
  }
  json.key(name).open('{').key("low").number(low).key("high").number(high);
  json.key("share").numbers(share);
  if (law != nullptr) {
    Values exact(bins);
    const auto cdf = [&](double edge) {
      return law->cdf(logarithmic ? std::pow(10.0, edge) : edge);
    };
    for (std::size_t b = 0; b < bins; ++b) {
      const double left = low + static_cast<double>(b) * width;
      exact[b] = cdf(left + width) - cdf(left);
    }
    json.key("exact").numbers(exact);
  }
  json.close('}');
}

void write_histograms(JsonWriter& json, const Values& x, const MarginalLaw* law,
                      const Packing& packing) {
  const auto [low, high] = std::ranges::minmax(x);
  write_histogram(json, "histogram", x, low, high, law, false);
  if (low > 0 && (packing.logarithmic || high > 20 * low)) {
    write_histogram(json, "log_histogram", x, std::log10(low), std::log10(high), law, true);
  }
}

void write_row(JsonWriter& json, const SummaryRow& row) {
  json.key("mean").number(row.mean).key("mcse").number(row.mcse_mean).key("sd").number(row.sd);
  json.key("q5").number(row.q5).key("q50").number(row.q50).key("q95").number(row.q95);
  json.key("ess_bulk").number(row.ess_bulk).key("ess_tail").number(row.ess_tail);
  json.key("rhat").number(row.rhat);
  if (converged_by_groups(row)) {
    json.key("nested_rhat").number(row.nested_rhat);
  }
}

void write_broken(JsonWriter& json, const Series& s) {
  const auto broken = [](double v) { return !std::isfinite(v); };
  const auto first =
      static_cast<std::size_t>(std::ranges::find_if(s.values, broken) - s.values.begin());
  json.key("broken").open('{');
  json.key("count").count(static_cast<std::uint64_t>(std::ranges::count_if(s.values, broken)));
  json.key("chain").count(first / s.draws + 1).key("draw").count(first % s.draws + 1).close('}');
}

}  // namespace

const RankBand& RankBands::of(std::size_t draws) {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(draws);
  return found != known_.end()
             ? found->second
             : known_.emplace(draws, rank_band(chains_, draws, points_)).first->second;
}

double Packing::operator()(double value) const {
  return logarithmic ? std::log10(value) : value - centre;
}

Packing packing_of(std::span<const double> values) {
  double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0, count = 0;
  for (const double v : values) {
    if (std::isfinite(v)) {
      low = std::min(low, v);
      high = std::max(high, v);
      sum += v;
      count += 1;
    }
  }
  if (low > 0 && high > 100 * low) {
    return {.logarithmic = true};
  }
  return {.centre = count > 0 && std::isfinite(sum) ? sum / count : 0.0};
}

void write_packing(JsonWriter& json, const Packing& packing) {
  if (packing.logarithmic) {
    json.key("logarithmic").truth(true);
  }
  // In full: differences of packed values to it are small.
  json.key("centre").raw(std::isfinite(packing.centre) ? fmt::format("{}", packing.centre) : "0");
}

std::string coordinate_json(const RunReport& report, std::size_t index, std::string_view reason,
                            const Positions& positions, RankBands& bands) {
  const Draws& draws = report.draws;
  const SummaryRow& row = report.found.rows[index];
  const Values x = column(draws, index);
  const Series s{x, draws.chains, draws.draws};
  const Packing packing = packing_of(x);
  JsonWriter json;
  json.open('{').key("name").text(row.name).key("index").count(index);
  json.key("reason").text(reason);
  write_row(json, row);
  write_packing(json, packing);
  Values points;
  for (const std::size_t position : positions) {
    points.push_back(packing(x[position]));
  }
  json.key("points").packed(points);
  if (std::isnan(row.mean)) {
    write_broken(json, s);
  } else if (row.sd > 0) {
    const Values departure = write_ecdf(json, s, row, bands);
    write_rank_counts(json, s, row);
    write_trace(json, s, departure, packing);
    write_autocorrelation(json, s, row);
    write_histograms(json, x, report.laws.empty() ? nullptr : &report.laws[index], packing);
  }
  return json.close('}').take();
}

}  // namespace tain::report
