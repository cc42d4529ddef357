// A corpus drawn from the model of latent Dirichlet allocation, with its true topics beside it.
//
// Definition (Blei, Ng and Jordan 2003):
//   topic k        phi_k   ~ Dirichlet(eta W b), b the base frequencies of the words
//   document d     N_d     ~ Poisson(mean_length),  theta_d ~ Dirichlet(alpha, ..., alpha)
//   token i of d   z_di    ~ theta_d,  w_di ~ phi_z,  written in the order i = 1 ... N_d
//   Base frequencies are uniform, b_w = 1/W, or Zipf's as Mandelbrot corrected them,
//   b_w ~ 1/(w + 2.7), w = 1 ... W, so that eta is the mean over the words in either case.
// Files, besides those of a corpus (corpus.hpp): topics.npy, K x W float32, every row sums to 1;
//   and if asked for proportions.npy, D x K float32, row d is theta_d.
// Words are made of syllables (`bakedu`): pronounceable, all different, tokens of both rules, no
//   stop words; so an exported text imports again.
// Laws: randomness is a function of (seed, topic), (seed, document) and (seed, document, position):
//   any number of threads gives the same bytes, and the first n documents do not depend on how many
//   follow.
// Numerics: words are drawn from the rows of topics.npy as they are written, by alias tables of
//   32-bit thresholds: the probability of a word is right to 2^-32. Gammas are drawn by their
//   logarithm, so no alpha or eta is too small; proportions below float's range are 0.
// Cost: O(1) per token, O(K) per document, O(K W) once; memory 12 K W bytes (files are mapped), a
//   few MiB of tokens besides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/fields.hpp"
#include "core/file.hpp"
#include "core/parallel.hpp"
#include "text/progress.hpp"

namespace tain {

enum class BaseFrequencies { uniform, zipf };
enum class Proportions { drop, write };

struct SyntheticPlan {
  std::uint64_t documents = 10'000;
  std::uint32_t topics = 20;
  std::uint32_t words = 5'000;
  double mean_length = 100;
  double alpha = 0.1;  ///< per topic
  double eta = 0.05;   ///< per word
  BaseFrequencies base = BaseFrequencies::uniform;
  Proportions proportions = Proportions::drop;
  std::uint64_t seed = 1;

  /// What `tain corpus synthesize` draws unless told otherwise.
  static SyntheticPlan usual();
  void describe(Fields& fields);
};

struct SyntheticReport {
  std::uint64_t documents = 0, empty_documents = 0, tokens = 0;
};

/// Throws Error (config) for a plan that cannot be drawn or that the machine has not enough memory
/// for, cannot_create or io for the folder. None if the observer stopped it; then nothing is left.
/// Phases: "drawing topics", "writing".
std::optional<SyntheticReport> synthesize_corpus(const SyntheticPlan& plan,
                                                 const std::filesystem::path& folder,
                                                 Overwrite overwrite, Threads& threads,
                                                 const DocumentObserver& observer);

/// The first `words` made-up words.
std::vector<std::string> synthetic_words(std::uint32_t words);

/// The plan as the corpus's manifest.json.
std::string synthetic_manifest(const SyntheticPlan& plan, const SyntheticReport& report);

}  // namespace tain
