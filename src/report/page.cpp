#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <span>

#include "report/page_program.hpp"
#include "report/page_style.hpp"
#include "report/text.hpp"

namespace tain {
namespace {

// So many sentences of a passage are shown at once; one more is not worth a click.
constexpr std::size_t shown_sentences = 3;

// Nothing but what stands in the file itself.
constexpr std::string_view security_policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

std::string badge_markup(const Badge& badge) {
  constexpr std::array<std::string_view, 3> classes = {"good", "mixed", "bad"};
  constexpr std::array<std::string_view, 3> signs = {"✓", "◐", "✗"};
  const auto mark = static_cast<std::size_t>(badge.mark);
  return fmt::format(R"(<span class="badge {}"><span aria-hidden="true">{} </span>{}</span>)",
                     classes[mark], signs[mark], escaped(badge.text));
}

/// Letters and digits of ASCII, the rest as hyphens.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if ((lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9')) {
      anchor += lower;
    } else if (!anchor.empty() && anchor.back() != '-') {
      anchor += '-';
    }
  }
  if (anchor.ends_with('-')) {
    anchor.pop_back();
  }
  return anchor.empty() ? "section" : anchor;
}

std::string list_markup(std::span<const std::string> items) {
  std::string out = "<ul>\n";
  for (const std::string& item : items) {
    out += "<li>" + escaped(item) + "</li>\n";
  }
  return out + "</ul>\n";
}

std::string passage_markup(const Passage& passage, std::size_t level) {
  std::string out =
      fmt::format("<article>\n<h{0}>{1}</h{0}>\n<p class=\"source\">{2}{3}</p>\n", level,
                  escaped(passage.heading), passage.badge ? badge_markup(*passage.badge) + " " : "",
                  escaped(passage.source));
  const std::span<const std::string> all = passage.sentences;
  const std::size_t shown = all.size() <= shown_sentences + 1 ? all.size() : shown_sentences;
  if (shown > 0) {
    out += list_markup(all.first(shown));
  }
  if (shown < all.size()) {
    out += fmt::format("<details><summary>{} more</summary>\n{}</details>\n", all.size() - shown,
                       list_markup(all.subspan(shown)));
  }
  return out + "</article>\n";
}

std::string table_markup(const Table& table) {
  const auto align = [&](std::size_t column) {
    return table.columns[column].align == Align::right ? R"( class="number")" : "";
  };
  // Wide tables scroll; whoever has no mouse can focus them to do so.
  std::string out = fmt::format(
      "<div class=\"scroll\" role=\"region\" aria-label=\"{0}\" tabindex=\"0\">\n"
      "<table>\n<caption>{0}</caption>\n<thead><tr>",
      escaped(table.caption));
  for (std::size_t k = 0; k < table.columns.size(); ++k) {
    out += fmt::format("<th scope=\"col\"{}>{}</th>", align(k), escaped(table.columns[k].heading));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const std::vector<Cell>& row : table.rows) {
    out += "<tr>";
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
      const std::string content = k >= row.size() ? ""
                                  : row[k].badge  ? badge_markup(*row[k].badge)
                                                  : escaped(row[k].text);
      out += k == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", align(k), content)
                    : fmt::format("<td{}>{}</td>", align(k), content);
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table>\n</div>\n";
}

}  // namespace

Page::Page(std::string title, std::string lead)
    : title_(std::move(title)), lead_(std::move(lead)) {}

// Headings of level 2 are in one element, those of level 3 in two.
void Page::close(std::size_t level) {
  for (; open_.size() + 1 >= level; open_.pop_back()) {
    body_ += open_.back();
  }
}

void Page::add_heading(std::size_t level, const std::string& heading, Depth depth) {
  std::string anchor = anchor_of(heading);
  while (contents_.find("href=\"#" + anchor + "\"") != std::string::npos) {
    anchor += "-again";
  }
  close(level);
  contents_ += fmt::format("<li><a href=\"#{}\">{}</a>", anchor, escaped(heading));
  const std::string title =
      fmt::format("<h{0} id=\"{1}\">{2}</h{0}>", level, anchor, escaped(heading));
  const bool folded = depth == Depth::some && (level > 2 || has_widgets_);
  body_ += folded ? fmt::format("<details class=\"section\"><summary>{}</summary>\n", title)
                  : fmt::format("<section aria-labelledby=\"{}\">\n{}\n", anchor, title);
  open_.push_back(folded ? "</details>\n" : "</section>\n");
}

void Page::chapter(const std::string& heading, const std::string& lead) {
  contents_ += has_chapters_ ? "</ol></li>\n" : "";
  add_heading(2, heading, Depth::all);
  contents_ += "<ol>\n";  // of its sections
  has_chapters_ = true;
  body_ += "<p class=\"lead\">" + escaped(lead) + "</p>\n";
}

void Page::section(const std::string& heading, Depth depth) {
  add_heading(has_chapters_ ? 3 : 2, heading, depth);
  contents_ += "</li>\n";
}

void Page::paragraph(const std::string& text) { body_ += "<p>" + escaped(text) + "</p>\n"; }

void Page::list(const std::vector<std::string>& items) { body_ += list_markup(items); }

void Page::definitions(const std::vector<std::pair<std::string, std::string>>& items) {
  body_ += "<dl>\n";
  for (const auto& [term, meaning] : items) {
    body_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(term), escaped(meaning));
  }
  body_ += "</dl>\n";
}

void Page::passages(const std::vector<Passage>& passages) {
  if (passages.empty()) {
    return;
  }
  body_ += "<div class=\"pair\">\n";
  for (const Passage& passage : passages) {
    body_ += passage_markup(passage, open_.size() + 2);
  }
  body_ += "</div>\n";
}

void Page::table(const Table& table) { body_ += table_markup(table); }

void Page::figures(const std::vector<CaptionedFigure>& figures) {
  if (figures.empty()) {
    return;
  }
  body_ += "<div class=\"pair\">\n";
  for (const auto& [figure, caption] : figures) {
    body_ += fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n",
                         svg(figure, narrow_figure), escaped(caption));
  }
  body_ += "</div>\n";
}

void Page::command(const std::string& text) {
  body_ += "<pre tabindex=\"0\"><code>" + escaped(text) + "</code></pre>\n";
}

void Page::widget(std::string_view kind, const std::string& label, std::string_view json) {
  has_widgets_ = true;
  body_ += fmt::format(
      "<div class=\"widget\" data-kind=\"{}\" role=\"group\" aria-label=\"{}\">\n"
      "<noscript><p>This part needs JavaScript; the rest of the page does not.</p></noscript>\n"
      "<script type=\"application/json\">",
      escaped(std::string(kind)), escaped(label));
  for (const char c : json) {
    // In JSON it stands only inside strings; as itself it could end the element.
    c == '<' ? body_ += "\\u003c" : body_ += c;
  }
  body_ += "</script>\n</div>\n";
}

std::string Page::html() const {
  const std::string nav = contents_.empty()
                              ? ""
                              : fmt::format("<nav aria-label=\"Contents\"><ol>\n{}{}</ol></nav>\n",
                                            contents_, has_chapters_ ? "</ol></li>\n" : "");
  std::string ends;
  for (const std::string_view end : std::views::reverse(open_)) {
    ends += end;
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{0}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{1}</title>\n<style>\n{2}{3}</style>\n</head>\n<body>\n"
      "<header>\n<h1>{1}</h1>\n<p class=\"lead\">{4}</p>\n</header>\n{5}<main>\n{6}{7}</main>\n"
      "{8}</body>\n</html>\n",
      security_policy, escaped(title_), report::page_style(),
      has_widgets_ ? report::page_program_style() : std::string_view(), escaped(lead_), nav, body_,
      ends, has_widgets_ ? fmt::format("<script>\n{}\n</script>\n", report::page_program()) : "");
}

std::string page_of(const Chapter& chapter) {
  Page page(chapter.title, chapter.lead);
  chapter.fill(page);
  return page.html();
}

std::string page_of(const Chapter& cover, std::span<const Chapter> chapters) {
  Page page(cover.title, cover.lead);
  cover.fill(page);
  for (const Chapter& chapter : chapters) {
    page.chapter(chapter.title, chapter.lead);
    chapter.fill(page);
  }
  return page.html();
}

}  // namespace tain
