// Reports as one HTML file: no network, no JavaScript, light and dark, from telephone to paper.
//
// Definition: calls append to the page in order; html() is the whole document. All texts are plain
//   and escaped here. Sections make the table of contents; their anchors come from the headings.
// Laws: same calls, same bytes; tags balance. Headings go from h1 (the title) to h3 without gaps.
//   Tables have a caption and header cells with a scope; figures a caption and a text alternative;
//   what a badge says is in its words, not in its colour alone.
// Cost: linear in what is put in.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tain/report/figure.hpp"

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

  void section(const std::string& heading);
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

  std::string html() const;

 private:
  std::string title_, lead_, contents_, body_;
  bool in_section_ = false;
};

}  // namespace tain
