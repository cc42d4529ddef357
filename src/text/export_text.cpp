// Documents of words: a line each, tokens in text order.
#include <fmt/format.h>

#include "text/document_names.hpp"
#include "text/export.hpp"

namespace tain {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t line_bytes = std::size_t{64} << 10;

void append_tokens(std::string& lines, std::span<const std::uint32_t> ids,
                   const WritableWords& words) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    lines += i == 0 ? ""sv : " "sv;
    lines += words[ids[i]];
  }
}

void append_names(std::string& lines, const DocumentNames& names, std::uint64_t d) {
  const std::string_view name = names.name(d);
  if (name.empty()) {
    lines += fmt::format_int(d + 1).str();
  } else {
    lines += name;
  }
  lines += '\t';
  lines += names.title(d);
  lines += '\t';
}

}  // namespace

void export_text(CorpusExportRun& run, ByteSink& sink) {
  const bool table = run.row.format == Format::tsv;  // the one of two that has names
  const DocumentNames names = table ? DocumentNames::open(run.corpus) : DocumentNames();
  const WritableWords words(run, " \t\r\n\0"sv);
  std::string lines;
  run.for_documents("writing", [&](std::uint64_t d) {
    if (table) {
      append_names(lines, names, d);
    }
    append_tokens(lines, run.corpus.document(d).ids, words);
    lines += '\n';
    if (lines.size() >= line_bytes) {
      sink.write(lines);
      lines.clear();
    }
  });
  sink.write(lines);
}

}  // namespace tain
