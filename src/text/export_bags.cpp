// Bags of words: counts as they are, or tokens counted.
#include <fmt/format.h>

#include <algorithm>

#include "tain/core/error.hpp"
#include "text/bag_writer.hpp"
#include "text/document_counter.hpp"
#include "text/document_names.hpp"
#include "text/export.hpp"
#include "text/letters.hpp"
#include "text/sink_stream.hpp"

namespace tain {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view forbidden_in_vw = " \t\r\n:|\0"sv;

/// What headers state, and whether readers will believe it.
BagTotals count_totals(CorpusExportRun& run, DocumentCounter& counter) {
  BagTotals totals{run.corpus.documents(), run.corpus.words(), 0};
  const bool gaps_leave_no_trace = run.row.loses_empty;
  std::uint64_t gap = 0;
  run.for_documents("counting words", [&](std::uint64_t d) {
    const std::size_t entries = counter.distinct(run.corpus.document(d));
    totals.entries += entries;
    gap = entries == 0 ? gap + 1 : 0;
    if (gaps_leave_no_trace && gap > max_missing_documents) {
      fail(Fault::data, run.name,
           fmt::format("documents {} to {} have no words, which readers of {} take for damage",
                       d + 2 - gap, d + 1, run.row.name),
           fmt::format("write {}", format_list([](const FormatRow& row) {
                         return row.content != Content::text && !row.loses_empty;
                       })));
    }
  });
  return totals;
}

/// A document's name as a tag of vw.
class Tags {
 public:
  explicit Tags(const Corpus& corpus) : names_(DocumentNames::open(corpus)) {}

  std::string_view operator()(std::uint64_t d) {
    tag_ = names_.name(d);
    for (std::size_t i = 0; i < tag_.size();) {
      const std::size_t bytes = decode(tag_, i).bytes;
      if (bytes == 0 || forbidden_in_vw.find(tag_[i]) != std::string_view::npos) {
        tag_[i] = '_';
      }
      i += std::max<std::size_t>(bytes, 1);
    }
    return tag_;
  }

 private:
  DocumentNames names_;
  std::string tag_;
};

}  // namespace

void export_bags(CorpusExportRun& run, ByteSink& sink) {
  DocumentCounter counter(run.corpus.words());
  text::SinkStream stream(sink);
  const BagTotals totals = count_totals(run, counter);
  const std::unique_ptr<BagWriter> writer = write_bags(run.row.format, stream, run.name, totals,
                                                       run.plan.first_id.value_or(FirstId::one));
  run.for_documents("writing",
                    [&](std::uint64_t d) { writer->write(counter.count(run.corpus.document(d))); });
  writer->finish();
  run.exported.entries = totals.entries;
}

void export_word_bags(CorpusExportRun& run, ByteSink& sink) {
  DocumentCounter counter(run.corpus.words());
  const WritableWords words(run, forbidden_in_vw);
  Tags tags(run.corpus);
  text::SinkStream stream(sink);
  const std::unique_ptr<WordBagWriter> writer = write_word_bags(stream, run.name);
  WordBag named;
  run.for_documents("writing", [&](std::uint64_t d) {
    const Bag& bag = counter.count(run.corpus.document(d));
    named.tag = tags(d);
    named.words.clear();
    for (const std::uint32_t id : bag.ids) {
      named.words.push_back(words[id]);
    }
    named.counts = bag.counts;
    writer->write(named);
    run.exported.entries += bag.ids.size();
  });
  writer->finish();
}

}  // namespace tain
