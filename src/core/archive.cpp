#include "core/archive.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/descriptor.hpp"
#include "core/failpoint.hpp"
#include "core/file.hpp"
#include "core/input.hpp"
#include "tain/core/error.hpp"

namespace tain {

std::uint64_t fingerprint(std::string_view bytes, std::uint64_t hash) {
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
  size_ = bytes_.size() - sizeof stored;
  std::memcpy(&stored, bytes_.data() + size_, sizeof stored);
  if (stored != fingerprint(std::string_view(bytes_).substr(0, size_))) {
    damaged("has a wrong checksum");
  }
}

Archive::Archive(const std::filesystem::path& file) : reading_(true), name_(file.string()) {
  require_plain_input(file);
  file_.reset(std::fopen(file.c_str(), "rb"));
  if (!file_) {
    fail_errno(Fault::no_input, file, errno);
  }
  std::setvbuf(file_.get(), nullptr, _IOFBF, file_buffer);
  check_file(file);
}

// By reading rather than mapping: pages of a map would count as memory of the process.
void Archive::check_file(const std::filesystem::path& file) {
  std::error_code error;
  const std::uint64_t bytes = std::filesystem::file_size(file, error);
  std::uint64_t stored = 0;
  if (error || bytes < sizeof stored) {
    damaged("is too short");
  }
  size_ = bytes - sizeof stored;
  Checksum checksum;
  std::vector<std::byte> piece(
      static_cast<std::size_t>(std::min<std::uint64_t>(size_, file_buffer)));
  while (position_ < size_) {
    const auto next = std::span(piece).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(left(), piece.size())));
    read(next.data(), next.size());
    checksum.add(next);
  }
  size_ = bytes;
  read(&stored, sizeof stored);
  if (stored != checksum.value()) {
    damaged("has a wrong checksum");
  }
  checksum_ = checksum;
  std::rewind(file_.get());
  size_ = bytes - sizeof stored;
  position_ = 0;
}

void Archive::raw(void* data, std::size_t bytes) {
  if (bytes == 0) {
    return;
  }
  if (reading_) {
    read(data, bytes);
  } else {
    write(data, bytes);
  }
}

void Archive::write(const void* data, std::size_t bytes) {
  if (!file_) {
    bytes_.append(static_cast<const char*>(data), bytes);
    return;
  }
  checksum_.add({static_cast<const std::byte*>(data), bytes});
  if (std::fwrite(data, 1, bytes, file_.get()) != bytes) {
    fail_errno(Fault::io, name_, errno);
  }
  size_ += bytes;
}

void Archive::read(void* data, std::size_t bytes) {
  if (bytes > left()) {
    damaged("ends too early");
  }
  const Reading reading;
  if (!file_) {
    std::memcpy(data, bytes_.data() + position_, bytes);
  } else if (std::fread(data, 1, bytes, file_.get()) != bytes) {
    if (std::feof(file_.get()) != 0) {
      damaged("became shorter while it was read");
    }
    fail_errno(Fault::io, name_, errno);
  }
  position_ += bytes;
}

void Archive::skip(std::uint64_t bytes) {
  if (bytes == 0) {
    return;
  }
  TAIN_EXPECTS(reading_, "an archive that is read");
  if (bytes > left()) {
    damaged("ends too early");
  }
  position_ += bytes;
  if (file_ && ::fseeko(file_.get(), static_cast<off_t>(position_), SEEK_SET) != 0) {
    fail_errno(Fault::io, name_, errno);
  }
}

void Archive::field(std::vector<double>& values) {
  std::uint64_t size = values.size();
  field(size);
  if (reading_) {
    if (size > left() / sizeof(double)) {
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
    if (size > left()) {
      damaged("ends too early");
    }
    text.resize(size);
  }
  raw(text.data(), text.size());
}

ArchiveFile Archive::file() const {
  TAIN_EXPECTS(reading_ && file_, "an archive that is read from a file");
  return {size_ + sizeof(std::uint64_t), checksum_.value()};
}

std::string Archive::finish() {
  TAIN_EXPECTS(!reading_ && !file_, "an archive that is written to a string");
  const std::uint64_t sum = fingerprint(bytes_);
  write(&sum, sizeof sum);
  return std::move(bytes_);
}

void Archive::require(bool possible, std::string_view problem) const {
  if (reading_ && !possible) {
    damaged(problem);
  }
}

void Archive::expect_end() const {
  if (left() != 0) {
    damaged("has bytes left over");
  }
}

void Archive::damaged(std::string_view problem) const {
  fail(Fault::data, name_, std::string(problem),
       "it is damaged or of another version; start afresh");
}

ArchiveFile write_archive(const std::filesystem::path& file,
                          const std::function<void(Archive&)>& write) {
  ArchiveFile written;
  write_atomically(file, [&](const std::filesystem::path& temporary) {
    Archive a;
    a.name_ = file.string();
    a.file_.reset(std::fopen(temporary.c_str(), "wb"));
    if (!a.file_) {
      fail_errno(Fault::cannot_create, file, errno);
    }
    std::setvbuf(a.file_.get(), nullptr, _IOFBF, Archive::file_buffer);
    write(a);
    failpoint(file, "writing");
    const std::uint64_t sum = a.checksum_.value();
    a.write(&sum, sizeof sum);
    if (std::fflush(a.file_.get()) != 0) {
      fail_errno(Fault::io, file, errno);
    }
    written = {a.size_, sum};
  });
  return written;
}

}  // namespace tain
