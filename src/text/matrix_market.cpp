// MatrixMarket: a banner, comments, `rows columns entries`, then `row column count`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "tain/core/error.hpp"
#include "text/readers.hpp"
#include "text/triples.hpp"

namespace tain::text {
namespace {

/// Names in the banner may be in any case.
std::string lower(std::string_view field) {
  std::string result(field);
  std::transform(result.begin(), result.end(), result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

class MatrixMarketReader final : public TripleReader {
 public:
  MatrixMarketReader(std::unique_ptr<ByteSource> source, const BagOptions& options)
      : TripleReader(std::move(source), '%') {
    banner();
    const auto line = next_line();
    Fields fields(line.value_or(""), lines());
    TripleSizes sizes;
    fields.more();
    sizes.documents = fields.whole_number("number of rows");
    fields.more();
    sizes.words = fields.whole_number("number of columns");
    fields.more();
    sizes.entries = fields.whole_number("number of entries");
    if (fields.more()) {
      fields.refuse_line("more than three numbers", "give rows, columns and entries");
    }
    begin(sizes, options);
  }

 private:
  void banner() {
    const std::string_view line = first_line().value_or("");
    Fields fields(line, lines());
    static constexpr std::array<std::string_view, 5> expected{"%%matrixmarket", "matrix",
                                                              "coordinate", "integer", "general"};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      fields.more();
      const std::string_view written = fields.field();
      const std::string name = lower(written);
      const bool real = i == 3 && (name == "real" || name == "unsigned-integer");
      if (name != expected[i] && !real) {
        fields.refuse_line(
            fmt::format("banner has {} where '{}' is expected", quoted(written), expected[i]),
            "begin with '%%MatrixMarket matrix coordinate integer general'");
      }
      fields.skip(written.size());
    }
  }
};

}  // namespace

std::unique_ptr<BagReader> matrix_market_reader(std::unique_ptr<ByteSource> source,
                                                const BagOptions& options) {
  return std::make_unique<MatrixMarketReader>(std::move(source), options);
}

}  // namespace tain::text
