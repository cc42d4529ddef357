// A model whose topics were published before: opened, or handed to somebody and back.
#pragma once

#include "lda/model/model.hpp"

namespace tain {

/// As write_model, for topics that are probabilities: rows are not divided by their sums, which are
/// 1 within 1e-6, so that topics.npy has the bits that Model::open gave.
void write_published_model(const std::filesystem::path& folder, const ModelFiles& files);

}  // namespace tain
