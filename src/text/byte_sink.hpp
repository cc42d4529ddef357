// Bytes to a file, compressed while they are written.
//
// Definition: a sink takes the bytes of a file or of standard output once, from first to last. The
//   name's ending chooses the compression: .gz (gzip, level 6), .bz2 (bzip2, 9), .xz (xz, 6), .zst
//   (zstd, 3, with a checksum); any other ending means none. One stream per file.
// Laws: what bytes.hpp reads is what was written, whatever the sizes of the pieces. The bytes of a
//   compressed file depend on the bytes written only: no time, no name. Failures are Error (io)
//   that name the file.
// Cost: a buffer of 64 KiB, and what the compression needs (xz: 94 MiB).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "text/bytes.hpp"

namespace tain {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(std::string_view bytes) = 0;
  /// Ends the stream and passes everything on; nothing may be written after it. A sink that is not
  /// finished leaves an incomplete file.
  virtual void finish() = 0;
};

Compression compression_from_ending(const std::filesystem::path& path);
/// The path without the ending of a compression: `corpus.mm` of `corpus.mm.gz`.
std::filesystem::path without_compression_ending(const std::filesystem::path& path);

/// Creates or empties a file; "-" is standard output. `name` is for messages. Fault: cannot_create.
std::unique_ptr<ByteSink> open_sink(const std::filesystem::path& path, Compression compression,
                                    std::string name);

}  // namespace tain
