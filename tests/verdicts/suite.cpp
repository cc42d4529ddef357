#include "suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <sstream>
#include <thread>

namespace tain::verdicts {
namespace {

struct Job {
  std::size_t one;  // of the cases
  std::string kernel;
  Length length;
  std::uint64_t seed;
};

struct Found {
  Judgement judgement;
  bool refused = false, trusted = false, fooled = false;
  std::string first_failed;
};

// "R-hat is", "Bulk ESS is only", "of draws diverged": a sentence up to its fourth word, without
// words that have a digit or a bracket, which differ from run to run.
std::string gist(const std::string& sentence) {
  std::istringstream words(sentence.substr(0, sentence.find(';')));
  std::string word, result;
  for (int count = 0; count < 4 && words >> word;) {
    if (word.find_first_of("0123456789()[]") == std::string::npos) {
      result += (count++ == 0 ? "" : " ") + word;
    }
  }
  return result;
}

bool rhat_and_ess_trust(const Run& run) {
  return std::ranges::all_of(run.summary(), [](const SummaryRow& row) {
    return row.sd == 0 || (row.rhat < 1.01 && row.ess_bulk >= 400 && row.ess_tail >= 400);
  });
}

Found run_job(const Case& one, const Job& job, double comparisons) {
  SamplePlan plan;
  plan.kernel = job.kernel;
  plan.chains = job.length.chains;
  plan.warmup = job.length.warmup;
  plan.draws = job.length.draws;
  plan.seed = job.seed;
  plan.threads = 1;
  Found found;
  try {
    const Run run = sample(one.set, one.target, plan);
    found.judgement = judge_draws(one, run.draws(), comparisons);
    found.trusted = run.judged() && run.verdict().trust;
    found.fooled = found.judgement.outcome == Outcome::wrong && rhat_and_ess_trust(run);
    for (const VerdictLine& line : run.verdict().lines) {
      if (!line.passed) {
        found.first_failed = gist(line.sentence);
        break;
      }
    }
  } catch (const Error& error) {
    found.refused = true;
    found.first_failed = "refused: " + gist(error.what());
  }
  return found;
}

void count(const Job& job, const Found& found, Row& row) {
  const Outcome outcome = found.judgement.outcome;
  const bool false_trust = found.trusted && outcome == Outcome::wrong;
  const bool right = !found.refused && outcome == Outcome::right;
  const bool false_alarm = row.kind == Class::good && right && !found.trusted;
  ++row.runs;
  row.refused += found.refused;
  row.right += right;
  row.unclear += !found.refused && outcome == Outcome::unclear;
  row.wrong += !found.refused && outcome == Outcome::wrong;
  row.trusted += found.trusted;
  row.false_trust += false_trust;
  row.false_alarms += false_alarm;
  row.fooled += found.fooled;
  if (!found.first_failed.empty()) {
    ++row.first_failed[found.first_failed];
  }
  if (false_trust || false_alarm) {
    row.lies.push_back(fmt::format("{}, {} chains, seed {}: {}", job.kernel, job.length.chains,
                                   job.seed,
                                   false_trust ? found.judgement.worst : found.first_failed));
  }
}

std::string most_frequent(const std::map<std::string, int>& counts) {
  std::vector<std::pair<int, std::string>> sorted;
  for (const auto& [text, number] : counts) {
    sorted.emplace_back(-number, text);
  }
  std::ranges::sort(sorted);
  std::string result;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, sorted.size()); ++i) {
    result += fmt::format("{}{} ({})", i == 0 ? "" : ", ", sorted[i].second, -sorted[i].first);
  }
  return result;
}

std::string line_of(const Row& row) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", row.name,
                     text_of(row.kind), row.runs, row.right, row.unclear, row.wrong, row.refused,
                     row.trusted, row.false_trust,
                     row.kind == Class::good ? std::to_string(row.false_alarms) : "", row.fooled,
                     most_frequent(row.first_failed));
}

}  // namespace

std::vector<Row> run_suite(const std::vector<Case>& cases, const SuitePlan& plan) {
  std::vector<Job> jobs;
  double comparisons = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (const std::string& kernel : plan.kernels) {
      for (const Length& length : plan.lengths) {
        for (std::uint64_t k = 0; k < plan.seeds; ++k) {
          jobs.push_back({i, kernel, length, plan.first_seed + k});
          comparisons += double(comparisons_of(cases[i]));
        }
      }
    }
  }
  std::vector<Found> found(jobs.size());
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::jthread> workers;
    const std::size_t count =
        plan.threads != 0 ? plan.threads : std::thread::hardware_concurrency();
    for (std::size_t w = 0; w < count; ++w) {
      workers.emplace_back([&] {
        for (std::size_t k = next++; k < jobs.size(); k = next++) {
          found[k] = run_job(cases[jobs[k].one], jobs[k], comparisons);
        }
      });
    }
  }
  std::vector<Row> rows;
  for (const Case& one : cases) {
    rows.push_back({.name = one.name, .kind = one.kind});
  }
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    count(jobs[k], found[k], rows[jobs[k].one]);
  }
  return rows;
}

int alarm_bound(int right_runs) {
  // P(more than k of n) at a rate of 2 %, from below.
  double term = std::pow(0.98, right_runs), below = term;
  int k = 0;
  while (1 - below > 1e-6 && k < right_runs) {
    term *= 0.02 / 0.98 * double(right_runs - k) / double(k + 1);
    below += term;
    ++k;
  }
  return k;
}

std::string table_of(const std::vector<Row>& rows) {
  std::string text =
      "| target | class | runs | right | unclear | wrong | refused | trusted | false trust | false "
      "alarms | R-hat and ESS alone trust a wrong one | first line that failed |\n"
      "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n";
  for (const Class kind : {Class::good, Class::hostile, Class::unknowable}) {
    Row sum{.name = fmt::format("**all {}**", text_of(kind)), .kind = kind};
    for (const Row& row : rows) {
      if (row.kind != kind) {
        continue;
      }
      text += line_of(row);
      for (const auto member :
           {&Row::runs, &Row::right, &Row::unclear, &Row::wrong, &Row::refused, &Row::trusted,
            &Row::false_trust, &Row::false_alarms, &Row::fooled}) {
        sum.*member += row.*member;
      }
    }
    if (sum.runs > 0) {
      text += line_of(sum);
    }
  }
  return text;
}

}  // namespace tain::verdicts
