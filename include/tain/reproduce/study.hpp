// The paper's studies, repeated and questioned: which of its claims hold.
//
//     const tain::Study study = tain::reproduce_synthetic("study", {.quick = true});
//     std::puts(study.text().c_str());
//
// Definition: curves of samplers under test are made one by one and kept in the folder, which a
//   stopped study goes on from; when all are there, it gets what they show: index.html, the
//   figures as SVG, curves.csv and findings.json, beside study.json.
// Laws: a curve is a function of plan, corpus and instruction set, but for its seconds; neither
//   threads nor stops change it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tain/core/next.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

enum class Holds { yes, partly, no };
std::string_view holds_text(Holds holds);  ///< "holds", "holds in part", "does not hold"

/// Figures of the page beside which a finding stands.
enum class Exhibit { paper, binning, starts, step_sizes, samplers, sgrhmc, seconds };

struct StudyFinding {
  std::string claim;           ///< the paper's, or the question asked
  std::string source;          ///< e.g. "paper, section 5.1", or "beyond the paper"
  std::optional<Holds> holds;  ///< none: a question, not a claim
  std::vector<std::string> sentences;
  Exhibit exhibit = Exhibit::paper;
};

struct StudyProgress {
  std::string_view what;  ///< the curve that is made
  double share = 0;       ///< of the work of the whole study
};
/// May stop the study; asked by one thread at a time.
using StudyWatch = std::function<Next(const StudyProgress&)>;

/// What came out of a study.
struct Study {
  std::filesystem::path folder, page;
  bool finished = false;  ///< else it can be resumed, and what follows is empty
  double seconds = 0;     ///< that all its parts took
  std::vector<StudyFinding> findings = {};
  std::string json = {};  ///< findings.json of the folder

  /// The findings as people read them.
  std::string text() const;
};

struct SyntheticStudyPlan {
  bool quick = false;                                ///< 20,000 chains at most
  std::optional<std::uint64_t> chains = {};          ///< of the best curves: 2,000,000
  std::optional<std::uint64_t> grid_chains = {};     ///< of the search for step sizes: 100,000
  std::optional<std::uint64_t> further_chains = {};  ///< of the further samplers: 200,000
  std::optional<std::uint64_t> iterations = {};      ///< of every chain: 10,000
  std::uint64_t seed = 1;
  std::optional<std::string> isa = {};  ///< pins the instruction set of the process

  std::size_t threads = 0;  ///< 0: all cores
  bool resume = false;      ///< goes on with the stopped study of the folder
  bool overwrite = false;   ///< replaces the study in the folder
  StudyWatch progress = {};
  std::function<void(std::string_view)> note = {};  ///< what is to be done, before it is
  std::string command = {};                         ///< as one would write it again; for the page

  /// What shapes the curves.
  void describe(Fields& fields);
};

struct LdaStudyPlan {
  /// Documents to train on; none: a synthetic corpus in the folder, for the quick study.
  std::optional<Corpus> corpus = {};
  bool quick = false;                            ///< 4,000 documents
  std::optional<std::uint64_t> topics = {};      ///< 100; quick: 40
  std::vector<std::string> methods = {};         ///< none: all
  std::optional<std::uint64_t> docs = {};        ///< seen by every curve: 100,000, at most one pass
  std::optional<std::uint64_t> holdout = {};     ///< documents: 1,000; quick: 200
  std::optional<std::uint64_t> eval_every = {};  ///< documents between looks: 5,000; quick: 500
  std::optional<std::uint64_t> runs = {};        ///< seeds of the best step sizes: 5; quick: 2
  std::uint32_t sweeps = 20;                     ///< over a batch; the first half is forgotten
  double alpha = 0.01;                           ///< per topic
  double eta = 0.01;                             ///< per word
  std::uint64_t seed = 1;
  std::optional<std::string> isa = {};  ///< pins the instruction set of the process

  std::size_t threads = 0;  ///< 0: all cores
  bool resume = false;      ///< goes on with the stopped study of the folder
  bool overwrite = false;   ///< replaces the study in the folder
  StudyWatch progress = {};
  std::function<void(std::string_view)> note = {};  ///< what the study will take, before it begins
  std::string command = {};                         ///< as one would write it again; for the page

  /// What shapes the curves, but for the corpus.
  void describe(Fields& fields);
};

/// Total variation of coordinates of the paper's sparse posterior against iterations (section 5.1).
Study reproduce_synthetic(const std::filesystem::path& folder, const SyntheticStudyPlan& plan = {});
/// Held-out perplexity of topic models against documents and time (section 5.2).
Study reproduce_lda(const std::filesystem::path& folder, const LdaStudyPlan& plan = {});

}  // namespace tain
