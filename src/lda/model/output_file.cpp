#include "lda/model/output_file.hpp"

#include <cerrno>
#include <cstring>

#include "tain/core/error.hpp"

namespace tain {

OutputFile::OutputFile(const std::filesystem::path& path, std::string name)
    : name_(std::move(name)), file_(std::fopen(path.c_str(), "wb"), &std::fclose) {
  if (!file_) {
    fail(Fault::cannot_create, name_, std::strerror(errno), "check the folder and its permissions");
  }
}

void OutputFile::write(std::span<const std::byte> bytes) {
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
    failed();
  }
  size_ += bytes.size();
}

void OutputFile::write_at(std::uint64_t position, std::string_view text) {
  TAIN_EXPECTS(position + text.size() <= size_, "bytes that were written");
  if (::fseeko(file_.get(), static_cast<off_t>(position), SEEK_SET) != 0 ||
      std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() ||
      ::fseeko(file_.get(), static_cast<off_t>(size_), SEEK_SET) != 0) {
    failed();
  }
}

void OutputFile::finish() {
  if (std::fflush(file_.get()) != 0) {
    failed();
  }
}

void OutputFile::failed() const {
  fail(Fault::io, name_, std::strerror(errno), "make room on the disk and try again");
}

}  // namespace tain
