// lda-c: `M id:count ...`, M being the number of pairs; ids from 0.
#include <fmt/format.h>

#include "text/fields.hpp"
#include "text/readers.hpp"

namespace tain::text {
namespace {

class LdacReader final : public BagReader {
 public:
  LdacReader(std::unique_ptr<ByteSource> source, const BagOptions& options)
      : lines_(std::move(source), "0"),
        vocabulary_size_(options.vocabulary_size.value_or(max_vocabulary_size)) {}

  bool next(Bag& bag) override {
    const auto line = lines_.next();
    if (!line) {
      return false;
    }
    Fields fields(*line, lines_.lines());
    BagBuilder builder(bag, lines_.lines());
    fields.more();
    const std::uint64_t announced = fields.whole_number("number of words");
    std::uint64_t pairs = 0;
    for (; fields.more(); ++pairs) {
      const std::uint64_t id = fields.number("word id");
      if (!fields.take(':')) {
        fields.refuse_line(fmt::format("no ':' after word id {}", id), "write id:count");
      }
      builder.add(checked_id(lines_.lines(), id, 0, vocabulary_size_), fields.count());
    }
    if (pairs != announced) {
      fields.refuse_line(fmt::format("{} words announced, {} found", announced, pairs),
                         "begin the line with the number of its id:count pairs");
    }
    builder.finish();
    return true;
  }

  std::string where() const override { return lines_.lines().where(); }
  const ByteSource& source() const override { return lines_.source(); }

 private:
  DocumentLines lines_;
  std::uint32_t vocabulary_size_;
};

}  // namespace

std::unique_ptr<BagReader> ldac_reader(std::unique_ptr<ByteSource> source,
                                       const BagOptions& options) {
  return std::make_unique<LdacReader>(std::move(source), options);
}

}  // namespace tain::text
