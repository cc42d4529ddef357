#include "text/document_names.hpp"

#include <fmt/format.h>

#include "tain/core/error.hpp"

namespace tain {
namespace {

[[noreturn]] void damaged(const std::filesystem::path& path, std::uint64_t line,
                          std::string_view problem) {
  fail(Fault::data, fmt::format("{}:{}", path.string(), line), problem, "import the corpus again");
}

}  // namespace

DocumentNames DocumentNames::open(const Corpus& corpus) {
  DocumentNames names;
  if (corpus.folder().empty()) {
    return names;
  }
  const std::filesystem::path path = corpus.folder() / "documents.tsv";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return names;
  }
  names.file_ = MappedFile::open_read_only(path);
  const std::string_view text = names.text();
  std::uint64_t lines = 0;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = text.find('\n', begin);
    if (++lines > corpus.documents()) {
      damaged(path, lines, fmt::format("the corpus has {} documents only", corpus.documents()));
    }
    if (end == std::string_view::npos) {
      damaged(path, lines, "the line has no end");
    }
    const std::string_view line = text.substr(begin, end - begin);
    if (const auto tab = line.find('\t'); tab == line.npos || tab != line.rfind('\t')) {
      damaged(path, lines, "the line is not a name, a tab and a title");
    }
    if ((lines - 1) % lines_per_mark == 0) {
      names.marks_.push_back(begin);
    }
  }
  if (lines != corpus.documents()) {
    damaged(path, lines, fmt::format("ends here; the corpus has {} documents", corpus.documents()));
  }
  return names;
}

std::string_view DocumentNames::text() const {
  return {reinterpret_cast<const char*>(file_.bytes().data()), file_.bytes().size()};
}

std::string_view DocumentNames::line(std::uint64_t d) const {
  if (!any()) {
    return "\t";
  }
  TAIN_EXPECTS(d / lines_per_mark < marks_.size(), "a document of the corpus");
  std::string_view rest = text().substr(marks_[d / lines_per_mark]);
  for (std::uint64_t skipped = d % lines_per_mark; skipped > 0; --skipped) {
    rest.remove_prefix(rest.find('\n') + 1);
  }
  rest = rest.substr(0, rest.find('\n'));
  file_.require_whole();
  return rest;
}

std::string_view DocumentNames::name(std::uint64_t d) const {
  const std::string_view both = line(d);
  return both.substr(0, both.find('\t'));
}

std::string_view DocumentNames::title(std::uint64_t d) const {
  const std::string_view both = line(d);
  return both.substr(both.find('\t') + 1);
}

}  // namespace tain
