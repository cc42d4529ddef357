// Files of a model: written with a seal, opened if the seal holds.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "core/checksum.hpp"
#include "core/file.hpp"
#include "lda/model/model_manifest.hpp"
#include "lda/model/output_file.hpp"

namespace tain {

/// A file, and the seal of what was written.
class SealedFile {
 public:
  SealedFile(const std::filesystem::path& path, std::string name) : file_(path, std::move(name)) {}
  void write(std::span<const std::byte> bytes) {
    file_.write(bytes);
    checksum_.add(bytes);
  }
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  model_manifest::FileChecksum finish() {
    file_.finish();
    return {file_.size(), checksum_.value()};
  }

 private:
  OutputFile file_;
  Checksum checksum_;
};

/// Whole or not at all: `write` gets the SealedFile.
template <class Write>
model_manifest::FileChecksum write_sealed(const std::filesystem::path& path, const Write& write) {
  model_manifest::FileChecksum seal;
  write_atomically(path, [&](const std::filesystem::path& temporary) {
    SealedFile file(temporary, path.string());
    write(file);
    seal = file.finish();
  });
  return seal;
}

/// Each value is rounded by 2^-24 of itself, so that a row's sum errs by no more than that, and
/// by 2^-150 for each of the words where values are subnormal.
inline constexpr double row_tolerance = 1e-6;

/// Throws Error (data).
[[noreturn]] void damaged_file(const std::filesystem::path& path, std::string_view problem);

/// Maps a file whose bytes are those that were written.
MappedFile open_sealed(const std::filesystem::path& path, const model_manifest::FileChecksum& seal);

std::string_view text_of(const MappedFile& file);

}  // namespace tain
