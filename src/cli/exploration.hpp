// From the folder of a model to the page about its topics: the same for `tain lda report` and
// `tain report`.
#pragma once

#include <optional>
#include <string>

#include "cli/terminal.hpp"
#include "cli/values.hpp"
#include "core/parallel.hpp"
#include "lda/explore/explorer.hpp"

namespace tain::cli {

/// With the corpus named, else the one trained on if it is where it was and what it was. Shows
/// progress and says what the page will lack; none if a signal stopped it.
std::optional<Explorer> explore_model(const std::string& folder,
                                      const std::optional<std::string>& corpus,
                                      const Options& options, Threads& threads,
                                      const Console& console);

}  // namespace tain::cli
