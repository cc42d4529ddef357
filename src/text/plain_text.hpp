// The result of removing markup, while it is written: blanks are not doubled where something has
// vanished, words around it do not join, and no line is empty.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace tain {

class PlainText {
 public:
  /// Writes over `text`, which must outlive it.
  explicit PlainText(std::string& text) : text_(text) { text_.clear(); }

  std::size_t size() const { return text_.size(); }
  bool ends_with(std::string_view end) const { return text_.ends_with(end); }

  /// Appends part of a line.
  void put(std::string_view part) {
    const bool after_blank = text_.empty() || is_blank(text_.back());
    if (after_blank) {
      part.remove_prefix(std::min(part.find_first_not_of(" \t"), part.size()));
    }
    if (part.empty()) {
      return;
    }
    if (gap_ && !after_blank && needs_no_blank.find(part[0]) == std::string_view::npos) {
      text_ += ' ';
    }
    gap_ = false;
    text_ += part;
  }

  /// Something vanished here: words left and right are two words.
  void gap() { gap_ = true; }

  /// Takes back what was put since the text had `size` bytes.
  void cut(std::size_t size) { text_.resize(std::min(size, text_.size())); }

  /// Takes back `characters` at the end, but nothing of the first `floor` bytes.
  void trim(std::string_view characters, std::size_t floor) {
    while (text_.size() > floor && characters.find(text_.back()) != std::string_view::npos) {
      text_.pop_back();
    }
  }

  void end_line(std::size_t floor) {
    trim(" \t", floor);
    gap_ = false;
    if (!text_.empty() && text_.back() != '\n') {
      text_ += '\n';
    }
  }

 private:
  static constexpr std::string_view needs_no_blank = " \t.,;:!?)]'\"";
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

  std::string& text_;
  bool gap_ = false;
};

}  // namespace tain
