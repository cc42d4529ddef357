// What a Run consists of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/apart.hpp"
#include "draws/draws_file.hpp"
#include "report/run_page.hpp"
#include "run/sampler.hpp"
#include "sampling/search.hpp"
#include "tain/sampling/run.hpp"

namespace tain {

struct Run::State {
  RunReport report;
  bool judged = false;             ///< are there draws enough?
  std::optional<Problem> problem;  ///< none: known by its draws only
  Search search;
  std::string request;  ///< what shaped the draws, as their files keep it
  bool resumable = false;
  /// Files that the draws were read from, and that the run has written.
  std::vector<NamedPath> read, written;
  std::size_t threads = 0;

  /// Says what the draws are worth, and for pages where they live.
  void judge();
  /// What is known of the run besides its draws.
  RunFacts facts() const;
  /// What a file of the draws tells beside them.
  DrawsInfo info() const;
};

}  // namespace tain
