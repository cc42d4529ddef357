#include "draws/output.hpp"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>

#include "tain/core/error.hpp"

namespace tain::draws {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
constexpr std::size_t longest_number = 32;  // shortest form of a double takes at most 24

}  // namespace

Output::Output(const std::filesystem::path& path)
    : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) {
    fail(Fault::cannot_create, path.string(), std::strerror(errno));
  }
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // buffer_ is the buffer
  buffer_.reserve(buffer_bytes);
}

void Output::text(std::string_view text) {
  if (buffer_.size() + text.size() > buffer_bytes) {
    flush();
  }
  if (text.size() > buffer_bytes) {
    write(text.data(), text.size());
  } else {
    buffer_.append(text);
  }
}

void Output::number(double value) {
  if (std::isnan(value)) {
    text("nan");
    return;
  }
  char digits[longest_number];
  const auto end = std::to_chars(digits, digits + longest_number, value).ptr;
  text({digits, end});
}

void Output::integer(std::uint64_t value) {
  char digits[longest_number];
  const auto end = std::to_chars(digits, digits + longest_number, value).ptr;
  text({digits, end});
}

void Output::raw(std::span<const double> values) {
  flush();
  write(values.data(), values.size_bytes());
}

void Output::close() {
  flush();
  if (std::fclose(file_.release()) != 0) {
    fail(Fault::io, path_.string(), std::strerror(errno));
  }
}

void Output::flush() {
  write(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void Output::write(const void* data, std::size_t bytes) {
  if (bytes > 0 && std::fwrite(data, 1, bytes, file_.get()) != bytes) {
    fail(Fault::io, path_.string(), std::strerror(errno), "is the disk full?");
  }
}

}  // namespace tain::draws
