// Fuzz target: any bytes as lines. They are those of the plainest split, whatever the sizes of the
// reads, and a line beyond the limit is refused where it stands. The first byte chooses the limit.
#include <vector>

#include "support.hpp"
#include "text/lines.hpp"

namespace {

using namespace tain;
using fuzz::require;

struct Outcome {
  std::vector<std::string> lines;
  std::string error;
  bool operator==(const Outcome&) const = default;
};

Outcome read(std::string_view bytes, std::size_t piece, std::size_t limit) {
  Outcome outcome;
  try {
    fuzz::SmallPieces source(bytes, piece);
    LineReader reader(source, limit);
    while (const auto line = reader.next()) {
      outcome.lines.emplace_back(*line);
      require(reader.line() == outcome.lines.size(), "lines are numbered");
    }
  } catch (const Error& error) {
    require(error.fault() == Fault::data, "a bad file is a data error");
    outcome.error = error.what();
  }
  return outcome;
}

std::vector<std::string> split(std::string_view bytes) {
  std::vector<std::string> lines;
  if (bytes.starts_with("\xEF\xBB\xBF")) {
    bytes.remove_prefix(3);
  }
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    lines.emplace_back(line);
  }
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view bytes = fuzz::text_of(data + 1, size - 1);
  const std::size_t limit = data[0] % 4 == 0 ? std::size_t{8} : max_line_bytes;
  const Outcome whole = read(bytes, std::size_t{1} << 20, limit);
  require(whole == read(bytes, 1 + data[0] % 7, limit), "reads of any size give the same");
  const std::vector<std::string> expected = split(bytes);
  if (whole.error.empty()) {
    require(whole.lines == expected, "lines are those of the plainest split");
  } else if (whole.error.starts_with("fuzz:" + std::to_string(whole.lines.size() + 1) + ":")) {
    require(expected.at(whole.lines.size()).size() > limit, "only long lines are refused");
    require(std::equal(whole.lines.begin(), whole.lines.end(), expected.begin()),
            "what was read before is right");
  } else {
    require(bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"), "UTF-16 is refused");
  }
  return 0;
}
