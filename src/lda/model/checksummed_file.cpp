#include "lda/model/checksummed_file.hpp"

#include <fmt/format.h>

#include "tain/core/error.hpp"

namespace tain {

void damaged_file(const std::filesystem::path& path, std::string_view problem) {
  fail(Fault::data, path.string(), problem, "train the model again, or take a copy of it");
}

MappedFile open_sealed(const std::filesystem::path& path,
                       const model_manifest::FileChecksum& seal) {
  std::error_code error;
  const std::uint64_t bytes = std::filesystem::file_size(path, error);
  if (error) {
    damaged_file(path, fmt::format("cannot be read ({})", error.message()));
  }
  if (bytes != seal.bytes || bytes == 0) {
    damaged_file(path, fmt::format("has {} bytes, not the {} it should have", bytes, seal.bytes));
  }
  MappedFile file = MappedFile::open_read_only(path);
  Checksum checksum;
  checksum.add(file.bytes());
  if (checksum.value() != seal.checksum) {
    damaged_file(path, "is damaged (wrong checksum)");
  }
  return file;
}

std::string_view text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

}  // namespace tain
