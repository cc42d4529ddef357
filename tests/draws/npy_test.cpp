// npy: the bytes NumPy expects, and headers that lie.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/file.hpp"
#include "draws/draws_fixture.hpp"
#include "draws/formats.hpp"

namespace tain::npy_test {
namespace {

using testing::HasSubstr;
using namespace testing_draws;

DrawsFile parse(const std::string& bytes) {
  return draws::parse_npy(std::as_bytes(std::span(bytes)), "draws.npy");
}

std::string npy(const std::string& dictionary, std::size_t data_bytes) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file.push_back(static_cast<char>(dictionary.size() & 0xff));
  file.push_back(static_cast<char>(dictionary.size() >> 8));
  return file + dictionary + std::string(data_bytes, '\0');
}

std::string header(const std::string& shape, const std::string& type = "<f8") {
  return "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
}

TEST(Npy, HeaderIsWhatNumpyWrites) {
  const Folder folder;
  write_draws(folder / "draws.npy", example_table({2, 3, 4, 1}), 3, {});
  const std::string bytes = read_file(folder / "draws.npy");
  EXPECT_EQ(bytes.size(), 128 + 2 * 3 * 4 * sizeof(double));
  EXPECT_TRUE(bytes.starts_with(std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                                "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3, 4), }"));
  EXPECT_EQ(bytes[127], '\n');
}

TEST(Npy, ReadsFewerDimensionsAndFloats) {
  EXPECT_EQ(parse(npy(header("(6,)"), 48)).draws, 6u);
  const DrawsFile matrix = parse(npy(header("(2, 3)"), 48));
  EXPECT_EQ(matrix.chains, 2u);
  EXPECT_EQ(matrix.draws, 3u);
  std::string floats = npy(header("(1, 2, 1)", "<f4"), 0);
  floats += std::string("\x00\x00\x80\x3f\x00\x00\x00\xc0", 8);
  EXPECT_EQ(parse(floats).values, (std::vector<double>{1, -2}));
  std::string second = npy(header("(6,)"), 48);
  second[6] = 2;
  second.insert(10, 2, '\0');  // version 2 has 32 bits for the length
  EXPECT_EQ(parse(second).draws, 6u);
}

TEST(Npy, LyingHeadersAreRefused) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "not an npy file"},
      {"\x93NUMPY", "not an npy file"},
      {npy(header("(2, 3)"), 40), "promises 48 bytes of data, the file has 40"},
      {npy(header("(2, 3)"), 56), "promises 48 bytes of data, the file has 56"},
      {npy(header("(4294967296, 4294967296, 2)"), 48), "more data than any file"},
      {npy(header("(99999999999999999999, 1)"), 48), "no list of lengths"},
      {npy(header("(-2, 3)"), 48), "no list of lengths"},
      {npy(header("(1, 2, 3, 1)"), 48), "has 4 dimensions"},
      {npy(header("()"), 8), "has 0 dimensions"},
      {npy(header("(0, 3, 2)"), 0), "holds no draws"},
      {npy(header("(2, 3)", ">f8"), 48), "items of type '>f8'"},
      {npy(header("(2, 3)", "|O"), 48), "items of type '|O'"},
      {npy("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3)}", 48), "Fortran order"},
      {npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2, 3)}", 48), "no '''"},
      {npy("{'descr': '<f8", 48), "without end"},
      {npy("{'x': 1}", 48), "unknown key"},
      {npy("", 48), "no '{'"},
      {std::string("\x93NUMPY\x01\x00\xff\xff{}", 12), "cut inside its npy header"},
      {std::string("\x93NUMPY\x07\x00\x02\x00{}", 12), "version 7"},
  };
  for (const auto& [bytes, problem] : cases) {
    const Error error = error_of([&] { parse(bytes); });
    EXPECT_EQ(error.fault(), Fault::data) << problem;
    EXPECT_THAT(error.what(), HasSubstr(problem));
    EXPECT_THAT(error.what(), testing::StartsWith("draws.npy: "));
  }
}

}  // namespace
}  // namespace tain::npy_test
