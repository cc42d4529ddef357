// Fuzz target: any bytes as a compressed file. The same bytes come out whatever the sizes of the
// reads, or the same error.
#include <array>
#include <string>

#include "bags.hpp"
#include "tain/text/bytes.hpp"
#include "tain/text/lines.hpp"

namespace {

using namespace tain;

constexpr std::size_t most_bytes = std::size_t{4} << 20;

/// Gives one byte at a time.
class SingleBytes final : public ByteSource {
 public:
  explicit SingleBytes(std::string_view bytes) : bytes_(bytes, "fuzz") {}
  std::size_t read(std::span<char> into) override {
    return bytes_.read(into.first(std::min<std::size_t>(into.size(), 1)));
  }
  const std::string& name() const override { return bytes_.name(); }
  std::uint64_t consumed() const override { return bytes_.consumed(); }
  std::optional<std::uint64_t> size() const override { return bytes_.size(); }

 private:
  MemoryBytes bytes_;
};

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
    const Outcome pieces = outcome(std::make_unique<SingleBytes>(bytes), 7);
    fuzz::require(whole.failed == pieces.failed, "damage is found whatever the sizes of reads");
    // How much comes out before damage is found depends on the reads.
    fuzz::require(whole.failed || whole.bytes == pieces.bytes, "reads of any size give the same");
  }
  return 0;
}
