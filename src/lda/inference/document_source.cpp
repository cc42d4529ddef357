#include "lda/inference/document_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "sampling/json_text.hpp"
#include "tain/core/error.hpp"
#include "text/document_names.hpp"
#include "text/documents.hpp"
#include "text/import.hpp"
#include "text/vocabulary.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void clear(KnownWords& document) {
  document.name.clear();
  document.words.clear();
  document.unknown = 0;
}

/// As many as the longest text can have; a count in a file may promise more than memory holds.
constexpr std::uint64_t most_tokens = max_document_bytes / 2;

/// `count` tokens of a word, by its number in the model, of the document with this number, if any.
void add(KnownWords& document, std::uint32_t word, std::uint64_t count, std::uint64_t number = 0) {
  if (word == Vocabulary::none) {
    document.unknown += count;
  } else if (count > most_tokens - document.words.size()) {
    fail(Fault::data,
         !document.name.empty() ? document.name
         : number > 0           ? fmt::format("document {}", number)
                                : "a document",
         fmt::format("has more than {} tokens", most_tokens), "check its counts");
  } else {
    document.words.insert(document.words.end(), count, word);
  }
}

/// Counted words of a source whose numbers become those of the model.
void add_bag(KnownWords& document, std::span<const std::uint32_t> ids,
             std::span<const std::uint32_t> counts, std::span<const std::uint32_t> numbers,
             std::uint64_t number = 0) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    add(document, ids[i] < numbers.size() ? numbers[ids[i]] : Vocabulary::none,
        counts.empty() ? 1 : counts[i], number);
  }
  std::ranges::sort(document.words);
}

Vocabulary vocabulary_of(std::span<const std::string> words) {
  Vocabulary vocabulary;
  for (const std::string& word : words) {
    vocabulary.add(word);
  }
  return vocabulary;
}

class CorpusDocuments final : public DocumentSource {
 public:
  CorpusDocuments(Corpus corpus, std::vector<std::uint32_t> numbers, std::uint64_t count)
      : corpus_(std::move(corpus)),
        names_(DocumentNames::open(corpus_)),
        numbers_(std::move(numbers)),
        count_(count) {}
  bool next(KnownWords& document) override {
    if (next_ == count_) {
      corpus_.require_whole();
      return false;
    }
    clear(document);
    const std::uint64_t d = spread_document(next_, count_, corpus_.documents());
    const DocumentWords words = corpus_.document(d);
    document.name = names_.any() ? names_.name(d) : std::string_view();
    add_bag(document, words.ids, words.counts, numbers_, ++next_);
    return true;
  }
  std::uint64_t consumed() const override { return next_; }
  std::optional<std::uint64_t> size() const override { return count_; }
  WorkProgress::Unit unit() const override { return WorkProgress::Unit::documents; }

 private:
  Corpus corpus_;
  DocumentNames names_;
  std::vector<std::uint32_t> numbers_;
  std::uint64_t count_, next_ = 0;
};

class TextDocuments final : public DocumentSource, TokenSink {
 public:
  TextDocuments(std::unique_ptr<DocumentReader> reader, const ModelData& model)
      : reader_(std::move(reader)),
        vocabulary_(vocabulary_of(model.vocabulary())),
        tokenizer_(model_tokenizer(model)) {}
  bool next(KnownWords& document) override {
    Document text;
    if (!reader_->next(text)) {
      return false;
    }
    clear(document);
    document.name = text.id;
    current_ = &document;
    tokenizer_.tokens(text.text, *this);
    std::ranges::sort(document.words);
    return true;
  }
  std::uint64_t consumed() const override { return reader_->consumed(); }
  std::optional<std::uint64_t> size() const override { return reader_->size(); }

 private:
  void put(std::string_view token) override { add(*current_, vocabulary_.find_padded(token), 1); }

  std::unique_ptr<DocumentReader> reader_;
  Vocabulary vocabulary_;
  Tokenizer tokenizer_;
  KnownWords* current_ = nullptr;
};

class NumberedBags final : public DocumentSource {
 public:
  NumberedBags(std::unique_ptr<BagReader> reader, std::vector<std::uint32_t> numbers)
      : reader_(std::move(reader)), numbers_(std::move(numbers)) {}
  bool next(KnownWords& document) override {
    if (!reader_->next(bag_)) {
      return false;
    }
    clear(document);
    add_bag(document, bag_.ids, bag_.counts, numbers_);
    return true;
  }
  std::uint64_t consumed() const override { return reader_->source().consumed(); }
  std::optional<std::uint64_t> size() const override { return reader_->source().size(); }

 private:
  std::unique_ptr<BagReader> reader_;
  std::vector<std::uint32_t> numbers_;
  Bag bag_;
};

class NamedBags final : public DocumentSource {
 public:
  NamedBags(std::unique_ptr<WordBagReader> reader, const ModelData& model)
      : reader_(std::move(reader)), vocabulary_(vocabulary_of(model.vocabulary())) {}
  bool next(KnownWords& document) override {
    if (!reader_->next(bag_)) {
      return false;
    }
    clear(document);
    document.name = bag_.tag;
    for (std::size_t i = 0; i < bag_.words.size(); ++i) {
      add(document, vocabulary_.find(bag_.words[i]), bag_.counts[i]);
    }
    std::ranges::sort(document.words);
    return true;
  }
  std::uint64_t consumed() const override { return reader_->source().consumed(); }
  std::optional<std::uint64_t> size() const override { return reader_->source().size(); }

 private:
  std::unique_ptr<WordBagReader> reader_;
  Vocabulary vocabulary_;
  WordBag bag_;
};

void refuse_vocabulary(const SourceOptions& options, std::string_view what) {
  if (options.vocabulary) {
    fail(Fault::config, Field{"vocab"},
         fmt::format("{} has words, no numbers that a list would explain", what), "leave it out");
  }
}

std::unique_ptr<DocumentSource> read_numbered(Format format, std::unique_ptr<ByteSource> bytes,
                                              const ModelData& model,
                                              const SourceOptions& options) {
  std::vector<std::string> given;
  if (options.vocabulary) {
    const Vocabulary list = read_vocabulary(*options.vocabulary, LetterCase::keep);
    for (std::uint32_t id = 0; id < list.size(); ++id) {
      given.emplace_back(list.word(id));
    }
  }
  std::vector<std::uint32_t> numbers =
      known_words(model.vocabulary(),
                  options.vocabulary ? std::span<const std::string>(given) : model.vocabulary());
  const BagOptions bags{.vocabulary_size = static_cast<std::uint32_t>(numbers.size()),
                        .svmlight_first_id = options.svmlight_first_id};
  return std::make_unique<NumberedBags>(read_bags(format, std::move(bytes), bags),
                                        std::move(numbers));
}

OpenedSource open_folder(const fs::path& path, const ModelData& model,
                         const SourceOptions& options) {
  refuse_vocabulary(options, path.string());
  if (options.format && *options.format != Format::text) {
    fail(Fault::config, path.string(),
         fmt::format("is a folder, which cannot be read as {}", format_name(*options.format)),
         "give a file, or leave the format out");
  }
  if (fs::exists(path / "corpus.bin")) {
    return {read_corpus(Corpus::open(path), model), fmt::format("{}, a corpus", path.string())};
  }
  return {std::make_unique<TextDocuments>(read_folder(path), model),
          fmt::format("{}, a folder: every file is a document", path.string())};
}

}  // namespace

TokenizerOptions model_tokenizer(const ModelData& model) {
  TokenizerOptions options;
  const Json manifest = parse_json(model.facts().corpus_manifest);
  if (!manifest.is_object() || !manifest.contains("tokenizer")) {
    return options;
  }
  try {
    const Json& cut = manifest["tokenizer"];
    options.rule = token_rule(cut.value("rule", "unicode"));
    options.letter_case = cut.value("keep_case", false) ? LetterCase::keep : LetterCase::fold;
    options.min_characters = cut.value("min_length", options.min_characters);
    options.max_characters = cut.value("max_length", options.max_characters);
    options.stop_words = cut.value("stop_words", options.stop_words);
    options.stemmer = cut.value("stemmer", options.stemmer);
  } catch (const Json::exception& error) {
    fail(Fault::data, (model.folder() / "manifest.json").string(),
         fmt::format("does not say how text was cut ({})", error.what()), "train the model again");
  }
  // A list of stop words that has gone: they are no words of the model, so they count as unknown.
  std::error_code ignored;
  if (options.stop_words != "english" && options.stop_words != "none" &&
      !fs::exists(options.stop_words, ignored)) {
    options.stop_words = "none";
  }
  return options;
}

std::vector<std::uint32_t> known_words(std::span<const std::string> known,
                                       std::span<const std::string> vocabulary) {
  const Vocabulary all = vocabulary_of(known);
  std::vector<std::uint32_t> numbers;
  numbers.reserve(vocabulary.size());
  for (const std::string& word : vocabulary) {
    numbers.push_back(all.find(word));
  }
  return numbers;
}

std::unique_ptr<DocumentSource> read_corpus(const Corpus& corpus,
                                            std::vector<std::uint32_t> numbers) {
  return std::make_unique<CorpusDocuments>(corpus, std::move(numbers), corpus.documents());
}

std::unique_ptr<DocumentSource> read_corpus(const Corpus& corpus, const ModelData& model) {
  return read_corpus(corpus, model, corpus.documents());
}

std::unique_ptr<DocumentSource> read_corpus(const Corpus& corpus, const ModelData& model,
                                            std::uint64_t count) {
  return std::make_unique<CorpusDocuments>(corpus,
                                           known_words(model.vocabulary(), corpus.vocabulary()),
                                           std::min(count, corpus.documents()));
}

std::uint64_t spread_document(std::uint64_t i, std::uint64_t count, std::uint64_t all) {
  // Whole parts and remainders apart: i all may be more than 64 bits hold.
  return all / count * i + all % count * i / count;
}

OpenedSource open_source(const fs::path& path, const ModelData& model,
                         const SourceOptions& options) {
  std::error_code ignored;
  if (path != "-" && fs::is_directory(path, ignored)) {
    return open_folder(path, model, options);
  }
  auto bytes = std::make_unique<PeekedBytes>(open_bytes(path), detection_bytes);
  const Detection detection = detect_format(bytes->first(), path.filename().string());
  const Format format = options.format.value_or(detection.format);
  OpenedSource opened{nullptr, fmt::format("{} as {}{}", bytes->name(), format_name(format),
                                           options.format ? "" : ": " + detection.reason)};
  switch (content_of(format)) {
    case Content::text:
      refuse_vocabulary(options, bytes->name());
      opened.documents =
          std::make_unique<TextDocuments>(read_documents(format, std::move(bytes)), model);
      break;
    case Content::words:
      refuse_vocabulary(options, bytes->name());
      opened.documents = std::make_unique<NamedBags>(read_word_bags(std::move(bytes)), model);
      break;
    case Content::numbers:
      opened.documents = read_numbered(format, std::move(bytes), model, options);
      break;
  }
  return opened;
}

}  // namespace tain
