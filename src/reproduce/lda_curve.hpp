// One curve of the study of topic models.
#pragma once

#include <functional>
#include <optional>

#include "lda/engine/held_out.hpp"
#include "reproduce/lda.hpp"

namespace tain {

/// What all curves of a study share.
struct LdaCurveContext {
  const Corpus& corpus;
  const HeldOut& held_out;
  const TrainingDocuments& documents;  ///< to train on
  const LdaStudySettings& plan;
  std::uint64_t documents_seen;
};

/// None if stopped. `on_share` is told the share that is done.
std::optional<LdaCurve> lda_curve(const LdaCurveContext& context, const LdaCurveKey& key,
                                  const std::function<Next(double)>& on_share);

}  // namespace tain
