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

}  // namespace

FloatArray published_array(const TopicWeights& topics) {
  const std::size_t words = topics.words();
  std::vector<float> rows(topics.topics() * words);
  for (std::size_t w = 0; w < words; ++w) {
    for (std::size_t k = 0; k < topics.topics(); ++k) {
      rows[k * words + w] = topics.weights().at(w, k);
    }
  }
  return owned_array(std::move(rows), {static_cast<pybind11::ssize_t>(topics.topics()),
                                       static_cast<pybind11::ssize_t>(words)});
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
