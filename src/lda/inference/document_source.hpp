// Documents of any source, in the words of a model.
//
// Definition: a source is a corpus on disk, or whatever `tain corpus import` reads: files and
//   folders of text, dumps, bags of words, standard input, compressed or not. Text is cut as that
//   of the corpus the model was trained on was cut. Words are known by their spelling; bags of
//   numbered words have the numbers of the model's vocabulary, unless a list of their words is
//   given. Tokens of words that the model does not have are counted, document by document.
// Laws: one pass from front to back; documents come in the order of the source, empty ones too. The
//   tokens of a document are given in ascending order: a model knows of no other.
// Cost: memory of the largest document and of the vocabulary, whatever the size of the source.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lda/model/model_data.hpp"
#include "tain/core/progress.hpp"
#include "tain/text/corpus.hpp"
#include "text/bag.hpp"
#include "text/formats.hpp"
#include "text/tokenizer.hpp"

namespace tain {

/// One document; meant to be used again for the next.
struct KnownWords {
  std::string name;                  ///< empty where the source has none
  std::vector<std::uint32_t> words;  ///< of every token the model knows, ascending
  std::uint64_t unknown = 0;         ///< other tokens
};

class DocumentSource {
 public:
  virtual ~DocumentSource() = default;
  /// The next document; false at the end.
  virtual bool next(KnownWords& document) = 0;
  /// Progress: bytes or documents done, and of how many (none: not known).
  virtual std::uint64_t consumed() const = 0;
  virtual std::optional<std::uint64_t> size() const = 0;
  virtual WorkProgress::Unit unit() const { return WorkProgress::Unit::bytes; }
};

struct SourceOptions {
  std::optional<Format> format = {};                     ///< none: detected
  std::optional<std::filesystem::path> vocabulary = {};  ///< words of a source that numbers them
  FirstId svmlight_first_id = FirstId::one;
};

struct OpenedSource {
  std::unique_ptr<DocumentSource> documents;
  std::string description;  ///< "articles.txt as text: it looks like no other format"
};

/// How the text was cut that the model was trained on, as far as its manifest tells.
TokenizerOptions model_tokenizer(const ModelData& model);

/// Number among the words that topics know of every word of a list, or Vocabulary::none.
std::vector<std::uint32_t> known_words(std::span<const std::string> known,
                                       std::span<const std::string> vocabulary);

/// Of `count` documents spread evenly over `all`, the i-th: floor(i all / count).
std::uint64_t spread_document(std::uint64_t i, std::uint64_t count, std::uint64_t all);

/// `numbers`: of its words, as known_words gives them.
std::unique_ptr<DocumentSource> read_corpus(const Corpus& corpus,
                                            std::vector<std::uint32_t> numbers);
std::unique_ptr<DocumentSource> read_corpus(const Corpus& corpus, const ModelData& model);
/// So many of its documents, spread evenly; at most all.
std::unique_ptr<DocumentSource> read_corpus(const Corpus& corpus, const ModelData& model,
                                            std::uint64_t count);
/// A corpus folder, or anything else. Throws Error: no_input, data, or config for an option that
/// would do nothing.
OpenedSource open_source(const std::filesystem::path& path, const ModelData& model,
                         const SourceOptions& options = {});

}  // namespace tain
