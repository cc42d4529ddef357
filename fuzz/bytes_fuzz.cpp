// Fuzz target: any bytes as a compressed file. The same bytes come out whatever the sizes of the
// reads, or the same error.
#include <array>
#include <string>

#include "support.hpp"
#include "text/bytes.hpp"

namespace {

using namespace tain;

constexpr std::size_t most_bytes = std::size_t{4} << 20;

struct Outcome {
  std::string bytes;
  bool failed = true;
};

/// What comes out in pieces of `piece_bytes`.
Outcome outcome(std::unique_ptr<ByteSource> stored, std::size_t piece_bytes) {
  Outcome result;
  fuzz::allow_data_errors([&] {
    const auto source = decompress(std::move(stored));
    std::array<char, 4096> piece;
    while (result.bytes.size() < most_bytes) {
      const std::size_t count = source->read({piece.data(), piece_bytes});
      if (count == 0) {
        fuzz::require(source->consumed() == source->size(), "all was used");
        break;
      }
      result.bytes.append(piece.data(), count);
    }
    result.failed = false;
  });
  return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Outcome whole = outcome(std::make_unique<MemoryBytes>(bytes, "fuzz"), 4096);
  // Long outputs read in small pieces would only cost time.
  if (whole.bytes.size() < (64u << 10)) {
    const Outcome pieces = outcome(std::make_unique<fuzz::SmallPieces>(bytes, 1), 7);
    fuzz::require(whole.failed == pieces.failed, "damage is found whatever the sizes of reads");
    // How much comes out before damage is found depends on the reads.
    fuzz::require(whole.failed || whole.bytes == pieces.bytes, "reads of any size give the same");
  }
  return 0;
}
