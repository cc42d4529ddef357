// A row of the table is what its kernel is and does.
#include "run/kernel_table.hpp"

#include <gtest/gtest.h>

#include "maps/simplex.hpp"
#include "support/errors.hpp"
#include "targets/dirichlet.hpp"

namespace tain::kernel_table_test {
namespace {

const Problem problem{SimplexMap::with_reference(4, 0),
                      DirichletPosterior({30, 10, 0, 2}, {0.8, 0.8, 0.8, 0.8})};

Bias bias_of(const Kernel& kernel) {
  return kernel.exact()                ? Bias::none
         : kernel.reports_acceptance() ? Bias::indicated
                                       : Bias::unknown;
}

TEST(KernelTable, EveryRowMakesItsKernel) {
  for (const KernelRow& row : kernel_table()) {
    SCOPED_TRACE(row.name);
    SamplePlan plan{.kernel = std::string(row.name), .step_size = 0.01};
    const Walk walk = make_walk(problem, plan);
    EXPECT_EQ(walk.kernel->name(), row.name);
    EXPECT_EQ(walk.potential.dim(), state_dim(problem, row.name));
    EXPECT_EQ(bias_of(*walk.kernel), row.bias);
    EXPECT_EQ(&kernel_row(row.name), &row);
    plan.batch.size = 7;
    if (row.has(Has::batches)) {
      EXPECT_EQ(bias_of(*make_walk(problem, plan).kernel), row.batch_bias);
    } else {
      test::expect_error([&] { make_walk(problem, plan); }, Fault::config, {"whole gradients"});
    }
  }
}

TEST(KernelTable, NamesThoseThatHaveSomething) {
  using Names = std::vector<std::string_view>;
  EXPECT_EQ(kernel_names(Has::theory), (Names{"mld", "smld"}));
  EXPECT_EQ(kernel_names(Has::batches | Has::theory), Names{"smld"});
  EXPECT_EQ(kernel_names().size(), kernel_table().size());
  EXPECT_EQ(find_kernel("auto"), nullptr);
  test::expect_error([] { kernel_row("hcm"); }, Fault::usage, {"did you mean 'hmc'?"});
}

}  // namespace
}  // namespace tain::kernel_table_test
