#include "text/bytes.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "core/descriptor.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

/// A file, pipe or standard input as it is stored.
class StoredBytes final : public ByteSource {
 public:
  explicit StoredBytes(const std::filesystem::path& path) : name_(path.string()) {
    if (path == "-") {
      name_ = "standard input";
      descriptor_ = STDIN_FILENO;
    } else {
      file_.emplace(path, O_RDONLY);
      descriptor_ = file_->value();
    }
    struct stat status{};
    if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) {
      fail_errno(Fault::no_input, name_, errno);
    }
    if (S_ISDIR(status.st_mode)) {
      fail(Fault::no_input, name_, "is a folder", "give the name of a file");
    }
    if (S_ISREG(status.st_mode)) {
      size_ = static_cast<std::uint64_t>(status.st_size);
      // Advice only: files that take none are read all the same.
      static_cast<void>(::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL));
    }
  }

  std::size_t read(std::span<char> into) override {
    for (;;) {
      const ssize_t count = ::read(descriptor_, into.data(), into.size());
      if (count >= 0) {
        consumed_ += static_cast<std::uint64_t>(count);
        return static_cast<std::size_t>(count);
      }
      if (errno != EINTR) {
        fail_errno(Fault::io, name_, errno);
      }
    }
  }

  const std::string& name() const override { return name_; }
  std::uint64_t consumed() const override { return consumed_; }
  std::optional<std::uint64_t> size() const override { return size_; }

 private:
  std::string name_;
  std::optional<Descriptor> file_;  ///< none for standard input, which is not ours to close
  int descriptor_ = -1;
  std::optional<std::uint64_t> size_;
  std::uint64_t consumed_ = 0;
};

std::size_t copy_from(std::string_view bytes, std::size_t& position, std::span<char> into) {
  const std::size_t count = std::min(into.size(), bytes.size() - position);
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(position), count, into.begin());
  position += count;
  return count;
}

}  // namespace

std::size_t MemoryBytes::read(std::span<char> into) { return copy_from(bytes_, position_, into); }

PeekedBytes::PeekedBytes(std::unique_ptr<ByteSource> source, std::size_t bytes)
    : source_(std::move(source)), first_(bytes, '\0') {
  std::size_t count = 0;
  while (count < bytes) {
    const std::size_t more = source_->read({first_.data() + count, bytes - count});
    if (more == 0) {
      break;
    }
    count += more;
  }
  first_.resize(count);
}

std::size_t PeekedBytes::read(std::span<char> into) {
  return position_ < first_.size() ? copy_from(first_, position_, into) : source_->read(into);
}

std::unique_ptr<ByteSource> open_bytes(const std::filesystem::path& path) {
  return decompress(std::make_unique<StoredBytes>(path));
}

}  // namespace tain
