// What comes out of sampling: draws, whether to trust them, and how they were made.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tain/core/overwrite.hpp"
#include "tain/diagnose/exact.hpp"
#include "tain/diagnose/summary.hpp"
#include "tain/draws/draws.hpp"
#include "tain/run/record.hpp"

namespace tain {

struct Chapter;

/// Values of one parameter, with their shape: chains, draws, and that of the parameter.
struct Array {
  std::vector<double> values;
  std::vector<std::size_t> shape;
};

/// Copies share the draws.
class Run {
 public:
  const Draws& draws() const;
  /// Of one parameter, by its name. Throws Error (usage) with the nearest name.
  Array operator[](std::string_view parameter) const;
  bool finished() const;
  /// Has files that a stopped run can be continued from.
  bool resumable() const;
  /// Are there draws enough to say anything about them? Else what follows throws Error (config).
  bool judged() const;
  const Diagnosis& diagnosis() const;
  const std::vector<SummaryRow>& summary() const { return diagnosis().rows; }
  const Verdict& verdict() const { return diagnosis().verdict; }
  /// Draws beside exact moments, where the target is known and knows them.
  std::vector<ExactMoment> exact() const;
  const RunRecord& record() const;
  /// Table and verdict as people read them.
  std::string text(const TextStyle& style = {}) const;
  /// Draws and the manifest beside them.
  void save(const std::filesystem::path& draws, Overwrite overwrite = Overwrite::no) const;
  void report(const std::filesystem::path& page, Overwrite overwrite = Overwrite::no) const;
  /// The report as a part of a page.
  Chapter chapter() const;

  struct State;
  explicit Run(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const State> state_;
};

/// Draws of any sampler in files (one run; several files are its chains), judged, with what files
/// and manifest tell of how they were made; the record's notes say what was left out and why.
/// `threads`: 0 is all cores.
Run read_run(const std::vector<std::filesystem::path>& files, std::size_t threads = 0,
             DualPart dual = DualPart::read);

}  // namespace tain
