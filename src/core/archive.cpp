#include "tain/core/archive.hpp"

#include <cstring>

#include "tain/core/error.hpp"

namespace tain {

std::uint64_t fingerprint(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return hash;
}

Archive::Archive(std::string bytes, std::string name)
    : reading_(true), bytes_(std::move(bytes)), name_(std::move(name)) {
  std::uint64_t stored = 0;
  if (bytes_.size() < sizeof stored) {
    damaged("is too short");
  }
  std::memcpy(&stored, bytes_.data() + bytes_.size() - sizeof stored, sizeof stored);
  bytes_.resize(bytes_.size() - sizeof stored);
  if (stored != fingerprint(bytes_)) {
    damaged("has a wrong checksum");
  }
}

void Archive::raw(void* data, std::size_t bytes) {
  if (bytes == 0) {
    return;
  }
  if (!reading_) {
    bytes_.append(static_cast<const char*>(data), bytes);
    return;
  }
  if (bytes > bytes_.size() - position_) {
    damaged("ends too early");
  }
  std::memcpy(data, bytes_.data() + position_, bytes);
  position_ += bytes;
}

void Archive::field(std::vector<double>& values) {
  std::uint64_t size = values.size();
  field(size);
  if (reading_) {
    if (size > (bytes_.size() - position_) / sizeof(double)) {
      damaged("ends too early");
    }
    values.resize(size);
  }
  field(std::span<double>(values));
}

void Archive::field(std::string& text) {
  std::uint64_t size = text.size();
  field(size);
  if (reading_) {
    if (size > bytes_.size() - position_) {
      damaged("ends too early");
    }
    text.resize(size);
  }
  raw(text.data(), text.size());
}

std::string Archive::finish() {
  std::uint64_t sum = fingerprint(bytes_);
  raw(&sum, sizeof sum);
  return std::move(bytes_);
}

void Archive::expect_end() const {
  if (position_ != bytes_.size()) {
    damaged("has bytes left over");
  }
}

void Archive::damaged(std::string_view problem) const {
  fail(Fault::data, name_, std::string(problem),
       "it is damaged or of another version; start afresh");
}

}  // namespace tain
