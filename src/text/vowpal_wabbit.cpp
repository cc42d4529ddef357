// Vowpal Wabbit: `[label ...] ['tag]|[namespace[:weight]] word[:count] ... [|namespace ...]`.
#include <fmt/format.h>

#include "tain/core/error.hpp"
#include "text/fields.hpp"

namespace tain::text {
namespace {

/// Takes what stands before the next blank or bar off `rest`.
std::string_view take_feature(std::string_view& rest) {
  std::size_t size = 0;
  while (size < rest.size() && !is_blank(rest[size]) && rest[size] != '|') {
    ++size;
  }
  const std::string_view feature = rest.substr(0, size);
  rest.remove_prefix(size);
  return feature;
}

class VowpalWabbitReader final : public WordBagReader {
 public:
  explicit VowpalWabbitReader(std::unique_ptr<ByteSource> source)
      : lines_(std::move(source), "|") {}

  bool next(WordBag& bag) override {
    const auto line = lines_.next();
    if (!line) {
      return false;
    }
    require_text(*line);
    const auto bar = line->find('|');
    if (bar == std::string_view::npos) {
      refuse("no '|'", "write | before the words");
    }
    bag.tag = tag(line->substr(0, bar));
    bag.words.clear();
    bag.counts.clear();
    for (std::string_view rest = line->substr(bar); !rest.empty();) {
      rest.remove_prefix(1);
      read_namespace(rest);
      read_words(rest, bag);
    }
    return true;
  }

  std::string where() const override { return lines_.lines().where(); }
  const ByteSource& source() const override { return lines_.source(); }

 private:
  [[noreturn]] void refuse(std::string_view problem, std::string_view remedy) const {
    fail(Fault::data, where(), problem, remedy);
  }

  void require_text(std::string_view line) const {
    const std::size_t foreign = find_foreign(line);
    if (foreign != std::string_view::npos) {
      refuse(fmt::format("byte {} of the line is {}", foreign + 1,
                         line[foreign] == '\0' ? "NUL" : "not UTF-8"),
             "give text in UTF-8");
    }
  }

  /// The last field before the first bar, if it begins with a quote or touches the bar.
  static std::string_view tag(std::string_view before) {
    const bool touches = !before.empty() && !is_blank(before.back());
    before = before.substr(0, before.find_last_not_of(" \t") + 1);
    std::string_view last = before.substr(before.find_last_of(" \t") + 1);
    if (last.starts_with('\'')) {
      last.remove_prefix(1);
      return last;
    }
    return touches ? last : std::string_view{};
  }

  /// What touches the bar on its right is a namespace.
  void read_namespace(std::string_view& rest) const {
    const std::string_view name = take_feature(rest);
    const auto colon = name.find(':');
    if (colon == std::string_view::npos) {
      return;
    }
    if (Fields(name.substr(colon + 1), lines_.lines()).count() != 1) {
      refuse(fmt::format("namespace {} has a weight", quoted(name)),
             "multiply the counts by it instead");
    }
  }

  /// Words up to the next bar or the end.
  void read_words(std::string_view& rest, WordBag& bag) const {
    for (;;) {
      while (!rest.empty() && is_blank(rest.front())) {
        rest.remove_prefix(1);
      }
      const std::string_view feature = take_feature(rest);
      if (feature.empty()) {
        return;
      }
      const std::string_view word = feature.substr(0, feature.find(':'));
      if (word.empty()) {
        refuse(fmt::format("count {} has no word", quoted(feature)), "write word:count");
      }
      std::uint32_t count = 1;
      if (word.size() < feature.size()) {
        count = Fields(feature.substr(word.size() + 1), lines_.lines()).count();
      }
      if (bag.words.size() == max_bag_words) {
        refuse(fmt::format("document has more than {} words", max_bag_words), "split the document");
      }
      if (count > 0) {
        bag.words.push_back(word);
        bag.counts.push_back(count);
      }
    }
  }

  DocumentLines lines_;
};

}  // namespace
}  // namespace tain::text

namespace tain {

std::unique_ptr<WordBagReader> read_word_bags(std::unique_ptr<ByteSource> source) {
  return std::make_unique<text::VowpalWabbitReader>(std::move(source));
}

}  // namespace tain
