// Bags of words: counts are kept as they are.
#include <fmt/format.h>

#include "tain/core/error.hpp"
#include "text/import_run.hpp"

namespace tain {
namespace {

constexpr std::uint64_t documents_between_reports = 1000;

/// Names of words that have numbers only. What a header announces costs nothing until here.
Vocabulary numbered_words(const ImportRun& run, std::uint32_t size) {
  constexpr std::size_t bytes_per_word = 128;  // the name in two lists, and its slots
  if (size > run.plan.memory_bytes / bytes_per_word) {
    fail(Fault::data, run.report.source,
         fmt::format("numbers words up to {}, whose names exceed the memory allowed", size),
         Phrase("check the file, or give more ", Field{"memory"}));
  }
  Vocabulary vocabulary;
  for (std::uint32_t id = 0; id < size; ++id) {
    vocabulary.add(fmt::format("word{}", id + 1));
  }
  return vocabulary;
}

void report_now_and_then(const ImportRun& run, std::string_view phase, std::uint64_t documents,
                         const ByteSource& source) {
  if (documents % documents_between_reports == 0) {
    run.show({phase, documents, source.consumed(), source.size()});
  }
}

}  // namespace

void import_bags(ImportRun& run) {
  std::optional<Vocabulary> given;
  BagOptions options{.vocabulary_size = {}, .svmlight_first_id = run.plan.svmlight_first_id};
  if (run.plan.vocabulary) {
    given = read_vocabulary(*run.plan.vocabulary, LetterCase::keep);
    options.vocabulary_size = given->size();
  }
  const std::unique_ptr<BagReader> reader =
      read_bags(format_from_name(run.report.format), run.open(), options);
  CorpusWriter writer(run.folder, Order::none);
  std::uint32_t words = reader->vocabulary_size().value_or(0);
  for (Bag bag; reader->next(bag);) {
    run.report.empty_documents += bag.ids.empty() ? 1 : 0;
    words = bag.ids.empty() ? words : std::max(words, bag.ids.back() + 1);
    writer.add(bag.ids, bag.counts, "", "");
    report_now_and_then(run, "writing", writer.documents(), reader->source());
  }
  run.report.read.documents = writer.documents();
  if (given && reader->vocabulary_size().value_or(given->size()) != given->size()) {
    fail(Fault::data, run.plan.vocabulary->string(),
         fmt::format("has {} words, {} announces {}", given->size(), run.report.source,
                     *reader->vocabulary_size()),
         "give the vocabulary that belongs to it");
  }
  finish_corpus(run, writer, given ? *given : numbered_words(run, words));
}

void import_word_bags(ImportRun& run) {
  const auto for_bags = [&](std::string_view phase, const auto& work) {
    const std::unique_ptr<WordBagReader> reader = read_word_bags(run.open());
    std::uint64_t documents = 0;
    for (WordBag bag; reader->next(bag);) {
      work(bag, *reader);
      report_now_and_then(run, phase, ++documents, reader->source());
    }
    run.report.read.documents = documents;
  };
  Vocabulary vocabulary;
  if (run.plan.vocabulary) {
    vocabulary = read_vocabulary(*run.plan.vocabulary, LetterCase::keep);
  } else {
    std::vector<WordCounter> counters;
    counters.emplace_back(run.scratch, "words", run.plan.memory_bytes / 2);
    for_bags("counting words", [&](const WordBag& bag, const WordBagReader&) {
      for (std::size_t i = 0; i < bag.words.size(); ++i) {
        counters.front().add_token(bag.words[i], bag.counts[i]);
      }
      counters.front().end_document();
    });
    vocabulary = selected_vocabulary(run, counters);
  }
  CorpusWriter writer(run.folder, Order::none);
  Bag known;
  for_bags("writing", [&](const WordBag& bag, const WordBagReader& reader) {
    known.clear();
    for (std::size_t i = 0; i < bag.words.size(); ++i) {
      const std::uint32_t id = vocabulary.find(bag.words[i]);
      if (id == Vocabulary::none) {
        run.report.unknown_tokens += bag.counts[i];
      } else {
        known.ids.push_back(id);
        known.counts.push_back(bag.counts[i]);
      }
    }
    sort_and_merge(known, reader.where());
    run.report.empty_documents += known.ids.empty() ? 1 : 0;
    writer.add(known.ids, known.counts, bag.tag, "");
  });
  finish_corpus(run, writer, vocabulary);
}

}  // namespace tain
