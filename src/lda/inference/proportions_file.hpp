// Topic proportions of documents as a file.
//
// Formats:
//   npy    documents x topics, float32, in the order of the source
//   csv    a head `document,topic 1,...,topic K`, then a line per document: its name, or its number
//          from 1 where the source has none; names are quoted where they must be (RFC 4180)
//   jsonl  a line {"document": name or number, "topics": [...], "tokens": known, "unknown": others}
//          per document
// Numbers in text are the shortest that are the float.
// Memory: a buffer, whatever the number of documents.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lda/inference/inference.hpp"

namespace tain {

enum class ProportionsFormat { npy, csv, jsonl };

/// By the ending, that of a compression left out; none if it says nothing.
std::optional<ProportionsFormat> proportions_format(const std::filesystem::path& path);

class ProportionsFile {
 public:
  virtual ~ProportionsFile() = default;
  virtual void add(const InferredDocument& document) = 0;
  /// Completes the file; nothing may be added after it.
  virtual void finish() = 0;
};

/// Creates the file, or takes standard output for "-" (csv and jsonl). csv and jsonl are compressed
/// if the ending of `name` asks for it; `name` is for messages too. Throws Error (cannot_create),
/// and (config) for npy on standard output or compressed.
std::unique_ptr<ProportionsFile> write_proportions(const std::filesystem::path& path,
                                                   const std::string& name,
                                                   ProportionsFormat format, std::uint32_t topics);

}  // namespace tain
