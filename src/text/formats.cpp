#include "text/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <vector>

#include "core/names.hpp"
#include "text/readers.hpp"
#include "text/wiki_dump.hpp"

namespace tain {

/// The first bytes as lines that are not blank. The last line may have been cut off: it is left out
/// unless it is the only one.
struct FormatSample {
  std::string_view bytes;
  std::vector<std::string_view> lines;
  bool cut = false;  ///< the only line may be incomplete
};

namespace {

using Sample = FormatSample;

Sample split(std::string_view bytes) {
  Sample sample{bytes, {}};
  if (bytes.starts_with("\xEF\xBB\xBF")) {
    bytes.remove_prefix(3);
  }
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    if (end == std::string_view::npos && !sample.lines.empty()) {
      break;
    }
    sample.cut = end == std::string_view::npos;
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    if (line.find_first_not_of(" \t") != std::string_view::npos) {
      sample.lines.push_back(line);
    }
  }
  return sample;
}

/// Takes the next field off `rest`; empty at the end.
std::string_view take_field(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  const std::string_view field = rest.substr(0, rest.find_first_of(" \t"));
  rest.remove_prefix(field.size());
  return field;
}

bool is_whole(std::string_view field) {
  return !field.empty() && field.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_number(std::string_view field) {
  return !field.empty() && field.find_first_not_of("0123456789+-.eE,") == std::string_view::npos;
}

bool is_pair(std::string_view field) {
  const auto colon = field.find(':');
  return colon != std::string_view::npos && is_whole(field.substr(0, colon)) &&
         is_number(field.substr(colon + 1));
}

bool is_ldac(std::string_view line, bool cut) {
  std::uint64_t announced = 0, pairs = 0;
  const std::string_view first = take_field(line);
  const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), announced);
  if (error != std::errc{} || end != first.data() + first.size()) {
    return false;
  }
  for (std::string_view field = take_field(line); !field.empty(); field = take_field(line)) {
    // The last pair of a line that is cut off may be incomplete.
    if (!is_pair(field) && !(cut && line.empty())) {
      return false;
    }
    ++pairs;
  }
  return cut ? pairs <= announced : pairs == announced;
}

bool is_svmlight(std::string_view line, bool cut) {
  line = line.substr(0, line.find('#'));
  std::string_view field = take_field(line);
  if (is_number(field)) {
    field = take_field(line);
  }
  if (field.starts_with("qid:")) {
    field = take_field(line);
  }
  for (; !field.empty(); field = take_field(line)) {
    if (!is_pair(field) && !(cut && line.empty())) {
      return false;
    }
  }
  return true;
}

/// Numbers and perhaps a tag before the first bar.
bool is_vw(std::string_view line) {
  const auto bar = line.find('|');
  if (bar == std::string_view::npos) {
    return false;
  }
  std::string_view before = line.substr(0, bar);
  for (std::string_view field = take_field(before); !field.empty(); field = take_field(before)) {
    if (!is_number(field) && !field.starts_with('\'')) {
      return false;
    }
  }
  return true;
}

bool is_uci(const Sample& sample, bool) {
  const std::vector<std::string_view>& lines = sample.lines;
  // Three numbers alone are as likely three lines of text, unless they announce no entries.
  if (lines.size() < 3 || (lines.size() == 3 && lines[2] != "0")) {
    return false;
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(lines.size(), 4); ++i) {
    std::string_view rest = lines[i];
    for (std::size_t k = 0; k < (i < 3 ? 1 : 3); ++k) {
      if (!is_whole(take_field(rest))) {
        return false;
      }
    }
    if (!take_field(rest).empty()) {
      return false;
    }
  }
  return true;
}

bool is_tsv(const Sample& sample, bool) {
  const std::vector<std::string_view>& lines = sample.lines;
  const auto tabs = std::count(lines[0].begin(), lines[0].end(), '\t');
  return (tabs == 1 || tabs == 2) &&
         std::all_of(lines.begin(), lines.end(), [&](std::string_view line) {
           return std::count(line.begin(), line.end(), '\t') == tabs;
         });
}

bool begins_with_letters(std::string_view text, std::string_view lower_case) {
  return text.size() >= lower_case.size() &&
         std::equal(lower_case.begin(), lower_case.end(), text.begin(), [](char a, char b) {
           return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b - 'A' + 'a') : b);
         });
}

template <class Shape>
bool every(const Sample& sample, Shape shape) {
  return std::all_of(sample.lines.begin(), sample.lines.end(), shape);
}

bool all_ldac(const Sample& sample, bool) {
  return every(sample, [&](std::string_view line) { return is_ldac(line, sample.cut); });
}

// What is of ldac too, whose first number would be a label, is of this format by name only.
bool all_svmlight(const Sample& sample, bool named) {
  const auto bare = [](std::string_view line) { return line.find(':') == std::string_view::npos; };
  return !every(sample, bare) &&
         every(sample, [&](std::string_view line) { return is_svmlight(line, sample.cut); }) &&
         (named || !all_ldac(sample, false));
}

bool all_vw(const Sample& sample, bool) { return every(sample, is_vw); }

bool is_mm(const Sample& sample, bool) {
  return begins_with_letters(sample.lines[0], "%%matrixmarket");
}

bool is_anything(const Sample&, bool) { return true; }

bool is_wikipedia(const Sample& sample, bool) {
  const std::string_view first = sample.lines[0];
  const std::string_view start = first.substr(first.find_first_not_of(" \t"));
  return start.starts_with("<mediawiki") ||
         (start.starts_with("<?xml") && sample.bytes.find("<mediawiki") != std::string_view::npos);
}

// Of the questions the stricter come first: three numbers of uci are words of text as well.
constexpr std::array table{
    FormatRow{Format::text, "text", ".txt", Content::text, 7, is_anything,
              "it looks like no other format", text::line_documents},
    FormatRow{Format::tsv, "tsv", ".tsv", Content::text, 6, is_tsv,
              "every line has the same number of tabs", text::tab_documents},
    FormatRow{Format::uci, "uci", ".uci", Content::numbers, 2, is_uci,
              "three lines with one number each come first, then three to a line", nullptr,
              text::uci_reader, text::uci_writer, true, true},
    FormatRow{Format::ldac, "ldac", ".ldac .lda-c", Content::numbers, 4, all_ldac,
              "every line is a number of words and as many id:count pairs", nullptr,
              text::ldac_reader, text::ldac_writer},
    FormatRow{Format::mm, "mm", ".mm .mtx", Content::numbers, 0, is_mm,
              "it begins with %%MatrixMarket", nullptr, text::matrix_market_reader,
              text::matrix_market_writer, true, true},
    FormatRow{Format::svmlight, "svmlight", ".svmlight .svm .libsvm", Content::numbers, 3,
              all_svmlight, "every line is a label, or none, and id:count pairs", nullptr,
              text::svmlight_reader, text::svmlight_writer, true, false, true},
    FormatRow{Format::vw, "vw", ".vw", Content::words, 5, all_vw,
              "every line has a bar, with numbers and a 'tag at most before it"},
    FormatRow{Format::wikipedia, "wikipedia", ".xml", Content::text, 1, is_wikipedia,
              "it is XML with a <mediawiki> element", read_wiki_dump, nullptr, nullptr, false},
};

/// The row that one of the endings of a name belongs to, and that ending.
struct Named {
  const FormatRow* row = nullptr;
  std::string_view ending;
};
Named named_by(std::string_view name) {
  for (const std::string_view compressed : {".gz", ".bz2", ".xz", ".zst"}) {
    if (name.ends_with(compressed)) {
      name.remove_suffix(compressed.size());
      break;
    }
  }
  for (const FormatRow& row : table) {
    std::string_view rest = row.endings;
    for (auto ending = take_field(rest); !ending.empty(); ending = take_field(rest)) {
      if (name.ends_with(ending)) {
        return {&row, ending};
      }
    }
  }
  return {};
}

}  // namespace

const FormatRow& format_row(Format format) {
  return *std::ranges::find(table, format, &FormatRow::format);
}

std::string_view format_name(Format format) { return format_row(format).name; }

std::vector<std::string_view> format_names(bool FormatRow::* has) {
  return names_of(table, [=](const FormatRow& row) { return !has || row.*has; });
}

std::string format_list(bool (*wanted)(const FormatRow&)) {
  return one_of(names_of(table, [=](const FormatRow& row) { return row.written && wanted(row); }));
}

std::string written_endings() {
  std::vector<std::string_view> endings;
  for (const FormatRow& row : table) {
    if (row.written) {
      endings.push_back(row.endings.substr(0, row.endings.find(' ')));
    }
  }
  return one_of(endings);
}

std::optional<Format> format_from_ending(std::string_view file_name) {
  const Named named = named_by(file_name);
  return named.row ? std::optional(named.row->format) : std::nullopt;
}

Format format_from_name(std::string_view name) {
  const FormatRow* const found = find_row(table, name);
  if (!found) {
    fail_unknown("format", name, format_names());
  }
  return found->format;
}

Detection detect_format(std::string_view first_bytes, std::string_view file_name) {
  const Sample sample = split(first_bytes);
  const Named named = named_by(file_name);
  if (sample.lines.empty()) {
    return named.row
               ? Detection{named.row->format,
                           fmt::format("the file is empty and its name ends with {}", named.ending)}
               : Detection{Format::text, "the file is empty"};
  }
  std::array<const FormatRow*, table.size()> asked{};
  for (const FormatRow& row : table) {
    asked[row.asked] = &row;
  }
  for (const FormatRow* row : asked) {
    if (row->detect(sample, false)) {
      return {row->format, std::string(row->reason)};
    }
    if (row == named.row && row->detect(sample, true)) {
      return {row->format, fmt::format("{}, and the name ends with {}", row->reason, named.ending)};
    }
  }
  return {};
}

}  // namespace tain
