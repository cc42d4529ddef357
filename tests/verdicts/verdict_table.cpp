// The whole suite: prints its table as Markdown, and to standard error every lie that could be known. Ends with 2 where
// the promise is broken: false trust in a case that can be known, or too many false alarms.
//
// usage: verdict_table [--seeds N] [--kernel K] [--chains N] [--target PART_OF_NAME]
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "suite.hpp"

int main(int argc, char** argv) {
  using namespace tain::verdicts;
  SuitePlan plan;
  std::vector<Case> cases = all_cases();
  for (int i = 1; i < argc; i += 2) {
    const std::string_view flag = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    if (flag == "--seeds") {
      plan.seeds = std::stoull(value);
    } else if (flag == "--kernel") {
      plan.kernels = {value};
    } else if (flag == "--chains") {
      std::erase_if(plan.lengths,
                    [&](const Length& l) { return std::to_string(l.chains) != value; });
    } else if (flag == "--target") {
      std::erase_if(cases,
                    [&](const Case& one) { return one.name.find(value) == std::string::npos; });
    } else {
      fmt::print(stderr, "verdict_table: no flag {}; use --seeds, --kernel, --chains, --target\n",
                 flag);
      return 64;
    }
  }
  const std::vector<Row> rows = run_suite(cases, plan);
  fmt::print("{}", table_of(rows));
  int false_trust = 0, false_alarms = 0, right = 0;
  for (const Row& row : rows) {
    for (const std::string& lie : row.lies) {
      if (row.kind != Class::unknowable) {
        fmt::print(stderr, "{}: {}\n", row.name, lie);
      }
    }
    false_trust += row.kind == Class::unknowable ? 0 : row.false_trust;
    false_alarms += row.false_alarms;
    right += row.kind == Class::good ? row.right : 0;
  }
  const int bound = alarm_bound(right);
  fmt::print(stderr, "false trust: {}, none is allowed; false alarms: {} of {}, allowed: {}\n",
             false_trust, false_alarms, right, bound);
  return false_trust == 0 && false_alarms <= bound ? 0 : 2;
}
