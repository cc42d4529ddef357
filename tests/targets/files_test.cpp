// Readers of text and npy: what they accept, what they refuse, and that nothing breaks them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>

#include "core/number_file.hpp"
#include "errors.hpp"
#include "targets/csv.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tain::files_test {
namespace {

using testing_support::fails;

TEST(Csv, ReadsWhatProgramsWrite) {
  const CsvTable table = parse_csv(
      "\xEF\xBB\xBF\"first name\", b ,\"say \"\"c\"\"\"\r\n1, +2.5 ,\"-3e-4\"\r\n4,5,6\r\n\r\n",
      "t.csv");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"first name", "b", "say \"c\""}));
  EXPECT_EQ(table.values, (std::vector<double>{1, 2.5, -3e-4, 4, 5, 6}));
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.lines, (std::vector<std::size_t>{2, 3}));
}

TEST(Csv, SaysWhereItIsWrong) {
  const auto parse = [](std::string text) { return [=] { parse_csv(text, "t.csv"); }; };
  EXPECT_TRUE(fails(parse(""), Fault::data, "t.csv:1: no header"));
  EXPECT_TRUE(fails(parse("a,b\n"), Fault::data, "no rows"));
  EXPECT_TRUE(fails(parse("a,,b\n1,2,3\n"), Fault::data, "t.csv:1: column 2 has no name"));
  EXPECT_TRUE(fails(parse("a,a\n1,2\n"), Fault::data, "two columns are named 'a'"));
  EXPECT_TRUE(fails(parse("a,b\n1,2\n3\n"), Fault::data, "t.csv:3: 1 cells but 2 columns"));
  EXPECT_TRUE(fails(parse("a,b\n1,2,3\n"), Fault::data, "t.csv:2: more than 2 cells"));
  EXPECT_TRUE(fails(parse("a,b\n1,\n"), Fault::data, "t.csv:2: column 'b' is empty"));
  EXPECT_TRUE(fails(parse("a,b\n1,NA\n"), Fault::data, "column 'b': 'NA' is not a finite"));
  EXPECT_TRUE(fails(parse("a,b\nnan,1\n"), Fault::data, "column 'a': 'nan' is not a finite"));
  EXPECT_TRUE(fails(parse("a,b\ninf,1\n"), Fault::data, "'inf' is not a finite"));
  EXPECT_TRUE(fails(parse("a,b\n1x,1\n"), Fault::data, "'1x' is not a finite"));
  EXPECT_TRUE(fails(parse("a,b\n+-1,1\n"), Fault::data, "'+-1' is not a finite"));
  EXPECT_TRUE(fails(parse("a,b\n1e999,1\n"), Fault::data, "'1e999' is not a finite"));
  EXPECT_TRUE(fails(parse("a,\"b\n1,2\n"), Fault::data, "t.csv:1: quote is not closed"));
  EXPECT_TRUE(fails(parse("\"a\"x,b\n1,2\n"), Fault::data, "text after a closing quote"));
  EXPECT_TRUE(fails(parse("a,b\n1,2\n\n3,4\n"), Fault::data, "t.csv:3: blank line"));
  EXPECT_TRUE(fails([] { read_csv("/nonexistent/t.csv"); }, Fault::no_input, "/nonexistent/t.csv"));
}

RC_GTEST_PROP(CsvProperty, ReadsBackEveryNumber, (const std::vector<double>& raw)) {
  std::string text = "x\n";
  std::vector<double> expected = {0};
  text += "0\n";
  for (const double value : raw) {
    if (std::isfinite(value)) {
      char buffer[64];
      std::snprintf(buffer, sizeof buffer, "%.17g\n", value);
      text += buffer;
      expected.push_back(value);
    }
  }
  RC_ASSERT(parse_csv(text, "t").values == expected);
}

TEST(Numbers, ReadsText) {
  const NumberMatrix m = parse_matrix("# covariance\na b\n1, 2;\t3\n\n4 5 -inf # end\n", "m.txt");
  EXPECT_EQ(m.rows, 2u);
  EXPECT_EQ(m.cols, 3u);
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(m.values, (std::vector<double>{1, 2, 3, 4, 5, -inf}));
  EXPECT_EQ(parse_numbers("1 2 3\n4\n", "n.txt"), (std::vector<double>{1, 2, 3, 4}));
}

TEST(Numbers, SaysWhereTextIsWrong) {
  EXPECT_TRUE(fails([] { parse_matrix("1 2\n3\n", "m"); }, Fault::data,
                    "m:2: 1 numbers where the first row has 2"));
  EXPECT_TRUE(fails([] { parse_numbers("1\nx\n", "m"); }, Fault::data, "m:2: 'x' is not a number"));
  EXPECT_TRUE(fails([] { parse_numbers("1\nnan\n", "m"); }, Fault::data, "'nan' is not a number"));
  EXPECT_TRUE(fails([] { parse_numbers("# nothing\n", "m"); }, Fault::data, "m: no numbers"));
  EXPECT_TRUE(fails([] { read_numbers("/nonexistent/n"); }, Fault::no_input, "/nonexistent/n"));
}

std::string npy(const std::string& header, const std::vector<double>& values, char version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += version;
  bytes += '\0';
  const std::size_t size = header.size() + 1;
  bytes += static_cast<char>(size & 0xff);
  bytes += static_cast<char>(size >> 8);
  if (version > 1) {
    bytes += std::string(2, '\0');
  }
  bytes += header + "\n";
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  return bytes;
}

TEST(Numbers, ReadsNpy) {
  const std::string c = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
  const std::string fortran = "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }";
  const std::string vector = "{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }";
  const std::vector<double> values = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(parse_matrix(npy(c, values), "m").values, values);
  EXPECT_EQ(parse_matrix(npy(c, values, 2), "m").cols, 3u);
  EXPECT_EQ(parse_matrix(npy(fortran, values), "m").values,
            (std::vector<double>{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(parse_matrix(npy(vector, values), "m").rows, 1u);
  EXPECT_EQ(parse_numbers(npy(vector, values), "m"), values);
}

TEST(Numbers, RefusesOtherNpy) {
  const auto parse = [](std::string bytes) { return [=] { parse_matrix(bytes, "m.npy"); }; };
  const auto header = [](std::string descr, std::string shape) {
    return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
  };
  EXPECT_TRUE(fails(parse(npy(header("<f4", "(2,)"), {1})), Fault::data, "not of type '<f8'"));
  EXPECT_TRUE(fails(parse(npy(header("<f8", "(2,)"), {1})), Fault::data, "8 bytes of data"));
  EXPECT_TRUE(fails(parse(npy(header("<f8", "(1, 1, 1)"), {1})), Fault::data, "3-d"));
  EXPECT_TRUE(fails(parse(npy(header("<f8", "(x,)"), {1})), Fault::data, "damaged"));
  EXPECT_TRUE(fails(parse(npy(header("<f8", "(0, 3)"), {})), Fault::data, "0 bytes"));
  // 2^32 x 2^32 wraps to 0 in 64 bits.
  EXPECT_TRUE(fails(parse(npy(header("<f8", "(4294967296, 4294967296)"), {})), Fault::data,
                    "0 bytes of data"));
  EXPECT_TRUE(fails(parse(npy(header("<f8", "(1,)"), {NAN})), Fault::data, "number 1 is NaN"));
  EXPECT_TRUE(fails(parse("\x93NUMPY\x01"), Fault::data, "cut short"));
  EXPECT_TRUE(fails(parse(npy("{}", {1})), Fault::data, "no 'descr'"));
  EXPECT_TRUE(fails(parse(std::string("\x93NUMPY\x01\0\xff\xff{}", 12)), Fault::data, "damaged"));
}

TEST(Readers, SurviveMutations) {
  const std::string seeds[] = {
      "a,\"b\"\"x\",c\n1,2,3\r\n+4,\"5\",-6e3\n", "1 2;3\n# x\n4,5 6\n", ",,\n\"\"\",\n",
      npy("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }", {1, 2, 3, 4})};
  const std::string alphabet = ",\"\n\r #;+-.0123456789eEinfa()':\x93N\0";
  std::mt19937_64 engine(1);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = seeds[round % 4];
    for (std::uint64_t edits = 1 + engine() % 6; edits > 0 && !bytes.empty(); --edits) {
      const std::size_t at = engine() % bytes.size();
      const char c = alphabet[engine() % alphabet.size()];
      switch (engine() % 4) {
        case 0:
          bytes[at] = c;
          break;
        case 1:
          bytes.insert(at, 1, c);
          break;
        case 2:
          bytes.erase(at, 1 + engine() % 8);
          break;
        default:
          bytes[at] = static_cast<char>(engine());
      }
    }
    // Throws or aborts if a reader throws anything but Error (data) or breaks its promises.
    ASSERT_EQ(
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()),
        0);
  }
}

}  // namespace
}  // namespace tain::files_test
