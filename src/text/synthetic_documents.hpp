// Topics and documents of the model, drawn from noise addressed by position.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "random/gamma.hpp"
#include "tain/text/synthesize.hpp"
#include "text/alias_table.hpp"

namespace tain::text {

/// Documents one after the other, as they are written.
struct DocumentBlock {
  std::vector<std::uint32_t> tokens;
  std::vector<std::size_t> ends;   ///< of the documents in tokens
  std::vector<float> proportions;  ///< a row of K per document, if wanted

  void clear() {
    tokens.clear();
    ends.clear();
    proportions.clear();
  }
};

/// Draws in double what it gives in float; one per thread.
class DirichletDraw {
 public:
  /// Dirichlet(shapes) into `row`, which sums to 1.
  template <class Shape>
  void draw(const NoiseField& noise, const NoisePlace& place, std::span<float> row,
            const Shape& shape) {
    cells_.resize(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells_[i] = shape(i);
    }
    draw(noise, place, row);
  }

 private:
  void draw(const NoiseField& noise, const NoisePlace& place, std::span<float> row);
  std::vector<double> cells_;  // shapes, then logarithms
};

class SyntheticModel {
 public:
  explicit SyntheticModel(const SyntheticPlan& plan);

  /// Draws topic k into `row` (W) and keeps its table; different topics may go to different
  /// threads.
  void draw_topic(std::uint32_t k, std::span<float> row);
  /// Appends documents [first, last) to `block`, once all topics are drawn.
  void draw_documents(std::uint64_t first, std::uint64_t last, DocumentBlock& block) const;

 private:
  class DocumentDraw;

  SyntheticPlan plan_;
  NoiseField noise_;
  double base_sum_;
  std::vector<AliasColumn> topics_;  ///< K x W
};

}  // namespace tain::text
