#include <sys/mman.h>
#include <sys/stat.h>

#include <atomic>
#include <csignal>
#include <mutex>
#include <utility>

#include "core/descriptor.hpp"
#include "core/file.hpp"

namespace tain {

namespace fs = std::filesystem;

// Whoever reads a page of a map whose file has become shorter gets SIGBUS, and so does whoever
// reads one that a failing disk does not give. Pages of zeros take the place of those that are
// gone, and the map knows it: whoever uses it asks require_whole() before believing what was there.
//
// The signal's handler reads the list of maps without a lock: entries are never freed, only used
// again.
struct MappedFile::Pages {
  std::atomic<std::byte*> begin = nullptr;
  std::atomic<std::size_t> size = 0;
  std::atomic<bool> lost = false;
  Pages* next = nullptr;
  std::string name;
};

namespace {

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

class MappedFile::Watch {
 public:
  /// Of all maps of files, from now on.
  static Watch& instance() {
    static Watch* const watch = new Watch;  // outlives every map
    return *watch;
  }

  Pages* add(std::byte* begin, std::size_t size, const fs::path& path) {
    const std::lock_guard lock(mutex_);
    Pages* free = first_;
    while (free != nullptr && free->begin != nullptr) {
      free = free->next;
    }
    if (free == nullptr) {
      free = new Pages;
      free->next = first_;
      first_ = free;
    }
    free->name = path.string();
    free->lost = false;
    free->size = size;
    free->begin = begin;  // last: from here on the handler knows it
    return free;
  }
  void remove(Pages* pages) {
    const std::lock_guard lock(mutex_);
    pages->begin = nullptr;
  }

 private:
  Watch() {
    struct sigaction action{};
    action.sa_sigaction = on_signal;
    action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &before_);
  }

  static void on_signal(int signal, siginfo_t* info, void* context) {
    Watch& watch = instance();
    const int kept_errno = errno;
    if (!watch.replace(static_cast<std::byte*>(info->si_addr))) {
      watch.pass_on(signal, info, context);
    }
    errno = kept_errno;
  }

  /// Zeros from the page of this place to the end of its map; false if it is in none.
  bool replace(std::byte* place) {
    for (Pages* pages = first_; pages != nullptr; pages = pages->next) {
      std::byte* const begin = pages->begin;
      const std::size_t size = pages->size;
      if (begin == nullptr || place < begin || place >= begin + size) {
        continue;
      }
      const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
      const std::size_t kept = static_cast<std::size_t>(place - begin) / page * page;
      pages->lost = true;
      return ::mmap(begin + kept, size - kept, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != MAP_FAILED;
    }
    return false;
  }

  /// A signal that no map of ours has caused, to whoever was there before.
  void pass_on(int signal, siginfo_t* info, void* context) const {
    if ((before_.sa_flags & SA_SIGINFO) != 0) {
      before_.sa_sigaction(signal, info, context);
    } else if (before_.sa_handler != SIG_IGN && before_.sa_handler != SIG_DFL) {
      before_.sa_handler(signal);
    } else {
      ::sigaction(signal, &before_, nullptr);
      ::raise(signal);
    }
  }

  std::mutex mutex_;
  std::atomic<Pages*> first_ = nullptr;
  struct sigaction before_{};
};

MappedFile::MappedFile(std::byte* data, std::size_t size, const fs::path& path)
    : data_(data),
      size_(size),
      pages_(data == nullptr ? nullptr : Watch::instance().add(data, size, path)) {}

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
  return {map_pages(file.value(), bytes, PROT_READ | PROT_WRITE, MAP_SHARED, path), bytes, path};
}

MappedFile MappedFile::open_read_write(const fs::path& path) {
  const Descriptor file(path, O_RDWR | O_NONBLOCK);  // a pipe is no reason to wait
  const std::size_t bytes = size_of(file, path);
  return {map_pages(file.value(), bytes, PROT_READ | PROT_WRITE, MAP_SHARED, path), bytes, path};
}

MappedFile MappedFile::open_read_only(const fs::path& path) {
  const Descriptor file(path, O_RDONLY | O_NONBLOCK);
  const std::size_t bytes = size_of(file, path);
  return {map_pages(file.value(), bytes, PROT_READ, MAP_SHARED, path), bytes, path};
}

MappedFile MappedFile::anonymous(std::size_t bytes) {
  MappedFile mapped;
  mapped.data_ =
      map_pages(-1, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, "memory");
  mapped.size_ = bytes;
  return mapped;
}

MappedFile::~MappedFile() {
  if (pages_ != nullptr) {
    Watch::instance().remove(pages_);
  }
  if (data_ != nullptr) {
    ::munmap(data_, size_);
  }
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      pages_(std::exchange(other.pages_, nullptr)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(pages_, other.pages_);
  return *this;
}

void MappedFile::require_whole() const {
  if (pages_ != nullptr && pages_->lost) {
    fail(Fault::io, pages_->name, "became shorter, or its disk failed, while it was in use",
         "put the file back and begin again");
  }
}

void MappedFile::sync() const {
  require_whole();
  if (data_ != nullptr && ::msync(data_, size_, MS_SYNC) != 0) {
    fail_errno(Fault::io, "mapped file", errno);
  }
}

}  // namespace tain
