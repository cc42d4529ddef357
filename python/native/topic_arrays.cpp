#include "topic_arrays.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "arrays.hpp"
#include "lda/engine/document_gibbs.hpp"
#include "tain/core/error.hpp"

namespace tain::python {
namespace {

constexpr double row_tolerance = 1e-6;  // as of topics.npy

/// Topic-major rows of word-major cells, divided by their sums.
void write_rows(ConstFloatBlock cells, std::span<const double> sums, std::span<float> rows) {
  const std::size_t words = cells.rows();
  for (std::size_t w = 0; w < words; ++w) {
    for (std::size_t k = 0; k < sums.size(); ++k) {
      rows[k * words + w] = static_cast<float>(static_cast<double>(cells.at(w, k)) / sums[k]);
    }
  }
}

FloatArray matrix_of(std::vector<float> rows, std::uint32_t topics) {
  const auto count = static_cast<pybind11::ssize_t>(topics);
  const auto words = static_cast<pybind11::ssize_t>(rows.size() / topics);
  return owned_array(std::move(rows), {count, words});
}

}  // namespace

void write_topic_rows(ConstFloatBlock cells, std::uint32_t topics, std::span<float> rows) {
  std::vector<double> sums(topics, 0.0);
  for (std::size_t w = 0; w < cells.rows(); ++w) {
    for (std::size_t k = 0; k < topics; ++k) {
      sums[k] += static_cast<double>(cells.at(w, k));
    }
  }
  write_rows(cells, sums, rows);
}

FloatArray topic_array(ConstFloatBlock cells, std::uint32_t topics) {
  std::vector<float> rows(topics * cells.rows());
  write_topic_rows(cells, topics, rows);
  return matrix_of(std::move(rows), topics);
}

FloatArray published_array(const TopicWeights& topics) {
  std::vector<float> rows(std::size_t{topics.topics()} * topics.words());
  write_rows(topics.weights(), std::vector<double>(topics.topics(), 1.0), rows);
  return matrix_of(std::move(rows), topics.topics());
}

TopicWeights topic_weights(const FloatArray& rows, std::string_view name) {
  if (rows.ndim() != 2 || rows.shape(0) < 1 || rows.shape(0) > most_topics || rows.shape(1) < 1) {
    fail(Fault::data, name, "is no array of topics x words",
         fmt::format("give 1 to {} rows, one per topic", most_topics));
  }
  TopicWeights topics(static_cast<std::uint32_t>(rows.shape(0)),
                      static_cast<std::uint32_t>(rows.shape(1)));
  const std::size_t words = topics.words();
  const std::span<const float> values(rows.data(), static_cast<std::size_t>(rows.size()));
  const FloatBlock cells = topics.weights();
  for (std::uint32_t k = 0; k < topics.topics(); ++k) {
    double sum = 0;
    for (std::size_t w = 0; w < words; ++w) {
      const float value = values[k * words + w];
      if (!(value >= 0)) {
        fail(Fault::data, name, fmt::format("topic {} has {} for word {}", k, value, w),
             "give probabilities");
      }
      cells.at(w, k) = value;
      sum += static_cast<double>(value);
    }
    if (!(std::abs(sum - 1) <= row_tolerance)) {
      fail(Fault::data, name, fmt::format("topic {} sums to {}", k, sum),
           "give rows that sum to 1");
    }
    topics.inverse_sums()[k] = static_cast<float>(1 / sum);
  }
  return topics;
}

void require_alpha(const FloatArray& alpha, std::uint32_t topics) {
  const std::span<const float> values = values_of(alpha);
  if (values.size() != topics) {
    fail(Fault::data, "alpha_", fmt::format("{} of them for {} topics", values.size(), topics),
         "give one per topic");
  }
  for (const float value : values) {
    if (!(value > 0) || !std::isfinite(value)) {
      fail(Fault::data, "alpha_", fmt::format("holds {}", value), "give positive numbers");
    }
  }
}

}  // namespace tain::python
