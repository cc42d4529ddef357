#include "text/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "tain/core/error.hpp"

namespace tain {
namespace {

/// Short files need no more than the first block.
constexpr std::size_t first_block_bytes = std::size_t{64} << 10;
constexpr std::size_t usual_block_bytes = std::size_t{1} << 20;

}  // namespace

LineReader::LineReader(ByteSource& source, std::size_t max_bytes)
    : source_(source),
      max_bytes_(max_bytes),
      capacity_(first_block_bytes),
      block_(std::make_unique_for_overwrite<char[]>(first_block_bytes)) {}

std::string LineReader::where() const {
  return fmt::format("{}:{}", source_.name(), std::max<std::uint64_t>(line_, 1));
}

std::optional<std::string_view> LineReader::next() {
  if (line_ == 0) {
    skip_mark();
  }
  ++line_;
  for (;;) {
    const char* from = block_.get() + begin_;
    const std::size_t unscanned = end_ - begin_ - scanned_;
    const void* found = unscanned == 0 ? nullptr : std::memchr(from + scanned_, '\n', unscanned);
    if (found != nullptr) {
      return take(static_cast<std::size_t>(static_cast<const char*>(found) - from), 1);
    }
    scanned_ = end_ - begin_;
    if (!fill()) {
      break;
    }
  }
  if (begin_ == end_) {
    --line_;
    return std::nullopt;
  }
  return take(end_ - begin_, 0);
}

/// The next `length` bytes as a line, without a CR; `ending` bytes after them are skipped.
std::string_view LineReader::take(std::size_t length, std::size_t ending) {
  std::string_view line(block_.get() + begin_, length);
  begin_ += length + ending;
  scanned_ = 0;
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  if (line.size() > max_bytes_) {
    fail(Fault::data, where(), fmt::format("line is longer than {} bytes", max_bytes_),
         "give one document per line");
  }
  return line;
}

/// Reads more behind what is at hand; false at the end.
bool LineReader::fill() {
  if (ended_) {
    return false;
  }
  const std::size_t kept = end_ - begin_;
  // CR and LF are no part of the line, hence two bytes more.
  if (kept > max_bytes_ && kept - max_bytes_ > 2) {
    fail(Fault::data, where(), fmt::format("line is longer than {} bytes", max_bytes_),
         "give one document per line");
  }
  const std::size_t wanted = kept == capacity_ ? 2 * capacity_ : capacity_;
  if (end_ == capacity_ && capacity_ < std::max(wanted, usual_block_bytes)) {
    capacity_ = std::max(wanted, usual_block_bytes);
    auto larger = std::make_unique_for_overwrite<char[]>(capacity_);
    std::memcpy(larger.get(), block_.get() + begin_, kept);
    block_ = std::move(larger);
  } else if (begin_ > 0) {
    std::memmove(block_.get(), block_.get() + begin_, kept);
  }
  begin_ = 0;
  end_ = kept;
  const std::size_t count = source_.read({block_.get() + end_, capacity_ - end_});
  end_ += count;
  ended_ = count == 0;
  return !ended_;
}

void LineReader::skip_mark() {
  while (end_ - begin_ < 3 && fill()) {
  }
  const std::string_view first(block_.get() + begin_, end_ - begin_);
  if (first.starts_with("\xEF\xBB\xBF")) {
    begin_ += 3;
  } else if (first.starts_with("\xFF\xFE") || first.starts_with("\xFE\xFF")) {
    fail(Fault::data, source_.name(), "is UTF-16", "convert it with iconv -f UTF-16 -t UTF-8");
  }
}

}  // namespace tain
