#include "text/byte_sink.hpp"

#include <array>
#include <optional>
#include <vector>

#include "core/descriptor.hpp"
#include "tain/core/error.hpp"
#include "text/encoder.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t sink_bytes = std::size_t{64} << 10;

struct PackedEnding {
  std::string_view text;
  Compression compression;
};
constexpr std::array packed_endings{
    PackedEnding{".gz", Compression::gzip}, PackedEnding{".bz2", Compression::bzip2},
    PackedEnding{".xz", Compression::xz}, PackedEnding{".zst", Compression::zstd}};

/// A file or standard output, as it is.
class StoredSink final : public ByteSink {
 public:
  StoredSink(const fs::path& path, std::string name) : name_(std::move(name)) {
    if (path == "-") {
      descriptor_ = STDOUT_FILENO;
      return;
    }
    file_.emplace(path, O_WRONLY | O_CREAT | O_TRUNC);
    descriptor_ = file_->value();
    if (!file_->open()) {
      fail_errno(Fault::cannot_create, name_, errno);
    }
  }

  void write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno != EINTR) {
        fail_errno(Fault::io, name_, errno);
      }
    }
  }

  void finish() override {}

 private:
  std::string name_;
  std::optional<Descriptor> file_;  ///< none for standard output, which is not ours to close
  int descriptor_ = -1;
};

class CompressedSink final : public ByteSink {
 public:
  CompressedSink(std::unique_ptr<ByteSink> stored, Compression compression)
      : stored_(std::move(stored)),
        encoder_(text::make_encoder(compression)),
        buffer_(sink_bytes) {}

  void write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const text::Encoded step = encoder_->encode(bytes, buffer_);
      bytes.remove_prefix(step.taken);
      stored_->write({buffer_.data(), step.given});
    }
  }

  void finish() override {
    text::Encoded step;
    do {
      step = encoder_->finish(buffer_);
      stored_->write({buffer_.data(), step.given});
    } while (!step.ended);
    stored_->finish();
  }

 private:
  std::unique_ptr<ByteSink> stored_;
  std::unique_ptr<text::Encoder> encoder_;
  std::vector<char> buffer_;
};

}  // namespace

Compression compression_from_ending(const fs::path& path) {
  for (const PackedEnding& ending : packed_endings) {
    if (path.extension() == ending.text) {
      return ending.compression;
    }
  }
  return Compression::none;
}

fs::path without_compression_ending(const fs::path& path) {
  return compression_from_ending(path) == Compression::none ? path
                                                            : path.parent_path() / path.stem();
}

std::unique_ptr<ByteSink> open_sink(const fs::path& path, Compression compression,
                                    std::string name) {
  auto stored = std::make_unique<StoredSink>(path, std::move(name));
  if (compression == Compression::none) {
    return stored;
  }
  return std::make_unique<CompressedSink>(std::move(stored), compression);
}

}  // namespace tain
