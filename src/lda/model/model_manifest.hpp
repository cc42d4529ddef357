// manifest.json of a model: what it says, and its own checksum.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lda/model/model_data.hpp"

namespace tain::model_manifest {

inline constexpr int version = 1;

/// The files that the model cannot do without, in the order of their seals.
inline constexpr std::array<std::string_view, 3> sealed_files{"topics.npy", "dual.npy",
                                                              "vocab.txt"};

/// Those that it may have.
inline constexpr std::string_view draws_file = "draws.npy", draw_shares_file = "draw_shares.npy";

struct FileChecksum {
  std::uint64_t bytes = 0, checksum = 0;
};

struct Manifest {
  ModelFacts facts;
  std::uint32_t topics = 0, words = 0;
  std::array<FileChecksum, sealed_files.size()> seals;
  std::optional<FileChecksum> draws = {}, draw_shares = {};
};

/// JSON text that ends with its own checksum; `details` as in ModelFiles.
std::string write(const Manifest& manifest, std::string_view details);
/// `name` is for messages. Throws Error (data).
Manifest parse(std::string_view text, std::string_view name);

/// The checksum that the text should end with; false if it has no place for one.
bool seal(std::string& text);

}  // namespace tain::model_manifest
