#include "text/documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tain/core/error.hpp"
#include "text/lines.hpp"
#include "text/readers.hpp"

namespace tain {
namespace {

class LineDocuments : public DocumentReader {
 public:
  explicit LineDocuments(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), lines_(*source_, max_document_bytes) {}

  bool next(Document& document) override {
    const auto line = lines_.next();
    if (!line) {
      return false;
    }
    parse(*line, document);
    ++counts_.documents;
    return true;
  }
  std::string where() const override { return lines_.where(); }
  std::uint64_t consumed() const override { return source_->consumed(); }
  std::optional<std::uint64_t> size() const override { return source_->size(); }

 protected:
  virtual void parse(std::string_view line, Document& document) {
    number_ = fmt::format_int(lines_.line()).str();
    document = {number_, {}, line};
  }

 private:
  std::unique_ptr<ByteSource> source_;
  LineReader lines_;
  std::string number_;
};

class TabDocuments final : public LineDocuments {
 public:
  using LineDocuments::LineDocuments;

 protected:
  void parse(std::string_view line, Document& document) override {
    std::size_t columns = 1;
    std::array<std::size_t, 2> tabs{};
    for (std::size_t at = line.find('\t'); at != std::string_view::npos;
         at = line.find('\t', at + 1)) {
      tabs[std::min<std::size_t>(columns++, tabs.size()) - 1] = at;
    }
    if (columns_ == 0) {
      if (columns != 2 && columns != 3) {
        fail(Fault::data, where(), fmt::format("{} columns", columns),
             "give id<TAB>text or id<TAB>title<TAB>text, or use the format text");
      }
      columns_ = columns;
    }
    if (columns != columns_) {
      fail(Fault::data, where(),
           fmt::format("{} columns but {} in the first line", columns, columns_),
           "give the same columns in every line, and no tabs inside them");
    }
    document.id = line.substr(0, tabs[0]);
    document.title = columns == 3 ? line.substr(tabs[0] + 1, tabs[1] - tabs[0] - 1) : "";
    document.text = line.substr(tabs[columns - 2] + 1);
  }

 private:
  std::size_t columns_ = 0;
};

}  // namespace

std::unique_ptr<DocumentReader> text::line_documents(std::unique_ptr<ByteSource> source) {
  return std::make_unique<LineDocuments>(std::move(source));
}

std::unique_ptr<DocumentReader> text::tab_documents(std::unique_ptr<ByteSource> source) {
  return std::make_unique<TabDocuments>(std::move(source));
}

std::unique_ptr<DocumentReader> read_documents(Format format, std::unique_ptr<ByteSource> source) {
  const FormatRow& row = format_row(format);
  if (!row.read_text) {
    fail(Fault::internal, source->name(), fmt::format("{} is not a format of documents", row.name),
         "please report it");
  }
  return row.read_text(std::move(source));
}

}  // namespace tain
