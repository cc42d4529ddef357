#include "text/wiki_markup.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "text/letters.hpp"
#include "text/plain_text.hpp"
#include "text/wiki_words.hpp"

namespace tain {
namespace {

constexpr std::size_t none = std::string_view::npos;
constexpr std::string_view blanks = " \t";
constexpr std::size_t longest_namespace = 64;
constexpr std::size_t longest_entity = 32;
constexpr std::size_t longest_element = 20;
constexpr std::size_t longest_markup_tag = 2000;

constexpr std::array<bool, 256> make_specials() {
  std::array<bool, 256> special{};
  for (const char c : std::string_view("{}[]<&'|\n\r_:")) {
    special[static_cast<unsigned char>(c)] = true;
  }
  return special;
}
constexpr std::array<bool, 256> specials = make_specials();

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool in_word(char c) {
  return is_lower(c) || is_upper(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}
char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower_name(std::string_view name) {
  std::string lower;
  for (const char c : name) {
    lower += c == '_' ? ' ' : to_lower(c);
  }
  return lower;
}

/// `de`, `sco`, `zh-min-nan`: the sites to which language links go.
bool is_language(std::string_view name) {
  const std::size_t first = std::min(name.find('-'), name.size());
  return name == "simple" ||
         ((first == 2 || first == 3) && name.back() != '-' &&
          std::all_of(name.begin(), name.end(), [](char c) { return is_lower(c) || c == '-'; }));
}

enum class Mark : std::uint8_t { braces, table, link, dropped_link, web_link };

struct Opened {
  Mark mark;
  bool labelled;       ///< link: its target is over
  bool heading;        ///< it was opened in a heading
  std::size_t braces;  ///< how many are still to be closed
  std::size_t output;  ///< size of the result when it was opened
};

/// One pass over one text. Everything is written to the result at once; a mark that makes its
/// contents vanish takes them back when it is closed, so nothing is ever read twice.
class Pass {
 public:
  Pass(std::string_view text, const std::vector<std::string>& namespaces, std::string& plain)
      : text_(text), namespaces_(namespaces), plain_(plain) {}

  std::uint64_t run() {
    begin_line();
    while (at_ < text_.size()) {
      const std::size_t begin = at_;
      while (at_ < text_.size() && !specials[static_cast<unsigned char>(text_[at_])]) {
        ++at_;
      }
      plain_.put(text_.substr(begin, at_ - begin));
      if (at_ < text_.size()) {
        special(text_[at_]);
      }
      operations_ += at_ - begin;
    }
    opened_.clear();
    end_line();
    plain_.trim(" \t\n", 0);
    return operations_;
  }

 private:
  void special(char c) {
    switch (c) {
      case '{':
        return open_braces();
      case '}':
        return close_braces();
      case '[':
        return open_bracket();
      case ']':
        return close_bracket();
      case '<':
        return angle();
      case '&':
        return entity();
      case '\'':
        return quotes();
      case '|':
        return bar();
      case '\n':
        end_line();
        ++at_;
        return begin_line();
      case '\r':
        ++at_;
        return;
      case '_':
        return magic_word();
      default:
        return colon();
    }
  }

  // The result.

  void emit_here(std::size_t bytes) {
    plain_.put(text_.substr(at_, bytes));
    at_ += bytes;
  }

  void vanish(std::size_t size) {
    plain_.cut(size);
    plain_.gap();
  }

  /// What an open mark found is not touched: it may have to come back.
  std::size_t floor() const { return opened_.empty() ? 0 : opened_.back().output; }

  // Open marks.

  bool on_top(Mark mark) const { return !opened_.empty() && opened_.back().mark == mark; }
  std::size_t& count(Mark mark) { return counts_[static_cast<std::size_t>(mark)]; }

  void open(Mark mark, std::size_t braces = 0) {
    if (opened_.size() == WikiMarkup::max_depth) {
      ++too_deep_;
      return;
    }
    opened_.push_back({mark, false, heading_, braces, plain_.size()});
    ++count(mark);
  }

  Opened pop() {
    const Opened top = opened_.back();
    opened_.pop_back();
    --count(top.mark);
    ++operations_;
    return top;
  }

  /// Closes the innermost `mark`, which is open, and all that was left open inside it; its contents
  /// vanish.
  Opened close_and_vanish(Mark mark) {
    Opened top = pop();
    while (top.mark != mark) {
      top = pop();
    }
    heading_ = top.heading;
    vanish(top.output);
    return top;
  }

  // Lines.

  void begin_line() {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_not_of(" \t*#:;", at_), text_.size());
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("{|")) {
      at_ += 2;
      open(Mark::table);
    } else if (rest.starts_with("|}") && !rest.starts_with("|}}") &&
               (too_deep_ > 0 || count(Mark::table) > 0)) {
      at_ += 2;
      if (too_deep_ > 0) {
        --too_deep_;
      } else {
        close_and_vanish(Mark::table);
      }
    } else if (rest.starts_with('=')) {
      at_ = std::min(text_.find_first_not_of('=', at_), text_.size());
      heading_ = true;
    } else if (rest.starts_with("----")) {
      at_ = std::min(text_.find_first_not_of('-', at_), text_.size());
    }
    operations_ += at_ - begin;
  }

  void end_line() {
    // Neither a link's target nor the label of a web link goes beyond its line.
    while (on_top(Mark::web_link) || (on_top(Mark::link) && !opened_.back().labelled)) {
      pop();
    }
    plain_.trim(" \t", floor());
    if (heading_) {
      plain_.trim("= \t", floor());
      heading_ = false;
    }
    plain_.end_line(floor());
  }

  // Marks.

  std::size_t run_of(char c) const {
    return std::min(text_.find_first_not_of(c, at_), text_.size()) - at_;
  }

  void open_braces() {
    const std::size_t length = run_of('{');
    if (length == 1) {
      return emit_here(1);
    }
    at_ += length;
    open(Mark::braces, length);
  }

  /// {{ }} and {{{ }}}: three are closed at once where there are three on both sides. A brace left
  /// over on either side vanishes too.
  void close_braces() {
    std::size_t length = run_of('}');
    if (length == 1) {
      return emit_here(1);
    }
    at_ += length;
    while (length >= 2 && (too_deep_ > 0 || count(Mark::braces) > 0)) {
      if (too_deep_ > 0) {
        --too_deep_;
        length -= 2;
        continue;
      }
      Opened top = close_and_vanish(Mark::braces);
      const std::size_t most = top.braces == 4 ? 2 : 3;
      const std::size_t closed = std::min({length, top.braces, most});
      length -= closed;
      if (top.braces - closed >= 2) {
        open(Mark::braces, top.braces - closed);
      }
    }
  }

  void open_bracket() {
    const std::string_view rest = text_.substr(at_, 10);
    if (rest.starts_with("[[")) {
      at_ += 2;
      return open_link();
    }
    for (const std::string_view scheme : {"http://", "https://", "ftp://", "//", "mailto:"}) {
      if (rest.substr(1).starts_with(scheme)) {
        ++at_;
        skip_address();
        return open(Mark::web_link);
      }
    }
    emit_here(1);
  }

  void open_link() {
    at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
    if (at_ < text_.size() && text_[at_] == ':') {
      ++at_;  // shown as a link, whatever it leads to
      return open(Mark::link);
    }
    std::string_view name = text_.substr(at_, longest_namespace);
    const std::size_t stop = name.find_first_of(":|[]{}<\n");
    operations_ += std::min(stop, name.size());
    if (stop == none || name[stop] != ':') {
      return open(Mark::link);
    }
    name = name.substr(0, stop);
    name = name.substr(0, name.find_last_not_of(blanks) + 1);
    const bool drops = is_language(name) || std::find(namespaces_.begin(), namespaces_.end(),
                                                      lower_name(name)) != namespaces_.end();
    open(drops ? Mark::dropped_link : Mark::link);
  }

  void close_bracket() {
    if (on_top(Mark::web_link) && too_deep_ == 0) {
      pop();
      ++at_;
    } else if (!text_.substr(at_).starts_with("]]")) {
      emit_here(1);
    } else {
      at_ += 2;
      if (too_deep_ > 0) {
        --too_deep_;
      } else if (on_top(Mark::link)) {
        pop();
      } else if (on_top(Mark::dropped_link)) {
        close_and_vanish(Mark::dropped_link);
      }
    }
  }

  void bar() {
    if (on_top(Mark::link) && !opened_.back().labelled) {
      opened_.back().labelled = true;
      plain_.cut(opened_.back().output);
      ++at_;
    } else {
      emit_here(1);
    }
  }

  void quotes() {
    const std::size_t length = run_of('\'');
    if (length == 1) {
      return emit_here(1);
    }
    if (length == 4 || length > 5) {
      plain_.put("'");  // an apostrophe beside bold or italic text
    }
    at_ += length;
  }

  /// __NOTOC__ and its like.
  void magic_word() {
    const std::string_view rest = text_.substr(at_, longest_element);
    const std::size_t length =
        std::min(rest.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 2), rest.size());
    operations_ += length;
    if (rest.starts_with("__") && length > 2 && rest.substr(length).starts_with("__")) {
      at_ += length + 2;
    } else {
      emit_here(1);
    }
  }

  void colon() {
    if (text_.substr(at_).starts_with("://")) {
      for (const std::string_view scheme : {"https", "http", "ftp"}) {
        if (plain_.ends_with(scheme) && plain_.size() - floor() >= scheme.size()) {
          vanish(plain_.size() - scheme.size());
          return skip_address();
        }
      }
    }
    emit_here(1);
  }

  void skip_address() {
    at_ = std::min(text_.find_first_of(" \t\r\n[]<>\"|{}", at_), text_.size());
    plain_.gap();
  }

  void entity() {
    const std::string_view rest = text_.substr(at_ + 1, longest_entity);
    const std::size_t length = rest.find_first_of("; &<\n");
    operations_ += std::min(length, rest.size());
    std::int32_t c = 0;
    if (length != none && rest[length] == ';') {
      c = entity_code_point(rest.substr(0, length));
    }
    if (c == 0) {
      return emit_here(1);
    }
    std::array<char, 4> bytes;
    const bool is_space = c <= ' ' || c == 0xA0;
    const std::size_t size = encode(is_space ? ' ' : c, bytes.data());
    plain_.put({bytes.data(), size});
    at_ += length + 2;
  }

  // Comments and elements.

  void angle() {
    if (text_.substr(at_).starts_with("<!--")) {
      const std::size_t end = text_.find("-->", at_ + 4);
      at_ = end == none ? text_.size() : end + 3;
      return;
    }
    const std::size_t slash = text_.substr(at_ + 1).starts_with('/') ? 1 : 0;
    std::string name;
    for (std::size_t i = at_ + 1 + slash; i < text_.size() && name.size() < longest_element; ++i) {
      if (!is_lower(to_lower(text_[i])) && !is_digit(text_[i])) {
        break;
      }
      name += to_lower(text_[i]);
    }
    operations_ += name.size();
    const std::size_t after = at_ + 1 + slash + name.size();
    const Element kind = element_kind(name);
    const std::size_t end = tag_end();
    if (kind == Element::unknown || end == none || end - at_ > longest_markup_tag ||
        std::string_view(" \t\r\n/>").find(text_[after]) == none) {
      return emit_here(1);
    }
    const bool has_contents = slash == 0 && text_[end - 1] != '/';
    at_ = end + 1;
    if (kind == Element::block || kind == Element::contents) {
      plain_.gap();
    }
    if (has_contents && (kind == Element::contents || kind == Element::verbatim)) {
      contents(kind, name);
    }
  }

  /// Where the next '>' is. Looked for only once it has been passed, so in linear time.
  std::size_t tag_end() {
    if (tag_end_ != none && tag_end_ <= at_) {
      tag_end_ = text_.find('>', at_);
      operations_ += std::min(tag_end_, text_.size()) - at_;
    }
    return tag_end_;
  }

  /// Goes behind the element's closing tag. If there is none, the contents are ordinary text.
  void contents(Element kind, const std::string& name) {
    const std::size_t close = closing_tag(name);
    if (close == none) {
      return;
    }
    if (kind == Element::verbatim) {
      put_lines(text_.substr(at_, close - at_));
    }
    at_ = close;
    const std::size_t end = tag_end();
    at_ = end == none ? text_.size() : end + 1;
  }

  void put_lines(std::string_view lines) {
    for (std::size_t end = lines.find('\n'); end != none; end = lines.find('\n')) {
      plain_.put(lines.substr(0, end));
      plain_.end_line(floor());
      lines.remove_prefix(end + 1);
    }
    plain_.put(lines);
  }

  std::size_t closing_tag(const std::string& name) {
    if (never_closed_.contains(name)) {
      return none;  // a search that failed once fails ever after: the cost stays linear
    }
    for (std::size_t i = text_.find("</", at_); i != none; i = text_.find("</", i + 2)) {
      const std::string_view found = text_.substr(i + 2, name.size());
      const std::size_t after = i + 2 + name.size();
      if ((after >= text_.size() || !in_word(text_[after])) && lower_name(found) == name) {
        return i;
      }
    }
    operations_ += text_.size() - at_;
    never_closed_.insert(name);
    return none;
  }

  std::string_view text_;
  const std::vector<std::string>& namespaces_;
  PlainText plain_;
  std::size_t at_ = 0;
  bool heading_ = false;  ///< the line began with '='
  std::vector<Opened> opened_;
  std::array<std::size_t, 5> counts_{};  ///< of opened_, by mark
  std::size_t too_deep_ = 0;
  std::size_t tag_end_ = 0;
  std::unordered_set<std::string> never_closed_;
  std::uint64_t operations_ = 0;
};

}  // namespace

WikiMarkup::WikiMarkup() : namespaces_{"file", "image", "category"} {}

void WikiMarkup::drop_links_to(std::string_view namespace_name) {
  namespaces_.push_back(lower_name(namespace_name));
}

void WikiMarkup::strip(std::string_view wikitext, std::string& plain) {
  operations_ += Pass(wikitext, namespaces_, plain).run();
}

}  // namespace tain
