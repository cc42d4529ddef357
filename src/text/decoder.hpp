// One stream of one compression: what decompress.cpp drives.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>

namespace tain::text {

/// How far one call came.
struct Decoded {
  std::size_t taken = 0;  ///< bytes of input used
  std::size_t given = 0;  ///< bytes of output written
  bool ended = false;     ///< the stream is complete
};

/// What is wrong with a stream; decompress.cpp adds where.
struct Damage : std::runtime_error {
  explicit Damage(const char* problem, const char* what_to_do = "copy or download the file again")
      : std::runtime_error(problem), remedy(what_to_do) {}
  const char* remedy;
};

class Decoder {
 public:
  virtual ~Decoder() = default;
  /// Goes on with the stream. Throws Damage.
  virtual Decoded decode(std::string_view input, std::span<char> output) = 0;
  /// Begins the next stream.
  virtual void restart() = 0;
};

std::unique_ptr<Decoder> gzip_decoder();
std::unique_ptr<Decoder> bzip2_decoder();
std::unique_ptr<Decoder> xz_decoder();
std::unique_ptr<Decoder> zstd_decoder();

}  // namespace tain::text
