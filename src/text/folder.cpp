// Documents in the files of a folder.
#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include "tain/core/error.hpp"
#include "text/documents.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t read_bytes = std::size_t{256} << 10;

struct Entry {
  std::string path;  ///< relative; that of a folder ends with '/', which gives whole paths' order
  bool is_folder;
};

class FolderDocuments final : public DocumentReader {
 public:
  explicit FolderDocuments(const fs::path& root) : root_(root) { enter(""); }

  bool next(Document& document) override {
    while (!todo_.empty()) {
      Entry entry = std::move(todo_.back());
      todo_.pop_back();
      if (entry.is_folder) {
        enter(entry.path);
        continue;
      }
      id_ = std::move(entry.path);
      read_text();
      ++counts_.documents;
      document = {id_, std::string_view(id_).substr(id_.rfind('/') + 1), text_};
      return true;
    }
    return false;
  }
  std::string where() const override { return (root_ / id_).string(); }
  std::uint64_t consumed() const override { return consumed_; }
  std::optional<std::uint64_t> size() const override { return std::nullopt; }

 private:
  /// Puts the entries of a folder on top of the stack, the first one uppermost.
  void enter(const std::string& relative) {
    const fs::path folder = relative.empty() ? root_ : root_ / relative;
    std::error_code fault;
    fs::directory_iterator at(folder, fault);
    const std::size_t bottom = todo_.size();
    while (!fault && at != fs::directory_iterator()) {
      add(relative + at->path().filename().string(), *at);
      at.increment(fault);
    }
    if (fault) {
      fail(Fault::no_input, folder.string(), fault.message(), "give a folder that can be read");
    }
    std::sort(todo_.begin() + static_cast<std::ptrdiff_t>(bottom), todo_.end(),
              [](const Entry& a, const Entry& b) { return a.path > b.path; });
  }

  void add(std::string relative, const fs::directory_entry& entry) {
    std::error_code fault;
    const bool is_link = entry.is_symlink(fault);
    if (entry.is_regular_file(fault)) {
      todo_.push_back({std::move(relative), false});
    } else if (entry.is_directory(fault) && !is_link) {
      // Without links to folders there are no loops, and no file is read twice.
      todo_.push_back({std::move(relative) + '/', true});
    } else {
      ++counts_.not_files;
    }
  }

  void read_text() {
    const std::unique_ptr<ByteSource> source = open_bytes(root_ / id_);
    std::size_t size = 0;
    for (std::size_t count = 1; count != 0; size += count) {
      if (buffer_.size() < size + read_bytes) {
        buffer_.resize(std::max(2 * buffer_.size(), size + read_bytes));
      }
      count = source->read({buffer_.data() + size, read_bytes});
      if (size + count > max_document_bytes) {
        fail(Fault::data, source->name(),
             fmt::format("longer than {} MiB", max_document_bytes >> 20),
             "a file is one document: cut it into documents, or give it by itself");
      }
    }
    text_ = {buffer_.data(), size};
    consumed_ += source->consumed();
    if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF")) {
      fail(Fault::data, source->name(), "is UTF-16", "convert it with iconv -f UTF-16 -t UTF-8");
    }
  }

  fs::path root_;
  std::vector<Entry> todo_;
  std::string id_;
  std::vector<char> buffer_;  ///< never shrinks
  std::string_view text_;
  std::uint64_t consumed_ = 0;
};

/// What the program wrote has no texts in it.
void require_texts(const std::filesystem::path& folder) {
  std::error_code ignored;
  const auto has = [&](const char* name) {
    return std::filesystem::exists(folder / name, ignored);
  };
  const bool corpus = has("corpus.bin");
  if (corpus || (has("manifest.json") && has("topics.npy"))) {
    fail(
        Fault::data, folder.string(),
        corpus ? "is a corpus already, not texts" : "is a model, not texts",
        corpus ? "use it as it is, or import what it was made from" : "give what it was made from");
  }
}

}  // namespace

std::unique_ptr<DocumentReader> read_folder(const std::filesystem::path& folder) {
  require_texts(folder);
  return std::make_unique<FolderDocuments>(folder);
}

}  // namespace tain
