// Rules on coordinates: finite, moving, in agreement, effective, with moments.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnose/finding.hpp"
#include "diagnose/tail.hpp"

namespace tain::diagnostics {
namespace {

using Rows = std::vector<const SummaryRow*>;

bool not_finite(const SummaryRow& row) { return std::isnan(row.mean); }
bool constant(const SummaryRow& row) { return row.sd == 0; }

Rows rows_where(const Judged& run, bool (*wanted)(const SummaryRow&)) {
  Rows rows;
  for (const SummaryRow& row : run.rows) {
    if (wanted(row)) {
      rows.push_back(&row);
    }
  }
  return rows;
}

Rows moving(const Judged& run) {
  return rows_where(run, [](const SummaryRow& row) { return !not_finite(row) && !constant(row); });
}

// "x[3]", or "x[3] and 2 more coordinates"
std::string named(const Rows& rows) {
  if (rows.size() == 1) {
    return rows.front()->name;
  }
  return fmt::format("{} and {}", rows.front()->name,
                     plural(rows.size() - 1, "more coordinate", "more coordinates"));
}

// The worst row by `value`; rows without a value come first of all.
template <class Value, class Worse>
const SummaryRow* worst(const Rows& rows, Value value, Worse worse) {
  const SummaryRow* found = nullptr;
  for (const SummaryRow* row : rows) {
    if (std::isnan(value(*row))) {
      return row;
    }
    if (found == nullptr || worse(value(*row), value(*found))) {
      found = row;
    }
  }
  return found;
}

std::string chains_or_halves(const Judged& run) {
  return run.chains == 1 ? "the halves of the chain" : "the chains";
}

constexpr std::string_view few_values =
    "it takes too few different values; look at another quantity, or keep more draws";

// What was seen is a guess of what a longer run will show: with it runs pass in nine cases of ten.
constexpr double margin = 2;

// How many times as long: the excess of R-hat^2 over 1 falls as the chains grow.
double times_as_long(double rhat) {
  return std::ceil(margin * (rhat * rhat - 1) / (rhat_gate * rhat_gate - 1));
}

double times_as_many(double ess, double gate) { return std::ceil(margin * gate / ess); }

std::string longer(const Judged& run, double rhat, const Rows& rows) {
  double times = times_as_long(rhat);
  constexpr double plausible = 50;
  if (times > plausible) {
    return fmt::format(
        "{} disagree: run much longer (more warm-up, more draws); if they still do, they are "
        "caught "
        "in different places: try other coordinates, another kernel, or look for several modes",
        chains_or_halves(run));
  }
  for (const SummaryRow* row : rows) {  // once is enough
    for (const double ess : {row->ess_bulk, row->ess_tail}) {
      times = std::max(times, ess > 0 ? times_as_many(ess, ess_gate(run.chains)) : 0.0);
    }
  }
  std::string advice =
      fmt::format("{} disagree: run longer (more warm-up, more draws), about {:.0f} times as long",
                  chains_or_halves(run), std::max(2.0, times));
  constexpr std::size_t few = 100, many = 128;
  if (run.draws < few && run.chains < many) {
    advice += fmt::format(
        "; {} per chain are few for R-hat: it needs longer chains, or {} of them or more that "
        "forget their start in so few",
        plural(run.draws, "draw", "draws"), many);
  }
  return advice;
}

Finding judge_rhat(const Judged& run, const Rows& rows) {
  const auto rhat = [](const SummaryRow& r) { return r.rhat; };
  const SummaryRow* row = worst(rows, rhat, std::greater<>());
  if (std::isnan(row->rhat)) {
    return {
        State::failed, fmt::format("R-hat of {} is not defined", row->name),
        run.draws < 4 ? std::string("keep at least 4 draws per chain") : std::string(few_values)};
  }
  if (row->rhat < rhat_gate) {
    return {State::passed,
            fmt::format("R-hat is at most {} ({})", beside(row->rhat, rhat_gate, 3), row->name),
            fmt::format("{} agree", chains_or_halves(run))};
  }
  Rows failing, by_groups;
  for (const SummaryRow* r : rows) {
    if (!converged(*r)) {
      failing.push_back(r);
    } else if (converged_by_groups(*r)) {
      by_groups.push_back(r);
    }
  }
  const auto nested = [](const SummaryRow& r) { return r.nested_rhat; };
  if (failing.empty()) {
    const SummaryRow* most = worst(by_groups, nested, std::greater<>());
    return {State::passed,
            fmt::format("nested R-hat is at most {} ({})", beside(most->nested_rhat, rhat_gate, 3),
                        most->name),
            fmt::format("chains of {} are short for R-hat ({}, {}), but they forget where they "
                        "began and do not drift",
                        plural(run.draws, "draw", "draws"), beside(row->rhat, rhat_gate, 3),
                        row->name)};
  }
  row = worst(failing, rhat, std::greater<>());
  std::string fact = fmt::format("R-hat is {} ({}), not below {} in {} of {}",
                                 beside(row->rhat, rhat_gate, 2), row->name, rhat_gate,
                                 failing.size(), plural(rows.size(), "coordinate", "coordinates"));
  const SummaryRow* drifting =
      worst(failing, [](const SummaryRow& r) { return std::abs(r.drift); }, std::greater<>());
  if (drifting->drift != 0) {
    return {State::failed, fact,
            fmt::format("the chains are still on their way: together they moved by {:.2f} sd ({}) "
                        "from their first quarter to their last half: give more warm-up",
                        std::abs(drifting->drift), drifting->name)};
  }
  const SummaryRow* remembers = worst(failing, nested, std::greater<>());
  if (std::isnan(remembers->nested_rhat)) {
    return {State::failed, fact, longer(run, row->rhat, rows)};
  }
  const double times = times_as_long(remembers->nested_rhat);
  constexpr double plausible = 50;
  return {State::failed, fact,
          fmt::format("chains that began apart stay apart (nested R-hat {}, {}): {}",
                      beside(remembers->nested_rhat, rhat_gate, 3), remembers->name,
                      times > plausible
                          ? std::string("run much longer; if they still do, they are caught in "
                                        "different places: try other coordinates, another kernel, "
                                        "or look for several modes")
                          : fmt::format("keep about {:.0f} times as many draws per chain",
                                        std::max(2.0, times)))};
}

template <class Value>
Finding judge_ess(std::string_view kind, const Judged& run, const Rows& rows, Value value) {
  const SummaryRow* row = worst(rows, value, std::less<>());
  const double ess = value(*row), gate = ess_gate(run.chains);
  if (std::isnan(ess)) {
    return {
        State::failed, fmt::format("{} ESS of {} is not defined", kind, row->name),
        run.draws < 6 ? std::string("keep at least 6 draws per chain") : std::string(few_values)};
  }
  if (ess >= gate) {
    return {State::passed,
            fmt::format("{} ESS is at least {:.0f} ({})", kind, std::floor(ess), row->name),
            fmt::format("enough: {:.0f} are asked for", gate)};
  }
  return {State::failed,
          fmt::format("{} ESS is only {:.0f} ({}), {:.0f} are asked for", kind, std::floor(ess),
                      row->name, gate),
          fmt::format("keep about {:.0f} times as many draws", times_as_many(ess, gate))};
}

}  // namespace

void judge_points(Findings& all, const Judged& run) {
  if (const Rows broken = rows_where(run, not_finite); !broken.empty()) {
    all.push_back({State::failed, fmt::format("NaN or infinite values in {}", named(broken)),
                   "the run broke down there: use a smaller step size, and check that the target "
                   "is finite inside its domain"});
  }
  const Rows same = rows_where(run, constant);
  if (same.size() == run.rows.size()) {
    all.push_back({State::failed, "every coordinate is constant",
                   "no chain has moved: use a smaller step size, or check the start"});
  } else if (!same.empty()) {
    all.push_back({State::note, fmt::format("constant: {}", named(same)),
                   "left out of the gates below; very small values underflow to one number"});
  }
}

void judge_agreement(Findings& all, const Judged& run) {
  const Rows rows = moving(run);
  if (rows.empty()) {
    return;
  }
  all.push_back(judge_rhat(run, rows));
  if (run.chains == 1) {
    all.push_back({State::note, "one chain only",
                   "R-hat can but compare its halves, and a part of the space it never reached "
                   "goes unnoticed: run 4 chains"});
  }
  all.push_back(judge_ess("bulk", run, rows, [](const SummaryRow& r) { return r.ess_bulk; }));
  all.push_back(judge_ess("tail", run, rows, [](const SummaryRow& r) { return r.ess_tail; }));
}

void judge_ends(Findings& all, const Judged& run) {
  Rows shut;
  for (const SummaryRow& row : run.rows) {
    if (row.end_acceptance < end_acceptance_gate) {
      shut.push_back(&row);
    }
  }
  if (!shut.empty()) {
    const SummaryRow* row =
        worst(shut, [](const SummaryRow& r) { return r.end_acceptance; }, std::less<>());
    all.push_back(
        {State::failed,
         fmt::format("steps at one end of {} are accepted {} times as often as elsewhere",
                     named(shut), beside(row->end_acceptance, end_acceptance_gate, 2)),
         "what lies beyond may be missing, since steps are too long to go there: raise the target "
         "acceptance, use a smaller step size, or other coordinates"});
  }
}

void judge_tails(Findings& all, const Judged& run) {
  const std::size_t count = run.chains * run.draws;
  const double gate = pareto_k_gate(count);
  Rows heavy, endless;
  for (const SummaryRow& row : run.rows) {
    const double error = (1 + row.pareto_k) / std::sqrt(static_cast<double>(tail_length(count)));
    if (row.pareto_k > gate) {
      (row.pareto_k < 1 - error ? heavy : endless).push_back(&row);
    }
  }
  const auto k = [](const SummaryRow& r) { return r.pareto_k; };
  const auto say = [&](const Rows& rows, std::string_view fact, std::string_view tail) {
    if (!rows.empty()) {
      const SummaryRow* row = worst(rows, k, std::greater<>());
      all.push_back(
          {State::note, fmt::format("{} the mean of {}", fact, named(rows)),
           fmt::format("{} (Pareto k {}, {}); quantiles can be used, and means of bounded "
                       "functions",
                       tail, beside(row->pareto_k, gate, 2), row->name)});
    }
  };
  say(endless, "the draws cannot tell", "a tail is like that of laws without a mean");
  say(heavy, "nobody knows the error of", "a tail is too heavy for it");
}

}  // namespace tain::diagnostics
