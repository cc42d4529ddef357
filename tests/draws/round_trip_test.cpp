// Reading is the inverse of writing, for every format and any numbers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>

#include "draws/draws_fixture.hpp"
#include "draws/table.hpp"

namespace tain::round_trip_test {
namespace {

using namespace testing_draws;

struct Case {
  DrawTable table;
  std::uint64_t kept;
};

// Numbers of any bit pattern: subnormals, infinities and NaN among them.
Case arbitrary_case() {
  const DrawShape shape{*rc::gen::inRange<std::uint32_t>(1, 5),
                        *rc::gen::inRange<std::uint64_t>(1, 9),
                        *rc::gen::inRange<std::size_t>(1, 6), *rc::gen::inRange<std::size_t>(1, 6)};
  const auto bits = *rc::gen::container<std::vector<std::uint64_t>>(
      97, rc::gen::oneOf(rc::gen::arbitrary<std::uint64_t>(),
                         rc::gen::element<std::uint64_t>(0, 1, 1ull << 63, 0x7ffull << 52,
                                                         0xfffull << 52, 0x7ff8ull << 48)));
  DrawTable table = DrawTable::in_memory(shape);
  // Whole generator words only come small at small sizes: spread them over all exponents.
  fill(table, [&](std::size_t k) {
    const std::uint64_t word = bits[k % bits.size()];
    return std::bit_cast<double>(word > 1 && word < (1ull << 52) ? word * 0x9e3779b97f4a7c15
                                                                 : word);
  });
  const auto kept = *rc::gen::inRange<std::uint64_t>(1, shape.draws + 1);
  return {std::move(table), kept};
}

void check(const Case& c, const DrawsFile& read) {
  const DrawShape& shape = c.table.shape();
  RC_ASSERT(read.chains == shape.chains);
  RC_ASSERT(read.draws == c.kept);
  RC_ASSERT(read.names == coordinate_names({}, shape.primal_dim));
  RC_ASSERT(same(read.values, first_draws(c.table.primal(), shape, c.kept, shape.primal_dim)));
}

void check_statistics(const Case& c, const DrawsFile& read) {
  const DrawShape& shape = c.table.shape();
  RC_ASSERT(same(read.acceptance, first_draws(c.table.acceptance(), shape, c.kept, 1)));
  RC_ASSERT(same(read.diverging, first_draws(c.table.diverging(), shape, c.kept, 1)));
  RC_ASSERT(same(read.info, example_info()));
}

DrawsFile written_and_read(const Case& c, const std::string& name) {
  const Folder folder;
  const std::filesystem::path path[] = {folder / name};
  write_draws(path[0], c.table, c.kept, example_info());
  return read_draws(path);
}

RC_GTEST_PROP(RoundTrip, Npy, ()) {
  const Case c = arbitrary_case();
  check(c, written_and_read(c, "draws.npy"));
}

RC_GTEST_PROP(RoundTrip, StanCsv, ()) {
  const Case c = arbitrary_case();
  const DrawsFile read = written_and_read(c, "draws.csv");
  check(c, read);
  check_statistics(c, read);
}

RC_GTEST_PROP(RoundTrip, Netcdf, ()) {
  const Case c = arbitrary_case();
  const DrawsFile read = written_and_read(c, "draws.nc");
  check(c, read);
  check_statistics(c, read);
}

}  // namespace
}  // namespace tain::round_trip_test
