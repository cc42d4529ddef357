// svmlight and libsvm: `[label] [qid:N] id:count ... [# comment]`.
#include <fmt/format.h>

#include "text/fields.hpp"
#include "text/readers.hpp"

namespace tain::text {
namespace {

bool is_label(std::string_view field) {
  return !field.empty() && field.find_first_not_of("0123456789+-.eE,") == std::string_view::npos;
}

class SvmlightReader final : public BagReader {
 public:
  SvmlightReader(std::unique_ptr<ByteSource> source, const BagOptions& options)
      : lines_(std::move(source), "0"),
        vocabulary_size_(options.vocabulary_size.value_or(max_vocabulary_size)),
        first_id_(static_cast<std::uint32_t>(options.svmlight_first_id)) {}

  bool next(Bag& bag) override {
    while (const auto line = lines_.next()) {
      const std::string_view content = line->substr(0, line->find('#'));
      if (!is_blank(content)) {
        read(content, bag);
        return true;
      }
    }
    return false;
  }

  std::string where() const override { return lines_.lines().where(); }
  const ByteSource& source() const override { return lines_.source(); }

 private:
  void read(std::string_view content, Bag& bag) {
    Fields fields(content, lines_.lines());
    BagBuilder builder(bag, lines_.lines());
    skip_label(fields);
    while (fields.more()) {
      const std::uint64_t id = fields.number("word id");
      if (!fields.take(':')) {
        fields.refuse_line(fmt::format("no ':' after word id {}", id), "write id:count");
      }
      builder.add(checked_id(lines_.lines(), id, first_id_, vocabulary_size_), fields.count());
    }
    builder.finish();
  }

  static void skip_label(Fields& fields) {
    fields.more();
    const std::string_view label = fields.field();
    if (label.find(':') == std::string_view::npos) {
      if (!is_label(label)) {
        fields.refuse("label", "is not a number");
      }
      fields.skip(label.size());
      fields.more();
    }
    if (fields.field().starts_with("qid:")) {
      fields.skip(std::string_view("qid:").size());
      fields.whole_number("query id");
    }
  }

  DocumentLines lines_;
  std::uint32_t vocabulary_size_, first_id_;
};

}  // namespace

std::unique_ptr<BagReader> svmlight_reader(std::unique_ptr<ByteSource> source,
                                           const BagOptions& options) {
  return std::make_unique<SvmlightReader>(std::move(source), options);
}

}  // namespace tain::text
