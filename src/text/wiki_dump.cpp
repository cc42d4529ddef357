#include "text/wiki_dump.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <exception>

#include "tain/core/error.hpp"
#include "text/wiki_markup.hpp"

namespace tain {
namespace {

constexpr int parser_bytes = 256 << 10;
/// The parser keeps a tag or comment until it has seen its end; longer ones are refused.
constexpr std::int64_t longest_tag = std::int64_t{1} << 20;
constexpr int deepest_element = 64;
constexpr int most_namespaces = 100;

bool says_redirect(std::string_view text) {
  static constexpr std::string_view word = "#redirect";
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  if (text.size() < word.size()) {
    return false;
  }
  for (std::size_t i = 0; i < word.size(); ++i) {
    if ((i == 0 ? text[0] : static_cast<char>(text[i] | 0x20)) != word[i]) {
      return false;
    }
  }
  return true;
}

struct Page {
  std::uint64_t line = 0;
  std::string id;
  std::string title;
  std::string space;  ///< number of its namespace; old dumps give none
  std::string text;
  bool is_redirect = false;
};

class WikiDump final : public DocumentReader {
 public:
  explicit WikiDump(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), parser_(XML_ParserCreate(nullptr)) {
    if (!parser_) {
      throw std::bad_alloc();
    }
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), on_start, on_end);
    XML_SetCharacterDataHandler(parser_.get(), on_text);
    XML_SetStartDoctypeDeclHandler(parser_.get(), on_doctype);
  }

  bool next(Document& document) override {
    is_ready_ = false;
    while (!is_ready_) {
      if (!is_suspended_ && is_over_) {
        return false;
      }
      parse();
    }
    ++counts_.documents;
    markup_.strip(page_.text, plain_);
    document = {page_.id, page_.title, plain_};
    return true;
  }
  std::string where() const override { return fmt::format("{}:{}", source_->name(), page_.line); }
  std::uint64_t consumed() const override { return source_->consumed(); }
  std::optional<std::uint64_t> size() const override { return source_->size(); }

 private:
  struct Free {
    void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
  };

  std::string here() const {
    return fmt::format("{}:{}", source_->name(), XML_GetCurrentLineNumber(parser_.get()));
  }

  // Parsing goes on until a block of bytes or an article ends.

  void parse() {
    const XML_Status status = is_suspended_ ? XML_ResumeParser(parser_.get()) : parse_block();
    if (problem_) {
      std::rethrow_exception(problem_);
    }
    if (status == XML_STATUS_ERROR) {
      const XML_Error error = XML_GetErrorCode(parser_.get());
      fail(Fault::data, here(), fmt::format("not XML: {}", XML_ErrorString(error)),
           is_over_ ? "the file ends too early: get the whole of it"
                    : "give a MediaWiki dump (pages-articles)");
    }
    is_suspended_ = status == XML_STATUS_SUSPENDED;
  }

  XML_Status parse_block() {
    void* block = XML_GetBuffer(parser_.get(), parser_bytes);
    if (block == nullptr) {
      throw std::bad_alloc();
    }
    const std::size_t count =
        source_->read({static_cast<char*>(block), static_cast<std::size_t>(parser_bytes)});
    is_over_ = count == 0;
    given_ += static_cast<std::int64_t>(count);
    const XML_Status status =
        XML_ParseBuffer(parser_.get(), static_cast<int>(count), is_over_ ? XML_TRUE : XML_FALSE);
    if (status == XML_STATUS_OK && !is_over_ &&
        given_ - XML_GetCurrentByteIndex(parser_.get()) > longest_tag + parser_bytes) {
      fail(Fault::data, here(), fmt::format("a tag or comment of more than {} bytes", longest_tag),
           "give a MediaWiki dump (pages-articles)");
    }
    return status;
  }

  // Called by the parser, which is C: exceptions wait until it has returned.

  template <class Action>
  static void guard(void* self, Action action) {
    auto& dump = *static_cast<WikiDump*>(self);
    if (dump.problem_) {
      return;
    }
    try {
      action(dump);
    } catch (...) {
      dump.problem_ = std::current_exception();
      XML_StopParser(dump.parser_.get(), XML_FALSE);
    }
  }
  static void on_start(void* self, const XML_Char* name, const XML_Char** attributes) {
    guard(self, [&](WikiDump& dump) { dump.start(name, attributes); });
  }
  static void on_end(void* self, const XML_Char*) {
    guard(self, [](WikiDump& dump) { dump.end(); });
  }
  static void on_text(void* self, const XML_Char* text, int length) {
    guard(self, [&](WikiDump& dump) { dump.append({text, static_cast<std::size_t>(length)}); });
  }
  static void on_doctype(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    guard(self, [](WikiDump& dump) {
      // Dumps have none, and entities declared in one can make a small file huge.
      fail(Fault::data, dump.here(), "a document type declaration",
           "give a MediaWiki dump (pages-articles)");
    });
  }

  void start(std::string_view name, const XML_Char** attributes) {
    ++depth_;
    field_ = nullptr;
    if (depth_ == 1 && name != "mediawiki") {
      fail(Fault::data, here(), fmt::format("the outermost element is <{}>", name.substr(0, 40)),
           "give a MediaWiki dump (pages-articles)");
    }
    if (depth_ > deepest_element) {
      fail(Fault::data, here(), fmt::format("elements nested more than {} deep", deepest_element),
           "give a MediaWiki dump (pages-articles)");
    }
    if (depth_ == 2) {
      in_page_ = name == "page";
      if (in_page_) {
        begin_page();
      }
    } else if (in_page_) {
      start_in_page(name);
    } else if (name == "namespace" && names_dropped_links(attributes)) {
      space_name_.clear();
      field_ = &space_name_;
    }
  }

  void begin_page() {
    page_.id.clear();
    page_.title.clear();
    page_.space.clear();
    page_.text.clear();
    page_.is_redirect = false;
    page_.line = XML_GetCurrentLineNumber(parser_.get());
  }

  void start_in_page(std::string_view name) {
    if (depth_ == 3) {
      in_revision_ = name == "revision";
      field_ = name == "title" ? &page_.title
               : name == "id"  ? &page_.id
               : name == "ns"  ? &page_.space
                               : nullptr;
      page_.is_redirect = page_.is_redirect || name == "redirect";
    } else if (depth_ == 4 && in_revision_ && name == "text") {
      field_ = &page_.text;
    }
    if (field_ != nullptr) {
      field_->clear();
    }
  }

  /// Files (6) and categories (14), whose names are those of the wiki's language.
  static bool names_dropped_links(const XML_Char** attributes) {
    for (; *attributes != nullptr; attributes += 2) {
      const std::string_view value = attributes[1];
      if (std::string_view(attributes[0]) == "key" && (value == "6" || value == "14")) {
        return true;
      }
    }
    return false;
  }

  void end() {
    if (field_ == &space_name_) {
      end_namespace();
    }
    field_ = nullptr;
    if (depth_ == 2 && in_page_) {
      end_page();
    }
    --depth_;
  }

  void end_namespace() {
    if (++namespaces_ > most_namespaces) {
      fail(Fault::data, here(), fmt::format("more than {} namespaces for files", most_namespaces),
           "give a MediaWiki dump (pages-articles)");
    }
    markup_.drop_links_to(space_name_);
  }

  void end_page() {
    in_page_ = false;
    if (!page_.space.empty() && page_.space != "0") {
      ++counts_.other_pages;
    } else if (page_.is_redirect || says_redirect(page_.text)) {
      ++counts_.redirects;
    } else {
      is_ready_ = true;
      XML_StopParser(parser_.get(), XML_TRUE);
    }
  }

  void append(std::string_view text) {
    if (field_ == nullptr) {
      return;
    }
    if (field_->size() + text.size() > max_document_bytes) {
      fail(Fault::data, here(), fmt::format("longer than {} MiB", max_document_bytes >> 20),
           "repair or remove the page");
    }
    *field_ += text;
  }

  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<XML_ParserStruct, Free> parser_;
  WikiMarkup markup_;
  Page page_;
  std::string plain_;
  std::string space_name_;
  std::string* field_ = nullptr;  ///< where the text of the element being read goes
  int depth_ = 0;
  int namespaces_ = 0;
  bool in_page_ = false;
  bool in_revision_ = false;
  bool is_ready_ = false;
  bool is_suspended_ = false;
  bool is_over_ = false;
  std::int64_t given_ = 0;
  std::exception_ptr problem_;
};

}  // namespace

std::unique_ptr<DocumentReader> read_wiki_dump(std::unique_ptr<ByteSource> source) {
  return std::make_unique<WikiDump>(std::move(source));
}

}  // namespace tain
