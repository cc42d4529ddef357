// Prints the table of the suite as Markdown; what lied, run by run, to standard error.
//
// usage: verdict_table [--seeds N] [--kernel K] [--chains N] [--target PART_OF_NAME]
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "suite.hpp"

int main(int argc, char** argv) {
  using namespace tain::verdicts;
  SuitePlan plan;
  std::vector<Case> cases = all_cases();
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view flag = argv[i];
    const std::string value = argv[i + 1];
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
  for (const Row& row : rows) {
    for (const std::string& lie : row.lies) {
      fmt::print(stderr, "{}: {}\n", row.name, lie);
    }
  }
}
