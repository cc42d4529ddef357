#include <sys/mman.h>
#include <sys/stat.h>

#include <utility>

#include "core/descriptor.hpp"
#include "core/file.hpp"

namespace tain {

namespace {

namespace fs = std::filesystem;

// No pages for an empty file: mmap refuses length zero.
std::byte* map_pages(int descriptor, std::size_t bytes, int protection, int flags,
                     const fs::path& reported) {
  if (bytes == 0) {
    return nullptr;
  }
  void* const pages = ::mmap(nullptr, bytes, protection, flags, descriptor, 0);
  if (pages == MAP_FAILED) {
    fail_errno(Fault::io, reported, errno);
  }
  return static_cast<std::byte*>(pages);
}

std::size_t size_of(const Descriptor& file, const fs::path& path) {
  struct stat status{};
  if (!file.open() || ::fstat(file.value(), &status) != 0) {
    fail_errno(Fault::no_input, path, errno);
  }
  if (!S_ISREG(status.st_mode)) {
    fail(Fault::no_input, path.string(), "is not a plain file", "give the name of a file");
  }
  return static_cast<std::size_t>(status.st_size);
}

}  // namespace

MappedFile MappedFile::create(const fs::path& path, std::size_t bytes) {
  const Descriptor file(path, O_RDWR | O_CREAT | O_TRUNC);
  if (!file.open()) {
    fail_errno(Fault::cannot_create, path, errno);
  }
  const int error = bytes == 0 ? 0 : ::posix_fallocate(file.value(), 0, static_cast<off_t>(bytes));
  if (error != 0) {
    ::unlink(path.c_str());
    fail_errno(Fault::io, path, error);
  }
  MappedFile mapped;
  mapped.data_ = map_pages(file.value(), bytes, PROT_READ | PROT_WRITE, MAP_SHARED, path);
  mapped.size_ = bytes;
  return mapped;
}

MappedFile MappedFile::open_read_write(const fs::path& path) {
  const Descriptor file(path, O_RDWR);
  MappedFile mapped;
  const std::size_t bytes = size_of(file, path);
  mapped.data_ = map_pages(file.value(), bytes, PROT_READ | PROT_WRITE, MAP_SHARED, path);
  mapped.size_ = bytes;
  return mapped;
}

MappedFile MappedFile::open_read_only(const fs::path& path) {
  const Descriptor file(path, O_RDONLY);
  MappedFile mapped;
  const std::size_t bytes = size_of(file, path);
  mapped.data_ = map_pages(file.value(), bytes, PROT_READ, MAP_SHARED, path);
  mapped.size_ = bytes;
  return mapped;
}

MappedFile MappedFile::anonymous(std::size_t bytes) {
  MappedFile mapped;
  mapped.data_ =
      map_pages(-1, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, "memory");
  mapped.size_ = bytes;
  return mapped;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) {
    ::munmap(data_, size_);
  }
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void MappedFile::sync() const {
  if (data_ != nullptr && ::msync(data_, size_, MS_SYNC) != 0) {
    fail_errno(Fault::io, "mapped file", errno);
  }
}

}  // namespace tain
