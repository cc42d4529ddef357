#include "text/bytes.hpp"

#include <algorithm>

#include "core/input.hpp"

namespace tain {
namespace {

class StoredBytes final : public ByteSource {
 public:
  explicit StoredBytes(const std::filesystem::path& path)
      : input_(path == "-" ? Input::standard() : Input(path)) {}

  std::size_t read(std::span<char> into) override {
    const std::size_t count = input_.read(into);
    consumed_ += count;
    return count;
  }

  const std::string& name() const override { return input_.name(); }
  std::uint64_t consumed() const override { return consumed_; }
  std::optional<std::uint64_t> size() const override { return input_.size(); }

 private:
  Input input_;
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
