#include "text/formats.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <vector>

#include "core/names.hpp"

namespace tain {
namespace {

constexpr std::array<std::string_view, 8> names{"text", "tsv",      "uci", "ldac",
                                                "mm",   "svmlight", "vw",  "wikipedia"};

/// The first bytes as lines that are not blank. The last line may have been cut off: it is left out
/// unless it is the only one.
struct Sample {
  std::vector<std::string_view> lines;
  bool cut = false;  ///< the only line may be incomplete
};

Sample split(std::string_view bytes) {
  Sample sample;
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

bool is_uci(const std::vector<std::string_view>& lines) {
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

bool is_tsv(const std::vector<std::string_view>& lines) {
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

/// What the ending of a name, compressions apart, stands for.
struct Ending {
  std::string_view ending;
  Format format;
};
constexpr std::array endings{
    Ending{".txt", Format::text},     Ending{".tsv", Format::tsv},
    Ending{".ldac", Format::ldac},    Ending{".lda-c", Format::ldac},
    Ending{".mm", Format::mm},        Ending{".mtx", Format::mm},
    Ending{".svm", Format::svmlight}, Ending{".svmlight", Format::svmlight},
    Ending{".vw", Format::vw},        Ending{".libsvm", Format::svmlight},
    Ending{".xml", Format::wikipedia}};

const Ending* find_ending(std::string_view name) {
  for (const std::string_view compressed : {".gz", ".bz2", ".xz", ".zst"}) {
    if (name.ends_with(compressed)) {
      name.remove_suffix(compressed.size());
      break;
    }
  }
  const auto found = std::find_if(endings.begin(), endings.end(),
                                  [&](const Ending& e) { return name.ends_with(e.ending); });
  return found == endings.end() ? nullptr : &*found;
}

Detection by_name(std::string_view name) {
  if (const Ending* ending = find_ending(name)) {
    return {ending->format,
            "the file is empty and its name ends with " + std::string(ending->ending)};
  }
  return {Format::text, "the file is empty"};
}

template <class Shape>
bool every(const Sample& sample, Shape shape) {
  return std::all_of(sample.lines.begin(), sample.lines.end(), shape);
}

Detection by_lines(const Sample& sample, std::string_view name) {
  if (is_uci(sample.lines)) {
    return {Format::uci, "three lines with one number each come first, then three to a line"};
  }
  const bool ldac = every(sample, [&](std::string_view line) { return is_ldac(line, sample.cut); });
  const bool pairs = std::any_of(sample.lines.begin(), sample.lines.end(), [](std::string_view s) {
    return s.find(':') != std::string_view::npos;
  });
  const bool svmlight =
      pairs && every(sample, [&](std::string_view line) { return is_svmlight(line, sample.cut); });
  const Ending* ending = find_ending(name);
  if (ldac && svmlight && ending != nullptr && ending->format == Format::svmlight) {
    return {Format::svmlight,
            "lines are id:count pairs and the name ends with " + std::string(ending->ending)};
  }
  if (ldac) {
    return {Format::ldac, "every line is a number of words and as many id:count pairs"};
  }
  if (svmlight) {
    return {Format::svmlight, "every line is a label, or none, and id:count pairs"};
  }
  if (every(sample, is_vw)) {
    return {Format::vw, "every line has a bar, with numbers and a 'tag at most before it"};
  }
  if (is_tsv(sample.lines)) {
    return {Format::tsv, "every line has the same number of tabs"};
  }
  return {Format::text, "it looks like no other format"};
}

}  // namespace

std::span<const std::string_view> format_names() { return names; }

std::string_view format_name(Format format) { return names[static_cast<std::size_t>(format)]; }

Format format_from_name(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    fail_unknown("format", name, names);
  }
  return static_cast<Format>(found - names.begin());
}

Detection detect_format(std::string_view first_bytes, std::string_view file_name) {
  const Sample sample = split(first_bytes);
  if (sample.lines.empty()) {
    return by_name(file_name);
  }
  const std::string_view first = sample.lines[0];
  if (begins_with_letters(first, "%%matrixmarket")) {
    return {Format::mm, "it begins with %%MatrixMarket"};
  }
  const std::string_view start = first.substr(first.find_first_not_of(" \t"));
  if (start.starts_with("<mediawiki") ||
      (start.starts_with("<?xml") && first_bytes.find("<mediawiki") != std::string_view::npos)) {
    return {Format::wikipedia, "it is XML with a <mediawiki> element"};
  }
  return by_lines(sample, file_name);
}

}  // namespace tain
