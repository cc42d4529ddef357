// The paper's study of topic models (section 5.2, figure 1b; appendix H.2, figure 2b), repeated and
// extended.
//
// Definition: a curve trains topics on batches (lda/training.hpp) with steps a (1 + t/b)^-c, and
//   looks at the same held-out documents after every `every` documents: perplexity of the topics
//   then, and perplexity_average, that of the mean over its looks so far (lda/predictive.hpp).
//   For every method and number of topics a grid of step sizes a is tried with one seed; the best
//   (ascending mean of log perplexity_average over the looks) are run again with `runs` other
//   seeds.
// Laws: a curve is a function of (corpus, plan, its key): neither threads nor other curves change
//   it, but for its seconds. Curves of one seed visit the documents in the same order whatever the
//   method, so that methods are compared run by run.
// Cost: one thread per curve; see lda_study_cost.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/parallel.hpp"
#include "lda/training/training.hpp"
#include "tain/reproduce/study.hpp"
#include "tain/text/corpus.hpp"

namespace tain {

/// Step sizes a to be tried for a method.
struct LdaGrid {
  std::string method;
  std::uint32_t topics = 0;
  std::vector<double> steps;  ///< ascending
  double first_weight = 1;    ///< of a word at the start
  double floor = 0;           ///< least weight (smld-approximate)
  bool operator==(const LdaGrid&) const = default;
};

struct LdaStudySettings {
  std::uint64_t seed = 1;
  std::uint64_t training_documents = 0;  ///< drawn from the corpus; 0: all but the held-out ones
  std::uint64_t held_out = 1000;
  /// Seen by every curve, rounded down to looks; at most a pass.
  std::uint64_t documents = 100'000;
  std::uint64_t every = 5000;  ///< documents between looks, a multiple of the batch
  std::uint32_t batch = 50;
  std::uint32_t sweeps = 20;  ///< half of them burn-in
  double alpha = 0.01, eta = 0.01;
  double decay_start = 1000, decay_power = 0.55;  ///< b and c
  std::uint32_t runs = 5;                         ///< of the best step sizes, with other seeds
  std::uint32_t topics = 100;  ///< of figure 1b; the comparison with SGRHMC takes half
  std::vector<LdaGrid> grids;
  bool operator==(const LdaStudySettings&) const = default;

  /// The paper's figures with `topics` topics, respectively a minute's worth of them.
  static LdaStudySettings full(std::uint32_t topics = 100);
  static LdaStudySettings quick(std::uint32_t topics = 40);
};

/// Step sizes that hold the best one of every method, for `topics` topics and half as many, on a
/// corpus of so many tokens per word of the vocabulary. Weights start at 1 per word, as those of
/// Patterson and Teh (2013), and find their own scale; but for SMLD-approximate, which leaves their
/// sum alone: it starts at the scale of the posterior, A_k / W, A_k being the tokens of a topic and
/// W the words. There a is the rate at which weights relax per step. Its weights are max{e, 1 + y}
/// with e = 1/2, half a token: the paper's footnote has e > 0, its figure does not say which.
std::vector<LdaGrid> lda_grids(std::uint32_t topics, double tokens_per_word);

/// Of a look: fewer than the evaluation of a model has, since looks are many; the same for all.
inline constexpr GibbsPlan lda_look_sweeps{.sweeps = 20, .burn_in = 10};
/// The paper's own method; five of its step sizes are kept, one of every other.
inline constexpr std::string_view paper_method = "smld-approximate";
inline constexpr std::size_t paper_steps_kept = 5;
/// First step of SGRLD that Patterson and Teh (2013) report as best and the paper takes unsearched:
/// kept beside the best one.
inline constexpr double published_sgrld_step = 0.01;

struct LdaCurveKey {
  std::string method;
  std::uint32_t topics = 0;
  double step_size = 0;
  std::uint64_t seed = 0;
  bool operator==(const LdaCurveKey&) const = default;
};

struct LdaPoint {
  std::uint64_t documents = 0;
  double seconds = 0;  ///< of one core, spent on training
  double perplexity = 0, average = 0;
  bool operator==(const LdaPoint&) const = default;
};

struct LdaCurve {
  LdaCurveKey key;
  std::vector<LdaPoint> points;
  std::string trouble;  ///< why it ended early; empty: it did not
};

/// What a study was made on.
struct LdaCorpusFacts {
  std::uint64_t fingerprint = 0, documents = 0, tokens = 0, words = 0;
  std::uint64_t training_documents = 0;  ///< that curves take theirs from
  std::uint64_t documents_seen = 0;      ///< by every curve
  bool operator==(const LdaCorpusFacts&) const = default;
};

struct LdaStudy {
  LdaStudySettings plan;
  LdaCorpusFacts corpus;
  std::vector<LdaCurve> grid, best;
  double seconds = 0;  ///< wall clock of the whole study
  std::size_t threads = 0;
  std::string command;  ///< that repeats it
};

struct LdaStudyCost {
  std::size_t curves = 0;
  std::uint64_t documents = 0;  ///< visits of documents by all curves
  double core_seconds = 0;      ///< expected
  std::uint64_t bytes_per_thread = 0;
};
/// Throws Error (config) for a plan that the corpus cannot serve.
LdaCorpusFacts lda_corpus_facts(const LdaStudySettings& plan, const Corpus& corpus);
LdaStudyCost lda_study_cost(const LdaStudySettings& plan, const Corpus& corpus);

/// Curves of a method and number of topics, best first; those that ended early come last.
std::vector<const LdaCurve*> ranked(std::span<const LdaCurve> curves, std::string_view method,
                                    std::uint32_t topics);

/// Called after every finished curve, by one thread at a time.
using LdaStudyKeeper = std::function<void(const LdaStudy&)>;

/// Runs what `study` does not hold yet; false if the observer stopped it. Curves end up in the
/// order of the plan. Throws as lda_study_cost.
bool run_lda_study(LdaStudy& study, const Corpus& corpus, Threads& threads,
                   const StudyWatch& observer, const LdaStudyKeeper& keeper);

}  // namespace tain
