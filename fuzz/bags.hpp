// What the fuzz targets of the formats of bags have in common: any bytes give bags that keep the
// laws of text/bag.hpp, and that can be written and read again, or Error (data) with a place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string_view>
#include <vector>

#include "support.hpp"
#include "text/bag.hpp"
#include "text/bag_writer.hpp"

namespace tain::fuzz {

inline void check_bag(const Bag& bag) {
  require(bag.ids.size() == bag.counts.size(), "one count per id");
  for (std::size_t i = 0; i < bag.ids.size(); ++i) {
    require(bag.ids[i] < max_vocabulary_size, "ids are below the largest vocabulary");
    require(i == 0 || bag.ids[i - 1] < bag.ids[i], "ids ascend");
    require(bag.counts[i] >= 1 && bag.counts[i] <= max_count, "counts are in range");
  }
}

/// All documents, or the first thousand: files may announce a million empty ones.
inline std::vector<Bag> read_some(Format format, std::string_view bytes,
                                  const BagOptions& options) {
  const auto reader = read_bags(format, std::make_unique<MemoryBytes>(bytes, "fuzz"), options);
  std::vector<Bag> bags;
  Bag bag;
  while (bags.size() < 1000 && reader->next(bag)) {
    check_bag(bag);
    bags.push_back(bag);
  }
  return bags;
}

inline void check_round_trip(Format format, const std::vector<Bag>& bags) {
  BagTotals totals{bags.size(), max_vocabulary_size, 0};
  for (const Bag& bag : bags) {
    totals.entries += bag.ids.size();
  }
  std::ostringstream out;
  const auto writer = write_bags(format, out, "fuzz", totals);
  for (const Bag& bag : bags) {
    writer->write(bag);
  }
  writer->finish();
  require(read_some(format, out.view(), {}) == bags, "read after write is the identity");
}

inline int check_format(Format format, const std::uint8_t* data, std::size_t size,
                        const BagOptions& options = {}) {
  const std::string_view bytes = text_of(data, size);
  std::vector<Bag> bags;
  allow_data_errors([&] { bags = read_some(format, bytes, options); });
  check_round_trip(format, bags);
  return 0;
}

}  // namespace tain::fuzz
