// Damaged files: an Error or other numbers, never a crash, never more memory than the file is
// worth.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>

#include "core/file.hpp"
#include "draws/draws_fixture.hpp"
#include "draws/formats.hpp"

namespace tain::damage_test {
namespace {

using namespace testing_draws;

const std::string& valid_file(const std::string& ending) {
  static std::map<std::string, std::string> files;
  std::string& bytes = files[ending];
  if (bytes.empty()) {
    const Folder folder;
    write_draws(folder / ("draws" + ending), example_table({2, 3, 2, 2}), 3, example_info());
    bytes = read_file(folder / ("draws" + ending));
  }
  return bytes;
}

std::string cut(std::string bytes) {
  bytes.resize(
      *rc::gen::resize(rc::kNominalSize * 4, rc::gen::inRange<std::size_t>(0, bytes.size())));
  return bytes;
}

std::string spoiled(std::string bytes) {
  const int count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    const auto place =
        *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, bytes.size()));
    bytes[place] = *rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<char>());
  }
  return bytes;
}

// Whatever is accepted has the shape it claims.
void expect_sound(const DrawsFile& file, std::size_t file_bytes) {
  RC_ASSERT(file.chains > 0u && file.draws > 0u && !file.names.empty());
  RC_ASSERT(file.values.size() == file.chains * file.draws * file.names.size());
  RC_ASSERT(file.values.size() <= 1100 * file_bytes);
  RC_ASSERT(file.dual.size() == file.chains * file.draws * file.dual_dim);
}

template <class Parse>
void try_to_read(const std::string& bytes, Parse parse) {
  try {
    expect_sound(parse(bytes), bytes.size());
  } catch (const Error& error) {
    RC_ASSERT(error.fault() == Fault::data);
    RC_ASSERT(std::string(error.what()).find("damaged") != std::string::npos);  // names the file
  }
}

DrawsFile parse_npy(const std::string& bytes) {
  return draws::parse_npy(std::as_bytes(std::span(bytes)), "damaged.npy");
}
DrawsFile parse_csv(const std::string& bytes) {
  return draws::parse_stan_csv(bytes, "damaged.csv");
}
DrawsFile parse_netcdf(const std::string& bytes) {
  const Folder folder;
  write_atomically(folder / "damaged.nc", bytes);
  return draws::read_netcdf(folder / "damaged.nc", DualPart::read);
}

RC_GTEST_PROP(Damage, CutNpy, ()) { try_to_read(cut(valid_file(".npy")), parse_npy); }
RC_GTEST_PROP(Damage, SpoiledNpy, ()) { try_to_read(spoiled(valid_file(".npy")), parse_npy); }
RC_GTEST_PROP(Damage, CutCsv, ()) { try_to_read(cut(valid_file(".csv")), parse_csv); }
RC_GTEST_PROP(Damage, SpoiledCsv, ()) { try_to_read(spoiled(valid_file(".csv")), parse_csv); }
RC_GTEST_PROP(Damage, CutNetcdf, ()) { try_to_read(cut(valid_file(".nc")), parse_netcdf); }

}  // namespace
}  // namespace tain::damage_test
