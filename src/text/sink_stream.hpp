// A sink as a stream, for writers that want one.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

#include "text/byte_sink.hpp"

namespace tain::text {

/// Passes every piece on at once: whoever writes to it should write large ones. Errors of the sink
/// leave the stream as they are.
class SinkStream final : private std::streambuf, public std::ostream {
 public:
  explicit SinkStream(ByteSink& sink) : std::ostream(this), sink_(sink) {
    exceptions(std::ios::badbit);
  }

 private:
  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    sink_.write({bytes, static_cast<std::size_t>(count)});
    return count;
  }
  int overflow(int byte) override {
    using Traits = std::char_traits<char>;
    if (!Traits::eq_int_type(byte, Traits::eof())) {
      const char one = Traits::to_char_type(byte);
      sink_.write({&one, 1});
    }
    return Traits::not_eof(byte);
  }

  ByteSink& sink_;
};

}  // namespace tain::text
