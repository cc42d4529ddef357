// Fuzz target: any bytes as a file of Vowpal Wabbit.
#include "bags.hpp"

namespace {

using namespace tain;
using fuzz::require;

/// Every document read is written, and read again one by one.
void check(std::string_view bytes) {
  const auto reader = read_word_bags(std::make_unique<MemoryBytes>(bytes, "fuzz"));
  WordBag bag, again;
  while (reader->next(bag)) {
    require(bag.words.size() == bag.counts.size(), "one count per word");
    std::ostringstream out;
    // A tag may hold what cannot stand in one that is written.
    bag.tag = {};
    const auto writer = write_word_bags(out, "fuzz");
    writer->write(bag);
    writer->finish();
    const std::string written = out.str();
    const auto second = read_word_bags(std::make_unique<MemoryBytes>(written, "fuzz"));
    require(second->next(again), "a document is written");
    require(bag.words == again.words && bag.counts == again.counts,
            "read after write is the identity");
    require(!second->next(again), "one document is written");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::allow_data_errors([&] { check({reinterpret_cast<const char*>(data), size}); });
  return 0;
}
