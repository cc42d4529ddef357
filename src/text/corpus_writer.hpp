// Writes the folder of a corpus (tain/text/corpus.hpp says what is in it).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/output_folder.hpp"
#include "tain/core/overwrite.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

/// The folder of a corpus that is to be written. Throws Error (cannot_create, of the field `output`)
/// unless one may be written there: the folder above is there, and nothing is in the way but, with
/// `overwrite`, a corpus, which stays until the new one takes its place.
class CorpusFolder : public OutputFolder {
 public:
  CorpusFolder(const std::filesystem::path& folder, Overwrite overwrite);
};

/// Writes a corpus out of sight; finish() puts it in its place. Without finish() nothing is left.
class CorpusWriter {
 public:
  CorpusWriter(CorpusFolder& folder, Order order);
  /// Throws as CorpusFolder does.
  CorpusWriter(const std::filesystem::path& folder, Order order, Overwrite overwrite);
  ~CorpusWriter();
  CorpusWriter(const CorpusWriter&) = delete;
  CorpusWriter& operator=(const CorpusWriter&) = delete;

  /// A document of an ordered corpus. `name` and `title` may be empty.
  void add(std::span<const std::uint32_t> tokens, std::string_view name, std::string_view title);
  /// A document of a corpus without order: different ids, ascending, with their counts.
  void add(std::span<const std::uint32_t> ids, std::span<const std::uint32_t> counts,
           std::string_view name, std::string_view title);

  std::uint64_t documents() const;
  std::uint64_t tokens() const;
  /// Where to write a further file of the folder; it must be complete when finish() is called.
  std::filesystem::path beside(std::string_view name);
  /// Words by id, each one line; every id given to add() must have one. `manifest` is JSON text.
  void finish(std::span<const std::string> vocabulary, std::string_view manifest);

 private:
  struct State;
  std::unique_ptr<CorpusFolder> own_folder_;
  std::unique_ptr<State> state_;
};

}  // namespace tain
