// Reports as one HTML file: no network, light and dark, from telephone to paper.
//
// Definition: calls append to the page in order; html() is the whole document. All texts are plain
//   and escaped here. Chapters and sections make the table of contents; their anchors come from the
//   headings. Widgets are the parts that move: a container with its data, filled by the page
//   program (web/), which html() adds where there is one. All else is readable without JavaScript.
// Laws: same calls, same bytes; tags balance. Headings go from h1 (the title) down without gaps.
//   No page can load anything from elsewhere: its security policy says so to the browser.
//   Tables have a caption and header cells with a scope; figures a caption and a text alternative;
//   what a badge says is in its words, not in its colour alone.
// Cost: linear in what is put in.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/figure.hpp"

namespace tain {

enum class Mark { good, mixed, bad };
struct Badge {
  Mark mark = Mark::good;
  std::string text;
};

struct Cell {
  Cell(std::string t) : text(std::move(t)) {}
  Cell(const char* t) : text(t) {}
  Cell(Badge b) : badge(std::move(b)) {}
  std::string text;
  std::optional<Badge> badge;
};

enum class Align { left, right };
struct Column {
  std::string heading;
  Align align = Align::left;
};
/// The first cell of a row is the row's header; shorter rows are filled up with empty cells.
struct Table {
  std::string caption;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

struct CaptionedFigure {
  Figure figure;
  std::string caption;
};

/// A claim or question, what was found, and where that comes from.
struct Passage {
  std::string heading, source;
  std::optional<Badge> badge;
  /// The first few are shown, the others on demand.
  std::vector<std::string> sentences;
};

class Page {
 public:
  /// Lead: what a reader in a hurry should know.
  Page(std::string title, std::string lead);

  /// Several reports on one page: sections up to the next chapter are below this one.
  void chapter(const std::string& heading, const std::string& lead);
  /// What only some want to read is folded away in chapters, and after widgets, which show more.
  enum class Depth { all, some };
  void section(const std::string& heading, Depth depth = Depth::all);
  void paragraph(const std::string& text);
  void list(const std::vector<std::string>& items);
  /// Terms and what they mean, respectively names and values.
  void definitions(const std::vector<std::pair<std::string, std::string>>& items);
  void table(const Table& table);
  /// Side by side where there is room, as are figures.
  void passages(const std::vector<Passage>& passages);
  void figures(const std::vector<CaptionedFigure>& figures);
  /// A command to repeat something with.
  void command(const std::string& text);
  /// An interactive part: which kind (web/src/page.ts lists them), what it is for whoever cannot
  /// see it, and its data, one JSON value as text.
  void widget(std::string_view kind, const std::string& label, std::string_view json);

  std::string html() const;

 private:
  void add_heading(std::size_t level, const std::string& heading, Depth depth);
  void close(std::size_t level);

  std::string title_, lead_, contents_, body_;
  std::vector<std::string_view> open_;  // end tags, the innermost last
  bool has_chapters_ = false, has_widgets_ = false;
};

/// A report that has a page of its own or is one among others.
struct Chapter {
  std::string title, lead;
  std::function<void(Page&)> fill;  ///< appends its sections
};
std::string page_of(const Chapter& chapter);
/// What the cover fills in stands before the first chapter.
std::string page_of(const Chapter& cover, std::span<const Chapter> chapters);

}  // namespace tain
