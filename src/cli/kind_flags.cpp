#include "cli/kind_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "core/names.hpp"

namespace tain::cli {
namespace {

/// Rows are views; these texts are made once, with the table.
std::string_view kept(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text));
}

class KindRows final : public Fields {
 public:
  using Fields::choice;
  using Fields::field;

  explicit KindRows(std::string_view group) : group_(group) {}

  Fields& about(const FieldText& text) override {
    text_ = text;
    return *this;
  }
  void field(std::string_view name, Numbers&) override { add(name, Kind::numbers, "LIST"); }
  void field(std::string_view name, std::optional<bool>&) override { add(name, Kind::on_off, ""); }
  void field(std::string_view name, std::optional<std::uint64_t>&) override {
    add(name, Kind::count, "N");
  }
  void field(std::string_view name, std::optional<double>&) override {
    add(name, Kind::number, "X");
  }
  void field(std::string_view name, std::optional<std::string>&) override {
    add(name, Kind::word, "TEXT");
  }
  void field(std::string_view name, std::vector<std::string>&) override {
    add(name, Kind::words, "LIST");
  }
  void field(std::string_view name, WordOrNumbers&) override { add(name, Kind::words, "LIST"); }
  void file(std::string_view name, std::optional<std::filesystem::path>&) override {
    add(name, Kind::input_file, "FILE");
  }
  void matrix(std::string_view name, Numbers&) override { add(name, Kind::matrix, "FILE"); }
  void choice(std::string_view name, std::span<const std::string_view> words,
              std::size_t&) override {
    add(name, Kind::choice, kept(fmt::format("{}", fmt::join(words, "|"))));
  }

  std::vector<Flag> rows;

 private:
  void add(std::string_view name, Kind kind, std::string_view symbol) {
    const std::optional<FieldText> text = std::exchange(text_, std::nullopt);
    const std::string flag = flag_of(name);
    if (!text || std::ranges::find(rows, flag, &Flag::name) != rows.end()) {
      return;
    }
    rows.push_back({.name = kept(flag),
                    .letter = flag == "alpha" ? 'a' : '\0',  // as in every command
                    .metavar = text->symbol.empty() ? symbol : text->symbol,
                    .fallback = text->fallback,
                    .help = text->help,
                    .group = group_,
                    .kind = kind,
                    .shapes = Shapes::draws});
  }

  std::string_view group_;
  std::optional<FieldText> text_;  // of the field that comes next
};

template <class Entries>
std::vector<Flag> rows_of(const Entries& entries, std::string_view group) {
  KindRows rows(group);
  for (const auto& entry : entries) {
    if (entry.make) {
      entry.make()->describe(rows);
    }
  }
  return std::move(rows.rows);
}

template <class Entry>
std::vector<std::string> names_of_flags(const Entry& entry) {
  std::vector<std::string> names = field_names(entry);
  std::ranges::transform(names, names.begin(), flag_of);
  return names;
}

}  // namespace

std::vector<Flag> set_flags(std::string_view group) { return rows_of(set_table(), group); }
std::vector<Flag> target_flags(std::string_view group) { return rows_of(target_table(), group); }

std::vector<std::string> flags_of(const SetEntry& entry) { return names_of_flags(entry); }
std::vector<std::string> flags_of(const TargetEntry& entry) { return names_of_flags(entry); }

}  // namespace tain::cli
