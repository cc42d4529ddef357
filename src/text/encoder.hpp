// One stream of one compression, the way in: what byte_sink.cpp drives.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "text/bytes.hpp"

namespace tain::text {

/// How far one call came.
struct Encoded {
  std::size_t taken = 0;  ///< bytes of input used
  std::size_t given = 0;  ///< bytes of output written
  bool ended = false;     ///< the stream is complete
};

class Encoder {
 public:
  virtual ~Encoder() = default;
  /// Goes on with the stream; the input is not empty.
  virtual Encoded encode(std::string_view input, std::span<char> output) = 0;
  /// After all input: gives what is left, until it has ended.
  virtual Encoded finish(std::span<char> output) = 0;
};

/// Any compression but none.
std::unique_ptr<Encoder> make_encoder(Compression compression);

}  // namespace tain::text
