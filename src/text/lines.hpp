// Lines of a source, as views.
//
// Definition: a line ends with LF or CRLF, and the last one may end with the file; its ending is
//   not part of it. A file that ends with a line end has no empty line after it. A UTF-8 byte-order
//   mark at the start of the file is skipped; UTF-16 is refused. All other bytes, NUL too, are
//   passed on: whether they may stand in a line is for the reader of the format to say.
// Laws: joining the lines with LF gives the bytes back (without the mark, CR before LF and the last
//   line end), whatever sizes the source reads. A line longer than the limit is Error (data) with
//   the message `<name>:<line>: ...`.
// Cost: one memchr over each byte; only the part of a line that straddles two blocks is copied.
//   Memory: a block of 1 MiB, or twice the longest line if that is more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "text/bytes.hpp"

namespace tain {

inline constexpr std::size_t max_line_bytes = std::size_t{256} << 20;

class LineReader {
 public:
  /// The source must outlive the reader.
  explicit LineReader(ByteSource& source, std::size_t max_bytes = max_line_bytes);

  /// The next line, valid until the next call; none at the end.
  std::optional<std::string_view> next();
  /// Number of the line given last, from 1; 0 before the first.
  std::uint64_t line() const { return line_; }
  /// `<name>:<line>`, for messages.
  std::string where() const;
  const ByteSource& source() const { return source_; }

 private:
  bool fill();
  void skip_mark();
  std::string_view take(std::size_t length, std::size_t ending);

  ByteSource& source_;
  std::size_t max_bytes_;
  std::size_t capacity_;
  std::unique_ptr<char[]> block_;
  std::size_t begin_ = 0;    ///< first byte not given yet
  std::size_t scanned_ = 0;  ///< bytes from begin_ on known to hold no line end
  std::size_t end_ = 0;      ///< end of the bytes read
  std::uint64_t line_ = 0;
  bool ended_ = false;
};

}  // namespace tain
