// netCDF: same draws, same bytes; files of others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netcdf.h>

#include <cstdlib>
#include <ctime>
#include <thread>

#include "core/file.hpp"
#include "draws/draws_fixture.hpp"
#include "draws/table.hpp"

namespace tain::netcdf_test {
namespace {

using testing::HasSubstr;
using namespace testing_draws;

DrawsFile read(const std::filesystem::path& path) { return read_draws({&path, 1}); }

void wait_for_another_second() {
  const std::time_t now = std::time(nullptr);
  while (std::time(nullptr) == now) {
    std::this_thread::yield();
  }
}

TEST(Netcdf, SameDrawsSameBytes) {
  const Folder folder;
  const DrawsInfo info = example_info();
  const std::vector<std::string> names{"a", "b[1]", "β"};
  const DrawShape shape{3, 20, 3, 2};
  write_draws(folder / "a.nc", example_table(shape), 18, info, names);
  wait_for_another_second();  // times in a file have a second's resolution
  const DrawTable on_disk = [&] {
    DrawTable table = DrawTable::create(folder / "table", shape);
    fill(table, example_number);
    return table;
  }();
  write_draws(folder / "b.nc", on_disk, 18, info, names);
  EXPECT_EQ(read_file(folder / "a.nc"), read_file(folder / "b.nc"));
  EXPECT_EQ(read(folder / "b.nc").names, names);
}

TEST(Netcdf, TellsItsTimeOnlyWhereAsked) {
  const Folder folder;
  const DrawTable table = example_table({1, 4, 2, 2});
  ::setenv("SOURCE_DATE_EPOCH", "1543795200", 1);
  write_draws(folder / "a.nc", table, 4, example_info());
  ::unsetenv("SOURCE_DATE_EPOCH");
  write_draws(folder / "b.nc", table, 4, example_info());
  EXPECT_THAT(read_file(folder / "a.nc"), HasSubstr("2018-12-03T00:00:00Z"));
  EXPECT_THAT(read_file(folder / "b.nc"), testing::Not(HasSubstr("created_at")));
}

TEST(Netcdf, GivesTheDualBackWhereAskedFor) {
  const Folder folder;
  const DrawTable table = example_table({2, 5, 3, 2});
  write_draws(folder / "a.nc", table, 4, example_info());
  const std::filesystem::path path = folder / "a.nc";
  EXPECT_EQ(read(path).dual_dim, 0u);
  EXPECT_TRUE(read(path).dual.empty());
  const DrawsFile file = read_draws({&path, 1}, DualPart::read);
  ASSERT_EQ(file.dual_dim, 2u);
  ASSERT_EQ(file.dual.size(), 2u * 4 * 2);
  for (std::size_t chain = 0; chain < 2; ++chain) {
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_EQ(file.dual[chain * 8 + i], table.dual()[chain * 10 + i]);
    }
  }
  // The chains of several files are one run; where one of them has no dual, the run has none.
  const std::filesystem::path both[] = {path, path};
  EXPECT_EQ(read_draws(both, DualPart::read).dual.size(), 2 * file.dual.size());
}

TEST(Netcdf, RefusesADualOfAnotherShape) {
  const Folder folder;
  const std::filesystem::path path = folder / "a.nc";
  write_draws(path, example_table({2, 4, 3, 2}), 4, example_info());
  int file = 0, group = 0, id = 0;
  ASSERT_EQ(nc_open(path.c_str(), NC_WRITE, &file), NC_NOERR);
  ASSERT_EQ(nc_inq_grp_ncid(file, "unconstrained_posterior", &group), NC_NOERR);
  ASSERT_EQ(nc_inq_varid(group, "y", &id), NC_NOERR);
  ASSERT_EQ(nc_rename_var(group, id, "z"), NC_NOERR);
  nc_close(file);
  EXPECT_THAT(error_of([&] { read_draws({&path, 1}, DualPart::read); }).what(),
              HasSubstr("has no variable 'y'"));
  ASSERT_EQ(nc_open(path.c_str(), NC_WRITE, &file), NC_NOERR);
  ASSERT_EQ(nc_inq_grp_ncid(file, "unconstrained_posterior", &group), NC_NOERR);
  int dimensions[3] = {};
  ASSERT_EQ(nc_def_dim(group, "other", 7, &dimensions[1]), NC_NOERR);
  ASSERT_EQ(nc_inq_dimid(group, "chain", &dimensions[0]), NC_NOERR);
  ASSERT_EQ(nc_inq_dimid(group, "y_dim_0", &dimensions[2]), NC_NOERR);
  ASSERT_EQ(nc_def_var(group, "y", NC_DOUBLE, 3, dimensions, &id), NC_NOERR);
  nc_close(file);
  const Error error = error_of([&] { read_draws({&path, 1}, DualPart::read); });
  EXPECT_EQ(error.fault(), Fault::data);
  EXPECT_THAT(error.what(), HasSubstr("another shape than the posterior"));
  EXPECT_EQ(read(path).draws, 4u);  // whoever does not want the dual is not disturbed
}

// A file as ArviZ writes it: several variables, labels, an attribute or two, integers.
class Foreign {
 public:
  explicit Foreign(const std::filesystem::path& path) {
    check(nc_create(path.c_str(), NC_NETCDF4, &file_));
    check(nc_def_grp(file_, "posterior", &group_));
    check(nc_def_dim(group_, "chain", 2, &dims_[0]));
    check(nc_def_dim(group_, "draw", 3, &dims_[1]));
    check(nc_def_dim(group_, "school", 2, &dims_[2]));
    check(nc_def_dim(group_, "n", 2, &dims_[3]));
  }
  ~Foreign() { nc_close(file_); }
  int variable(const char* name, nc_type type, std::vector<int> dims) {
    int id = 0;
    for (int& dim : dims) {
      dim = dims_[dim];
    }
    check(nc_def_var(group_, name, type, static_cast<int>(dims.size()), dims.data(), &id));
    return id;
  }
  void numbers(const char* name, nc_type type, const std::vector<int>& dims, double start) {
    std::vector<double> values(2 * 3 * (dims.size() > 2 ? 2 : 1) * (dims.size() > 3 ? 2 : 1));
    for (double& v : values) {
      v = start++;
    }
    check(nc_put_var_double(group_, variable(name, type, dims), values.data()));
  }
  int group() const { return group_; }
  static void check(int status) { ASSERT_EQ(status, NC_NOERR) << nc_strerror(status); }

 private:
  int file_ = 0, group_ = 0;
  int dims_[4] = {};
};

TEST(Netcdf, ReadsArviz) {
  const Folder folder;
  {
    Foreign file(folder / "arviz.nc");
    const char* schools[] = {"Choate", "Deerfield"};
    Foreign::check(
        nc_put_var_string(file.group(), file.variable("school", NC_STRING, {2}), schools));
    file.numbers("mu", NC_FLOAT, {0, 1}, 100);
    file.numbers("theta", NC_DOUBLE, {0, 1, 2}, 200);
    file.numbers("z", NC_INT, {0, 1, 3, 2}, 300);
    file.variable("note", NC_STRING, {0, 1});
    file.variable("weights", NC_DOUBLE, {3});
  }
  const DrawsFile draws = read(folder / "arviz.nc");
  EXPECT_EQ(draws.chains, 2u);
  EXPECT_EQ(draws.draws, 3u);
  EXPECT_EQ(draws.names,
            (std::vector<std::string>{"mu", "theta[Choate]", "theta[Deerfield]", "z[1,Choate]",
                                      "z[1,Deerfield]", "z[2,Choate]", "z[2,Deerfield]"}));
  for (std::size_t pair = 0; pair < 6; ++pair) {
    const auto p = static_cast<double>(pair);
    const std::vector<double> expected = {100 + p,     200 + 2 * p, 201 + 2 * p, 300 + 4 * p,
                                          301 + 4 * p, 302 + 4 * p, 303 + 4 * p};
    const auto* row = draws.values.data() + pair * 7;
    EXPECT_EQ(std::vector<double>(row, row + 7), expected);
  }
  EXPECT_TRUE(draws.acceptance.empty());
}

TEST(Netcdf, ReportsWhatIsMissing) {
  const Folder folder;
  int id = 0;
  Foreign::check(nc_create((folder / "empty.nc").c_str(), NC_NETCDF4, &id));
  nc_close(id);
  const auto message = [&](const char* name) {
    const Error error = error_of([&] { read(folder / name); });
    EXPECT_EQ(error.fault(), Fault::data);
    EXPECT_THAT(error.what(), HasSubstr(name));
    return std::string(error.what());
  };
  EXPECT_THAT(message("empty.nc"), HasSubstr("no group 'posterior'"));
  {
    Foreign(folder / "bare.nc").variable("weights", NC_DOUBLE, {3});
  }
  EXPECT_THAT(message("bare.nc"), HasSubstr("no variable over (chain, draw)"));
  write_atomically(folder / "text.nc", "this is not a netCDF file");
  EXPECT_THAT(message("text.nc"), HasSubstr("is it a netCDF file"));
}

}  // namespace
}  // namespace tain::netcdf_test
