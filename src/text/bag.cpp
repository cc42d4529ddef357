#include "text/bag.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tain/core/error.hpp"

namespace tain {

void sort_and_merge(Bag& bag, std::string_view where) {
  TAIN_EXPECTS(bag.ids.size() == bag.counts.size(), "one count per id");
  std::vector<std::uint64_t> pairs(bag.ids.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i] = std::uint64_t{bag.ids[i]} << 32 | bag.counts[i];
  }
  std::sort(pairs.begin(), pairs.end());
  bag.clear();
  for (const std::uint64_t pair : pairs) {
    const auto id = static_cast<std::uint32_t>(pair >> 32);
    const auto count = static_cast<std::uint32_t>(pair);
    if (bag.ids.empty() || bag.ids.back() != id) {
      bag.ids.push_back(id);
      bag.counts.push_back(count);
    } else if (count > max_count - bag.counts.back()) {
      fail(Fault::data, where, fmt::format("counts of a word add up to more than {}", max_count),
           "give each word of a document once");
    } else {
      bag.counts.back() += count;
    }
  }
}

std::unique_ptr<BagReader> read_bags(Format format, std::unique_ptr<ByteSource> source,
                                     const BagOptions& options) {
  const FormatRow& row = format_row(format);
  if (!row.read_bags) {
    fail(Fault::internal, source->name(), fmt::format("{} holds no numbered words", row.name),
         "please report it");
  }
  return row.read_bags(std::move(source), options);
}

}  // namespace tain
