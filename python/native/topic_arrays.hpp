// Topics as arrays of topics x words, and back.
#pragma once

#include <pybind11/numpy.h>

#include <span>
#include <string_view>

#include "lda/engine/topics.hpp"

namespace tain::python {

using FloatArray = pybind11::array_t<float, pybind11::array::c_style | pybind11::array::forcecast>;

/// Weights as they are.
FloatArray published_array(const TopicWeights& topics);
/// What a model with these rows in its topics.npy has: the same bits. Throws Error (data) for an
/// array that is no matrix, and for a row that is no distribution.
TopicWeights topic_weights(const FloatArray& rows, std::string_view name);
/// Throws Error (data) unless there is a positive number for every topic.
void require_alpha(const FloatArray& alpha, std::uint32_t topics);

}  // namespace tain::python
