#include "lda/model/topic_draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/npy.hpp"
#include "lda/model/checksummed_file.hpp"
#include "lda/model/model_manifest.hpp"
#include "tain/core/error.hpp"

namespace tain {
namespace {

namespace fs = std::filesystem;
using model_manifest::Manifest;

/// Bytes of an array of this type and shape.
template <class T>
std::span<const std::byte> array_of(const MappedFile& file, std::string_view type,
                                    std::span<const std::uint64_t> shape, const fs::path& path) {
  const NpyHead head = parse_npy_head(text_of(file), path.string());
  if (head.type != type || !std::ranges::equal(head.shape, shape) ||
      head.data_offset % alignof(T) != 0) {
    damaged_file(path, "is no array of the shape that the manifest has");
  }
  const std::span<const std::byte> data = file.bytes().subspan(head.data_offset);
  npy_items(head, data.size(), sizeof(T), path.string());
  return data;
}

void require_distribution(std::span<const float> row, const fs::path& path) {
  double sum = 0;
  bool negative = false;
  for (const float value : row) {
    sum += static_cast<double>(value);
    negative = negative || value < 0;
  }
  if (negative || !(std::abs(sum - 1) <= row_tolerance)) {
    damaged_file(path, fmt::format("a topic is no distribution: its words sum to {}", sum));
  }
}

std::vector<double> read_shares(const fs::path& path, const Manifest& manifest,
                                std::uint64_t draws) {
  const MappedFile file = open_sealed(path, *manifest.draw_shares);
  const std::array<std::uint64_t, 2> shape{draws, manifest.topics};
  const std::span<const std::byte> data = array_of<double>(file, "<f8", shape, path);
  std::vector<double> shares(data.size() / sizeof(double));
  std::memcpy(shares.data(), data.data(), data.size());
  for (const double share : shares) {
    if (!(share >= 0 && share <= 1)) {
      damaged_file(path, fmt::format("has a share of {}", share));
    }
  }
  return shares;
}

}  // namespace

std::optional<TopicDraws> TopicDraws::open(const fs::path& folder) {
  const fs::path manifest_path = folder / "manifest.json";
  const Manifest manifest =
      model_manifest::parse(read_file(manifest_path, most_record_bytes), manifest_path.string());
  const fs::path path = folder / model_manifest::draws_file,
                 shares = folder / model_manifest::draw_shares_file;
  std::error_code error;
  if (!manifest.draws || !fs::exists(path, error)) {
    return std::nullopt;
  }
  TopicDraws draws;
  draws.topics_ = manifest.topics;
  draws.words_ = manifest.words;
  draws.documents_ = manifest.facts.draw_documents;
  draws.file_ = open_sealed(path, *manifest.draws);
  const std::array<std::uint64_t, 3> shape{draws.draws(), manifest.topics, manifest.words};
  const std::span<const std::byte> data = array_of<float>(draws.file_, "<f4", shape, path);
  draws.values_ = {reinterpret_cast<const float*>(data.data()), data.size() / sizeof(float)};
  for (std::size_t row = 0; row < draws.values_.size(); row += manifest.words) {
    require_distribution(draws.values_.subspan(row, manifest.words), path);
  }
  if (manifest.draw_shares && fs::exists(shares, error)) {
    draws.shares_ = read_shares(shares, manifest, draws.draws());
  }
  return draws;
}

TopicDraws::TopicDraws(std::vector<float> rows, std::uint32_t topics, std::uint32_t words,
                       std::vector<std::uint64_t> documents, std::vector<double> shares)
    : rows_(std::move(rows)),
      values_(rows_),
      topics_(topics),
      words_(words),
      documents_(std::move(documents)),
      shares_(std::move(shares)) {}

std::span<const float> TopicDraws::values(std::uint64_t draw) const {
  const std::size_t cells = std::size_t{topics_} * words_;
  file_.require_whole();
  return values_.subspan(draw * cells, cells);
}

std::span<const float> TopicDraws::topic(std::uint64_t draw, std::uint32_t topic) const {
  return values(draw).subspan(std::size_t{topic} * words_, words_);
}

std::span<const double> TopicDraws::shares(std::uint64_t draw) const {
  return shares_.empty() ? std::span<const double>()
                         : std::span(shares_).subspan(draw * topics_, topics_);
}

}  // namespace tain
